"""Selects names by patterns: patterns, names -> the names that match. Knows no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cutset.runtime.errors import UnknownName, unknown_name

_ELEMENT = re.compile(r"(.*)\((\d+(?:,\d+)*)\)", re.DOTALL)


def select(
    patterns: Iterable[str], names: Iterable[str], nodes: Mapping[str, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """The names that match any of the patterns, each once. UnknownName for a pattern without a match; `nodes` as in
    `unknown_name`."""
    known = tuple(names)
    if isinstance(patterns, str) or not isinstance(patterns, Iterable):
        raise TypeError(f"names must be a list of strings, not {patterns!r}")
    chosen: dict[str, None] = {}
    for pattern in patterns:
        found = matching(pattern, known) if isinstance(pattern, str) else []
        if not found:
            raise UnknownName("E607", *unknown_name("variable", pattern, known, nodes))
        chosen |= dict.fromkeys(found)
    return tuple(chosen)


def is_pattern(name: str) -> bool:
    """True if `name` has a character that stands for others."""
    return "*" in name or "?" in name


def element_of(name: str) -> tuple[str, tuple[int, ...]]:
    """``T(1,2)`` -> T, (1, 2); another name has no indices."""
    found = _ELEMENT.fullmatch(name) if name.endswith(")") else None
    if found is None:
        return name, ()
    array, indices = found.groups()
    return array, tuple(map(int, indices.split(",")))


def matching(pattern: str, names: Iterable[str]) -> list[str]:
    """The names that match the pattern (``*`` any text, ``?`` one character), in their order; but elements of an array
    are adjacent and sorted by index, so that the columns of a table are those of the array."""
    parts = {"*": ".*", "?": "."}
    expression = re.compile("".join(parts.get(c, re.escape(c)) for c in pattern), re.DOTALL)
    places: dict[str, int] = {}
    keys: dict[str, tuple[int, tuple[int, ...]]] = {}
    for name in names:
        if expression.fullmatch(name):
            array, indices = element_of(name)
            keys[name] = places.setdefault(array, len(places)), indices
    return sorted(keys, key=keys.__getitem__)
