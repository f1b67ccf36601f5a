"""Selects names by patterns: patterns, names -> the names that match. Knows no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cutset.contract.fmu_events import NUMBERED, OF_EXCHANGE, OF_STEPPING
from cutset.contract.metadata import ModelInfo
from cutset.contract.names import is_made
from cutset.runtime.errors import unknown_variable

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
            raise unknown_variable(pattern, known, nodes)
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
    are adjacent and sorted by index, so that the columns of a table are those of the array. A name that the compiler
    made matches only a pattern with its ``$``."""
    parts = {"*": ".*", "?": "."}
    expression = re.compile("".join(parts.get(c, re.escape(c)) for c in pattern), re.DOTALL)
    places: dict[str, int] = {}
    keys: dict[str, tuple[int, tuple[int, ...]]] = {}
    for name in names:
        if expression.fullmatch(name) and (not is_made(name) or is_made(pattern)):
            array, indices = element_of(name)
            keys[name] = places.setdefault(array, len(places)), indices
    return sorted(keys, key=keys.__getitem__)


def shown_names(info: ModelInfo, moving: Iterable[str]) -> tuple[str, ...]:
    """What a run shows by default: the states `moving`, or all names and the time if there are none, without what the
    classes of FMUs declare beside the variables of these."""
    components = {e.instance: OF_EXCHANGE if e.is_exchange else OF_STEPPING for e in info.externals if e.is_fmu}
    own = {f"{path}.{name}" for path, names in components.items() for name in names}
    starts = tuple(f"{before}{name}(" for name in own for before in ("", "der("))
    starts += tuple(f"{path}.{name}" for path in components for name in NUMBERED)
    for names in (moving, ("time", *info.names, *info.folded)):
        shown = (name for name in names if name not in own and not is_made(name))
        found = tuple(name for name in shown if not name.startswith(starts))
        if found:
            break
    return found
