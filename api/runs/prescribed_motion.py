"""Sets up problems in which quantities of a model are known over time and others are found: Model, signals -> Problem.

A signal is a number, a function of time, several functions (the quantity, its derivative, ...), a pair (times, values),
or a table with a column for each quantity: a result, a dictionary with `time`, or the path of a result file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from cutset.api.translated_model import TranslatedModel
from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.given.inputs import InputSignal, derivative_of, resolve_inputs
from cutset.runtime.given.time_series import TimeSeries, covers
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.runtime.results.selection import matching
from cutset.runtime.targets.binding import finite_number

if TYPE_CHECKING:
    from cutset.api.files.result_table import Table


_EXAMPLE = "such as {'r1.q': (times, values)}"


M = TypeVar("M", bound=TranslatedModel)


@dataclass(frozen=True)
class Problem(Generic[M]):
    """A problem that can be run: the translated model, the signals of its inputs, the time series among them, and the
    names of what is found. `added(f)` is among these if the model itself also gives f a value."""

    model: M
    inputs: Mapping[str, InputSignal]
    series: tuple[TimeSeries, ...]
    found: tuple[str, ...]

    def span(self, start: float | None, stop: float | None) -> tuple[float, float]:
        """The start and the stop of the run, by default those of the series, else of the model's experiment. RunError
        E605 if a series does not cover it."""
        own = self.model.experiment
        first = max((each.start for each in self.series), default=own.start)
        last = min((each.stop for each in self.series), default=own.stop)
        begin = first if start is None else finite_number("start", start)
        end = last if stop is None else finite_number("stop", stop)
        covers(self.series, begin, end)
        return begin, end

    def over(self, start: float, stop: float) -> tuple[M, dict[str, InputSignal]]:
        """The model and its signals for runs over this time. RunError E605 if a series does not cover it."""
        covers(self.series, start, stop)
        return self.model, dict(self.inputs)

    def at_rest(self, time: float) -> tuple[M, dict[str, InputSignal]]:
        """The model, and the values of what is known at this time with derivatives of zero. RunError E605 if a series
        does not cover it."""
        covers(self.series, time, time)
        constant = resolve_inputs(self.model.translated.info, self.inputs).at(time)
        names = self.model.translated.info.inputs
        return self.model, {
            name: 0.0 if name.startswith("der(") else float(constant[names.index(name)]) for name in self.inputs
        }


def problem_of(model: M, known: Mapping[str, Any], find: Iterable[str]) -> Problem[M]:
    """The problem with these quantities known; names may be patterns. Without `find` it is deduced. ModelError if that
    is not possible, RunError for unknown names and signals that cannot be used."""
    if not isinstance(known, Mapping) or not known:
        raise RunError("E605", f"known must be signals by name, {_EXAMPLE}, not {known!r}")
    if isinstance(find, str) or not isinstance(find, Iterable):
        raise RunError("E605", f"find must be a list of names, such as ['r1.lambda'], not {find!r}")
    names = _Names(model.translated.info)
    given: dict[str, tuple[str, _Signal]] = {}
    for pattern, source in known.items():
        given |= {name: (pattern, signal) for name, signal in _signals(names, pattern, source).items()}
    translated = model.for_problem(tuple(given), names.all(find))
    inputs: dict[str, InputSignal] = {}
    series = []
    info = translated.translated.info
    first: dict[str, str] = {}
    for name, (pattern, signal) in given.items():
        chain = _needed(info, name)
        other = first.setdefault(chain[0], name)
        if other != name:  # as S(1,2) and S(2,1) of a symmetric matrix
            if given[other][0] == pattern:
                continue
            what = f"'{other}' and '{name}' are the same quantity, and both are to be known"
            raise RunError("E605", what, "make one of them known")
        found = signal(len(chain) - 1)
        inputs |= dict(zip(chain, found.functions, strict=False))
        series += [found.series] if found.series is not None else []
    return Problem(translated, inputs, tuple(series), _found(info, model.inputs))


def translated_for(model: M, known: Iterable[str], find: Iterable[str]) -> M:
    """The model with the quantities `known` as inputs; names may be patterns. Errors as `problem_of`."""
    names = _Names(model.translated.info)
    translated: M = model.for_problem(names.all(known), names.all(find))
    return translated


@dataclass(frozen=True)
class _Given:
    """The signal of a quantity and those of its derivatives, and the series that they come from, if any."""

    functions: Sequence[InputSignal]
    series: TimeSeries | None = None


# From the highest derivative that is needed to the signals.
_Signal = Callable[[int], _Given]


class _Names:
    """The names of the variables of a model."""

    def __init__(self, info: ModelInfo):
        self.info = info
        fixed = {*info.parameters, *info.folded}
        self._variables = [name for name in info.names if name not in fixed and not name.startswith("der(")]

    def matching(self, pattern: str) -> list[str]:
        """The variables that match a pattern; a name without wildcards stands for itself. RunError E602 if a pattern
        matches nothing."""
        if not isinstance(pattern, str):
            raise RunError("E602", *unknown_name("variable", pattern, self._variables))
        if not {"*", "?"} & set(pattern):
            fixed = pattern in self.info.parameters or pattern in self.info.folded
            if pattern not in self.info.names and not fixed:
                raise RunError("E602", *unknown_name("variable", pattern, self._variables))
            return [pattern]
        found = matching(pattern, self._variables)
        if not found:
            hint = "'cutset inspect FILE --variables' lists all names"
            raise RunError("E602", f"no variable matches '{pattern}'", hint)
        return found

    def all(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The variables that match any of the patterns."""
        return tuple(dict.fromkeys(name for pattern in patterns for name in self.matching(pattern)))

    def derivatives(self, name: str) -> list[dict[str, int]]:
        """The names of its first derivative with their signs, those of its second one, and so on."""
        found: list[dict[str, int]] = []
        same, written = {name: 1}, name
        while len(found) < len(self.info.names):
            slots = [
                (self.info.names[d], sign) for n, sign in same.items() if (d := derivative_of(n)) in self.info.names
            ]
            written = derivative_of(written)
            same = {written: 1}
            for slot, sign in slots[:1]:
                same |= {n: s * sign * slot.sign for n, s in self._by_slot[slot.array, slot.index]}
            found.append(same)
            if not slots:
                return found
        return found

    @cached_property
    def _by_slot(self) -> Mapping[tuple[str, int], list[tuple[str, int]]]:
        found: dict[tuple[str, int], list[tuple[str, int]]] = {}
        for name, slot in self.info.names.items():
            found.setdefault((slot.array, slot.index), []).append((name, slot.sign))
        return found


