"""Measures curves: rows over time -> extremes, means, instants of crossings, harmonics. Knows no model.

Between two rows a curve has the values that its run has there. Where it jumps it has two rows at one instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

Edge = Literal["rise", "fall", "both"]

# An interval is divided into so many parts, so often, to find an instant in it.
_PARTS, _ROUNDS = 16, 12
# A spectrum has so many samples: at least, for each row and for each period of the highest harmonic, at most.
_LEAST, _FOR_ROW, _FOR_PERIOD, _MOST = 2**13, 4, 64, 2**21


@dataclass(frozen=True, eq=False)
class Curve:
    """The values y (n,) in the rows at t (n,), ascending; `between` gives those at other instants. `name` is that in
    messages."""

    name: str
    t: Vector
    y: Vector
    between: Callable[[Vector], Vector]

    def part(self, start: float | None, stop: float | None) -> Curve:
        """The curve from `start` to `stop`, of jumps there the inner side. RunError E667 unless these lie in the run,
        in this order."""
        first, last = float(self.t[0]), float(self.t[-1])
        low, high = first if start is None else start, last if stop is None else stop
        if not first <= low < high <= last:
            hint = f"give times from {first:.9g} to {last:.9g}, the first below the second"
            raise RunError("E667", f"there is nothing to measure from time {low:.9g} to {high:.9g}", hint)
        ends = self.between(np.array([low, high]))
        if high in self.t:
            ends[1] = self.y[np.searchsorted(self.t, high)]
        inside = (self.t > low) & (self.t < high)
        t, y = self.t[inside], self.y[inside]
        rows = _require_finite(self.name, np.array([ends[0], *y, ends[1]]))
        return Curve(self.name, np.array([low, *t, high]), rows, self._finite)

    def _finite(self, times: Vector) -> Vector:
        return _require_finite(self.name, self.between(times))

    def integral(self, of: Callable[[Vector], Vector] = lambda y: y) -> float:
        """The integral over time of a function of the values, by Simpson's rule in each step."""
        h = np.diff(self.t)
        middle = self.between(self.t[:-1] + 0.5 * h)
        return float(np.sum(h / 6.0 * (of(self.y[:-1]) + 4.0 * of(middle) + of(self.y[1:]))))

    def mean(self) -> float:
        """The mean over time."""
        return self.integral() / float(self.t[-1] - self.t[0])

    def rms(self) -> float:
        """The root of the mean square over time."""
        return math.sqrt(self.integral(np.square) / float(self.t[-1] - self.t[0]))

    def highest(self, sign: float = 1.0) -> float:
        """The largest value, within a step, too; with the sign -1 the least."""
        middle = 0.5 * (self.t[:-1] + self.t[1:])
        t, y = np.concatenate([self.t, middle]), np.concatenate([self.y, self.between(middle)])
        best, at = float(np.max(sign * y)), float(t[np.argmax(sign * y)])
        low, high = (float(self.t[k]) for k in self._around(at))
        for _ in range(_ROUNDS):
            t = np.linspace(low, high, _PARTS + 1)[1:-1]  # the ends are rows, at which the curve may jump
            y = sign * self.between(t)
            k = int(np.argmax(y))
            best, step = max(best, float(y[k])), (high - low) / _PARTS
            low, high = float(t[k]) - step, float(t[k]) + step
        return sign * best

    def _around(self, at: float) -> tuple[int, int]:
        """The rows before and after an instant, or those beside it, not beyond a jump there."""
        first, last = int(np.searchsorted(self.t, at)), int(np.searchsorted(self.t, at, "right"))
        return (max(first - 1, 0), first) if last - first > 1 else (max(first - 1, 0), min(last, len(self.t) - 1))

    def crossings(self, level: float, edge: Edge = "both") -> Vector:
        """The instants at which the curve passes through the level, upwards or downwards; that of a jump counts once, a
        curve that touches the level does not pass it."""
        off = np.flatnonzero(self.y != level)
        above = self.y[off] > level
        passes = above[1:] != above[:-1]
        if edge != "both":
            passes &= above[1:] == (edge == "rise")
        rows = off[:-1][passes]
        return self._located(rows, level, above[:-1][passes])

    def _located(self, rows: NDArray[np.intp], level: float, above: NDArray[np.bool_]) -> Vector:
        """The instants in the steps after these rows at which the curve ceases to be above the level, or below it."""
        low, high = self.t[rows].copy(), self.t[rows + 1].copy()
        shares = np.arange(1, _PARTS) / _PARTS
        for _ in range(_ROUNDS if np.any(high > low) else 0):
            t = low[:, None] + (high - low)[:, None] * shares
            y = self.between(t.ravel()).reshape(t.shape)
            over = np.where(above[:, None], y <= level, y >= level)
            k = np.where(over.any(axis=1), over.argmax(axis=1), _PARTS - 1)
            step = (high - low) / _PARTS
            low, high = low + k * step, np.minimum(low + (k + 1) * step, high)
        return high

    def crossing(self, level: float, edge: Edge = "both", n: int = 1, after: float = -math.inf) -> float:
        """Crossing number n from the instant `after` on, -1 for the last. RunError E667 if there are fewer."""
        found = self.crossings(level, edge)
        found = found[found >= after]
        if not 1 <= abs(n) <= len(found):
            how = {"rise": " upwards", "fall": " downwards", "both": ""}[edge]
            what = f"'{self.name}' {_passes(len(found), level, how)}, and crossing {n} is required"
            span = f"it goes from {np.min(self.y):.6g} to {np.max(self.y):.6g}"
            raise RunError("E667", what, f"{span}; give another level, n, or a longer time")
        return float(found[n - 1 if n > 0 else n])

    def period(self, level: float | None = None) -> float:
        """The mean time between crossings of the level upwards; by default of the middle of the range. RunError E667
        for fewer than two."""
        level = 0.5 * (self.highest() + self.highest(-1.0)) if level is None else level
        found = self.crossings(level, "rise")
        if len(found) < 2:
            what = f"'{self.name}' has no whole period: it {_passes(len(found), level, ' upwards')}"
            raise RunError("E667", what, "measure over a longer time, or give a level that it passes")
        return float(found[-1] - found[0]) / (len(found) - 1)

    def harmonics(self, count: int, frequency: float | None = None) -> NDArray[np.complex128]:
        """The complex amplitudes (count + 1,) of sin(2*pi*k*frequency*time + phase) for k = 0 .. count, from the last
        whole periods. RunError E667 for fewer than one."""
        f = 1.0 / self.period() if frequency is None else frequency
        start, stop = float(self.t[0]), float(self.t[-1])
        periods = math.floor((stop - start) * f * (1.0 + 1e-9)) if f > 0.0 else 0
        if periods < 1:
            what = f"'{self.name}' has no whole period of {f:.6g} Hz from time {start:.9g} to {stop:.9g}"
            raise RunError("E667", what, "measure over a longer time, or give another frequency f")
        wanted = max(_LEAST, _FOR_ROW * len(self.t), _FOR_PERIOD * max(count, 1) * periods)
        n = 2 ** math.ceil(math.log2(min(wanted, _MOST)))
        if 2 * count * periods >= n:
            raise RunError("E667", f"{periods} periods with {count} harmonics are too many", "measure a shorter time")
        first = max(stop - periods / f, start)
        rows = np.fft.rfft(self.between(first + (stop - first) * (np.arange(n) + 0.5) / n)) / n
        k = np.arange(count + 1)
        found = 2.0 * rows[k * periods] * np.exp(-1j * np.pi * k * (periods / n + 2.0 * f * first) + 0.5j * np.pi)
        found[0] = rows[0]
        return np.asarray(found, dtype=complex)

    def distortion(self, count: int, frequency: float | None = None) -> float:
        """The root of the sum of squares of harmonics 2 .. count, relative to the first. RunError E667 without it."""
        sizes = np.abs(self.harmonics(count, frequency))
        if not sizes[1] > 0.0:
            raise RunError("E667", f"'{self.name}' has no part with this frequency", "give its frequency f")
        return float(np.linalg.norm(sizes[2:]) / sizes[1])


