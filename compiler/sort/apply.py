"""Applies the plan (stage 5a): differentiates equations, names states, fills blocks.

EquationSystem + StructuralPlan -> SortedSystem. Decides nothing: the plan contains all decisions.
"""

from __future__ import annotations

from functools import partial

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.expressions.differentiate import derivative_name, differentiate
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.flatten.model import EquationSystem, Origin, ScalarEquation
from cutset.compiler.sort import messages
from cutset.compiler.sort.system import Block, SortedSystem
from cutset.compiler.structure.plan import StructuralPlan
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Applied:
    """The variables of a plan by number, its equations in the order of the plan, and the inputs, with the derivatives
    of inputs that the equations contain."""

    variables: tuple[Expr, ...]
    equations: tuple[ScalarEquation, ...]
    inputs: tuple[Expr, ...]


def applied(system: EquationSystem, plan: StructuralPlan) -> Applied:
    """The equations of the plan, differentiated. ModelError if one of them has no derivative."""
    applier = _Applier(system, plan)
    equations = applier.equations()
    return Applied(tuple(applier.nodes), tuple(equations), applier.inputs)


def apply_plan(system: EquationSystem, plan: StructuralPlan) -> SortedSystem:
    """The sorted system; the plan decides which equations and variables it has."""
    found = applied(system, plan)
    equations, nodes = found.equations, found.variables
    blocks = tuple(
        Block(tuple(equations[k] for k in block), tuple(nodes[plan.matching[k]] for k in block))
        for block in plan.blocks
    )
    return SortedSystem(
        system=system,
        states=tuple(nodes[v] for v in plan.states),
        derivatives=tuple(nodes[v] for v in plan.derivatives),
        inputs=found.inputs,
        blocks=blocks,
        differentiated=sum(1 for _, order in plan.equations if order > 0),
    )


class _Applier:
    """Leaves by number; derivatives of inputs become inputs when they are needed."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan):
        self._system, self._plan = system, plan
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
        for e, order in self._plan.equations:
            if order == 0:
                made[e, 0] = self._system.equations[e]
                continue
            below = made[e, order - 1]
            try:
                residual = differentiate(self._system.pool, below.residual, partial(self._slope, origin=below.origin))
            except NotDifferentiable as error:
                raise ModelError([self._not_differentiable(str(error), below)]) from error
            except Undefined as error:
                note = "this equation constrains states, so its derivative is needed (index reduction)"
                origin = below.origin
                said = messages.without_value(str(error), origin.span, origin.instance or self._system.name, (note,))
                raise ModelError([said]) from error
            made[e, order] = ScalarEquation(residual, below.origin)
        return [made[key] for key in self._plan.equations]

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
