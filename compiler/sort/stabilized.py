"""Stabilizes constraints by multipliers, for the method ggl (stage 5 instead of choosing states).

EquationSystem + StructuralPlan -> Unreduced. A constraint 0 = g(x) that was differentiated is kept at each level below
the highest, 0 = g, 0 = g' and so on, and each of these equations C(x) = 0 has a multiplier m:

    x' = v + N^2 G^T m,    0 = C(x),    0 = F(t, x, v, z)

F are the equations of highest order, which determine the highest derivatives and the other unknowns z; N are the
nominal values of x, and G are the slopes of C by its highest derivatives: those of g = 0 by positions, and those of
g' = 0 by velocities, which are the same. All x are integrated, so none of them is chosen as a state. The solution has
m = 0, since C stays zero where F holds; in a numerical solution m moves x back to C = 0. The index is 2, that of m.
N is far smaller for variables that could be states for a whole run: m hardly moves those from which others follow.
Otherwise the length of a stiff spring would take part in errors of all that moves with it, and its force show them.

C. W. Gear, B. Leimkuhler, G. K. Gupta, Automatic integration of Euler-Lagrange equations with constraints, J. Comput.
Appl. Math. 12-13 (1985) 77-90, for positions and velocities of mechanisms; C. W. Gear, Maintaining solution invariants
in the numerical solution of ODEs, SIAM J. Sci. Stat. Comput. 7 (1986) 734-743, for all invariants of x' = f(x).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation
from cutset.compiler.sort import messages
from cutset.compiler.sort.apply import applied
from cutset.compiler.sort.events import solve_events
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.system import SolvedSystem, SortedSystem, Start
from cutset.compiler.sort.unreduced import Unreduced, derivatives_among
from cutset.compiler.structure.chains import NONE
from cutset.compiler.structure.given_states import members
from cutset.compiler.structure.plan import StructuralPlan

# N of a variable that may be a state for the whole run, relative to its nominal value.
_FIRM = 1e-3


def stabilized(system: EquationSystem, plan: StructuralPlan, selection: Selection) -> Unreduced:
    """The system with all variables that have a derivative integrated. After a restart those that are not
    states in the selection follow from the others. ModelError if a constraint cannot be differentiated."""
    states = selection.plan.states if not selection.sets else plan.states
    of_plan, of_selection = members(plan.derivative), members(selection.plan.derivative)
    firm = {of_selection[v] for v in selection.plan.states}
    found, pool = applied(system, plan), system.pool
    system = found.system
    orders = dict(plan.equations)  # the last entry of each equation is its highest order
    chosen = dict.fromkeys(states)
    integrated = [*chosen, *(v for v, d in enumerate(plan.derivative) if d != NONE and v not in chosen)]
    constraints: dict[ScalarEquation, int] = {}  # how often each will be differentiated
    pairs = []
    for (e, order), equation, v in zip(plan.equations, found.equations, plan.matching, strict=True):
        if order < orders[e]:
            constraints[equation] = orders[e] - order
        else:
            pairs.append((found.variables[v], equation))
    derived = derivatives_among(system, [unknown for unknown, _ in pairs])
    pairs.sort(key=lambda pair: pair[0] in derived)
    multipliers = [pool.variable(f"$multiplier{k}") for k in range(1, len(constraints) + 1)]
    x = [found.variables[v] for v in integrated]
    depths = {found.variables[v]: _depth(plan, v) for v in integrated}
    parts = [pool.constant(_FIRM) if of_plan[v] in firm else pool.one for v in integrated]
    forces = _forces(system, depths, parts, constraints, multipliers)
    rates = [pool.add(found.variables[plan.derivative[v]], force) for v, force in zip(integrated, forces, strict=True)]
    unknowns = (*x, *(unknown for unknown, _ in pairs), *multipliers)
    whole = SortedSystem(
        system=system,
        states=unknowns,
        derivatives=(*rates, *(e.residual for _, e in pairs), *(c.residual for c in constraints)),
        inputs=found.inputs,
        blocks=(),
        differentiated=sum(order > 0 for _, order in plan.equations),
        algebraic=len(pairs) + len(multipliers),
        slopes=sum(unknown in derived for unknown, _ in pairs),
        multipliers=len(multipliers),
        origins=tuple(equation.origin for _, equation in pairs),
        jumps=found.jumps,
    )
    solved = SolvedSystem(whole, pool, (), (), ())
    return Unreduced(solved, _start(system, unknowns), solve_events(solved))


def _depth(plan: StructuralPlan, variable: int) -> int:
    """The number of derivatives that the variable has."""
    depth = 0
    while plan.derivative[variable] != NONE:
        variable, depth = plan.derivative[variable], depth + 1
    return depth


def _forces(
    system: EquationSystem,
    depths: Mapping[Expr, int],
    parts: Sequence[Expr],
    constraints: Mapping[ScalarEquation, int],
    multipliers: Sequence[Expr],
) -> list[Expr]:
    """For each integrated variable, with this part of its nominal value, what the multipliers add to its derivative. A
    constraint on velocities contains positions too, but only velocities are moved for it: the matrix of the multipliers
    stays block triangular, and positions are not compared with velocities."""
    pool = system.pool
    nominal = {u.node: u.nominal for u in system.unknowns if u.nominal is not None}
    forces = dict.fromkeys(depths, pool.zero)
    for (constraint, order), multiplier in zip(constraints.items(), multipliers, strict=True):
        for leaf in variables_of(constraint.residual):
            if depths.get(leaf) == order:
                force = pool.mul(_slope(system, constraint, leaf), multiplier)
                forces[leaf] = pool.add(forces[leaf], force)
    sizes = [pool.mul(part, nominal.get(each, pool.one)) for part, each in zip(parts, depths, strict=True)]
    return [pool.mul(pool.mul(n, n), force) for n, force in zip(sizes, forces.values(), strict=True)]


def _slope(system: EquationSystem, constraint: ScalarEquation, leaf: Expr) -> Expr:
    """The derivative of the residual by this leaf: forwards, as constraints are differentiated, so that it exists."""
    pool, origin = system.pool, constraint.origin
    try:
        return partial_derivative(pool, constraint.residual, leaf)
    except Undefined as error:
        diagnostic = messages.without_value(str(error), origin.span, origin.instance or system.name)
        raise ModelError([diagnostic]) from error


def _start(system: EquationSystem, unknowns: Sequence[Expr]) -> Start:
    """The start values of the model; the solved equations replace them by consistent ones."""
    given, pool = {u.node: u.start for u in system.unknowns}, system.pool
    starts = tuple(given.get(unknown) or pool.zero for unknown in unknowns)
    return Start(starts, tuple(pool.start(k) for k in range(len(starts))), (), ())
