"""Orders a sparse square matrix into a narrow band: rows of integers -> an order of rows and columns.

Reverse Cuthill-McKee (A. George, J. W. Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4)
on the graph of the columns, two of which are neighbors if they share a row; a row then goes where its first column is
or, if that is narrower, its last.
"""

from __future__ import annotations

from collections.abc import Sequence

# Below this size, and above this fraction of nonzeros, reordering does not pay.
_LEAST = 8
_DENSE = 0.5


def band_order(rows: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """The new order as (rows, columns); unchanged if it is no narrower."""
    n = len(rows)
    straight = list(range(n)), list(range(n))
    if n < _LEAST or sum(map(len, rows)) > _DENSE * n * n:
        return straight
    from scipy.sparse import csr_matrix  # late: costs more to import than to run
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    places = [(i, k) for i, row in enumerate(rows) for k in row]
    matrix = csr_matrix(([1.0] * len(places), tuple(zip(*places, strict=False))), shape=(n, n))
    columns = reverse_cuthill_mckee((matrix.T @ matrix).tocsr(), symmetric_mode=True).tolist()
    position = {column: k for k, column in enumerate(columns)}
    placed = [[position[k] for k in row] for row in rows]
    orders = [
        sorted(range(n), key=lambda i: (min(placed[i]), max(placed[i]))),
        sorted(range(n), key=lambda i: (max(placed[i]), min(placed[i]))),
    ]
    order = min(orders, key=lambda order: sum(bandwidths([placed[i] for i in order])))
    narrow = bandwidths([placed[i] for i in order])
    return (order, columns) if sum(narrow) < sum(bandwidths(rows)) else straight


def bandwidths(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The largest distances of nonzeros below and above the diagonal."""
    lower = max((i - min(row) for i, row in enumerate(rows) if row), default=0)
    upper = max((max(row) - i for i, row in enumerate(rows) if row), default=0)
    return max(lower, 0), max(upper, 0)
