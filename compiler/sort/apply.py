"""Applies the plan (stage 5a): differentiates equations, names states, fills blocks.

EquationSystem + StructuralPlan -> SortedSystem. Decides nothing: the plan contains all decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.expressions.differentiate import derivative_name, differentiate
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import terms_of, variables_of, varying
from cutset.compiler.flatten.model import Discrete, EquationSystem, Origin, ScalarEquation
from cutset.compiler.instantiate.events.model import Update
from cutset.compiler.sort import messages
from cutset.compiler.sort.system import Block, Jump, SortedSystem, is_written
from cutset.compiler.structure.plan import StructuralPlan
from cutset.contract.functions import RELATIONS
from cutset.contract.quick_dataclass import dataclass

# The operators of equations between truth values, which have no way between false and true.
_TRUTHS = frozenset({"mode", "and", "or", "not", *RELATIONS})


@dataclass(frozen=True)
class Applied:
    """The variables of a plan by number, its equations in the order of the plan, and the inputs, with the derivatives
    of inputs that the equations contain; the system with the leaves of `jumps`."""

    system: EquationSystem
    variables: tuple[Expr, ...]
    equations: tuple[ScalarEquation, ...]
    inputs: tuple[Expr, ...]
    jumps: tuple[Jump, ...]


def applied(system: EquationSystem, plan: StructuralPlan, has_events: bool = True) -> Applied:
    """The equations of the plan, differentiated. ModelError if one of them has no derivative."""
    applier = _Applier(system, plan, has_events)
    equations = applier.equations()
    jumps = tuple(applier.jumps)
    return Applied(_with_leaves(system, jumps), tuple(applier.nodes), tuple(equations), applier.inputs, jumps)


def apply_plan(system: EquationSystem, plan: StructuralPlan, has_events: bool = True) -> SortedSystem:
    """The sorted system; the plan decides which equations and variables it has. Functions have no events."""
    found = applied(system, plan, has_events)
    equations, nodes = found.equations, found.variables
    blocks = tuple(
        Block(tuple(equations[k] for k in block), tuple(nodes[plan.matching[k]] for k in block))
        for block in plan.blocks
    )
    return SortedSystem(
        system=found.system,
        states=tuple(nodes[v] for v in plan.states),
        derivatives=tuple(nodes[v] for v in plan.derivatives),
        inputs=found.inputs,
        blocks=blocks,
        differentiated=sum(1 for _, order in plan.equations if order > 0),
        jumps=found.jumps,
    )


def _with_leaves(system: EquationSystem, jumps: tuple[Jump, ...]) -> EquationSystem:
    """The system with the leaves of jumps as discrete variables, which are zero after each event."""
    leaves = [(leaf, j.origin) for j in jumps for leaf in (j.offset, j.rate) if leaf is not None]
    if not leaves:
        return system
    zero = system.pool.zero
    discrete = (
        Discrete(leaf, system.pool.variable(f"new({leaf.data})"), zero, True, origin.span) for leaf, origin in leaves
    )
    updates = (Update(leaf, zero, origin.span, origin.instance) for leaf, origin in leaves)
    events = replace(system.events, updates=(*system.events.updates, *updates))
    return replace(system, discrete=(*system.discrete, *discrete), events=events)


class _Applier:
    """Leaves by number; derivatives of inputs become inputs when they are needed."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan, has_events: bool):
        self._system, self._plan = system, plan
        self._can_jump = has_events and bool(plan.states) and bool(system.relations or system.discrete)
        self.jumps: list[Jump] = []
        self._truths = set(self._truth_values()) if self._can_jump else set()
        self.nodes = [u.node for u in system.unknowns]
        chained = [(v, d) for v, d in enumerate(plan.derivative) if d >= 0]
        origin = {d: v for v, d in chained}
        for v in range(len(self.nodes), len(plan.derivative)):
            self.nodes.append(system.pool.variable(derivative_name(str(self.nodes[origin[v]].data))))
        self._slopes = {self.nodes[v]: self.nodes[d] for v, d in chained}
        self._inputs = dict.fromkeys(system.inputs)
        self._discrete = {d.node for d in system.discrete}
        self._delays = {d.node for d in system.delays}

    @property
    def inputs(self) -> tuple[Expr, ...]:
        return tuple(self._inputs)

    def equations(self) -> list[ScalarEquation]:
        """The plan's equations; (e, k) is the derivative of (e, k-1)."""
        made: dict[tuple[int, int], ScalarEquation] = {}
        highest = dict(self._plan.equations)  # the last entry of each equation
        for e, order in self._plan.equations:
            if order == 0:
                made[e, 0] = self._jumping(self._system.equations[e], highest[e])
                continue
            below = made[e, order - 1]
            if (given := self._system.slopes.get(below.residual)) is not None:
                made[e, order] = given
                continue
            try:
                residual = differentiate(self._system.pool, below.residual, partial(self._slope, origin=below.origin))
            except NotDifferentiable as error:
                raise ModelError([self._not_differentiable(str(error), below)]) from error
            except Undefined as error:
                note = "this equation constrains states, so its derivative is needed (index reduction)"
                origin = below.origin
                diagnostic = messages.without_value(
                    str(error), origin.span, origin.instance or self._system.name, (note,)
                )
                raise ModelError([diagnostic]) from error
            made[e, order] = self._jumping(ScalarEquation(residual, below.origin), highest[e] - order)
        return [made[key] for key in self._plan.equations]

    def _jumping(self, equation: ScalarEquation, left: int) -> ScalarEquation:
        """The equation, which is differentiated `left` times more, with the leaf of its jump if it may jump and its
        derivative belongs to the system as it is."""
        residual, origin = equation
        if not left or not self._can_jump or not any(map(self._is_held, varying([residual]))):
            return equation
        if any(term.op in _TRUTHS for term, _ in terms_of(residual)):
            return equation
        held = tuple(v for v in variables_of(residual) if v in self._truths)
        if left > 1:
            self.jumps.append(Jump(residual, origin, held))
            return equation
        pool, name = self._system.pool, f"$jump{len(self.jumps) + 1}"
        offset, rate = pool.variable(f"{name}.offset"), pool.variable(f"{name}.rate")
        self._slopes[offset] = rate
        self.jumps.append(Jump(residual, origin, held, offset, rate))
        return ScalarEquation(pool.add(residual, offset), origin)

    def _is_held(self, leaf: Expr) -> bool:
        """True if the value changes at events only, except for a choice of states."""
        return leaf.op == "mode" or leaf in self._truths or (leaf in self._discrete and is_written(leaf))

    def _truth_values(self) -> Iterator[Expr]:
        """The unknowns that are true or false."""
        for e, order in dict(self._plan.equations).items():
            terms = [term for term, _ in terms_of(self._system.equations[e].residual)] if order else []
            if any(term.op in _TRUTHS for term in terms):
                yield from (term for term in terms if term.op == "variable")

    def _not_differentiable(self, function: str, equation: ScalarEquation) -> Diagnostic:
        origin = equation.origin
        return messages.index_needs_derivative(function, origin.span, origin.instance or self._system.name)

    def _slope(self, v: Expr, origin: Origin) -> Expr:
        if v in self._slopes:
            return self._slopes[v]
        if v in self._discrete:
            return self._system.pool.zero  # held between events
        if v in self._delays:
            raise ModelError(
                [messages.derivative_of_delay(str(v.data), origin.span, origin.instance or self._system.name)]
            )
        assert v in self._inputs, f"no derivative planned for {v.data}"
        slope = self._slopes[v] = self._system.pool.variable(derivative_name(str(v.data)))
        self._inputs[slope] = None
        return slope
