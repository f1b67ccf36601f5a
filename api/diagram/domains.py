"""Defines the colors and widths of lines by the domain of physics, which follows from the units of a cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.instance import Cut, Variable, leaves_of
from cutset.compiler.units.parse import parse_unit


class Domain(NamedTuple):
    """The color of the lines of a domain on a white and on a dark page, and their width, which tells domains apart
    without color; `through` are the units of its through variable, if it has one."""

    name: str
    light: str
    dark: str
    width: float
    through: tuple[str, ...] = ()


DOMAINS = (
    Domain("electrical", "#1f5fa8", "#7db4f5", 1.5, ("A",)),
    Domain("rotational", "#b3541e", "#f0a06a", 2.0, ("N.m",)),
    Domain("translational", "#2e7d4f", "#6fcf97", 2.0, ("N",)),
    Domain("thermal", "#c0262d", "#ff8080", 2.0, ("W",)),
    Domain("fluid", "#0b7a75", "#5fd6cf", 2.0, ("kg/s", "m3/s")),
    Domain("multibody", "#57606a", "#b8bec6", 2.4),
    Domain("signal", "#7a3f98", "#cf9fea", 1.2),
    Domain("other", "#8c6d1f", "#d9b95b", 1.5),
)
_BY_UNIT = tuple((parse_unit(unit), domain.name) for domain in DOMAINS for unit in domain.through)


def domain_of(cut: Cut, variables: Mapping[Expr, Variable]) -> str:
    """The name of the domain of a cut that has variables; `variables` have the units by leaf."""
    if cut.is_frame:
        return "multibody"
    if not cut.through:
        return "signal"
    for leaf in leaves_of(cut.through):
        own = variables.get(leaf.args[0] if leaf.op == "neg" else leaf)
        if own is not None and own.unit:
            unit = parse_unit(own.unit)
            return next((name for known, name in _BY_UNIT if unit is not None and unit.same_kind(known)), "other")
    return "other"
