"""Decides when a run needs a new translation of its model: parameter values, start values. Calls for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cutset.compiler.options import Options
from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError

# Errors at the start that a translation for the given parameter values may avoid.
OF_VALUES = frozenset({"E601", "E618", "E633", "E635", "E644", "E666"})
_MOST_VAIN = 2
# The limit on attempts to find the parameters whose values must be part of the code.
_MOST_FOLDED = 3


def stopping(condition: str) -> Options:
    """The change that ends runs as soon as the condition holds. RunError E605 unless it is a text of one line."""
    if not isinstance(condition, str) or not condition.strip() or "\n" in condition.strip():
        what = f"until must be a condition in one line, not {condition!r}"
        raise RunError("E605", what, "give a text such as 'x < 0'")
    return Options(until=condition.strip())


def weakly_started(info: ModelInfo, initial: Iterable[str]) -> frozenset[str]:
    """The variables in `initial` that the translation must know: variables that are not states, and states whose start
    values count less than others."""
    weak = {(info.names[name].array, info.names[name].index) for name in info.weak_starts}
    found = set()
    for name in initial:
        slot = info.names.get(name)
        if slot is not None and (is_computed(info, name) or (slot.array, slot.index) in weak):
            found.add(name)
    return frozenset(found).difference(info.given_starts)


class Specialized:
    """Counts values for which a specialized translation is the same. What a translation makes of values depends on
    those that are 0, 1 or -1 or equal: after two, others of the same kind are not tried."""

    def __init__(self) -> None:
        self._vain: dict[tuple[tuple[str, float, int], ...], int] = {}

    def may_help(self, given: Mapping[str, float]) -> bool:
        """True unless translations for values of this kind have changed nothing."""
        return self._vain.get(_kind(given), 0) < _MOST_VAIN

    def changed_nothing(self, given: Mapping[str, float]) -> None:
        """Remember it."""
        self._vain[_kind(given)] = self._vain.get(_kind(given), 0) + 1


def _kind(given: Mapping[str, float]) -> tuple[tuple[str, float, int], ...]:
    values = list(given.values())
    special = (0.0, 1.0, -1.0)
    return tuple((name, x if x in special else 2.0, values.index(x)) for name, x in given.items())


def is_computed(info: ModelInfo, name: str) -> bool:
    """True for a variable that is neither a state, a discrete variable nor an input."""
    slot = info.names.get(name)
    return slot is not None and slot.array == "y" and name not in info.folded


def equally_started(one: ModelInfo, other: ModelInfo) -> bool:
    """True if two translations have the same states and the same conditions at the start."""
    a, b = ((each.states, each.start_conditions, each.start_checks, each.open_systems) for each in (one, other))
    return a == b
