"""Keeps the delayed signals of a run, which C stores as polynomials in time and reads: c/point/history.h."""

from __future__ import annotations

import math
from collections.abc import Mapping
from ctypes import byref
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.targets.c_records import HistoryData, address

if TYPE_CHECKING:
    from cutset.runtime.targets.c_functions import Functions

# The values of a stretch, and the room for further ones.
_NODES, _ROOM = 5, 1024
_ARRAYS = "starts", "ends", "pieces", "roots", "levels", "values"
_OF_C = "longest_step", "next", "next_level", "size", "span", "shortest", "longest", "reach"


def most_levels(n: int, is_cheap_to_restart: bool) -> float:
    """How often a kink is followed from delay to delay; after that it is smooth enough to be within a step. With n
    delays it multiplies by n each time."""
    return (3.0 if n <= 2 else 2.0 if n <= 4 else 1.0) if is_cheap_to_restart else 1.0


class History:
    """Delayed signals with their `delays` in seconds; `window` holds for each the piece that is read. `record` is how C
    finds all of them, with its `functions`."""

    def __init__(self, record: HistoryData, delays: Vector, window: Vector, functions: Functions):
        self.record, self._delays, self._window, self._functions = record, delays, window, functions
        record.delays, record.window, record.count = address(delays), address(window), len(delays)
        self._hold([*(np.zeros(_ROOM) for _ in range(5)), np.zeros((_ROOM, _NODES, len(delays)))])

    def _hold(self, arrays: list[Vector]) -> None:
        self._arrays, self.record.capacity = arrays, len(arrays[0])
        for name, array in zip(_ARRAYS, arrays, strict=True):
            setattr(self.record, name, address(array))

    def at(self, t: float) -> Vector:
        """The delayed values at t, of the pieces of the window: a new array."""
        found = np.zeros(len(self._delays))
        self._functions.recall(byref(self.record), t, address(found))
        return found

    def over(self, times: Vector) -> Vector:
        """The delayed values at these instants, of the pieces of the window: shape (n, number of delays)."""
        return np.array([self.at(t) for t in times.tolist()]).reshape(len(times), len(self._delays))

    def copy(self, delays: Vector, window: Vector) -> History:
        """What is stored now, with these copies of the delays and of the window."""
        made = History(HistoryData.from_buffer_copy(self.record), delays, window, self._functions)
        made._hold([array[: self.record.size].copy() for array in self._arrays])
        return made

    def take(self, other: History) -> None:
        """Take over what is stored in another history of the same signals."""
        self._store(other._arrays, other.record.size)
        for name in _OF_C:
            setattr(self.record, name, getattr(other.record, name))

    def restart(self, t: float, values: Vector) -> None:
        """Forget all: only these values are known, which held up to t."""
        self._functions.restart_history(byref(self.record), t, address(values))

    def make_room(self) -> None:
        """Make room for as much as there is once more."""
        self._store(self._arrays, self.record.size)

    def _store(self, arrays: list[Vector], size: int) -> None:
        self._hold([np.concatenate([array[:size], np.zeros((size + _ROOM, *array.shape[1:]))]) for array in arrays])

    def data(self) -> dict[str, Any]:
        """What was stored so far and is still needed, as plain data."""
        size, ends = self.record.size, self._arrays[1]
        first = int(np.searchsorted(ends[:size], ends[size - 1] - 1.000001 * float(self._delays.max())))
        kept = slice(min(first, size - 1), size)
        stored = {name: array[kept].tolist() for name, array in zip(_ARRAYS, self._arrays, strict=True)}
        stored["starts"] = [None if math.isinf(start) else start for start in stored["starts"]]
        return {**stored, "window": self._window.tolist(), "longest_step": self.record.longest_step}

    def set_data(self, data: Mapping[str, Any]) -> None:
        """Store these data of the same signals."""
        starts = [-math.inf if start is None else start for start in data["starts"]]
        self._hold([np.array(starts if name == "starts" else data[name], dtype=float) for name in _ARRAYS])
        self._window[:], self.record.longest_step, self.record.size = data["window"], data["longest_step"], len(starts)
