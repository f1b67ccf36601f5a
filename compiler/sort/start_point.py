"""Finds start conditions that follow from others, numerically: SortedSystem and conditions, the strongest first.

Variables that follow from the states one by one are substituted; the remaining equations are evaluated where the
required conditions hold, at the values of the parameters. Chooses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import ScalarEquation
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort.constraint_point import Constraints, NotKnown, Orders
from cutset.compiler.sort.system import SortedSystem

# The limits on equations and on unknowns.
_LARGEST, _MOST_CLOSING = 1000, 120
# The accuracy of a point where conditions are tangent.
_NOTHING = 1e-6


# For each redundant condition, by position, the conditions from which it follows; none if it follows from the equations
# of the model.
Follows = Mapping[int, tuple[int, ...]]


def following(
    sorted_system: SortedSystem,
    conditions: Sequence[ScalarEquation],
    given: Mapping[Expr, Expr],
    required: int,
    preferred: int,
) -> Follows | None:
    """The redundant conditions. The first `required` conditions must hold, and the first `preferred` of them should;
    `given` are the values of start leaves. None if the required ones contradict each other or the model, or if nothing
    is known."""
    try:
        return _Looked(sorted_system, conditions, given).following(required, preferred)
    except NotKnown:
        return None


class _Looked:
    """The conditions, with the equations from which their variables follow."""

    def __init__(self, sorted_system: SortedSystem, conditions: Sequence[ScalarEquation], given: Mapping[Expr, Expr]):
        self._sorted, self._system = sorted_system, sorted_system.system
        self._block_of = {v: k for k, block in enumerate(sorted_system.blocks) for v in block.unknowns}
        self._conditions = conditions
        near = self._behind(conditions)
        if len(near) > _LARGEST:
            raise NotKnown
        self._first = len(near)
        equations = (*near, *conditions)
        numbers = self._numbers(given)
        rows = {
            e: [v for v in variables_of(equation.residual) if v not in numbers] for e, equation in enumerate(equations)
        }
        each = dict.fromkeys(v for row in rows.values() for v in row)
        orders = Orders(dict.fromkeys(each, 0), dict.fromkeys(each, 0), {v: k for k, v in enumerate(each)})
        system = replace(self._system, equations=equations, derivatives={s: s for s in sorted_system.states})
        self._constraints = Constraints(system, rows, orders, numbers, range(len(near), len(equations)))

    def _numbers(self, given: Mapping[Expr, Expr]) -> dict[Expr, float]:
        """The values that are known at the start."""
        system = self._system
        numbers = parameter_numbers(system.parameters)
        probe = RandomPoint(numbers)
        starts = {d.node: d.start for d in system.discrete if d.start is not None} | dict(given)
        inputs = {v: 0.0 for v in (system.pool.time, *system.inputs, *self._sorted.inputs)}
        return {**numbers, **inputs, **{leaf: probe.value(value) for leaf, value in starts.items()}}

    def following(self, required: int, preferred: int) -> Follows | None:
        """See `following`."""
        closing = self._constraints.closing
        inner = sum(e < self._first for e in closing)
        if len(closing) > _MOST_CLOSING:
            return None
        at = self._constraints.place(inner + preferred, tries=1) if preferred > required else None
        at = at or self._constraints.place(inner + required)
        if at is None:
            return None
        found = self._constraints.independent(at, _NOTHING)
        follows = {
            closing[i] - self._first: tuple(closing[j] - self._first for j in sums if j >= inner)
            for i, sums in found.sums.items()
            if i >= inner
        }
        if any(k < required and not others and self._changes(k) for k, others in follows.items()):
            return None
        return follows

    def _behind(self, conditions: Sequence[ScalarEquation]) -> list[ScalarEquation]:
        """The equations of the model from which the variables of the conditions follow, up to states."""
        states, blocks = set(self._sorted.states), set[int]()
        waiting = [v for condition in conditions for v in variables_of(condition.residual)]
        while waiting:
            v = waiting.pop()
            if v in states or v not in self._block_of or self._block_of[v] in blocks:
                continue
            blocks.add(self._block_of[v])
            waiting += (
                u
                for equation in self._sorted.blocks[self._block_of[v]].equations
                for u in variables_of(equation.residual)
            )
        return [equation for k in sorted(blocks) for equation in self._sorted.blocks[k].equations]

    def _changes(self, k: int) -> bool:
        """True if the variables of the condition change with time or inputs alone."""
        condition = self._conditions[k]
        given = {self._system.pool.time, *self._sorted.inputs}
        residuals = [e.residual for e in (condition, *self._behind([condition]))]
        return not given.isdisjoint(reachable(residuals))
