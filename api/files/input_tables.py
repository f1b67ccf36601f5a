"""Makes signals of what users give for inputs: constants, functions of time, tables -> a signal for each scalar input.

A table is a pair (times, values), an array whose first column is time, an object of pandas (its index is time), the
path of a result or CSV file, or what `table` has made of one of these.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from cutset.api.translate.given_values import array_names, elements
from cutset.api.translate.parameter_values import in_own_unit
from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputFailure, InputSignal, told
from cutset.runtime.given.table_signals import (
    INTERPOLATIONS,
    OUTSIDE,
    Interpolation,
    Outside,
    table_signal,
)
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# Signals by name, or a table whose columns have the names of inputs.
InputsOfRun = Any


@dataclass(frozen=True, eq=False)
class InputTable:
    """Columns (n, m) over n times, with their names if they are known, and with those units that a file gives."""

    times: Vector
    columns: Vector
    names: tuple[str, ...] | None
    interpolation: Interpolation = "linear"
    outside: Outside = "refuse"
    units: Mapping[str, str] = field(default_factory=dict)


def table(data: Any, interpolation: Interpolation = "linear", outside: Outside = "refuse") -> InputTable:
    """Data over time as an input of a run: a pair (times, values), an array whose first column is time, an object of
    pandas (its index is time), or the path of a file with a column ``time``. Several columns belong to inputs by their
    names, or to the elements of a vector in their order.

    Between its times the input is 'linear', constant until the next one ('hold'), or a monotone cubic ('smooth'). A run
    must be within the times of the table, unless `outside` is 'keep': then the first value holds before the table and
    the last one after it. With 'hold' the last value always goes on. RunError E605 for data that cannot be used.
    """
    for what, value, known in (("interpolation", interpolation, INTERPOLATIONS), ("outside", outside, OUTSIDE)):
        if value not in known:
            one = ", ".join(repr(word) for word in known)
            raise RunError("E605", f"{what} of a table must be one of {one}, not {value!r}")
    if isinstance(data, str | os.PathLike):
        return _of_file(Path(data), interpolation, outside)
    if _is_of_pandas(data):
        names = tuple(str(name) for name in data.columns) if hasattr(data, "columns") else None
        times, values = _numbers(data.index), _numbers(data)
    elif _is_pair(data):
        (times, values), names = map(_numbers, data), None
    else:
        numbers, names = _numbers(data), None
        if numbers.ndim != 2 or numbers.shape[1] < 2:
            what = f"a table must be (times, values), or an array whose first column is time, not {data!r}"
            raise RunError("E605", what)
        times, values = numbers[:, 0], numbers[:, 1:]
    columns = values[:, None] if values.ndim == 1 else values
    if times.ndim != 1 or columns.ndim != 2 or len(columns) != len(times):
        what = f"a table must have one row of values for each time, not {values.shape} values for {times.shape} times"
        raise RunError("E605", what)
    return InputTable(times, columns, names, interpolation, outside)


def input_signals(info: ModelInfo, inputs: Mapping[str, Any], units: Mapping[str, str]) -> dict[str, InputSignal]:
    """A number or a function of time for each scalar input that is given. `inputs` is a mapping, or a table whose
    columns have the names of inputs; `units` are those of the model. RunError for names, signals and units that cannot
    be used."""
    if isinstance(inputs, str | os.PathLike | InputTable) or _is_of_pandas(inputs):
        return columns_of(info, _as_table(inputs), units)
    if not isinstance(inputs, Mapping):
        raise RunError("E605", f"inputs must be signals by name, such as {{'F': 1.0}}, or a table, not {inputs!r}")
    found: dict[str, InputSignal] = {}
    for name, source in inputs.items():
        parts = array_names(info, name)
        source = in_own_unit(name, source, units)
        if _is_table(source, parts):
            found |= _of_table(name, parts or (name,), _as_table(source), units)
        elif callable(source) and parts:
            found |= _of_vector(name, parts, source)
        else:
            found |= elements(info, {name: source})
    return found


def continuable(signals: Callable[[InputsOfRun], dict[str, InputSignal]], result: Result) -> Result:
    """The result, which `Result.resume` continues with such inputs, too."""
    goes_on = result.goes_on
    if goes_on is not None:

        def further(stop: float, points: int | None, interval: float | None, inputs: Mapping[str, Any]) -> Result:
            return continuable(signals, goes_on(stop, points, interval, signals(inputs)))

        result.goes_on = further
    return result


def columns_of(info: ModelInfo, source: InputTable, units: Mapping[str, str]) -> dict[str, InputSignal]:
    """The signals of a table whose columns have the names of inputs. RunError E602 if one of them is no input."""
    if source.names is None:
        raise RunError("E605", "a table for several inputs needs their names", "give it as {'F': table}")
    for name in source.names:
        if name not in info.inputs and not array_names(info, name):
            hint = f"the inputs are: {', '.join(info.inputs) or 'none'}"
            raise RunError("E602", f"the table has the column '{name}', which is no input of the model", hint)
    signals = {}
    for k, name in enumerate(source.names):
        column = own_column(source, k, array_names(info, name)[:1] or (name,), units)
        signals[name] = table_signal(name, source.times, column, source.interpolation, source.outside)
    return dict(signals)


def _of_table(name: str, parts: Sequence[str], source: InputTable, units: Mapping[str, str]) -> dict[str, InputSignal]:
    """The signals of the elements of one input: by the names of the columns, or by their order."""
    names, count = source.names or (), source.columns.shape[1]
    if all(part in names for part in parts):
        places = [names.index(part) for part in parts]
    elif count == len(parts):
        places = list(range(count))
    else:
        shown = f": {', '.join(names[:6])}" if names else ""
        what = f"the table of the input '{name}' has {count} columns{shown}, and none of them is named '{parts[0]}'"
        raise RunError("E605", what, f"give it {len(parts)} beside time, or columns with the names of inputs")
    kind = source.interpolation, source.outside
    return {
        part: table_signal(part, source.times, own_column(source, k, (part,), units), *kind)
        for part, k in zip(parts, places, strict=True)
    }


def own_column(source: InputTable, k: int, owner: Sequence[str], units: Mapping[str, str]) -> Vector:
    """A column in the unit of its variable; RunError if it has another one."""
    given = source.units.get(source.names[k], "") if source.names else ""
    try:
        one = in_own_unit(owner[0], f"1 {given}", units) if given else 1.0
    except RunError as error:
        what = f"the column of '{owner[0]}' in the table is in {given}: {error.message}"
        raise RunError("E605", what, error.hint) from error
    return source.columns[:, k] if one == 1.0 else one * source.columns[:, k]


def _of_vector(name: str, parts: Sequence[str], function: Callable[[float], Any]) -> dict[str, InputSignal]:
    """A function of time that returns an array, as one function for each element."""
    shape = tuple(int(k) for k in parts[-1][len(name) + 1 : -1].split(","))
    latest: list[Any] = [None, np.zeros(shape)]

    def element(index: tuple[int, ...]) -> Callable[[float], float]:
        def at(t: float) -> float:
            if latest[0] != t:
                latest[:] = t, _array_from(name, function, shape, t)
            return float(latest[1][index])

        return at

    return {part: element(index) for part, index in zip(parts, np.ndindex(shape), strict=True)}


def _array_from(name: str, function: Callable[[float], Any], shape: tuple[int, ...], t: float) -> Vector:
    """The array that the function returns. InputFailure if it fails, or if that is no array of this shape."""
    try:
        value = function(t)
    except Exception as error:
        raise InputFailure(f"the function of the input '{name}' failed: {told(error)}", t) from error
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != shape:
        problem = f"the function of the input '{name}' returned {value!r}"
        raise InputFailure(f"{problem}, which is not an array of numbers with the shape {shape}", t)
    return found


def _as_table(source: Any) -> InputTable:
    return source if isinstance(source, InputTable) else table(source)


def _is_table(source: Any, parts: Sequence[str]) -> bool:
    """True for a table of one input with these elements. For a matrix an array is its constant value."""
    if isinstance(source, InputTable | str | os.PathLike) or _is_of_pandas(source):
        return True
    is_matrix = bool(parts) and "," in parts[0]
    return not is_matrix and (_is_pair(source) or (isinstance(source, np.ndarray | list) and np.ndim(source) == 2))


def _is_pair(source: Any) -> bool:
    """True for times and values: a tuple of two sequences."""
    is_two = isinstance(source, tuple) and len(source) == 2
    return is_two and all(isinstance(part, list | tuple | np.ndarray) or _is_of_pandas(part) for part in source)


def _is_of_pandas(source: Any) -> bool:
    return hasattr(source, "index") and hasattr(source, "to_numpy") and not isinstance(source, type)


def _numbers(values: Any) -> Vector:
    """The values as an array. RunError E605 if they are not numbers."""
    try:
        found = np.asarray(values)
        if found.dtype.kind == "m":  # durations
            return found / np.timedelta64(1, "s")
        if found.dtype.kind not in "fiubO":
            raise TypeError
        return found.astype(float)
    except (TypeError, ValueError):
        hint = "give times in seconds, and numbers"
        raise RunError("E605", f"a table must have numbers only, not {values!r}", hint) from None


def _of_file(path: Path, interpolation: Interpolation, outside: Outside) -> InputTable:
    from cutset.api.files.result_table import read

    found = read(path)
    units = found.description.units if path.suffix.lower() == ".csv" else {}
    names = tuple(name for name in found.columns if name != "time")
    columns = np.array([found[name] for name in names]).reshape(len(names), len(found.time)).T
    return InputTable(found.time, columns, names, interpolation, outside, units)
