"""Notices that a step has passed a pole, for solvers in Python, as c/poles.h does.

A derivative that goes to infinity, with opposite signs on both sides, ends a solution: the states move towards the pole
from both sides. Within the tolerance of the states a step may pass it, and what follows is no solution. Such a
derivative grows from step to step and then changes its sign; a bisection tells it from one that passes zero. The
operations are the same as in C, in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.right_side import RightHandSide

# By how much a derivative grows, at least, when its distance from a pole is halved: a little less than a pole of order
# 1, and than the root of third order of one, which a solution may pass unless the state itself causes it.
_SIMPLE, _ROOT = 1.9, 1.2
# How much it has to grow in all unless the numbers between are exhausted, and how much at least.
_ENOUGH, _EXHAUSTED = 1e3, 10.0
_HALVINGS = 100
# Growth counts from the fourth halving on: the derivatives at the ends may be close to zero by chance, and fast states
# follow a curved way, from which the middle of a straight one may be far.
_SEVERAL = 3
# A way is halved at most so often until a derivative that has grown changes at most by this factor on it.
_SHORTER, _STEADY = 20, 2.0

# The steps to check after a derivative that had grown has changed much; in a false one states move so many tolerances
# against their derivatives, and so much faster.
_SUSPECT, _FALSE, _FASTER = 5, 100.0, 10.0

# Time, states, derivatives.
Evaluated = tuple[float, Vector, Vector]


class Poles:
    """What two successive points tell. If the end of a step is not controlled, `first` are the derivatives at the
    start: then every change of sign in the first step is examined."""

    def __init__(self, f: RightHandSide, first: Vector | None = None):
        self._f, self._rise = f, first
        self._last: Evaluated | None = None
        self._suspect, self._grown = 0, False

    def passed(self, at: Evaluated) -> bool:
        """True if there is a pole on the way from the point of the call before; then `bad` of the right-hand side is
        the last point before it."""
        if self._last is not None and self.between(self._last, at):
            return True
        self._last = at
        return False

    def passed_or_false(self, at: Evaluated, slope: Callable[[], Vector], tolerances: tuple[float, Vector]) -> bool:
        """`passed`, or the step that ends there does not satisfy its own equations: `slope` computes the derivatives of
        its solution. Relative and absolute tolerances."""
        last = self._last
        if last is not None and self._strays(last[2], at[2]):
            self._suspect = _SUSPECT
        if self.passed(at):
            return True
        if last is not None and self._suspect > 0:
            if self._is_false(last[0], at, slope(), tolerances):
                self._f.bad = at[:2]
                return True
            self._rise = at[2]  # which may also fall, within the tolerance
            self._suspect -= 1
        return False

    def _is_false(self, last_t: float, at: Evaluated, slope: Vector, tolerances: tuple[float, Vector]) -> bool:
        """`is_false_step` of c/sundials.h."""
        (t, x, dx), (rtol, atol) = at, tolerances
        h = t - last_t

        def size(v: Vector) -> float:
            return math.sqrt(float(np.sum((h * v / (atol + rtol * np.abs(x))) ** 2)) / len(x))

        against = size(np.where(slope * dx < 0.0, slope, 0.0))
        if not (against > _FALSE and against > _FASTER * size(dx)):
            return False
        found = self._f.glance(t, x - h * (slope - dx))
        return bool(np.isfinite(found).all()) and size(found - dx) <= against

    def between(self, a: Evaluated, b: Evaluated) -> bool:
        """The same for two successive points."""
        if self.before(a, b):
            return True
        self._grown = True
        with np.errstate(over="ignore"):
            self._rise = np.where((np.abs(b[2]) >= np.abs(a[2])) & (a[2] * b[2] > 0.0), b[2], 0.0)
        return False

    def before(self, a: Evaluated, b: Evaluated) -> bool:
        """The same for the last point and one that was tried."""
        rise = np.zeros(len(a[1])) if self._rise is None else self._rise
        with np.errstate(over="ignore"):
            flips = np.flatnonzero(rise * b[2] < 0.0)
        if len(flips):
            found = self._between(a, b, 0.0, 1.0)
            if found is None:
                return False
            growth = _growth(a[2], found[1], b[2])[flips]
            k = int(np.argmax(np.nan_to_num(growth)))
            if growth[k] >= _ROOT and self._narrows(int(flips[k]), a, b):
                return True
        return False

    def on_long_way(self, a: Evaluated, b: Evaluated) -> bool:
        """The same for a point whose distance no estimate of an error limits: between them there may be several poles,
        or a pole and a zero, which show no change of sign. The first is found near a."""
        if not self._strays(a[2], b[2]):
            return False
        if self.before(a, b):
            return True
        for _ in range(_SHORTER if self._grown else 0):
            b = self._at(a, b, 0.5)
            if not np.isfinite(b[2]).all():
                continue
            if self.before(a, b):
                return True
            if not self._strays(a[2], b[2]):
                break
        return False

    def _strays(self, da: Vector, dx: Vector) -> bool:
        """True if a derivative that has grown up to the last point has changed its sign or, after the first step, by
        more than a factor."""
        if self._rise is None:
            return False
        if not self._grown:
            return bool((self._rise * dx < 0.0).any())
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            part = dx / da
        return bool(((self._rise != 0.0) & ~((part >= 1.0 / _STEADY) & (part <= _STEADY))).any())

    def _at(self, a: Evaluated, b: Evaluated, part: float) -> Evaluated:
        t, x = a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
        return t, x, self._f.glance(t, x)

    def _between(self, a: Evaluated, b: Evaluated, low: float, high: float) -> tuple[float, Vector] | None:
        """The middle between two parts of the way, or a part beside it, and the derivatives there. None if neither has
        values: a straight way may leave the range of a function, which is no pole."""
        for share in (0.5, 0.4375):
            part = low + share * (high - low)
            rates = self._at(a, b, part)[2]
            if np.isfinite(rates).all():
                return part, rates
        return None

    def _record(self, point: Evaluated) -> bool:
        self._f.bad = point[:2]
        return True

    def _narrows(self, i: int, a: Evaluated, b: Evaluated) -> bool:
        """Narrow the way from a to b to a pole of derivative i."""
        part, to, low, high = 0.0, 1.0, float(a[2][i]), float(b[2][i])
        first, least = min(abs(low), abs(high)), math.inf
        for halving in range(_HALVINGS):
            middle = 0.5 * (part + to)
            if middle in (part, to) or (at := self._between(a, b, part, to)) is None:
                break
            half, found = at[0], float(at[1][i])
            is_low = found * low > 0.0
            growth = found / (low if is_low else high)
            if growth == 1.0:  # the numbers are exhausted
                break
            if not growth >= _ROOT:
                if min(abs(low), abs(high)) > _ENOUGH * first:  # rounding
                    break
                return False
            part, to, low, high = (half, to, found, high) if is_low else (part, half, low, found)
            if halving < _SEVERAL:
                first = min(abs(low), abs(high))
            near = _EXHAUSTED * first < min(abs(low), abs(high)) < _ENOUGH * first  # farther away, other terms count
            if near and half == middle:
                least = min(least, growth)
        if not min(abs(low), abs(high)) > _EXHAUSTED * first:
            return False
        before, behind = self._at(a, b, part), self._at(a, b, to)
        return self._is_end(i, least, before, behind) and self._record(before)

    def _is_end(self, i: int, least: float, before: Evaluated, behind: Evaluated) -> bool:
        """True if the solution cannot pass the singular point between these."""
        if least >= _SIMPLE:
            return True
        z = behind[1].copy()
        z[i] = before[1][i]
        found = self._f.glance(behind[0], z)
        return not np.isfinite(found).all() or bool(found[i] * before[2][i] > 0.0)


def _growth(low: Vector, middle: Vector, high: Vector) -> Vector:
    """The derivatives in the middle, in parts of those at the end with the same sign."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found: Vector = middle / np.where(middle * low > 0.0, low, high)
    return found
