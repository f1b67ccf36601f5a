"""Chooses the columns of a matrix to solve for, by elimination and exchange, as runtime/c/model/exchange.h does.

The operations are the same in the same order. The compiler uses it at translation, the Python target during a run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

# See runtime/c/model/exchange.h.
_GAIN, _ROUNDING, _MOST_EXCHANGES = 1.0 + 1e-6, 1e-13, 10_000


class _Tableau:
    """A matrix; which of its columns are chosen; and the column of each row, -1 for none; `left` rows have none."""

    def __init__(self, rows: int, columns: int, a: Sequence[float]):
        self.rows, self.columns, self.left, self.sign = rows, columns, rows, 1.0
        self.t = [[float(e) for e in a[i * columns : i * columns + columns]] for i in range(rows)]
        self.chosen, self.column_of = [False] * columns, [-1] * rows

    def largest(self, may: Sequence[float] | None) -> tuple[float, int, int]:
        """The size and the place of the largest element that may be a pivot; 0 if there is none."""
        best, p, q = 0.0, -1, -1
        for i, row in enumerate(self.t):
            if self.left and self.column_of[i] >= 0:
                continue
            for j in range(self.columns):
                if not self.chosen[j] and (may is None or may[j] != 0.0) and abs(row[j]) > best:
                    best, p, q = abs(row[j]), i, j
        return best, p, q

    def pivot(self, p: int, q: int) -> None:
        """Make column q the column of row p, in exchange for its previous one, if any."""
        t, pivot, out = self.t, self.t[p][q], self.column_of[p]
        if out >= 0:
            self.chosen[out] = False
            for i, row in enumerate(t):
                row[out] = 1.0 if i == p else 0.0
        self.chosen[q] = True
        for j, is_chosen in enumerate(self.chosen):
            if is_chosen:
                continue
            share = t[p][j] / pivot
            for i, row in enumerate(t):
                if i != p:
                    row[j] -= row[q] * share
            t[p][j] = share
        self.sign = -self.sign if pivot < 0.0 else self.sign
        self.column_of[p], self.left = q, max(0, self.left - 1)

    def goodness(self, best: float) -> float:
        """The quality of the choice, with the sign of its determinant."""
        return self.sign * _orientation(self.column_of) / max(1.0, best)


def exchange(rows: int, columns: int, a: Sequence[float]) -> list[float]:
    """Choose columns. `a` holds J row by row, then for each column whether it is chosen now (1 or 0). Returns the
    quality of the current choice, from 0 (singular, or not as many columns as rows) to 1, with the sign of its
    determinant; then for each column whether it is chosen now."""
    now, known, quality, nothing = _Tableau(rows, columns, a), False, 0.0, _nothing(rows * columns, a)
    may: Sequence[float] | None = a[rows * columns :]
    for _ in range(_MOST_EXCHANGES):
        best, p, q = now.largest(may)
        if now.left and not best > nothing:
            if may is None:
                break
            may, known = None, True
            continue
        if not now.left:
            if may is not None:
                may = None
                continue
            quality = quality if known else now.goodness(best)
            known = True
            if not best > _GAIN:
                break
        now.pivot(p, q)
    for j in range(columns):
        if now.left and not now.chosen[j]:
            now.chosen[j], now.left = True, now.left - 1
    return [quality, *map(float, now.chosen)]


def quality(rows: int, columns: int, a: Sequence[float]) -> list[float]:
    """The quality as in `exchange`; then for each row the largest element of inverse(B) in the column that it meets,
    infinite if B is singular."""
    now, nothing = a[rows * columns :], [0.0, *[math.inf] * rows]
    order = sorted(range(columns), key=lambda j: now[j] == 0.0)
    t = [[*(float(a[i * columns + j]) for j in order), *(float(k == i) for k in range(rows))] for i in range(rows)]
    column_of, sign = [-1] * rows, 1.0
    if sum(e != 0.0 for e in now) != rows:
        return nothing
    for q in range(rows):
        best, p = _nothing(rows * columns, a), -1
        for i in range(rows):
            if column_of[i] < 0 and abs(t[i][q]) > best:
                best, p = abs(t[i][q]), i
        if p < 0:
            return nothing
        sign = -sign if t[p][q] < 0.0 else sign
        column_of[p] = q
        share = 1.0 / t[p][q]
        top = t[p] = [e * share for e in t[p]]
        for i, row in enumerate(t):
            if i != p and row[q] != 0.0:
                t[i] = [e - row[q] * f for e, f in zip(row, top, strict=False)]
    best = max((abs(e) for row in t for e in row[rows:columns]), default=0.0)
    return [
        sign * _orientation(column_of) / max(1.0, best),
        *(max(abs(row[columns + k]) for row in t) for k in range(rows)),
    ]


def _nothing(count: int, a: Sequence[float]) -> float:
    """The size up to which an element may be the rounding of zero."""
    largest = 0.0
    for e in a[:count]:
        largest = largest if largest > abs(e) else abs(e)
    return _ROUNDING * largest


def _orientation(column_of: Sequence[int]) -> float:
    """1, or -1 if the columns of the rows are an odd permutation."""
    odd = sum(a > b for i, a in enumerate(column_of) for b in column_of[i + 1 :]) % 2
    return -1.0 if odd else 1.0
