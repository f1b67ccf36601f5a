"""Finds the smallest sets of dependent rows of a matrix over a prime field.

Each set is a circuit of the matrix in the sense of matroids: no subset of it is dependent. There is one set for each
superfluous row, with rows that were taken before it, so that the order of the rows decides which sets are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from cutset.compiler.expressions.finite_field_evaluation import PRIME, inverse

Row = Mapping[int, int]
# The limit on steps of one elimination: some seconds.
MOST_WORK = 3_000_000


class TooLong(Exception):
    """The elimination would take too long: the matrix is too large and too dense."""


def dependent_rows(rows: Sequence[Row], order: Iterable[int]) -> list[dict[int, int]]:
    """For each dependent row the factors {row: factor} with which it and earlier rows add up to zero. Raises
    TooLong."""
    elimination = _Elimination(rows)
    return [circuit for row in order if (circuit := elimination.take(row)) is not None]


class _Elimination:
    """An elimination in progress. Pivot row k is `scale[k]` times (row `number[k]` minus `steps[k][j]` times pivot row
    j, for each j)."""

    def __init__(self, rows: Sequence[Row]):
        self._rows = rows
        self._frequency = Counter(column for row in rows for column in row)
        self._pivot_of: dict[int, int] = {}
        self._pivots: list[dict[int, int]] = []
        self._columns: list[int] = []
        self._steps: list[dict[int, int]] = []
        self._scale: list[int] = []
        self._number: list[int] = []
        self._work = 0

    def take(self, number: int) -> dict[int, int] | None:
        """Make a row a pivot; if nothing is left of it, return the circuit that it closes."""
        rest = dict(self._rows[number])
        steps = self._reduce(rest)
        if not rest:
            return self._circuit(number, steps)
        column = min(rest, key=lambda c: (self._frequency[c], c))
        scale = inverse(rest[column])
        self._pivot_of[column] = len(self._pivots)
        self._pivots.append(rest if scale == 1 else {c: scale * value % PRIME for c, value in rest.items()})
        self._columns.append(column)
        self._steps.append(steps)
        self._scale.append(scale)
        self._number.append(number)
        return None

    def _reduce(self, rest: dict[int, int]) -> dict[int, int]:
        """Subtract the pivot rows from `rest`; returns the factor of each."""
        steps: dict[int, int] = {}
        waiting = [self._pivot_of[c] for c in rest if c in self._pivot_of]
        heapify(waiting)
        while waiting:
            k = heappop(waiting)
            factor = rest.get(self._columns[k], 0)
            if factor == 0:
                continue
            steps[k] = factor
            self._count(len(self._pivots[k]))
            for column, value in self._pivots[k].items():
                before = rest.get(column)
                after = ((before or 0) - factor * value) % PRIME
                if after:
                    rest[column] = after
                    if before is None and column in self._pivot_of:
                        heappush(waiting, self._pivot_of[column])
                elif before is not None:
                    del rest[column]
        return steps

    def _circuit(self, number: int, steps: dict[int, int]) -> dict[int, int]:
        found = {number: 1}
        waiting = dict(steps)
        # The pivots from the last to the first: each contains steps of earlier ones only.
        order = [-k for k in waiting]
        heapify(order)
        while order:
            k = -heappop(order)
            factor = waiting.pop(k) * self._scale[k] % PRIME
            if factor == 0:
                continue
            found[self._number[k]] = -factor % PRIME
            self._count(len(self._steps[k]))
            for j, step in self._steps[k].items():
                if j not in waiting:
                    heappush(order, -j)
                waiting[j] = (waiting.get(j, 0) - factor * step) % PRIME
        return found

    def _count(self, steps: int) -> None:
        self._work += steps
        if self._work > MOST_WORK:
            raise TooLong
