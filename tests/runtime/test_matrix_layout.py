"""Layouts of matrices: what is written at the places of a layout is the matrix that SUNDIALS reads."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csc_array

from cutset.runtime.solvers.matrix_layout import layout_of, sparse_layout


def model(n: int, entries: list[tuple[int, int]], algebraic: int = 0) -> SimpleNamespace:
    """Of a model what layouts depend on: the pattern of its Jacobian, row by row."""
    rows = [sorted(j for i, j in entries if i == row) for row in range(n)]
    return SimpleNamespace(states=tuple(f"x{k}" for k in range(n)), n_algebraic=algebraic, jacobian=rows)


def entries_of(kind: str, n: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    if kind == "empty":
        return []
    if kind == "random":
        return [(int(i), int(j)) for i, j in {tuple(rng.integers(0, n, 2)) for _ in range(2 * n)}]
    order = rng.permutation(n) if kind == "shuffled band" else np.arange(n)
    return [(int(order[i]), int(order[j])) for i in range(n) for j in range(max(0, i - 2), min(n, i + 4))]


def written(layout, values: np.ndarray, size: int) -> np.ndarray:
    """The numbers of the matrix after the entries, and 1000 more on the diagonal, were written."""
    numbers = np.zeros(size)
    numbers[layout.places] = values
    numbers[layout.diagonal] += 1000.0
    return numbers


@pytest.mark.parametrize("kind", ["empty", "random", "band", "shuffled band"])
@pytest.mark.parametrize("n", [1, 7, 60])
def test_dense_matrices_and_bands(kind, n):
    entries = entries_of(kind, n, np.random.default_rng(n))
    layout = layout_of(model(n, entries))
    values = 1.0 + np.arange(len(layout.rows))
    exact = np.zeros((n, n))
    exact[layout.rows, layout.columns] = values
    assert sorted(zip(layout.rows.tolist(), layout.columns.tolist(), strict=True)) == sorted(entries)
    exact += 1000.0 * np.eye(n)
    order = np.arange(n) if layout.order is None else layout.order
    exact = exact[np.ix_(order, order)]
    assert layout.banded == (n == 60 and kind != "random")
    if not layout.banded:
        assert np.array_equal(written(layout, values, n * n).reshape(n, n).T, exact) and layout.order is None
        return
    above = min(n - 1, layout.lower + layout.upper)
    height = above + layout.lower + 1
    band = written(layout, values, n * height).reshape(n, height)
    found = np.array(
        [[band[j, above + i - j] if -above <= i - j <= layout.lower else 0.0 for j in range(n)] for i in range(n)]
    )
    assert np.array_equal(found, exact)
    if kind != "empty":
        assert (layout.lower, layout.upper) == (2, 3) if kind == "band" else layout.lower + layout.upper <= 9
        assert layout.groups == (6 if kind == "band" else layout.groups) < 9
    assert (layout.order is not None) == (kind == "shuffled band")


@pytest.mark.parametrize("index_size", [4, 8])
@pytest.mark.parametrize("kind", ["empty", "random", "shuffled band"])
def test_sparse_matrices(kind, index_size):
    for n, algebraic in ((1, 0), (6, 0), (9, 4)):
        entries = entries_of(kind, n, np.random.default_rng(n))
        layout = sparse_layout(model(n, entries, algebraic), index_size)
        values = 1.0 + np.arange(len(layout.rows))
        exact = np.zeros((n, n))
        exact[layout.rows, layout.columns] = values
        exact[np.arange(n - algebraic), np.arange(n - algebraic)] += 1000.0
        assert sorted(zip(layout.rows.tolist(), layout.columns.tolist(), strict=True)) == sorted(entries)
        numbers = written(layout, values, len(layout.indices))
        assert np.array_equal(csc_array((numbers, layout.indices, layout.pointers), shape=(n, n)).toarray(), exact)
        assert layout.indices.itemsize == layout.pointers.itemsize == index_size
        assert layout.kind == f"sparse, {len(set(entries) | {(k, k) for k in range(n - algebraic)})} entries"
