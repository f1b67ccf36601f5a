"""Checks the types and units of variables of connected cuts: those at one position must have one type.

Ignores shapes, which fit already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.instance import Cut, CutVariable, End, Instance, Variable
from cutset.compiler.units.parse import parse_unit
from cutset.compiler.units.unit import Unit

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


def units_clash(members: Members, variables: Mapping[Expr, Variable]) -> bool:
    """True if variables at one position have units of two kinds; one without unit fits any."""
    seen: dict[tuple[str, int], Unit] = {}
    for _, cut in members:
        for side, entries in (("across", cut.across), ("through", cut.through), ("carried", cut.carried)):
            for k, entry in enumerate(entries or ()):
                variable = _variable(entry, variables)
                if variable is not None and variable.unit:
                    unit = parse_unit(variable.unit)
                    if seen.setdefault((side, k), unit).clashes(unit):
                        return True
    return False


def _variable(entry: CutVariable, variables: Mapping[Expr, Variable]) -> Variable | None:
    return variables.get(entry.value.elements[0]) if entry.value is not None and entry.value.elements else None
