"""Solves a system of nonlinear equations, as `cutset_newton` of c/newton.h does, operation by operation.

Newton's method, damped by the natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear Problems, Springer
2004, 3.3); if it fails, homotopy from the guess. Exceptions of a residual pass through to the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

_Numbers = list[float]


@dataclass(frozen=True)
class Failed:
    """A system of n equations without a solution that was found: its `first` guess, the place `guess` of the guess in
    w, and `x`, which begins with the states or their start values, and the held values; evaluate(x, z, r) writes the
    residuals and their derivatives."""

    n: int
    guess: int
    first: _Numbers
    x: _Numbers
    modes: _Numbers
    evaluate: Callable[[_Numbers, _Numbers, _Numbers], None]


class Unsolved(Exception):
    """A system was not solved although the states are finite."""

    def __init__(self, failed: Failed):
        self.failed = failed
        super().__init__(failed.guess)


@dataclass
class Care:
    """`careful`: solve systems only on the branch of the guess, in steps that are not damped (1) or are (2). `lost`:
    set to the number of its message if a system was not solved so. `stops`: raise Unsolved at the first system, at
    finite states, that is not solved at all. `beyond`: set to True if a value was computed beyond a crossing."""

    careful: int = 0
    lost: int = 0
    stops: bool = False
    beyond: bool = False

    def finite(self, value: float) -> bool:
        """True for a number. Else the present values of relations replace the held ones."""
        found = math.isfinite(value)
        self.beyond |= not found
        return found


@dataclass
class _System:
    """One system at one instant: f(z) - rest*f(base) = 0, with f(base) in `offset`. r holds the residuals followed by
    their derivatives, lu their factors; `orientation` is the sign of their determinant, `begun` the first such sign."""

    n: int
    residuals: Callable[[_Numbers, _Numbers], None]
    nominal: _Numbers
    careful: bool
    z: _Numbers
    offset: _Numbers
    rest: float = 0.0
    orientation: float = 0.0
    begun: float = 0.0
    r: _Numbers = field(default_factory=list)
    lu: _Numbers = field(default_factory=list)
    rows: _Numbers = field(default_factory=list)
    pivots: list[int] = field(default_factory=list)
    step: _Numbers = field(default_factory=list)
    scale: _Numbers = field(default_factory=list)

    def evaluate(self, z: _Numbers) -> bool:
        """r := residuals and derivatives at z; True if all are finite."""
        self.r = [0.0] * (self.n + self.n * self.n)
        self.residuals(z, self.r)
        for i in range(self.n):
            self.r[i] -= self.rest * self.offset[i]
        return all(map(math.isfinite, self.r))

    def factor(self) -> bool:
        """lu := factors of the derivatives in r, with rows scaled to 1 and exchanged; False if they are singular."""
        n, A = self.n, [0.0] * (self.n * self.n)
        self.lu, self.rows, self.pivots, self.orientation = A, [0.0] * n, [0] * n, 1.0
        for i in range(n):
            row = self.r[n + i * n : n + i * n + n]
            size = max(map(abs, row))
            if not size > 0.0:
                return False
            self.rows[i] = size
            A[i * n : i * n + n] = [value / size for value in row]
        for k in range(n):
            pivot = k
            for i in range(k + 1, n):
                if abs(A[i * n + k]) > abs(A[pivot * n + k]):
                    pivot = i
            self.pivots[k] = pivot
            if not abs(A[pivot * n + k]) > 0.0:
                return False
            if (pivot != k) != (A[pivot * n + k] < 0.0):
                self.orientation = -self.orientation
            if pivot != k:
                top, other = slice(k * n, k * n + n), slice(pivot * n, pivot * n + n)
                A[top], A[other] = A[other], A[top]
            for i in range(k + 1, n):
                A[i * n + k] /= A[k * n + k]
                for j in range(k + 1, n):
                    A[i * n + j] -= A[i * n + k] * A[k * n + j]
        return True

    def correction(self, residuals: _Numbers) -> _Numbers:
        """Minus the inverse of the factored matrix times the residuals."""
        n, lu = self.n, self.lu
        step = [-residuals[i] / self.rows[i] for i in range(n)]
        for k, pivot in enumerate(self.pivots):
            step[k], step[pivot] = step[pivot], step[k]
        for k in range(n):
            for i in range(k + 1, n):
                step[i] -= lu[i * n + k] * step[k]
        for k in range(n - 1, -1, -1):
            for j in range(k + 1, n):
                step[k] -= lu[k * n + j] * step[j]
            step[k] /= lu[k * n + k]
        return step

    def measure(self) -> None:
        """scale[j] := the change of z[j] that matters as much as all terms of some row of the derivatives in r, by the
        sizes of z and of the trial step. An unknown near zero among large ones has no scale of its own, since it may be
        pure rounding."""
        n = self.n
        sizes = [
            abs(z) + abs(step) + 1e-14 * nominal
            for z, step, nominal in zip(self.z, self.step, self.nominal, strict=False)
        ]
        self.scale = [math.inf] * n
        for i in range(n):
            row = [abs(value) for value in self.r[n + i * n : n + i * n + n]]
            total = 0.0
            for value, size in zip(row, sizes, strict=False):
                total += value * size
            self.scale = [
                min(scale, total / value) if value != 0.0 else scale
                for scale, value in zip(self.scale, row, strict=False)
            ]

    def size(self, change: _Numbers) -> float:
        """The largest element of `change` relative to `scale`, without the part of it that may be rounding of an
        unknown which is zero."""
        size = 0.0
        for scale, nominal, part in zip(self.scale, self.nominal, change, strict=False):
            share = (abs(part) - 1e-14 * nominal) / scale
            size = size if size > share else share
        return size

    def small(self, change: _Numbers, accuracy: float, least: float) -> bool:
        """True if no element of `change` matters next to z: `accuracy` of it, or `least` of its nominal value."""
        parts = zip(self.z, self.nominal, change, strict=False)
        return all(abs(part) <= accuracy * abs(z) + least * nominal for z, nominal, part in parts)

    def is_noise(self, trial: _Numbers) -> bool:
        """True if rounding of the unknowns at the end of a full step, `trial`, explains all residuals in r: each is
        below the effect of a few units in the last place of the unknowns."""
        n = self.n
        for i in range(n):
            noise = 0.0
            for j in range(n):
                noise += abs(self.r[n + i * n + j] * trial[j])
            if not abs(self.r[i]) <= 1e-15 * noise:
                return False
        return True

    def is_rounding(self, before: _Numbers, trial: _Numbers, size: float, following: float) -> bool:
        """True if rounding keeps the residuals in r, at the end of a full step `trial` of this size, from being
        smaller: it explains them, or the derivatives have not changed enough during the step to explain the remaining
        correction `following`, nor are the residuals much smaller in its middle, as around a root of infinite slope.
        `before` holds the residuals at its start."""
        n = self.n
        if self.is_noise(trial):
            return True
        if not self.small(self.step, 1e-9, 1e-9):
            return False
        bend = list(before)
        for i in range(n):
            for j in range(n):
                bend[i] += self.r[n + i * n + j] * self.step[j]
        if not self.size(self.correction(bend)) <= 0.25 * following:
            return False
        self.evaluate([z + 0.5 * step for z, step in zip(self.z, self.step, strict=False)])
        middle = self.size(self.correction(self.r[:n]))
        self.evaluate(trial)
        return not middle < 0.25 * min(size, following)

    def iterate(self, most: int) -> bool:
        """Newton's method from z, which becomes the solution; False if it does not converge. A careful iteration is not
        damped, and must halve the correction in each step, as when following a branch (Deuflhard, 5.1)."""
        damping = 1.0
        for k in range(most):
            if (k == 0 and not self.evaluate(self.z)) or not self.factor():
                return False
            self.begun = self.begun or self.orientation
            before = self.r[: self.n]
            self.step = self.correction(before)
            if self.small(self.step, 1e-14, 1e-14):
                self.z = _sum(self.z, self.step)
                return True
            self.measure()
            size = self.size(self.step)
            if not math.isfinite(size):
                return False
            damping = 1.0 if self.small(self.step, 1e-5, 1e-5) else min(1.0, 4.0 * damping)
            trial, following = self.z, None
            while following is None:
                if damping < (1.0 if self.careful else 1e-10):
                    return False
                trial = [z + damping * step for z, step in zip(self.z, self.step, strict=False)]
                if self.evaluate(trial):
                    following = self.correction(self.r[: self.n])
                    reached = self.size(following)
                    slow = damping == 1.0 and reached > 0.1 * size and self.is_rounding(before, trial, size, reached)
                    if slow or not reached <= (0.5 if self.careful else 1.0 - 0.25 * damping) * size:
                        least = 1e-13 if self.careful else 1e-9
                        if damping == 1.0 and (
                            self.small(self.step, least, 1e-14) or self.is_rounding(before, trial, size, reached)
                        ):
                            self.z = (
                                trial if reached < size or self.is_rounding(before, trial, size, reached) else self.z
                            )
                            return True
                        following = None
                damping = damping if following is not None else damping * 0.5
            self.z = trial
            if damping == 1.0 and self.small(following, 1e-12, 1e-14):
                self.z = _sum(self.z, following)
                return True
        return False

    def follow(self) -> bool:
        """Follow the solution from z, where f(z) - f(base) is zero, to f(z) = 0, with steps that suit the iteration."""
        done, stride = 0.0, 0.125
        if not self.evaluate(self.z):
            return False
        self.offset = self.r[: self.n]
        for _ in range(100):
            if not stride > 1e-7:
                break
            following, kept = min(1.0, done + stride), self.z
            self.rest = 1.0 - following
            if self.iterate(10 if following < 1.0 else 50):
                if following == 1.0:
                    return True
                done, stride = following, 2.0 * stride
            else:
                self.z, stride = kept, 0.25 * stride
        return False

    def at(self, z: float) -> float:
        """The residual of one equation at z."""
        self.evaluate([z])
        return self.r[0]

    def bisect(self, a: float, fa: float, b: float, fb: float) -> bool:
        """z := the zero between a and b, at which the equation has the values fa and fb of opposite signs; False for a
        jump or pole."""
        size, middle = math.inf, a
        for k in range(200):
            middle = 0.5 * (a + b)
            if middle in (a, b):
                break
            value = self.at(middle)
            if math.isnan(value):
                return False
            if value * fa > 0.0:
                a, fa = middle, value
            else:
                b, fb = middle, value
            if k == 20:
                size = max(abs(fa), abs(fb))
        self.z = [middle]
        if self.iterate(50) and abs(self.z[0] - middle) <= 1e-6 * (abs(middle) + self.nominal[0]):
            return True
        self.z = [middle]  # without a finite slope there
        self.orientation = -1.0 if (fb - fa) * (b - a) < 0.0 else 1.0
        return max(abs(fa), abs(fb)) <= 0.03 * size

    def nearest(self, guess: float, least: float, most: float, growth: float) -> bool:
        """z := the zero of one equation nearest to the guess, if its sign changes between samples whose distances from
        the guess grow by the factor `growth`, from `least` to `most`."""
        self.rest = 0.0
        at, value, distance, last = [guess, guess], [self.at(guess)] * 2, least, 0.0
        while last < distance:
            for side in (0, 1):
                z = guess - distance if side else guess + distance
                following = self.at(z)
                if following * value[side] <= 0.0 and self.bisect(at[side], value[side], z, following):
                    return True
                at[side], value[side] = z, following
            last, distance = distance, min(distance * growth, most)
        return False

    def find(self, first: _Numbers, is_start: bool) -> bool:
        """As `search`; and of one equation, if no other way leads to a solution, the nearest change of sign. At the
        start of a run, when the guess has no orientation, the solution is not farther away than such a change."""
        found = self.search(first)
        if self.n > 1:
            return found
        guess, size = first[0], self.nominal[0] + abs(first[0])
        if not found:
            return self.nearest(guess, 1e-9 * size, 1e9 * size, 1.5)
        kept, distance = (self.z, self.orientation), abs(self.z[0] - guess)
        if not is_start or distance <= 0.01 * size:
            return True
        if not self.nearest(guess, 1e-3 * distance, (1.0 - 1e-6) * distance, 1.1):
            self.z, self.orientation = kept
        return True

    def search(self, first: _Numbers) -> bool:
        """Try all ways to a solution: from the guess, by homotopy from it, from zero, from points near the guess, from
        the nominal values. A solution whose branch has another orientation than that of the guess counts only if there
        is no other: of three solutions in a row it is the middle one, which no start reaches that follows the
        others."""
        n, other = self.n, None
        beside = [
            value + 0.1 * (nominal + abs(value)) * (-1.0 if i % 2 else 1.0)
            for i, (value, nominal) in enumerate(zip(first, self.nominal, strict=False))
        ]
        for way, start in enumerate((first, first, [0.0 * value for value in first], beside, self.nominal)):
            self.z, self.offset, self.rest = list(start), [0.0] * n, 0.0
            if not (self.follow() if way == 1 else self.iterate(50)):
                if way > 0 or n > 1 or self.z[0] != first[0] or self.r[0] != 0.0:
                    continue
                self.orientation = 0.0  # the guess is a solution, of infinite slope
                return True
            if self.orientation == self.begun:
                return True
            other = other or (self.z, self.orientation)
        if other is not None:
            self.z, self.orientation = other
        return other is not None


def newton(
    n: int,
    f: Callable[..., None],
    t: float,
    x: Sequence[float],
    u: Sequence[float],
    c: Sequence[float],
    m: Sequence[float],
    w: Any,
    guess: int,
    z: int,
    fault: int,
    care: Care,
) -> bool:
    """Solve f = 0, n equations, from the guess w[guess : guess + n]; f(t, x, u, c, m, w, z, r) writes the residuals at
    z followed by their derivatives row by row. The orientation of the branch (0: not known yet) and the nominal values
    follow the guess in w. The solution is written to w[z : z + n] and to the guess; if none is found, returns False and
    w[z : z + n] is nan. `fault` is the number of its message. Unsolved if `care.stops`."""
    first = [w[guess + i] for i in range(n)]
    # numpy floats stay numpy floats, which some callers rely on.
    zero = 0.0 * t

    def residuals(at: _Numbers, r: _Numbers) -> None:
        f(t, x, u, c, m, w, at, r)

    nominal = [w[guess + n + 1 + i] for i in range(n)]
    system = _System(n, residuals, nominal, care.careful == 1, first, [0.0] * n)
    if care.careful:
        found = system.iterate(12 if care.careful == 1 else 50)
        if not found and care.careful == 2 and n == 1:  # an infinite slope at the guess or at the solution
            size = nominal[0] + abs(first[0])
            found = system.nearest(first[0], 1e-12 * size, size, 2.0)
        found = found and system.orientation * w[guess + n] >= 0.0
        care.lost = care.lost if found else fault
    else:
        found = system.find(first, w[guess + n] == 0.0)
        if not found and care.stops and all(map(math.isfinite, x)):
            raise Unsolved(Failed(n, guess, first, list(x), list(m), lambda x, z, r: f(t, x, u, c, m, w, z, r)))
    for i in range(n):
        if found:
            w[guess + i] = system.z[i]
        w[z + i] = system.z[i] if found else math.nan + zero
    if found:
        w[guess + n] = system.orientation
    return found


def _sum(a: _Numbers, b: _Numbers) -> _Numbers:
    return [p + q for p, q in zip(a, b, strict=False)]
