"""Chooses how an implicit method stores its matrix.

From the pattern of the Jacobian it computes the order of the states in the matrix, the places of the entries, and
groups of columns for differences.

A band is made narrow by the reverse Cuthill-McKee order: A. George, J. W. H. Liu, Computer Solution of Large Sparse
Positive Definite Systems, Prentice-Hall 1981, ch. 4. The groups are those of A. R. Curtis, M. J. D. Powell, J. K. Reid,
On the estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13 (1974) 117-119: no two columns of a group have
an entry in the same row; each column in turn joins the first group that it can.
"""

from __future__ import annotations

from ctypes import c_long
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.targets.pattern import Indices, places

# For fewer states a dense matrix costs next to nothing, and is the most robust.
_SMALL = 50
_LONG = np.dtype(c_long)


@dataclass(frozen=True, eq=False)
class Layout:
    """A matrix of n by n numbers, stored by columns, or only its band with room for its factors.

    lower, upper   the numbers of diagonals below and above the main one
    order          the state of each row and column; None: the model's order
    rows, columns  of each entry: numbers of states
    places         of each entry: its index among the numbers of the matrix
    diagonal       the index of each element of the main diagonal; in a sparse matrix that of an integrated state only
    sequence       the numbers of the entries, group by group
    first          where each group begins in `sequence`
    pointers       of a sparse matrix: where each column begins, and the end
    indices        of a sparse matrix: the row of each number
    """

    n: int
    banded: bool
    lower: int
    upper: int
    order: Indices | None
    rows: Indices
    columns: Indices
    places: Indices
    diagonal: Indices
    sequence: Indices
    first: Indices
    pointers: Indices | None = None
    indices: Indices | None = None

    @property
    def groups(self) -> int:
        """The number of groups of columns."""
        return len(self.first) - 1

    @property
    def kind(self) -> str:
        """The layout in words."""
        if self.indices is not None:
            return f"sparse, {len(self.indices)} entries"
        return f"band of {self.lower}+1+{self.upper}" if self.banded else "dense"


def layout_of(info: ModelInfo) -> Layout:
    """The layout that suits the pattern: a band if that is less work than a dense matrix."""
    n = len(info.states)
    rows, columns = places(info)
    order, lower, upper = _ordered(n, rows, columns)
    banded = n >= _SMALL and 3 * lower * (lower + upper) < n * n
    at = np.arange(n)
    if order is not None and banded:
        at[order] = np.arange(n)
    # The factors need `lower` more diagonals above.
    above = min(n - 1, lower + upper)
    height, above = (above + lower + 1, above) if banded else (n, 0)

    def place(i: Indices, j: Indices) -> Indices:
        return j * height + (above + i - j if banded else i)

    sequence, first = _groups(n, rows, columns, order)
    numbers = (rows, columns, place(at[rows], at[columns]), place(np.arange(n), np.arange(n)), sequence, first)
    kept = [np.ascontiguousarray(a, dtype=_LONG) for a in numbers]
    order = None if order is None or not banded else np.ascontiguousarray(order, dtype=_LONG)
    return Layout(n, banded, lower, upper, order, *kept)


def sparse_layout(info: ModelInfo, index_size: int) -> Layout:
    """The layout of a sparse matrix stored by columns, with indices of this number of bytes: the entries of the
    pattern, and the diagonal of the states that are integrated."""
    n, rates = len(info.states), len(info.states) - info.n_algebraic
    rows, columns = places(info)
    own = np.arange(rates)
    keys = np.r_[columns * n + rows, own * (n + 1)]
    found, numbers = np.unique(keys, return_inverse=True)
    pointers = np.searchsorted(found, np.arange(n + 1) * n)
    sequence, first = _groups(n, rows, columns, None)
    kept = (rows, columns, numbers[: len(rows)], numbers[len(rows) :], sequence, first)
    index = np.int32 if index_size == 4 else np.int64
    stored = (np.ascontiguousarray(a, dtype=index) for a in (pointers, found % n))
    return Layout(n, False, 0, 0, None, *(np.ascontiguousarray(a, dtype=_LONG) for a in kept), *stored)


def _ordered(n: int, rows: Indices, columns: Indices) -> tuple[Indices | None, int, int]:
    """The better of the model's order and that of Cuthill and McKee, and the numbers of diagonals below and above."""
    lower, upper = _widths(rows, columns)
    if n < _SMALL or lower + upper <= 4 or len(rows) > n * n // 4:
        return None, lower, upper
    from scipy.sparse import csr_array  # slow to import
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    pattern: Any = csr_array((np.ones(2 * len(rows)), (np.r_[rows, columns], np.r_[columns, rows])), shape=(n, n))
    order = reverse_cuthill_mckee(pattern, symmetric_mode=True)
    at = np.empty(n, dtype=np.int64)
    at[order] = np.arange(n)
    narrow, wide = _widths(at[rows], at[columns])
    return (order, narrow, wide) if narrow * (narrow + wide) < lower * (lower + upper) else (None, lower, upper)


def _widths(rows: Indices, columns: Indices) -> tuple[int, int]:
    below = rows - columns
    return int(below.max(initial=0)), int((-below).max(initial=0))


def _groups(n: int, rows: Indices, columns: Indices, order: Indices | None) -> tuple[Indices, Indices]:
    """(sequence, first) of a `Layout`. Columns that join in the order of the band form the fewest groups."""
    group = np.arange(n)
    if len(rows) and np.bincount(rows).max() < n:
        taken = [0] * n  # for each row: the groups that have an entry there, as bits
        by_column = np.argsort(columns, kind="stable")
        members = np.split(rows[by_column], np.searchsorted(columns[by_column], np.arange(1, n)))
        for j in range(n) if order is None else order.tolist():
            own, used = members[j].tolist(), 0
            for i in own:
                used |= taken[i]
            bit = ~used & (used + 1)  # the lowest free group
            group[j] = bit.bit_length() - 1
            for i in own:
                taken[i] |= bit
    of_entry = group[columns]
    sequence = np.argsort(of_entry, kind="stable")
    return sequence, np.searchsorted(of_entry[sequence], np.arange(int(group.max(initial=-1)) + 2))
