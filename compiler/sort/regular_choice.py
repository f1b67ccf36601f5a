"""Chooses states that determine the others at the start: the derivatives of constraints in numbers -> dummies.

The structure of equations, from which the plan's choice follows, does not show that a body which turns about one axis
only has no rate about another one, or that a loop locks a joint. Euler parameters at home and loops in a special
position have such zeros. Chooses nothing during a run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

# The least part of a column that must be independent of others, so that its variable follows; and the least one for the
# plan's choice to be kept.
_INDEPENDENT, KEPT = 1e-2, 1e-6
_LITTLE_LEFT = 0.7

# From so many rows on numpy is faster, even if it has to be loaded.
_MANY = 60

Row = Mapping[int, float]


def is_regular(rows: Sequence[Row], dummies: Sequence[int]) -> bool:
    """True if the columns `dummies` of the rows are independent."""
    return len(independent(rows, dummies, KEPT)) == len(rows) == len(dummies)


def regular_dummies(rows: Sequence[Row], order: Sequence[int]) -> tuple[int, ...] | None:
    """As many independent columns as there are rows, the first ones in this order, ascending; None if there are not so
    many. A column that is nearly dependent is taken only if others do not suffice."""
    chosen = independent(rows, order, _INDEPENDENT)
    if len(chosen) < len(rows):
        chosen = independent(rows, [*chosen, *(v for v in order if v not in chosen)], KEPT)
    return tuple(sorted(chosen)) if len(chosen) == len(rows) else None


def independent(rows: Sequence[Row], order: Sequence[int], least: float) -> list[int]:
    """The columns, in this order, each of which has at least this part that is independent of the earlier ones, after
    rows and columns are scaled to the same size."""
    sizes = [max(map(abs, row.values()), default=0.0) for row in rows]
    columns: dict[int, dict[int, float]] = {v: {} for v in order}
    for i, row in enumerate(rows):
        for v, x in row.items():
            if v in columns and x != 0.0 and sizes[i] > 0.0:
                columns[v][i] = x / sizes[i]
    if len(rows) >= _MANY:
        return _independent_of_many(columns, len(rows), least)
    chosen: list[int] = []
    vectors: list[dict[int, float]] = []
    by_row: dict[int, list[int]] = {}
    for v in order:
        rest = columns[v]
        size = math.sqrt(sum(x * x for x in rest.values()))
        if size == 0.0 or len(chosen) == len(rows):
            continue
        rest = {i: x / size for i, x in rest.items()}
        rest = _without(rest, vectors, by_row)
        left = math.sqrt(sum(x * x for x in rest.values()))
        if left < _LITTLE_LEFT:  # rounding counts only where most of a column cancels
            rest = _without(rest, vectors, by_row)
            left = math.sqrt(sum(x * x for x in rest.values()))
        if left > least:
            for i in rest:
                by_row.setdefault(i, []).append(len(vectors))
            vectors.append({i: x / left for i, x in rest.items()})
            chosen.append(v)
    return chosen


def _independent_of_many(columns: Mapping[int, Row], count: int, least: float) -> list[int]:
    """The same by operations on whole vectors, for scaled columns of so many rows."""
    import numpy as np  # slow to import

    chosen: list[int] = []
    vectors = np.zeros((count, count))
    for v, column in columns.items():
        if not column or len(chosen) == count:
            continue
        rest = np.zeros(count)
        rest[list(column)] = list(column.values())
        rest /= np.linalg.norm(rest)
        found = vectors[: len(chosen)]
        rest -= (found @ rest) @ found
        left = float(np.linalg.norm(rest))
        if left < _LITTLE_LEFT:  # rounding counts only where most of a column cancels
            rest -= (found @ rest) @ found
            left = float(np.linalg.norm(rest))
        if left > least:
            vectors[len(chosen)] = rest / left
            chosen.append(v)
    return chosen


def _without(
    rest: dict[int, float], vectors: Sequence[Mapping[int, float]], by_row: Mapping[int, Sequence[int]]
) -> dict[int, float]:
    """The part that is orthogonal to the vectors, which are orthonormal."""
    found = dict(rest)
    for k in sorted({k for i in rest for k in by_row.get(i, ())}):
        part = sum(x * rest.get(i, 0.0) for i, x in vectors[k].items())
        if part != 0.0:
            for i, x in vectors[k].items():
                found[i] = found.get(i, 0.0) - part * x
    return {i: x for i, x in found.items() if abs(x) > 1e-15}
