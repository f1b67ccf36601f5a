"""Stores delayed signals as polynomials in time, stretch by stretch, and reads them. Knows nothing of a model.

c/history.h is the same, operation by operation, and explains what a stretch and a piece are. Both share the arrays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.targets.c_records import HistoryData, address

_NODES, _ROOM = 5, 1024
_AT_ONCE = 1e-13
_MAY_BE_WITHIN, _SHORTEST_STEP, _WITHIN_DELAY = 1e-3, 1e-6, 0.98
_ARRAYS = "starts", "ends", "pieces", "roots", "levels", "values"
_OF_C = "longest_step", "next", "next_level", "size"


def most_levels(n: int, is_cheap_to_restart: bool) -> float:
    """How often a kink is followed from delay to delay; after that it is smooth enough to be within a step. With n
    delays it multiplies by n each time."""
    return (3.0 if n <= 2 else 2.0 if n <= 4 else 1.0) if is_cheap_to_restart else 1.0


def stretches(n: int) -> list[Vector]:
    """Memory for stretches of n signals: starts, ends, pieces, roots, levels and values."""
    return [*(np.zeros(_ROOM) for _ in range(5)), np.zeros((_ROOM, _NODES, n))]


@dataclass(frozen=True, eq=False)
class Stored:
    """What a run in C has stored: its starts, ends, pieces, roots, levels and values, and the `longest_step`."""

    arrays: list[Vector]
    longest_step: float

    @classmethod
    def of(cls, data: HistoryData, arrays: list[Vector]) -> Stored:
        """A copy of what C has stored in these arrays."""
        return cls([array[: data.size].copy() for array in arrays], data.longest_step)


class History:
    """The history of the signals `names` with their `delays` in seconds; RunError for a delay that is not positive.
    `window` holds for each signal the piece that is read. `rtol` and `atol` are the tolerances of stretches."""

    def __init__(self, names: tuple[str, ...], delays: Vector):
        for name, delay in zip(names, delays.tolist(), strict=False):
            if not (0.0 < delay < math.inf):
                raise RunError("E645", f"{name}: the delay is {delay!r}", "give a time greater than 0")
        self.delays = np.ascontiguousarray(delays, dtype=float)
        self.size = 0
        self.starts, self.ends, self.pieces, self.roots, self.levels, self.values = stretches(len(names))
        self.window = np.zeros(len(names))
        self.rtol, self.atol, self.span = 1e-6, 1e-8, 1.0
        self.longest_step = self.next = math.inf
        self.most_levels = self.next_level = 1.0
        self._work: list[Vector] = []

    def copy(self) -> History:
        """An independent copy."""
        copied = copy(self)
        for name in (*_ARRAYS, "window"):
            setattr(copied, name, getattr(self, name).copy())
        copied._work = []
        return copied

    def become(self, other: History) -> None:
        """Take over everything from another history of the same signals, which is not used any more."""
        self.__dict__.update(other.__dict__)

    def data(self) -> dict[str, Any]:
        """What was stored so far and is still needed, as plain data."""
        self._drop_old(float(self.ends[self.size - 1]), len(self.ends))
        stored = {name: getattr(self, name)[: self.size].tolist() for name in _ARRAYS}
        stored["starts"] = [None if math.isinf(start) else start for start in stored["starts"]]
        return {**stored, "window": self.window.tolist(), "longest_step": self.longest_step}

    def with_data(self, data: Mapping[str, Any]) -> History:
        """A history of the same signals with these data."""
        made = self.copy()
        made.size = len(data["ends"])
        starts = [-math.inf if start is None else start for start in data["starts"]]
        for name in _ARRAYS:
            stored = np.array(starts if name == "starts" else data[name], dtype=float)
            setattr(made, name, _longer(stored, made.size + _ROOM))
        made.window, made.longest_step = np.array(data["window"]), data["longest_step"]
        return made

    def with_stored(self, stored: Stored, window: Vector) -> History:
        """A history of the same signals with what C has stored and with this window."""
        made = self.copy()
        for name, array in zip(_ARRAYS, stored.arrays, strict=True):
            setattr(made, name, _longer(array, len(array) + _ROOM))
        made.size, made.longest_step, made.window = len(stored.arrays[0]), stored.longest_step, window.copy()
        return made

    # --- limits

    @property
    def shortest(self) -> float:
        """The shortest delay in s."""
        return float(self.delays.min())

    @property
    def longest(self) -> float:
        """The longest delay in s."""
        return float(self.delays.max())

    @property
    def reach(self) -> float:
        """The longest step for the delays that are longer than a step."""
        long = self.delays[self.delays >= _MAY_BE_WITHIN * self.span]
        return _WITHIN_DELAY * float(long.min()) if len(long) else math.inf

    # --- stretches and pieces

    def make_room(self, t: float, least: int = _ROOM // 2) -> None:
        """Make room for so many further stretches in a segment from t on."""
        if self.size + least > len(self.ends):
            self._drop_old(t, least)

    def _drop_old(self, t: float, least: int) -> None:
        low = int(np.searchsorted(self.ends[: self.size], t - 1.000001 * self.longest))
        low = min(low, self.size - 1)
        room = max(len(self.ends), 2 * (self.size - low + least))
        for name in _ARRAYS:
            setattr(self, name, _longer(getattr(self, name)[low : self.size], room))
        self.size -= low

    def restart(self, t: float, values: Vector) -> None:
        """Clear the history; only these values are known, which held up to t."""
        self.size = 0
        self.begin_piece(-math.inf, t, values)
        self.begin_piece(t, t, values)
        self.set_window(t, t)

    def begin_piece(self, start: float, t: float, values: Vector, level: float = 0.0) -> None:
        """Start a piece of this level at t with these values, which hold from `start`: t, or before all times."""
        piece, root = (self.pieces[self.size - 1] + 1.0, self.roots[self.size - 1]) if self.size else (0.0, 0.0)
        root += 1.0 if self.size and level == 0.0 else 0.0
        self.add(start, t, np.tile(values, (_NODES, 1)), (piece, root, level))
        self.longest_step = max(self.shortest, _SHORTEST_STEP * self.span)

    def add(self, start: float, end: float, values: Vector, piece: tuple[float, float, float] | None = None) -> None:
        """Append a stretch with these values, (5, number of delays), of the latest piece, or of that with this number,
        root and level."""
        if self.size == len(self.ends):
            for name in _ARRAYS:
                setattr(self, name, _longer(getattr(self, name), 2 * self.size))
        i = self.size
        self.starts[i], self.ends[i], self.values[i] = start, end, values
        for place, array in enumerate((self.pieces, self.roots, self.levels)):
            array[i] = array[i - 1] if piece is None else piece[place]
        self.size += 1

    def set_window(self, start: float, end: float) -> None:
        """Let each signal be read from the piece that it has in the middle of a segment."""
        for k, delay in enumerate(self.delays.tolist()):
            self.window[k] = self._pieces_of(k)[self._stretch_at(0.5 * (start + end) - delay)]

    def enter_just_after(self, t: float) -> None:
        """The same just after t."""
        self.set_window(t, t + 1e-3 * self.shortest)

    def at(self, t: float) -> Vector:
        """The delayed values at t, of the pieces of the window: a new array."""
        found = np.zeros(len(self.delays))
        for k, delay in enumerate(self.delays.tolist()):
            i, piece, pieces = self._stretch_at(t - delay), self.window[k], self._pieces_of(k)
            while i > 0 and pieces[i] > piece:
                i -= 1
            while i + 1 < self.size and pieces[i] < piece:
                i += 1
            found[k] = self.value(i, k, t - delay)
        return found

    def _pieces_of(self, k: int) -> Vector:
        """The numbers of the pieces that count for a signal."""
        return self.roots if self._is_within(k) else self.pieces

    def over(self, times: Vector) -> Vector:
        """The delayed values at these instants, of the pieces of the window: shape (n, number of delays)."""
        return np.array([self.at(t) for t in times.tolist()]).reshape(len(times), len(self.delays))

    def _stretch_at(self, t: float) -> int:
        return max(int(np.searchsorted(self.starts[: self.size], t, side="right")) - 1, 0)

    def value(self, stretch: int, k: int, t: float) -> float:
        """The value of signal k at t in a stretch; after its end, on the line that continues it."""
        start, end = float(self.starts[stretch]), float(self.ends[stretch])
        v0, v1, v2, v3, v4 = self.values[stretch, :, k].tolist()
        if not end > start or not math.isfinite(start):
            return float(v4)
        q = 4.0 * ((t - start) / (end - start))
        if q > 4.0:
            return float(v4 + (q - 4.0) * ((25.0 * v4 - 48.0 * v3 + 36.0 * v2 - 16.0 * v1 + 3.0 * v0) / 12.0))
        return float(
            (q - 1.0) * (q - 2.0) * (q - 3.0) * (q - 4.0) / 24.0 * v0
            - q * (q - 2.0) * (q - 3.0) * (q - 4.0) / 6.0 * v1
            + q * (q - 1.0) * (q - 3.0) * (q - 4.0) / 4.0 * v2
            - q * (q - 1.0) * (q - 2.0) * (q - 4.0) / 6.0 * v3
            + q * (q - 1.0) * (q - 2.0) * (q - 3.0) / 24.0 * v4
        )

    def _is_within(self, k: int) -> bool:
        return bool(self.delays[k] < _MAY_BE_WITHIN * self.span)

    # --- C

    def record(self, offset: int, states: int, guesses: int) -> HistoryData:
        """What C sees: the arrays of this history, which it keeps alive; `take` reads what C has added."""
        n = len(self.delays)
        self._work = [np.zeros(2 * n), np.zeros(n), np.zeros(states), np.zeros(guesses)]
        arrays = *(getattr(self, name) for name in _ARRAYS), self.delays, self.window, *self._work
        limits = self.span, self.rtol, self.atol, self.shortest, self.longest, self.reach, self.longest_step
        own = self.longest_step, -math.inf, self.next, self.next_level, self.most_levels
        return HistoryData(*map(address, arrays), *limits, *own, n, offset, self.size, len(self.ends), 0, 0)

    def take(self, data: HistoryData) -> None:
        """Take over what C has added to the arrays that `record` gave to it."""
        for name in _OF_C:
            setattr(self, name, getattr(data, name))


def _longer(array: Vector, room: int) -> Vector:
    longer = np.zeros((room, *array.shape[1:]))
    longer[: len(array)] = array
    return longer
