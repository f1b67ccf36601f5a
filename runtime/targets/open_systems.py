"""Solves linear systems that may leave unknowns undetermined, as `cutset_solve_open` of c/model/open_systems.h does.

The operations are the same in the same order. Knows no model.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

_Numbers = list[float]

# See c/model/open_systems.h.
_DOUBTFUL, _NOTHING, _ROUNDING, _REFINED = 1e-8, 1e-12, 4e-16, 1


class OpenSystems:
    """Solves these systems, and records by number which have left unknowns undetermined; `solve` is for regular
    systems."""

    def __init__(self, solve: Callable[..., None]):
        self._solve = solve
        self._seen = 0

    def solve(self, n: int, lower: int, upper: int, A: _Numbers, b: _Numbers, number: int) -> None:
        """Solve A*z = b in place."""
        if solve_open(n, lower, upper, A, b, self._solve):
            self._seen |= 1 << min(number, 31)

    def take(self) -> int:
        """Return and clear the record: bit k is set for system k."""
        seen, self._seen = self._seen, 0
        return seen


def solve_open(n: int, lower: int, upper: int, A: _Numbers, b: _Numbers, solve: Callable[..., None]) -> bool:
    """Solve A*z = b in place, as `solve` does; if A is singular and the equations are consistent, b becomes the
    solution of least norm. True if unknowns were undetermined."""
    reach = lower + upper
    is_band = lower + reach + 1 < n
    step, shift = (lower + reach, lower) if is_band else (n, 0)
    D = [0.0 if i - j > lower or j - i > upper else A[i * step + shift + j] for i in range(n) for j in range(n)]
    d = b[:n]
    solve(n, lower, upper, A, b)
    pivots = [abs(A[i * step + shift + i]) for i in range(n)]
    if (min(pivots) > _DOUBTFUL * max(pivots) and math.isfinite(b[0])) or not all(map(math.isfinite, D)):
        return False
    z, rest = [0.0] * n, d
    for _ in range(1 + _REFINED):
        M, e, scale = _scaled(n, D, rest)
        rank, place = _reduced(n, M, e)
        if rank == n:
            return False
        z = [x + change for x, change in zip(z, _shortest(n, rank, M, e, place, scale), strict=True)]
        rest, is_solved = _rest(n, D, d, z)
        if is_solved:
            b[:n] = z
            return True
    return False


def _scaled(n: int, D: _Numbers, d: _Numbers) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Scale rows and then columns to a largest element of 1; returns the scales of the columns too. A negligible column
    becomes zero."""
    M, e, scale = list(D), list(d), [1.0] * n
    for i in range(n):
        size = max(map(abs, D[i * n : i * n + n]))
        for j in range(n):
            M[i * n + j] = D[i * n + j] / size if size > 0.0 else 0.0
        e[i] = d[i] / size if size > 0.0 else 0.0
    for j in range(n):
        size = max(abs(M[i * n + j]) for i in range(n))
        scale[j] = size if size > _NOTHING else 1.0
        for i in range(n):
            M[i * n + j] = M[i * n + j] / scale[j] if size > _NOTHING else 0.0
    return M, e, scale


def _reduced(n: int, M: _Numbers, e: _Numbers) -> tuple[int, list[int]]:
    """Gauss-Jordan elimination with complete pivoting: the first rows of M become [E, W]. Returns the rank and the
    order of the columns. numpy rounds each product and each difference, as Python and C do."""
    rows, right, place, rank = np.array(M).reshape(n, n), np.array(e), np.arange(n), n
    for k in range(n):
        row, column = map(int, np.unravel_index(np.argmax(np.abs(rows[k:, k:])), (n - k, n - k)))
        row, column = k + row, k + column
        if not abs(rows[row, column]) > _NOTHING:
            rank = k
            break
        for each, other in ((rows, row), (right, row), (rows.T, column), (place, column)):
            each[[k, other]] = each[[other, k]]
        pivot = rows[k, k]
        rows[k, k:] /= pivot
        right[k] /= pivot
        used = np.flatnonzero(rows[:, k])
        used = used[used != k]
        factors = rows[used, k]
        rows[used, k:] -= factors[:, None] * rows[k, k:]
        right[used] -= factors * right[k]
    M[:], e[:] = rows.ravel().tolist(), right.tolist()
    return rank, place.tolist()


def _shortest(n: int, rank: int, M: _Numbers, e: _Numbers, place: list[int], scale: _Numbers) -> _Numbers:
    """The solution of least norm of [E, W]*y = e, where y is z in the order `place`, times its `scale`."""
    for i in range(rank):
        size = scale[place[i]]
        for j in range(rank, n):
            M[i * n + j] *= scale[place[j]] / size
        e[i] /= size
    for i in range(rank, n):
        for j in range(rank, n):
            M[i * n + j] = float(i == j)
            for k in range(rank):
                M[i * n + j] += M[k * n + i] * M[k * n + j]
        e[i] = 0.0
        for k in range(rank):
            e[i] += M[k * n + i] * e[k]
    for k in range(rank, n):
        for i in range(k + 1, n):
            factor = M[i * n + k] / M[k * n + k]
            for j in range(k, n):
                M[i * n + j] -= factor * M[k * n + j]
            e[i] -= factor * e[k]
    for k in range(n - 1, rank - 1, -1):
        for j in range(k + 1, n):
            e[k] -= M[k * n + j] * e[j]
        e[k] /= M[k * n + k]
    for i in range(rank):
        for j in range(rank, n):
            e[i] -= M[i * n + j] * e[j]
    z = [0.0] * n
    for k in range(n):
        z[place[k]] = e[k]
    return z


def _rest(n: int, D: _Numbers, d: _Numbers, z: _Numbers) -> tuple[_Numbers, bool]:
    """d - D*z, and True if that is rounding."""
    largest, found, is_solved = max(map(abs, d)), [0.0] * n, True
    for i in range(n):
        rest, size, row = d[i], abs(d[i]), 0.0
        for j in range(n):
            rest -= D[i * n + j] * z[j]
            size += abs(D[i * n + j] * z[j])
            row = max(row, abs(D[i * n + j]))
        found[i] = rest
        if not abs(rest) <= 1e-12 * (size if row > 0.0 else largest) + _ROUNDING * largest + 1e-15:
            is_solved = False
    return found, is_solved
