"""Sets of states that constraints choose from: Incidence, StructuralPlan -> StateSets. Knows no coefficients.

Equations that were differentiated and share variables form a set: k of them determine k of n variables, the other n - k
may be states. Which ones is a free choice as long as the matrix of the constraints stays regular (Mattsson and
Soederlind 1993, section 4).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching
from cutset.compiler.structure.plan import Incidence, StructuralPlan


class Companion(NamedTuple):
    """An equation beside a set; it has the variable of a pair as it stands, and determines its derivative, the second
    of the pair."""

    equation: int
    order: int
    determined: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class StateSet:
    """Constraints that were all differentiated `order` times.

    equations   ascending
    candidates  variables of theirs that have derivatives in the model, those of all orders below that, ascending
    others      those that have derivatives only because equations were differentiated
    dummies     those of both that are no states
    companions  equations that were differentiated less often: for each how often, and the variables of its own that
                it and the other companions determine, as derivatives of that order
    """

    equations: tuple[int, ...]
    order: int
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]
    companions: tuple[Companion, ...] = ()

    def column(self, equation: int, variable: int) -> int | None:
        """What stands for a variable of an equation: itself, None where it is not of the set."""
        return variable if variable in self.candidates or variable in self.others else None


@dataclass(frozen=True)
class StateLevel:
    """Constraints that were differentiated differently often, on one order of derivatives, or on `order` of them where
    these have the same constraints: one of the systems by which the variables that are no states follow from the
    states.

    equations   those that were differentiated as often or more, ascending
    orders      how often each of them was differentiated in the lowest of the systems
    candidates  derivatives in that system that may be states, ascending
    others      the rest of its derivatives
    dummies     those of both that are no states
    """

    equations: tuple[int, ...]
    orders: tuple[int, ...]
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]
    derivative: tuple[int, ...]
    order: int = 1

    def column(self, equation: int, variable: int) -> int | None:
        """The derivative of the variable that the system has where the equation has the variable."""
        found = _derivative(self.derivative, variable, self.orders[self.equations.index(equation)])
        return found if found in self.candidates or found in self.others else None


def state_sets(incidence: Incidence, plan: StructuralPlan) -> tuple[StateSet, ...]:
    """Those that leave a choice. Equations that were differentiated less often may belong to a set if they bind as many
    further derivatives, as x' = w does where x is in a constraint: these then are no states."""
    orders, tops = _differentiated(incidence, plan)
    integral = integrals(plan.derivative)
    sets = (_state_set(incidence, plan, integral, orders, {e: tops[e] for e in group}) for group in _groups(tops))
    return tuple(s for s in sets if s is not None)


def state_levels(incidence: Incidence, plan: StructuralPlan, beside: Collection[int] = ()) -> tuple[StateLevel, ...]:
    """Of all constraints that are in none of the sets, or in a set with one of the equations `beside`, the systems by
    which the variables that are no states follow from the states, one for each order of derivatives."""
    orders, tops = _differentiated(incidence, plan)
    integral = integrals(plan.derivative)
    levels: list[StateLevel] = []
    for group in _groups(tops):
        found = _state_set(incidence, plan, integral, orders, {e: tops[e] for e in group})
        if found is None or not set(beside).isdisjoint(group):
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
    """Does one choice serve both: have they the same constraints, and the same variables one derivative apart?"""
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
    """How often each equation is differentiated, and of those that are the highest derivatives of their variables that
    there are."""
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
        companions=tuple(_companion(incidence, plan, e, orders[e], bound) for e in companions),
    )


def _companion(incidence: Incidence, plan: StructuralPlan, equation: int, order: int, bound: set[int]) -> Companion:
    pairs = ((v, _derivative(plan.derivative, v, order)) for v in incidence.rows[equation])
    return Companion(equation, order, tuple((v, d) for v, d in pairs if plan.derivative[d] == NONE and d not in bound))


def _determined(rows: list[list[int]]) -> bool:
    """Are there as many variables as rows, one for each?"""
    columns = {d: k for k, d in enumerate(sorted({d for row in rows for d in row}))}
    if len(columns) != len(rows):
        return False
    return UNMATCHED not in maximum_matching([[columns[d] for d in row] for row in rows], len(columns))


def _derivative(links: Sequence[int], variable: int, order: int) -> int:
    """The derivative of that order (by links to integrals: the integral), or NONE."""
    for _ in range(order):
        variable = links[variable] if variable < len(links) else NONE
        if variable == NONE:
            return NONE
    return variable


def _groups(columns: dict[int, tuple[int, ...]]) -> list[list[int]]:
    """The equations that share variables, directly or through others."""
    equations_of: dict[int, list[int]] = {}
    for equation, variables in columns.items():
        for v in variables:
            equations_of.setdefault(v, []).append(equation)
    seen: set[int] = set()
    groups = []
    for first in columns:
        if first in seen:
            continue
        seen.add(first)
        group = [first]
        for equation in group:  # grows while it is read
            for v in columns[equation]:
                new = [e for e in equations_of.pop(v, ()) if e not in seen]
                seen.update(new)
                group += new
        groups.append(sorted(group))
    return groups
