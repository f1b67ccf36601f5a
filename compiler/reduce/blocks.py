"""Collects sets of equations that could depend on each other, one per block, without those that cannot.

The equations of highest order determine the variables of highest order if their Jacobian is regular (Pantelides 1988).
It is block triangular with the blocks of the plan, so each of them is analyzed separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cutset.compiler.structure.chains import NONE
from cutset.compiler.structure.plan import Incidence, StructuralPlan
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Candidates:
    """Equations of one block, each with the variables that it must determine: leading[e][v] is the column number of its
    variable v."""

    leading: Mapping[int, Mapping[int, int]]


def orders_of(incidence: Incidence, plan: StructuralPlan) -> list[int]:
    """How often each equation is differentiated."""
    orders = [0] * len(incidence.rows)
    for e, k in plan.equations:
        orders[e] = k
    return orders


def highest(incidence: Incidence, plan: StructuralPlan, orders: list[int]) -> Iterator[Candidates]:
    """The blocks of the equations of highest order in which each variable occurs twice: one that occurs in a single
    equation is determined by it."""
    for equations, columns in _blocks(plan, orders, True):
        leading = {e: _leading(incidence, plan, e, orders[e], columns) for e in equations}
        remaining = _without_single(leading)
        if remaining:
            yield Candidates(remaining)


def lower(incidence: Incidence, plan: StructuralPlan, orders: list[int]) -> Iterator[Candidates]:
    """The blocks of the equations below their highest order, each once."""
    for equations, columns in _blocks(plan, orders, False):
        yield Candidates({e: _leading(incidence, plan, e, plan.equations[p][1], columns) for e, p in equations.items()})


def _blocks(plan: StructuralPlan, orders: list[int], is_highest: bool) -> Iterator[tuple[dict[int, int], set[int]]]:
    for block in plan.blocks:
        e, k = plan.equations[block[0]]
        if len(block) > 1 and (k == orders[e]) == is_highest:
            yield {plan.equations[p][0]: p for p in block}, {plan.matching[p] for p in block}


def _leading(
    incidence: Incidence, plan: StructuralPlan, equation: int, order: int, columns: set[int]
) -> dict[int, int]:
    """The variables of an equation that are among the columns after this many differentiations."""
    found = {}
    for v in incidence.rows[equation]:
        d = v
        for _ in range(order):
            d = plan.derivative[d] if d != NONE else NONE
        if d in columns:
            found[v] = d
    return found


def _without_single(leading: dict[int, dict[int, int]]) -> dict[int, dict[int, int]]:
    users: dict[int, set[int]] = {}
    for e, row in leading.items():
        for column in row.values():
            users.setdefault(column, set()).add(e)
    single = [column for column, equations in users.items() if len(equations) == 1]
    remaining = dict(leading)
    while single:
        column = single.pop()
        if users[column]:
            e = users[column].pop()
            for other in remaining.pop(e).values():
                users[other].discard(e)
                if len(users[other]) == 1:
                    single.append(other)
    return remaining
