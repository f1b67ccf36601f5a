"""Finds sets of states from which constraints choose: Incidence, StructuralPlan -> StateSets. Knows no coefficients.

Differentiated equations that share variables form a set: k of them determine k of n variables, the other n - k may be
states. The choice is free as long as the matrix of the constraints stays regular (Mattsson and Soederlind 1993, section
4).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching
from cutset.compiler.structure.plan import Incidence, StructuralPlan
from cutset.compiler.structure.union_find import UnionFind


class Companion(NamedTuple):
    """An equation that accompanies a set: it contains the first variable of each pair and determines its derivative,
    the second of the pair."""

    equation: int
    order: int
    determined: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class StateSet:
    """Constraints that were all differentiated `order` times.

    equations   ascending
    candidates  their variables that have derivatives of all orders up to that in the model, ascending
    others      those that have derivatives only because equations were differentiated
    dummies     those of both that are not states
    companions  equations that were differentiated less often: for each how often, and its own variables that it and
                the other companions determine, as derivatives of that order
    """

    equations: tuple[int, ...]
    order: int
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]
    companions: tuple[Companion, ...] = ()

    def column(self, equation: int, variable: int) -> int | None:
        """The variable of the set that corresponds to a variable of an equation; None if the set does not have it."""
        return variable if variable in self.candidates or variable in self.others else None


@dataclass(frozen=True)
class StateLevel:
    """Constraints that were differentiated differently often, at one order of derivatives, or at `order` of them if
    these have the same constraints: one of the systems by which variables that are not states follow from the states.

    equations   those that were differentiated as often or more, ascending
    orders      how often each of them was differentiated in the lowest of the systems
    candidates  derivatives in that system that may be states, ascending
    others      the rest of its derivatives
    dummies     those of both that are not states
    """

    equations: tuple[int, ...]
    orders: tuple[int, ...]
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]
    derivative: tuple[int, ...]
    order: int = 1

    def column(self, equation: int, variable: int) -> int | None:
        """The derivative in the system that corresponds to a variable of the equation."""
        found = _derivative(self.derivative, variable, self.orders[self.equations.index(equation)])
        return found if found in self.candidates or found in self.others else None


def state_sets(incidence: Incidence, plan: StructuralPlan) -> tuple[StateSet, ...]:
    """The sets with a choice. Equations that were differentiated less often may belong to a set if they bind as many
    further derivatives, as x' = w does if x is in a constraint: these are not states then."""
    orders, tops = _differentiated(incidence, plan)
    integral = integrals(plan.derivative)
    sets = (_state_set(incidence, plan, integral, orders, {e: tops[e] for e in group}) for group in _groups(tops))
    return tuple(s for s in sets if s is not None)


def state_levels(incidence: Incidence, plan: StructuralPlan, excluded: Collection[int] = ()) -> tuple[StateLevel, ...]:
    """For the constraints that are in no set, or in a set with one of the equations `beside`: the systems by which
    variables that are not states follow from the states, one for each order of derivatives."""
    orders, tops = _differentiated(incidence, plan)
    integral = integrals(plan.derivative)
    levels: list[StateLevel] = []
    for group in _groups(tops):
        found = _state_set(incidence, plan, integral, orders, {e: tops[e] for e in group})
        if found is None or not set(excluded).isdisjoint(group):
            above: StateLevel | None = None
            for below in range(1, max(orders[e] for e in group) + 1):
                level = _state_level(
                    incidence, plan, integral, {e: orders[e] - below for e in group if orders[e] >= below}, tops, below
                )
                if above is not None and _is_below(level, above):
                    level = replace(level, order=above.order + 1)
                    levels.pop()
                levels.append(level)
                above = level
    return tuple(levels)


def _is_below(level: StateLevel, above: StateLevel) -> bool:
    """True if one choice serves both levels: same constraints, and the same variables one derivative apart."""
    pairs = ((level.candidates, above.candidates), (level.others, above.others), (level.dummies, above.dummies))
    return level.equations == above.equations and all(
        sorted(level.derivative[c] for c in low) == sorted(high) for low, high in pairs
    )


