"""Sorts values that a user gives by name: parameters, start values, inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError, require_names
from cutset.runtime.interface import Vector
from cutset.runtime.results.selection import matching


class Settings(TypedDict):
    """Values by name, as the arguments of a run; `initial` holds start values."""

    initial: dict[str, Any]
    inputs: dict[str, Any]
    parameters: dict[str, Any]


_Kind = Literal["initial", "inputs", "parameters"]
_KINDS: dict[str, _Kind] = {"x": "initial", "m": "initial", "y": "initial", "u": "inputs", "p": "parameters"}


def by_kind(info: ModelInfo, assignments: Iterable[tuple[str, Any]]) -> Settings:
    """Sort the values by kind: start values, inputs, parameters. An unknown name counts as a parameter."""
    found: Settings = {"initial": {}, "inputs": {}, "parameters": {}}
    for name, value in assignments:
        slot = None if name in info.folded else info.names.get(name)
        found[_KINDS[slot.array] if slot else "parameters"][name] = value
    return found


def named(info: ModelInfo, assignments: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Values by name, with patterns expanded to all matching parameters, states, discrete variables and inputs. A later
    value overrides an earlier one. RunError E602 for a pattern without a match."""
    changeable = dict.fromkeys(
        [*info.parameters, *info.folded, *info.texts, *info.states, *info.discrete, *info.inputs]
    )
    found: dict[str, Any] = {}
    for name, value in assignments:
        names = matching(name, changeable) if "*" in name or "?" in name else [name]
        if not names:
            raise RunError(
                "E602",
                f"no parameter, state or input matches '{name}'",
                "'cutset inspect FILE --variables' lists all names",
            )
        found |= dict.fromkeys(names, value)
    return found


def require_known(info: ModelInfo, given: Iterable[str]) -> None:
    """RunError E602 for a name that the model does not have."""
    unknown = (name for name in given if name not in info.names and name not in info.folded and name not in info.texts)
    require_names("parameter", unknown, [*info.parameters, *info.folded, *info.texts])


def elements(info: ModelInfo, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by scalar name, with vectors and matrices (lists, tuples, arrays) split into elements. RunError E605 if
    the shape differs from that in the model."""
    if not isinstance(given, Mapping):
        raise RunError("E605", f"values must be given by name, such as {{'R.R': 100.0}}, not {given!r}")
    found: dict[str, Any] = {}
    for name, value in given.items():
        array = _array(value)
        if array.ndim == 0:
            found[name] = value
            continue
        written = f"{name}({','.join(str(n) for n in array.shape)})"
        own = info.arrays.get(name, ())
        if not own:
            require_known(info, [name])
            raise RunError("E605", f"'{name}' is a scalar, but it is given {array.size} values", "give it one number")
        parts = _parts(name, array)
        if parts.keys() != set(own):
            raise RunError(
                "E605", f"the last given value is for {written}, but the last element in the model is {own[-1]}"
            )
        found |= parts
    return found


def array_names(info: ModelInfo, name: str) -> tuple[str, ...]:
    """The names of the elements of an array of inputs, in their order; none for another name."""
    return tuple(each for each in info.arrays.get(name, ()) if each in info.names and info.names[each].array == "u")


def spread(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same without a model: an array has the shape in which it is given."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        array = _array(value)
        found |= {name: value} if array.ndim == 0 else _parts(name, array)
    return found


def _array(value: Any) -> NDArray[Any]:
    """The value as an array; without dimensions if it is none."""
    return np.array(value, dtype=object) if isinstance(value, list | tuple | np.ndarray) else np.array(None)


def _parts(name: str, array: NDArray[Any]) -> dict[str, Any]:
    return {f"{name}({','.join(str(i + 1) for i in index)})": part for index, part in np.ndenumerate(array)}


def given_times(times: Sequence[float] | Vector | None) -> tuple[float, ...] | None:
    """Output times as numbers. RunError E605 if they are not."""
    if times is None:
        return None
    try:
        found = np.asarray(times, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros((0, 0))
    if found.ndim != 1 or not len(found):
        raise RunError("E605", f"times must be a list of numbers, such as [0.0, 0.5, 2.0], not {times!r}")
    return tuple(map(float, found))


def array_of(what: str, values: Sequence[float] | Vector, names: Sequence[str]) -> Vector:
    """The numbers in an array; `what` they are. ValueError unless there is a finite one for each name."""
    try:
        array = np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.shape != (len(names),) or not np.isfinite(array).all():
        expected = f"finite numbers for {', '.join(names)}" if names else "no values"
        raise ValueError(f"{what}: expected {expected}, not {values!r}")
    return array
