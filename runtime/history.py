"""Stores the history of delayed signals and interpolates it. Knows nothing of a model.

A cubic through the nearest four instants interpolates, in C (c/history.h) while a segment is integrated. Where a signal
has a jump or a kink a new piece starts; no cubic crosses it, and a segment reads from one piece only. Before the first
instant signals are constant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

# The number of instants stored per segment, besides its outputs.
_GRID = 32
_ROOM = 256
_SAME = 1e-13


class History:
    """The history of the signals `names` with their `delays` in seconds; RunError for a delay that is not positive.
    `window` holds for each signal the first and the last instant of the piece that is read."""

    def __init__(self, names: tuple[str, ...], delays: Vector):
        for name, delay in zip(names, delays.tolist(), strict=False):
            if not (0.0 < delay < math.inf):
                raise RunError("E645", f"{name}: the delay is {delay!r}", "give a time greater than 0")
        self.delays = np.ascontiguousarray(delays, dtype=float)
        self.size = 0
        self.times = np.zeros(_ROOM)
        self.values = np.zeros((_ROOM, len(names)))
        self.window = np.zeros((2, len(names)))
        self._first = np.zeros(_ROOM)  # for each instant: the number of the first instant of its piece
        self._jumps: list[float] = []

    def copy(self) -> History:
        """An independent copy with room for more."""
        copied = copy(self)
        copied.times, copied.values, copied._first = self.times.copy(), self.values.copy(), self._first.copy()
        copied.window, copied._jumps = self.window.copy(), [*self._jumps]
        return copied

    def data(self) -> dict[str, Any]:
        """What was stored so far, as plain data."""
        arrays = {"times": self.times, "values": self.values, "first": self._first}
        stored = {name: array[: self.size].tolist() for name, array in arrays.items()}
        return {**stored, "window": self.window.tolist(), "jumps": self._jumps}

    def with_data(self, data: Mapping[str, Any]) -> History:
        """A history of the same signals with these data."""
        made = self.copy()
        made.size, made._jumps = len(data["times"]), [*data["jumps"]]
        room = made.size + _ROOM
        made.times, made._first = (_longer(np.array(data[name]), room) for name in ("times", "first"))
        made.values = _longer(np.array(data["values"]).reshape(made.size, len(self.delays)), room)
        made.window = np.array(data["window"])
        return made

    @property
    def shortest(self) -> float:
        """The shortest delay in s: all delayed values are known this far ahead."""
        return float(self.delays.min())

    def restart(self, t: float, values: Vector) -> None:
        """Clear the history; only these values are known, which held up to t."""
        self.size, self._jumps = 0, []
        self.add(np.array([t]), values[None, :], begins=True)
        self.set_window(t, t)

    def add(self, times: Vector, values: Vector, begins: bool = False) -> None:
        """Append points: times (n,), values (n, number of delays). The first of them `begins` a piece, or none does."""
        n = len(times)
        if self.size + n > len(self.times):
            room = 2 * (self.size + n)
            self.times, self.values, self._first = (_longer(a, room) for a in (self.times, self.values, self._first))
        first = self.size if begins or self.size == 0 else self._first[self.size - 1]
        place = slice(self.size, self.size + n)
        self.times[place], self.values[place], self._first[place] = times, values, first
        self.size += n
        if begins and n:
            self._jumps.append(float(times[0]))

    def forget(self, size: int) -> None:
        """Remove all but the first `size` instants, after which no piece starts."""
        self.size = size

    def ahead(self, times: Vector) -> Vector:
        """A guess of the values at instants after the last: linear extrapolation of the last two points of its
        piece."""
        last = self.size - 1
        values = np.tile(self.values[last], (len(times), 1))
        if last > self._first[last]:
            slope = (self.values[last] - self.values[last - 1]) / (self.times[last] - self.times[last - 1])
            values += (times - self.times[last])[:, None] * slope
        return values

    def next_jump(self, t: float) -> float:
        """The next instant after t at which a delayed value may have a jump or kink; inf if there is none."""
        last = t - float(self.delays.max()) * (1.0 + _SAME)
        self._jumps = [jump for jump in self._jumps if jump >= last]
        ahead = (jump + delay for jump in self._jumps for delay in self.delays.tolist())
        return min((at for at in ahead if at - t > _SAME * max(abs(at), abs(t))), default=math.inf)

    def grid(self, t: float, times: Vector) -> Vector:
        """The output times of a segment from t on, with further instants between them to store."""
        end = float(times[-1])
        between = np.linspace(t, end, _GRID + 1)[1:-1]
        near = np.searchsorted(times, between)
        apart = np.minimum(np.abs(times[near] - between), np.abs(times[np.maximum(near - 1, 0)] - between))
        return np.union1d(times, between[apart > 0.1 * (end - t) / _GRID])

    def set_window(self, start: float, end: float) -> None:
        """Prepare to read values between these instants, over which no delayed value jumps."""
        for k, delay in enumerate(self.delays.tolist()):
            middle = 0.5 * (start + end) - delay
            i = max(int(np.searchsorted(self.times[: self.size], middle, side="right")) - 1, 0)
            first = self._first[i]
            last = self._last(i) if middle > self.times[0] else first
            self.window[:, k] = first, last

    def _last(self, i: int) -> int:
        """The last instant of the piece of instant i."""
        behind = int(np.searchsorted(self._first[: self.size], self._first[i], side="right"))
        return behind - 1

    def at(self, t: float) -> Vector:
        """The delayed values at t, within the prepared interval: a new array."""
        found = np.zeros(len(self.delays))
        for k, delay in enumerate(self.delays.tolist()):
            first, last = self.window[:, k].astype(int).tolist()
            found[k] = self._one(t - delay, k, first, last)
        return found

    def over(self, times: Vector) -> Vector:
        """The delayed values at any instants: shape (n, number of delays)."""
        rows = np.zeros((len(times), len(self.delays)))
        for row, t in enumerate(times.tolist()):
            self.set_window(t, t)
            rows[row] = self.at(t)
        return rows

    def _one(self, t: float, k: int, low: int, high: int) -> float:
        times, values = self.times, self.values
        if low == high:
            return float(values[low, k])
        i = min(max(int(np.searchsorted(times[low : high + 1], t, side="right")) - 1 + low, low), high - 1)
        last = min(i + 2, high)
        first = max(last - 3, low)
        total = 0.0
        for i in range(first, last + 1):
            weight = 1.0
            for j in range(first, last + 1):
                if j != i:
                    weight *= (t - times[j]) / (times[i] - times[j])
            total += weight * values[i, k]
        return float(total)


def _longer(array: Vector, room: int) -> Vector:
    longer = np.zeros((room, *array.shape[1:]))
    longer[: len(array)] = array
    return longer