def _state_level(
    incidence: Incidence,
    plan: StructuralPlan,
    integral: list[int],
    orders: dict[int, int],
    tops: dict[int, tuple[int, ...]],
    below: int,
) -> StateLevel:
    columns = sorted({c for e in orders for d in tops[e] if (c := _derivative(integral, d, below)) != NONE})
    given, states, known = incidence.derivative, set(plan.states), integrals(incidence.derivative)
    candidates = [c for c in columns if c < len(given) and (given[c] != NONE or known[c] != NONE)]
    return StateLevel(
        equations=tuple(orders),
        orders=tuple(orders.values()),
        candidates=tuple(candidates),
        others=tuple(c for c in columns if c not in candidates),
        dummies=tuple(c for c in columns if c not in states),
        derivative=plan.derivative,
    )


def _differentiated(incidence: Incidence, plan: StructuralPlan) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """How often each equation is differentiated, and the variables of each differentiated equation that are the highest
    derivatives."""
    orders: dict[int, int] = {}
    for equation, k in plan.equations:
        orders[equation] = k
    tops: dict[int, tuple[int, ...]] = {}
    for equation, order in orders.items():
        if order:
            leading = (_derivative(plan.derivative, v, order) for v in incidence.rows[equation])
            tops[equation] = tuple(d for d in leading if plan.derivative[d] == NONE)
    return orders, tops


def _state_set(
    incidence: Incidence,
    plan: StructuralPlan,
    integral: list[int],
    orders: dict[int, int],
    tops: dict[int, tuple[int, ...]],
) -> StateSet | None:
    order = max(orders[e] for e in tops)
    equations = [e for e in tops if orders[e] == order]
    bound = {d for e in equations for d in tops[e]}
    companions = [e for e in tops if orders[e] < order]
    if not _determined([[d for d in tops[e] if d not in bound] for e in companions]):
        return None
    variables = sorted(_derivative(integral, d, order) for d in bound)
    states = set(plan.states)
    if all(v not in states for v in variables):
        return None
    accompanying = tuple(_companion(incidence, plan, e, orders[e], bound) for e in companions)
    if any(integral[d] in states for companion in accompanying for _, d in companion.determined):
        return None  # a preference takes them as states instead of derivatives of the set
    given = incidence.derivative
    candidates = {
        v: None for v in variables if v < len(given) and given[v] != NONE and _derivative(given, v, order - 1) != NONE
    }
    return StateSet(
        equations=tuple(equations),
        order=order,
        candidates=tuple(candidates),
        others=tuple(v for v in variables if v not in candidates),
        dummies=tuple(v for v in variables if v not in states),
        companions=accompanying,
    )


def _companion(incidence: Incidence, plan: StructuralPlan, equation: int, order: int, bound: set[int]) -> Companion:
    pairs = ((v, _derivative(plan.derivative, v, order)) for v in incidence.rows[equation])
    return Companion(equation, order, tuple((v, d) for v, d in pairs if plan.derivative[d] == NONE and d not in bound))


def _determined(rows: list[list[int]]) -> bool:
    """True if there are as many variables as rows, one for each."""
    columns = {d: k for k, d in enumerate(sorted({d for row in rows for d in row}))}
    if len(columns) != len(rows):
        return False
    return UNMATCHED not in maximum_matching([[columns[d] for d in row] for row in rows], len(columns))


def _derivative(links: Sequence[int], variable: int, order: int) -> int:
    """The derivative of that order, or NONE; with links to integrals, the integral."""
    for _ in range(order):
        variable = links[variable] if variable < len(links) else NONE
        if variable == NONE:
            return NONE
    return variable


def _groups(columns: dict[int, tuple[int, ...]]) -> list[list[int]]:
    """Groups of equations that share variables, directly or through others."""
    united, first = UnionFind(columns), dict[int, int]()
    for equation, variables in columns.items():
        for v in variables:
            united.unite(first.setdefault(v, equation), equation)
    return [sorted(group) for group in united.groups().values()]
