"""Values as they were in, what they were a while ago out. The memory of delayed quantities; knows nothing of a model.

A cubic through the nearest four instants interpolates, in C (c/history.h) while a segment is integrated. Where a
quantity jumps or bends a new piece begins, over which no cubic reaches, and all of a segment looks into one piece.
Before the first instant all is as it was there.
"""

from __future__ import annotations

import math
from copy import copy

import numpy as np

from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

# Instants that are kept of each segment, besides its outputs.
_GRID = 32
_ROOM = 256
_SAME = 1e-13


class History:
    """Of `names` with their `delays` in seconds; RunError for one that is no positive number. `window` has for each the
    first and the last instant of the piece that is looked into."""

    def __init__(self, names: tuple[str, ...], delays: Vector):
        for name, delay in zip(names, delays.tolist(), strict=False):
            if not (0.0 < delay < math.inf):
                raise RunError(
                    "E645", f"{name}: the time by which it is delayed is {delay!r}", "give a time greater than 0"
                )
        self.delays = np.ascontiguousarray(delays, dtype=float)
        self.size = 0
        self.times = np.zeros(_ROOM)
        self.values = np.zeros((_ROOM, len(names)))
        self.window = np.zeros((2, len(names)))
        self._first = np.zeros(_ROOM)  # of each instant: the number of the first one of its piece
        self._jumps: list[float] = []

    def copy(self) -> History:
        """One of its own, with room for more."""
        copied = copy(self)
        copied.times, copied.values, copied._first = self.times.copy(), self.values.copy(), self._first.copy()
        copied.window, copied._jumps = self.window.copy(), [*self._jumps]
        return copied

    @property
    def shortest(self) -> float:
        """The shortest delay: so far ahead all delayed values are known."""
        return float(self.delays.min())

    def restart(self, t: float, values: Vector) -> None:
        """Nothing is known but these values, which held up to t."""
        self.size, self._jumps = 0, []
        self.add(np.array([t]), values[None, :], begins=True)
        self.evaluate(t, t)

    def add(self, times: Vector, values: Vector, begins: bool = False) -> None:
        """Further ones: times (n,), values (n, number of delays). The first of them `begins` a piece, or none
        does."""
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
        """All but the first `size` instants, behind which no piece begins."""
        self.size = size

    def ahead(self, times: Vector) -> Vector:
        """A guess of the values at instants after the last: on the straight lines through the last two of its
        piece."""
        last = self.size - 1
        values = np.tile(self.values[last], (len(times), 1))
        if last > self._first[last]:
            slope = (self.values[last] - self.values[last - 1]) / (self.times[last] - self.times[last - 1])
            values += (times - self.times[last])[:, None] * slope
        return values

    def next_jump(self, t: float) -> float:
        """The next instant after t at which a delayed value may jump or bend; inf: none."""
        last = t - float(self.delays.max()) * (1.0 + _SAME)
        self._jumps = [jump for jump in self._jumps if jump >= last]
        ahead = (jump + delay for jump in self._jumps for delay in self.delays.tolist())
        return min((at for at in ahead if at - t > _SAME * max(abs(at), abs(t))), default=math.inf)

    def grid(self, t: float, times: Vector) -> Vector:
        """The output times of a segment from t on, and between them instants that are to be kept."""
        end = float(times[-1])
        between = np.linspace(t, end, _GRID + 1)[1:-1]
        near = np.searchsorted(times, between)
        apart = np.minimum(np.abs(times[near] - between), np.abs(times[np.maximum(near - 1, 0)] - between))
        return np.union1d(times, between[apart > 0.1 * (end - t) / _GRID])

    def evaluate(self, start: float, end: float) -> None:
        """From here on values are asked for between these instants, over which no delayed value jumps."""
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
        """The delayed values at t, within what is looked at: a new array."""
        found = np.zeros(len(self.delays))
        for k, delay in enumerate(self.delays.tolist()):
            first, last = self.window[:, k].astype(int).tolist()
            found[k] = self._one(t - delay, k, first, last)
        return found

    def over(self, times: Vector) -> Vector:
        """The delayed values at instants anywhere: (n, number of delays)."""
        rows = np.zeros((len(times), len(self.delays)))
        for row, t in enumerate(times.tolist()):
            self.evaluate(t, t)
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
