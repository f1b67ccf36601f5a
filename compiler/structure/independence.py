"""Selects independent columns of a matrix over a prime field: columns, in order -> independent ones first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def independent_first(order: Sequence[int], entries: Mapping[int, Mapping[int, int]], prime: int) -> list[int]:
    """The columns in this order, with those that depend on earlier ones moved to the end. entries[c] holds the numbers
    of column c by row.

    Independent columns are a matroid, so the first that fit are the best set for any weights that decrease along
    `order` (Edmonds, Math. Programming 1 (1971), pp. 127-136).
    """
    pivots: dict[int, dict[int, int]] = {}  # by the row of the entry 1, in the order in which they were found
    taken: list[int] = []
    remaining: list[int] = []
    for column in order:
        rest = dict(entries.get(column, {}))
        for row, pivot in pivots.items():
            factor = rest.get(row, 0)
            if factor:
                for k, value in pivot.items():
                    rest[k] = (rest.get(k, 0) - factor * value) % prime
        rest = {k: value for k, value in rest.items() if value}
        (taken if rest else remaining).append(column)
        if rest:
            row = min(rest)
            scale = pow(rest[row], -1, prime)
            pivots[row] = {k: value * scale % prime for k, value in rest.items()}
    return [*taken, *remaining]
