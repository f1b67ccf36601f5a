"""Decides when a run needs a new translation of its model: parameter values, start values. Calls for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from cutset.api.translated_model import TranslatedModel
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.options import Options, pairs
from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import FoldedParameter, NotFinite, RunError
from cutset.runtime.given.given_starts import start_determined
from cutset.runtime.targets.binding import finite_number

# Errors at the start that a translation for the given parameter values may avoid.
OF_VALUES = frozenset({"E601", "E633", "E635", "E644", "E666"})
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


M = TypeVar("M", bound=TranslatedModel)
T = TypeVar("T")


def with_starts(model: M, translated: Callable[[Options], M], initial: Iterable[str]) -> M:
    """The model translated as if it had start values of these variables. RunError E621 for one that is not a state and
    whose start the model determines."""
    guessed = weakly_started(model.translated.info, initial)
    try:
        return translated(Options(started=guessed)) if guessed else model
    except ModelError as error:
        computed = sorted(name for name in guessed if is_computed(model.translated.info, name))
        if computed:
            raise start_determined(computed[0], [d.message for d in error.diagnostics]) from error
        return model


def for_values(
    model: M, translated: Callable[[Options], M], given: Mapping[str, float], others: Iterable[M] = ()
) -> M | None:
    """A translation specialized to these parameter values, one of the `others` if that suffices; None if nothing
    changes, or if the model has an error with them."""
    wrong = dict(undefined(model, given))
    if wrong:
        fitting = next((other for other in others if not undefined(other, given)), None)
        if fitting is not None:
            return fitting
    elif not given:
        return None
    fold, other = frozenset[str](), model
    for _ in range(_MOST_FOLDED):
        try:
            other = translated(Options(unfold=frozenset(given), structural=pairs(given), fold=fold))
        except ModelError:
            other = model
        left = undefined(other, given)
        if wrong and not left:
            return other
        if not wrong or left.keys() <= fold:
            break
        # The given ones first: folded values of the text may make variables equal that start differently.
        fold = fold.union(left.keys() & given.keys() - fold or left)
    return None if wrong or equally_started(model.translated.info, other.translated.info) else other


def undefined(model: TranslatedModel, given: Mapping[str, float]) -> Mapping[str, float]:
    """The parameters, with their values, in expressions of parameters that are not finite with the given ones."""
    try:
        model.build("python").bind(given)
    except NotFinite as error:
        return error.values
    return {}


def attempted(model: M, given: Mapping[str, float], attempt: Callable[[M], T]) -> T:
    """The result of the attempt with the model, or with one translated for these values if it needs that."""
    try:
        return attempt(model)
    except RunError as error:
        other = model.for_values(given) if error.code in OF_VALUES else None
        if other is None:
            raise
        return attempt(other)


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


def changeable(translated: Callable[[Options], M], given: Mapping[str, float]) -> M:
    """The model in which these parameters can change; structural ones take the given values."""
    names = frozenset(given)
    model = translated(Options(unfold=names))
    still = sorted(names & set(model.folded))
    structural = {name: finite_number(f"the parameter '{name}'", given[name]) for name in still}
    if structural:
        model = translated(Options(unfold=names, structural=pairs(structural)))
    if any(model.folded.get(name, value) != value for name, value in structural.items()):
        raise FoldedParameter(sorted(structural))
    return model


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
