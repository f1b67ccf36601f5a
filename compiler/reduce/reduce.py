"""Replaces equations that hide dependences (stage 4d): EquationSystem, StructuralPlan -> ReducedSystem.

The structure tells which variables occur in an equation, not whether two equations contain them in the same
combination: for two capacitors in parallel, both without ground, u1 = Va - Vb and u2 = Va - Vb seem to determine Va and
Vb. If equations of highest order depend on each other for all values of variables and parameters, one is replaced by
their combination (u1 - u2 = 0), and the analysis is repeated. Without such dependences the system stays unchanged.
Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation, Unknown
from cutset.compiler.instantiate.instance import Strength, parameter_numbers
from cutset.compiler.reduce.blocks import highest, lower, orders_of
from cutset.compiler.reduce.combine import Combination, Combiner
from cutset.compiler.reduce.couplings import Coupled, coupled, point_at, tight_couplings
from cutset.compiler.reduce.exact import Coefficient, Field, Row, echelon
from cutset.compiler.reduce.system import Constraint, ReducedSystem
from cutset.compiler.reduce.terms import residual_of, terms_of
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.plan import Incidence, Slopes, StructuralPlan
from cutset.contract.functions import RELATIONS, STEPS


def reduce_system(system: EquationSystem, incidence: Incidence, plan: StructuralPlan) -> ReducedSystem:
    """Raises StructurallySingular if too few equations remain after removing dependences."""
    field = Field(system.pool, FieldPoint({}))
    tight = tight_couplings(system, incidence, field)
    if tight:
        field = Field(system.pool, point_at(tight))
        numbers = parameter_numbers(system.parameters)
        system = replace(system, folded={**system.folded, **{str(leaf.data): numbers[leaf] for leaf in tight}})
    constraints: list[Constraint] = []
    while True:
        orders = orders_of(incidence, plan)
        combiner = Combiner(system, field, orders)
        found = [c for candidates in highest(incidence, plan, orders) for c in combiner.combinations(candidates)]
        before = system
        if found:
            constraints += [_constraint(system, c) for c in found]
            system = _replaced(system, found, combiner.made)
        else:
            system = merged(system, incidence, orders, field)
        if system is before:
            return ReducedSystem(
                system, _with_regular_choice(system, incidence, plan, orders, field), tuple(constraints)
            )
        incidence = incidence_of(system)
        plan = analyze(incidence)


def _with_regular_choice(
    system: EquationSystem, incidence: Incidence, plan: StructuralPlan, orders: list[int], field: Field
) -> StructuralPlan:
    """The plan, or one whose states determine the other variables where the first one's states only seem to."""
    numbers = {u.node: k for k, u in enumerate(system.unknowns)}

    def slopes_of(e: int) -> dict[int, int]:
        slopes = field.point.gradient(system.equations[e].residual)
        return {numbers[v]: slope for v, slope in slopes.items() if v in numbers}

    for block in lower(incidence, plan, orders):
        rows = []
        for e, leading in block.leading.items():
            slopes = slopes_of(e)
            rows.append({d: slopes[v] for v, d in leading.items() if slopes.get(v, 0)})
        if _dependent(rows):
            differentiated = [e for e, order in enumerate(orders) if order]
            return analyze(incidence, slopes=Slopes(PRIME, {e: slopes_of(e) for e in differentiated}))
    return plan


def _dependent(rows: list[dict[int, int]]) -> bool:
    try:
        return bool(dependent_rows(rows, range(len(rows))))
    except TooLong:  # too long to decide: solving reports it
        return False


def _constraint(system: EquationSystem, found: Combination) -> Constraint:
    others = [e for e, _ in found.parts if e != found.replaced]
    return Constraint(found.residual, tuple(system.equations[e].origin for e in (found.replaced, *others)))


def _replaced(system: EquationSystem, found: list[Combination], made: Mapping[Expr, Expr]) -> EquationSystem:
    equations = list(system.equations)
    for c in found:
        equations[c.replaced] = ScalarEquation(c.residual, equations[c.replaced].origin)
    spans = {u.node: u.span for u in system.unknowns}
    inputs, derivatives = list(system.inputs), dict(system.derivatives)
    unknowns = list(system.unknowns)
    used = {v for c in found for v in variables_of(c.residual)}
    needed: dict[Expr, Expr] = {}
    for v, slope in reversed(list(made.items())):  # higher derivatives were created later
        if slope in used or slope in needed:
            needed[v] = slope
    for v, slope in reversed(needed.items()):
        if v in spans:
            spans[slope] = spans[v]
            unknowns.append(Unknown(slope, None, 0, spans[v]))
            derivatives[v] = slope
        else:
            inputs.append(slope)
    return replace(
        system, equations=tuple(equations), unknowns=tuple(unknowns), inputs=tuple(inputs), derivatives=derivatives
    )


# --- merge ----------------------------------------------------------------------------------------

# If i1 and i2 are windings coupled without leakage, only der(L1*i1 + M*i2) occurs in the equations. Choosing i1 or i2
# as the state requires derivatives of everything that determines the other: of inputs, or of a voltage that jumps. With
# w = L1*i1 + M*i2 as the state no equation is differentiated for that (Tan, Nedialkov and Pryce, BIT 57 (2017), pp.
# 845-865, the expression substitution method). If everything to be differentiated is smooth, either is valid, and the
# variables of the model stay states.


