"""Solves linear systems in place, as `cutset_solve` of cutset_support.h does: the same operations in the same order.

Knows no model.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

# From so many equations on, numpy eliminates faster than a loop over numbers does.
_MANY = 30


def solve(n: int, lower: int, upper: int, A: list[float], b: list[float]) -> None:
    """Solve A*z = b. A is stored as in C, with bandwidths `lower` and `upper`, and is destroyed; z replaces b, nan if A
    is singular."""
    reach = lower + upper
    is_band = lower + reach + 1 < n
    step, shift = (lower + reach, lower) if is_band else (n, 0)
    eliminate = _eliminate_arrays if min(n, lower) >= _MANY else _eliminate
    if not eliminate(n, lower, reach, step, shift, A, b):
        b[:n] = [math.nan] * n
        return
    for k in range(n - 1, -1, -1):
        row = k * step + shift
        for j in range(k + 1, min(n, k + reach + 1)):
            b[k] -= A[row + j] * b[j]
        b[k] /= A[row + k]


def _eliminate(n: int, lower: int, reach: int, step: int, shift: int, A: list[float], b: list[float]) -> bool:
    """Make A upper triangular, and b the right sides that belong to it. False if A is singular."""
    for k in range(n):
        below, right = min(n, k + lower + 1), min(n, k + reach + 1)
        pivot, row = k, k * step + shift
        for i in range(k + 1, below):
            if abs(A[i * step + shift + k]) > abs(A[pivot * step + shift + k]):
                pivot = i
        if not abs(A[pivot * step + shift + k]) > 0.0:
            return False
        if pivot != k:
            other = pivot * step + shift
            for j in range(k, right):
                A[row + j], A[other + j] = A[other + j], A[row + j]
            b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, below):
            other = i * step + shift
            factor = A[other + k] / A[row + k]
            for j in range(k + 1, right):
                A[other + j] -= factor * A[row + j]
            b[i] -= factor * b[k]
    return True


def _eliminate_arrays(n: int, lower: int, reach: int, step: int, shift: int, A: list[float], b: list[float]) -> bool:
    """The same by operations on rows. numpy rounds each product and each difference, as Python and C do."""
    numbers, z = np.array(A), np.array(b[:n])
    # Row i of the view starts `step` elements after row i - 1. Outside the band it shows elements of other rows.
    rows = as_strided(numbers[shift:], (n, n), (step * numbers.itemsize, numbers.itemsize))
    for k in range(n):
        below, right = min(n, k + lower + 1), min(n, k + reach + 1)
        sizes = np.abs(rows[k:below, k])
        best = int(np.argmax(sizes))
        if not sizes[best] > 0.0:  # or nan, which would spread to all unknowns
            return False
        pivot = k + best
        if pivot != k:
            rows[[k, pivot], k:right] = rows[[pivot, k], k:right]
            z[[k, pivot]] = z[[pivot, k]]
        factors = rows[k + 1 : below, k] / rows[k, k]
        rows[k + 1 : below, k + 1 : right] -= factors[:, None] * rows[k, k + 1 : right]
        z[k + 1 : below] -= factors * z[k]
    A[:], b[:n] = numbers.tolist(), z.tolist()
    return True
