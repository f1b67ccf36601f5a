"""Sets of states that constraints choose from: Incidence, StructuralPlan -> StateSets. Knows no coefficients.

Equations that were differentiated and share variables form a set: k of them determine k of n variables, the other n - k may be
states. Which ones is a free choice as long as the matrix of the constraints stays regular (Mattsson and Soederlind 1993, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching
from cutset.compiler.structure.plan import Incidence, StructuralPlan


@dataclass(frozen=True)
class StateSet:
    """Constraints that were all differentiated `order` times.

    equations   ascending
    candidates  variables of theirs that have derivatives in the model, those of all orders below that, ascending
    others      those that have derivatives only because equations were differentiated
    dummies     those of both that are no states
    """

    equations: tuple[int, ...]
    order: int
    candidates: tuple[int, ...]
    others: tuple[int, ...]
    dummies: tuple[int, ...]


def state_sets(incidence: Incidence, plan: StructuralPlan) -> tuple[StateSet, ...]:
    """Those that leave a choice. Equations that were differentiated less often may belong to a set if they bind as many further
    derivatives, as x' = w does where x is in a constraint: these then are no states."""
    orders: dict[int, int] = {}
    for equation, k in plan.equations:
        orders[equation] = k
    tops: dict[int, tuple[int, ...]] = {}
    for equation, order in orders.items():
        if order:
            leading = (_derivative(plan.derivative, v, order) for v in incidence.rows[equation])
            tops[equation] = tuple(d for d in leading if plan.derivative[d] == NONE)
    integral = integrals(plan.derivative)
    sets = (_state_set(incidence, plan, integral, orders, {e: tops[e] for e in group}) for group in _groups(tops))
    return tuple(s for s in sets if s is not None)


def _state_set(
    incidence: Incidence, plan: StructuralPlan, integral: list[int], orders: dict[int, int], tops: dict[int, tuple[int, ...]]
) -> StateSet | None:
    order = max(orders[e] for e in tops)
    equations = [e for e in tops if orders[e] == order]
    bound = {d for e in equations for d in tops[e]}
    if not _determined([[d for d in tops[e] if d not in bound] for e in tops if orders[e] < order]):
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
    )


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
