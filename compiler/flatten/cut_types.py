"""Checks the types of variables of connected cuts: those at one position must have one type.

Ignores shapes, which fit already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.instance import Cut, CutVariable, End, Instance, Variable

Members = list[tuple[End, Cut]]


class Misfit(NamedTuple):
    """Two variables at one position, each with its end."""

    first: tuple[End, Variable]
    second: tuple[End, Variable]


def variables_by_leaf(instances: Iterable[Instance]) -> dict[Expr, Variable]:
    """For each leaf the variable to which it belongs."""
    return {e: v for instance in instances for v in instance.variables for e in v.value.elements}


def first_misfit(members: Members, variables: Mapping[Expr, Variable]) -> Misfit | None:
    """The first position with two types; None if there is none."""
    seen: dict[tuple[str, int], tuple[End, Variable]] = {}
    for end, cut in members:
        for side, entries in (("across", cut.across), ("through", cut.through), ("carried", cut.carried)):
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
