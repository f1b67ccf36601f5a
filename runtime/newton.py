"""A system of nonlinear equations in, its solution out: `cutset_newton` of c/cutset_support.h, operation for operation.

Newton's method, damped by the natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear Problems, Springer
2004, 3.3), and by homotopy from the guess where that fails. What a residual raises goes through to the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

_Numbers = list[float]


@dataclass
class _System:
    """One system at one instant: f(z) - rest*f(base) = 0, where f(base) stands in `offset`. r holds the residuals and
    behind them their derivatives, lu the factors of these."""

    n: int
    residuals: Callable[[_Numbers, _Numbers], None]
    z: _Numbers
    offset: _Numbers
    rest: float = 0.0
    r: _Numbers = field(default_factory=list)
    lu: _Numbers = field(default_factory=list)
    rows: _Numbers = field(default_factory=list)
    pivots: list[int] = field(default_factory=list)
    step: _Numbers = field(default_factory=list)

    def look(self, z: _Numbers) -> bool:
        """r := residuals and derivatives at z; whether all are finite."""
        self.r = [0.0] * (self.n + self.n * self.n)
        self.residuals(z, self.r)
        for i in range(self.n):
            self.r[i] -= self.rest * self.offset[i]
        return all(map(math.isfinite, self.r))

    def factor(self) -> bool:
        """lu := factors of the derivatives in r, rows scaled to 1, and exchanged; False where they are singular."""
        n, A = self.n, [0.0] * (self.n * self.n)
        self.lu, self.rows, self.pivots = A, [0.0] * n, [0] * n
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
            if pivot != k:
                top, other = slice(k * n, k * n + n), slice(pivot * n, pivot * n + n)
                A[top], A[other] = A[other], A[top]
            for i in range(k + 1, n):
                A[i * n + k] /= A[k * n + k]
                for j in range(k + 1, n):
                    A[i * n + j] -= A[i * n + k] * A[k * n + j]
        return True

    def correction(self) -> _Numbers:
        """Minus the inverse of what was factored times the residuals in r."""
        n, lu = self.n, self.lu
        step = [-self.r[i] / self.rows[i] for i in range(n)]
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

    def size(self, change: _Numbers) -> float:
        """The largest part of `change` over the size of z and of the step that is tried."""
        size = 0.0
        for z, step, part in zip(self.z, self.step, change):
            share = abs(part) / (abs(z) + abs(step) + 1e-14)
            size = size if size > share else share
        return size

    def small(self, change: _Numbers, accuracy: float) -> bool:
        """Whether no part of `change` matters beside z: `accuracy` of it, or next to nothing."""
        return all(abs(part) <= accuracy * abs(z) + 1e-14 for z, part in zip(self.z, change))

    def iterate(self, most: int) -> bool:
        """Newton's method from z on, which ends as the solution; False where it finds none."""
        damping = 1.0
        for k in range(most):
            if (k == 0 and not self.look(self.z)) or not self.factor():
                return False
            self.step = self.correction()
            if self.small(self.step, 1e-14):
                self.z = _sum(self.z, self.step)
                return True
            size = self.size(self.step)
            if not math.isfinite(size):
                return False
            damping = min(1.0, 4.0 * damping)
            following = None
            while following is None:
                if damping < 1e-10:
                    return False
                trial = [z + damping * step for z, step in zip(self.z, self.step)]
                if self.look(trial):
                    following = self.correction()
                    if not self.size(following) <= (1.0 - 0.25 * damping) * size:
                        if damping == 1.0 and self.small(self.step, 1e-9):
                            self.z = trial
                            return True
                        following = None
                damping = damping if following is not None else damping * 0.5
            self.z = trial
            if damping == 1.0 and self.small(following, 1e-12):
                self.z = _sum(self.z, following)
                return True
        return False

    def follow(self) -> bool:
        """The solution is followed from z, where f(z) - f(base) is zero, to f(z) = 0, in steps that suit the iteration."""
        done, stride = 0.0, 0.125
        if not self.look(self.z):
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
) -> bool:
    """Solve f = 0, n equations, from the guess w[guess : guess + n] on; f(t, x, u, c, m, w, z, r) writes the residuals at z and
    behind them their derivatives row by row. The solution becomes w[z : z + n] and the guess; False where none is
    found: then w[z : z + n] is nan."""
    first = [w[guess + i] for i in range(n)]
    # Floats of numpy keep their kind, for those who count on it.
    zero = 0.0 * t

    def residuals(at: _Numbers, r: _Numbers) -> None:
        f(t, x, u, c, m, w, at, r)

    beside = [value + 0.1 * (1.0 + abs(value)) * (-1.0 if i % 2 else 1.0) for i, value in enumerate(first)]
    for way, start in enumerate((first, first, [zero] * n, beside)):
        system = _System(n, residuals, list(start), [0.0] * n)
        if system.follow() if way == 1 else system.iterate(50):
            for i in range(n):
                w[z + i] = w[guess + i] = system.z[i]
            return True
    for i in range(n):
        w[z + i] = math.nan + zero
    return False


def _sum(a: _Numbers, b: _Numbers) -> _Numbers:
    return [p + q for p, q in zip(a, b)]