@dataclass(frozen=True)
class Step:
    """The step of a curve from the value `base` to the value `top`; those at its ends unless given."""

    curve: Curve
    base: float
    top: float

    @staticmethod
    def of(curve: Curve, base: float | None = None, top: float | None = None) -> Step:
        """RunError E667 if both are equal."""
        found = Step(curve, float(curve.y[0]) if base is None else base, float(curve.y[-1]) if top is None else top)
        if found.base == found.top:
            what = f"'{curve.name}' makes no step: it begins and ends at {found.top:.6g}"
            raise RunError("E667", what, "choose from and to around one edge, or give base and top")
        return found

    def time(self, low: float, high: float, direction: Literal["rise", "fall"]) -> float:
        """The time between these fractions of the step. RunError E667 for a step in the other direction."""
        if (self.top > self.base) != (direction == "rise"):
            other = "fall_time" if direction == "rise" else "rise_time"
            hint = f"measure {other}, or choose from and to around another edge"
            raise RunError("E667", f"'{self.curve.name}' goes from {self.base:.6g} to {self.top:.6g}", hint)
        begin = self.curve.crossing(self._level(low), direction)
        return self.curve.crossing(self._level(high), direction, after=begin) - begin

    def _level(self, share: float) -> float:
        return self.base + share * (self.top - self.base)

    def overshoot(self) -> float:
        """By how much it goes beyond the top, relative to the step; 0 if it does not."""
        sign = math.copysign(1.0, self.top - self.base)
        return max(0.0, sign * (self.curve.highest(sign) - self.top) / abs(self.top - self.base))

    def settling_time(self, within: float) -> float:
        """From the first row on until it stays within this part of the step around the top. RunError E667 if it does
        not."""
        room, of = within * abs(self.top - self.base), self.curve
        off = Curve(of.name, of.t, np.abs(of.y - self.top), lambda t: np.abs(of.between(t) - self.top))
        if off.y[-1] > room:
            hint = "measure over a longer time, or give a larger part with within"
            raise RunError("E667", f"'{of.name}' does not settle within {room:.6g} of {self.top:.6g}", hint)
        left = off.crossings(room, "fall")
        return float(left[-1] - of.t[0]) if len(left) else 0.0


def _require_finite(name: str, values: Vector) -> Vector:
    if not np.isfinite(values).all():
        raise RunError("E667", f"'{name}' has values that are not finite", "choose from and to without them")
    return values


def _passes(count: int, level: float, how: str) -> str:
    times = {1: " once", 2: " twice"}.get(count, f" {count} times")
    return f"passes {level:.6g}{how}{times}" if count else f"never passes {level:.6g}{how}"
