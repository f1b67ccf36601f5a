"""Types of the variables of cuts that meet: those of one position are equal or make a sum, so they are of one type.

Must not look at shapes, which fit already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.instance import Cut, CutVariable, End, Instance, Variable

Members = list[tuple[End, Cut]]


class Misfit(NamedTuple):
    """Two variables of one position, each with the end that it belongs to."""

    first: tuple[End, Variable]
    second: tuple[End, Variable]


def variables_by_leaf(instances: Iterable[Instance]) -> dict[Expr, Variable]:
    """For each leaf the variable that it is an element of."""
    return {e: v for instance in instances for v in instance.variables for e in v.value.elements}


def first_misfit(members: Members, variables: Mapping[Expr, Variable]) -> Misfit | None:
    """The first position at which two types meet; None where there is none."""
    seen: dict[tuple[str, int], tuple[End, Variable]] = {}
    for end, cut in members:
        for side, entries in (("across", cut.across), ("through", cut.through)):
            for k, entry in enumerate(entries or ()):
                variable = _variable(entry, variables)
                if variable is None:
                    continue
                first = seen.setdefault((side, k), (end, variable))
                if first[1].type != variable.type:
                    return Misfit(first, (end, variable))
    return None


def _variable(entry: CutVariable, variables: Mapping[Expr, Variable]) -> Variable | None:
    return variables.get(entry.value.elements[0]) if entry.value is not None and entry.value.elements else None
