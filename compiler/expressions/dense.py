"""Solves small dense systems of numbers by Gauss-Jordan elimination. Knows no expressions.

With column pivots and rows scaled to their largest element: for sizes at which a library would not pay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

# The smallest pivot, for rows scaled to 1.
_SINGULAR = 1e-13


def solved(matrix: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """The rows of inverse(matrix)*right; None if the matrix is singular up to rounding or a number is not finite."""
    n = len(matrix)
    rows = []
    for a, b in zip(matrix, right, strict=False):
        size = max(map(abs, a), default=0.0)
        if not (size > 0.0 and all(map(math.isfinite, (*a, *b)))):
            return None
        rows.append([e / size for e in (*a, *b)])
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[best][k]) < _SINGULAR:
            return None
        rows[k], rows[best] = rows[best], rows[k]
        pivot = rows[k][k:]
        for i, row in enumerate(rows):
            share = row[k] / pivot[0]
            if i != k and share != 0.0:
                row[k:] = [e - share * p for e, p in zip(row[k:], pivot, strict=False)]
    return [[e / row[k] for e in row[n:]] for k, row in enumerate(rows)]
