"""Sets of states that constraints choose from: Incidence, StructuralPlan -> StateSets. Knows no coefficients.

Equations that were differentiated and share variables form a set: k of them determine k of n variables, the other n - k may be
states. Which ones is a free choice as long as the matrix of the constraints stays regular (Mattsson and Soederlind 1993, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.structure.chains import NONE
from cutset.compiler.structure.plan import Incidence, StructuralPlan


@dataclass(frozen=True)
class StateSet:
    """Constraints that were all differentiated `order` times.

    equations   ascending
    candidates  variables of theirs whose derivatives up to that order stand in the model, ascending
    others      those that have derivatives only because equations were differentiated
    dummies     those of both that are no states
    """

    equations: tuple[int, ...]
    order: int
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]


def state_sets(incidence: Incidence, plan: StructuralPlan) -> tuple[StateSet, ...]:
    """Those that leave a choice; equations of different orders are none of them."""
    orders: dict[int, int] = {}
    for equation, k in plan.equations:
        orders[equation] = k
    columns: dict[int, tuple[int, ...]] = {}
    for equation, order in orders.items():
        if order:
            columns[equation] = tuple(
                v for v in incidence.rows[equation] if _is_top(plan, _derivative(plan.derivative, v, order))
            )
    sets = (_state_set(incidence, plan, orders, columns, group) for group in _groups(columns))
    return tuple(s for s in sets if s is not None)


def _state_set(
    incidence: Incidence, plan: StructuralPlan, orders: dict[int, int], columns: dict[int, tuple[int, ...]], group: list[int]
) -> StateSet | None:
    order = orders[group[0]]
    if any(orders[e] != order for e in group):
        return None
    variables = sorted({v for e in group for v in columns[e]})
    states = set(plan.states)
    candidates = [v for v in variables if _derivative(incidence.derivative, v, order) != NONE]
    if all(v not in states for v in variables):
        return None
    return StateSet(
        equations=tuple(group),
        order=order,
        candidates=tuple(candidates),
        others=tuple(v for v in variables if v not in candidates),
        dummies=tuple(v for v in variables if v not in states),
    )


def _derivative(derivative: tuple[int, ...], variable: int, order: int) -> int:
    """The derivative of that order, or NONE."""
    for _ in range(order):
        variable = derivative[variable] if variable < len(derivative) else NONE
        if variable == NONE:
            return NONE
    return variable


def _is_top(plan: StructuralPlan, variable: int) -> bool:
    return variable != NONE and plan.derivative[variable] == NONE


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