# Operators that may jump.
_JUMPS = {"if", "mode", "delay", *STEPS, *RELATIONS}


def merged(system: EquationSystem, incidence: Incidence, orders: list[int], field: Field) -> EquationSystem:
    """The system with combinations; unchanged if there are none."""
    if not any(orders):
        return system
    for group in coupled(system, incidence, field):
        if group.is_linear and _is_rough(system, incidence, orders, group) and _stand_alone(system, group):
            columns = list(group.of)
            rows = [{columns.index(atom): c for atom, c in row.items()} for row in group.rows]
            reduced = echelon(field, rows)
            if len(reduced) < len(columns):
                return _with_sums(system, field, group, columns, reduced)
    return system


def _is_rough(system: EquationSystem, incidence: Incidence, orders: list[int], group: Coupled) -> bool:
    """True if an expression that these variables require to differentiate jumps, or has no known derivative."""
    users: dict[int, list[int]] = {}
    for e, order in enumerate(orders):
        if order:
            for v in incidence.rows[e]:
                users.setdefault(v, []).append(e)
    known, wanted = set(system.known), set(group.of.values())
    waiting = [k for k, u in enumerate(system.unknowns) if u.node in wanted]
    seen: set[int] = set()
    while waiting:
        for e in users.pop(waiting.pop(), ()):
            if e not in seen:
                seen.add(e)
                nodes = reachable([system.equations[e].residual])
                if any(node.op in _JUMPS or node in known for node in nodes):
                    return True
                waiting += incidence.rows[e]
    return False


def _stand_alone(system: EquationSystem, group: Coupled) -> bool:
    """True if the derivatives occur in these equations only, and belong to variables that are not needed as states
    elsewhere."""
    of = group.of
    if any(d in system.derivatives or v in of for d, v in of.items()):
        return False
    expressions = [
        *(a.value for a in system.aliases),
        *system.events.expressions(),
        *(e.residual for e in system.initial),
    ]
    expressions += [e for r in system.relations for e in (r.left, r.right)] + [d.value for d in system.delays]
    restarted = {r.target for branch in system.events.branches() for r in branch.restarts}
    return restarted.isdisjoint(of.values()) and all(of.keys().isdisjoint(variables_of(e)) for e in expressions)


def _with_sums(
    system: EquationSystem, field: Field, group: Coupled, columns: list[Expr], reduced: Mapping[int, Row]
) -> EquationSystem:
    pool, first = system.pool, system.equations[group.equations[0]].origin
    declared = {u.node: u for u in system.unknowns}
    slopes: dict[Expr, Expr] = {}  # for each pivot the derivative that replaces it
    new: list[Unknown] = []
    equations: list[ScalarEquation] = []
    derivatives = {v: d for v, d in system.derivatives.items() if d not in group.of}
    for pivot, row in sorted(reduced.items()):
        parts = {group.of[columns[j]]: c for j, c in sorted(row.items())}
        if len(parts) == 1:
            slopes[columns[pivot]] = columns[pivot]
            derivatives[group.of[columns[pivot]]] = columns[pivot]
            continue
        name = f"$sum{1 + sum('$sum' in str(v.data) for v in derivatives)}"
        total = pool.variable(name)
        slope = derivatives[total] = slopes[columns[pivot]] = pool.variable(derivative_name(name))
        new += [_declared(field, total, parts, declared), Unknown(slope, None, 0, first.span)]
        sum_of_parts = residual_of(pool, {v: field.neg(c) for v, c in parts.items()} | {total: field.one})
        equations.append(ScalarEquation(sum_of_parts, first))
    kept = list(system.equations)
    for e in group.equations:
        terms = terms_of(field, kept[e].residual)
        remaining = {slopes.get(atom, atom): c for atom, c in terms.items() if atom not in group.of or atom in slopes}
        kept[e] = kept[e]._replace(residual=residual_of(pool, remaining))
    dropped = group.of.keys() - set(derivatives.values())
    unknowns = (*(u for u in system.unknowns if u.node not in dropped), *new)
    return replace(system, equations=(*kept, *equations), unknowns=unknowns, derivatives=derivatives)


def _declared(
    field: Field, total: Expr, parts: Mapping[Expr, Coefficient], declared: Mapping[Expr, Unknown]
) -> Unknown:
    """The new variable; it starts with the sum of the given start values of its parts."""
    pool, own = field.pool, [declared[v] for v in parts]
    start: Expr | None = None
    for u in own:
        if u.start is not None:
            share = pool.mul(parts[u.node].value, u.start)
            start = share if start is None else pool.add(start, share)
    strength = max((u.strength for u in own if u.start is not None), default=Strength.DEFAULT)
    return Unknown(
        total,
        start,
        max(u.preference for u in own),
        own[0].span,
        _any_fixed(own),
        strength=strength,
        defaults=tuple(name for u in own for name in u.defaults),
        start_parameters=tuple(name for u in own for name in u.start_parameters),
    )


def _any_fixed(unknowns: Iterable[Unknown]) -> bool:
    return any(u.start is not None and u.fixed for u in unknowns)
