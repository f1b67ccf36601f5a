"""Solves linear systems that may leave unknowns undetermined, as `cutset_solve_open` of c/model/open_systems.h does.

The operations are the same in the same order. Knows no model.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Numbers = list[float]
Vector = NDArray[Any]

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
    elements = [0.0 if i - j > lower or j - i > upper else A[i * step + shift + j] for i in range(n) for j in range(n)]
    D, d = np.array(elements).reshape(n, n), np.array(b[:n])
    solve(n, lower, upper, A, b)
    pivots = [abs(A[i * step + shift + i]) for i in range(n)]
    if (min(pivots) > _DOUBTFUL * max(pivots) and math.isfinite(b[0])) or not np.isfinite(D).all():
        return False
    z, rest = np.zeros(n, D.dtype), d
    for _ in range(1 + _REFINED):
        M, e, scale = _scaled(D, rest)
        rank, place = _reduced(M, e)
        if rank == n:
            return False
        z[place] += _shortest(rank, M, e, scale[place])
        rest, is_solved = _rest(D, d, z)
        if is_solved:
            b[:n] = z.tolist()
            return True
    return False


# numpy rounds each product, quotient and sum below, as Python and C do.


def _scaled(D: Vector, d: Vector) -> tuple[Vector, Vector, Vector]:
    """Scale rows and then columns to a largest element of 1; returns the scales of the columns too. A negligible column
    becomes zero."""
    sizes = np.abs(D).max(axis=1)
    rows, has_size = np.where(sizes > 0.0, sizes, 1.0), sizes > 0.0
    M, e = np.where(has_size[:, None], D / rows[:, None], 0.0), np.where(has_size, d / rows, 0.0)
    sizes = np.abs(M).max(axis=0)
    scale = np.where(sizes > _NOTHING, sizes, 1.0)
    return np.where(sizes > _NOTHING, M / scale, 0.0), e, scale


def _reduced(M: Vector, e: Vector) -> tuple[int, NDArray[np.intp]]:
    """Gauss-Jordan elimination in place with complete pivoting: the first rows of M become [E, W]. Returns the rank and
    the order of the columns."""
    n = len(e)
    place = np.arange(n)
    for k in range(n):
        row, column = map(int, np.unravel_index(np.argmax(np.abs(M[k:, k:])), (n - k, n - k)))
        row, column = k + row, k + column
        if not abs(M[row, column]) > _NOTHING:
            return k, place
        for each, other in ((M, row), (e, row), (M.T, column), (place, column)):
            each[[k, other]] = each[[other, k]]
        pivot = M[k, k]
        M[k, k:] /= pivot
        e[k] /= pivot
        used = np.flatnonzero(M[:, k])
        used = used[used != k]
        factors = M[used, k]
        M[used, k:] -= factors[:, None] * M[k, k:]
        e[used] -= factors * e[k]
    return n, place


def _shortest(rank: int, M: Vector, e: Vector, scale: Vector) -> Vector:
    """The solution of least norm of [E, W]*y = e, where y is z in the order of the columns, times its `scale`."""
    free = len(e) - rank
    W, fixed = M[:rank, rank:] * (scale[rank:] / scale[:rank, None]), e[:rank] / scale[:rank]
    G, y = np.eye(free, dtype=M.dtype), np.zeros(free, M.dtype)
    for row, right in zip(W, fixed, strict=True):
        G += np.outer(row, row)
        y += row * right
    for k in range(free):
        factors = G[k + 1 :, k] / G[k, k]
        G[k + 1 :, k:] -= factors[:, None] * G[k, k:]
        y[k + 1 :] -= factors * y[k]
    for k in reversed(range(free)):
        for j in range(k + 1, free):
            y[k] -= G[k, j] * y[j]
        y[k] /= G[k, k]
    for column, value in zip(W.T, y, strict=True):
        fixed -= column * value
    return np.concatenate([fixed, y])


def _rest(D: Vector, d: Vector, z: Vector) -> tuple[Vector, bool]:
    """d - D*z, and True if that is rounding."""
    rest, size, largest = d.copy(), np.abs(d), np.abs(d).max()
    for column, value in zip(D.T, z, strict=True):
        rest -= column * value
        size += np.abs(column * value)
    allowed = np.where(np.abs(D).max(axis=1) > 0.0, size, largest)
    return rest, bool((np.abs(rest) <= 1e-12 * allowed + _ROUNDING * largest + 1e-15).all())