def _signals(names: _Names, pattern: str, source: Any) -> dict[str, _Signal]:
    """For each variable that matches the pattern a function from the highest derivative that is needed to signals."""
    found = names.matching(pattern)
    table = _table(source)
    if table is not None:
        columns = _columns(names, pattern, found, table)
        return {name: _series_signals(series) for name, series in columns.items()}
    if _is_series(source):
        times, values = (_numbers(pattern, part) for part in source)
        series = {name: TimeSeries(name, times, np.atleast_2d(values)) for name in found}
        return {name: _series_signals(each) for name, each in series.items()}
    return {name: _function_signals(name, source) for name in found}


def _series_signals(series: TimeSeries) -> _Signal:
    return lambda order: _Given(series.signals(order), series)


def _function_signals(name: str, source: Any) -> _Signal:
    """Those of a number, a function, an object with the method `derivative`, or several functions."""

    def made(order: int) -> _Given:
        derivative = getattr(source, "derivative", None)
        parts: list[Any]
        if isinstance(source, list | tuple):
            parts = list(source)
        elif callable(source) and callable(derivative):
            parts = [source, *(derivative(k) for k in range(1, order + 1))]
        else:
            parts = [source] if callable(source) else [source, *[0.0] * order]
        if len(parts) <= order:
            missing = name
            for _ in range(len(parts)):
                missing = derivative_of(missing)
            raise RunError(
                "E605",
                f"the model needs '{missing}', and '{name}' is given without it",
                f"give all functions: {{'{name}': (value, derivative, ...)}}, or points of time: (times, values)",
            )
        return _Given(parts)

    return made


def _numbers(name: str, values: Any) -> Vector:
    """The values as an array. RunError E605 if they are not numbers."""
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise RunError("E605", f"the signal of '{name}' must have numbers only, not {values!r}") from None


def _is_series(source: Any) -> bool:
    """True for two arrays of numbers."""
    if not isinstance(source, list | tuple) or len(source) != 2:
        return False
    return all(isinstance(part, list | tuple | np.ndarray) for part in source)


def _table(source: Any) -> Table | Result | None:
    """The table, if the signal is one. RunError E605 for a file that cannot be read."""
    from cutset.api.files.result_table import Table, read

    if isinstance(source, Result | Table):
        return source
    if isinstance(source, Mapping):
        columns = {str(name): _numbers(str(name), values) for name, values in source.items()}
        if "time" not in columns:
            raise RunError("E605", "the table of a known quantity has no column time", "add it: {'time': [...], ...}")
        return Table(columns)
    if isinstance(source, str | os.PathLike):
        return read(source)
    return None


def _columns(names: _Names, pattern: str, found: Sequence[str], table: Table | Result) -> dict[str, TimeSeries]:
    """The series of each variable: by name with its derivatives, or without any of these names by their order."""
    columns = table.columns if not isinstance(table, Result) else None
    if not any(name in table for name in found) and columns is not None:
        others = [name for name in columns if name != "time"]
        if len(others) == len(found):
            return {
                name: TimeSeries(name, table.time, columns[other][None])
                for name, other in zip(found, others, strict=True)
            }
    missing = [name for name in found if name not in table]
    if missing:
        what = f"the table for '{pattern}' has no column '{missing[0]}'"
        hint = "name its columns like the variables, or give as many columns as variables match, in their order"
        raise RunError("E605", what, hint)
    return {name: _with_derivatives(names, name, table) for name in found}


def _with_derivatives(names: _Names, name: str, table: Table | Result) -> TimeSeries:
    rows: list[Vector] = [table[name]]
    for same in names.derivatives(name):
        column = next((sign * table[other] for other, sign in same.items() if other in table), None)
        if column is None:
            break
        rows.append(column)
    return TimeSeries(name, np.asarray(table.time, dtype=float), np.array(rows, dtype=float))


def _needed(info: ModelInfo, name: str) -> list[str]:
    """The inputs that belong to a known variable: itself and its derivatives."""
    chain = [info.inputs[info.names[name].index]]
    while (slope := derivative_of(chain[-1])) in info.inputs:
        chain.append(slope)
    return chain


def _found(info: ModelInfo, inputs: Iterable[str]) -> tuple[str, ...]:
    """What is found: former inputs, and what something is added to."""
    found = [name for name in inputs if name not in info.inputs]
    for name, slot in info.names.items():
        if name.startswith("added("):
            own = name[len("added(") : -1]
            at = info.names[own]
            found += [own] if (at.array, at.index) == (slot.array, slot.index) else [own, name]
    return tuple(found)
