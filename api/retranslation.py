"""Decides when a run needs a new translation of its model: parameter values, start values. Translates nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cutset.compiler.function.definition import Function
from cutset.compiler.options import Options
from cutset.contract.metadata import ModelInfo

# Errors at the start that a translation for the given parameter values may avoid.
OF_VALUES = frozenset({"E601", "E633", "E635", "E644"})


@dataclass(frozen=True)
class Change:
    """A change of the options of a translation: parameters to make changeable, values of structural ones, whether to
    prefer the model's states, variables whose start values are given by runs, and whether the method bdf will run, or
    ggl (stabilized); pairs of libraries (used, to be used instead), a function to translate instead of the model, and
    the scalars that runs prescribe, with those to find instead."""

    unfold: frozenset[str] = frozenset()
    structural: frozenset[tuple[str, float]] = frozenset()
    preferences: bool = True
    started: frozenset[str] = frozenset()
    unreduced: bool = False
    stabilized: bool = False
    instead: tuple[tuple[str, str], ...] = ()
    function: Function | None = None
    known: tuple[str, ...] = ()
    find: tuple[str, ...] = ()

    def applied(self, options: Options) -> Options:
        """The options with this change."""
        return replace(
            options,
            unfold=options.unfold | self.unfold,
            structural={**options.structural, **dict(self.structural)},
            preferences=options.preferences and self.preferences,
            started=options.started | self.started,
            unreduced=options.unreduced or self.unreduced,
            stabilized=options.stabilized or self.stabilized,
            instead=_libraries(options.instead, self.instead),
            function=self.function or options.function,
            known=self.known or options.known,
            find=self.find or options.find,
        )


def _libraries(instead: Mapping[str, str], change: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """The libraries to use instead of included ones, with further replacements of the used ones."""
    libraries = dict(instead)
    for used, other in change:
        included = [name for name, replacement in instead.items() if replacement == used]
        libraries |= dict.fromkeys(included or [used], other)
    return libraries


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


def is_computed(info: ModelInfo, name: str) -> bool:
    """True for a variable that is neither a state, a discrete variable nor an input."""
    slot = info.names.get(name)
    return slot is not None and slot.array == "y" and name not in info.folded


def equally_started(one: ModelInfo, other: ModelInfo) -> bool:
    """True if two translations have the same states and the same conditions at the start."""
    return (one.states, one.start_conditions, one.open_systems) == (
        other.states,
        other.start_conditions,
        other.open_systems,
    )
