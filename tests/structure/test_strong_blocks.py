"""Blocks: the paper's figure, scipy's components, and an order in which everything is known in time."""

from __future__ import annotations

import numpy
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cutset.compiler.structure.blocks import strong_blocks


def test_figure_3_of_tarjan() -> None:
    # Tarjan 1972, p. 158, nodes numbered from 0: row i determines column i.
    arcs = [[1], [2, 7], [3, 6], [4], [2, 5], [], [3, 5], [0, 6]]
    rows = [sorted([i, *targets]) for i, targets in enumerate(arcs)]
    assert strong_blocks(rows, range(8)) == ((5,), (2, 3, 4, 6), (0, 1, 7))


def test_known_columns_tie_nothing() -> None:
    # Column 9 is determined by no row: a state.
    assert strong_blocks([[0, 9], [1, 9]], [0, 1]) == ((0,), (1,))


def test_matching_decides_the_direction() -> None:
    assert strong_blocks([[0, 1], [1]], [0, 1]) == ((1,), (0,))
    assert strong_blocks([[0], [0, 1]], [0, 1]) == ((0,), (1,))
    assert strong_blocks([[0, 1], [0, 1]], [1, 0]) == ((0, 1),)


def test_free_order_keeps_the_order_of_the_equations() -> None:
    # 3 must precede 0; 1 and 2 are free.
    assert strong_blocks([[0, 3], [1], [2], [3]], range(4)) == ((1,), (2,), (3,), (0,))


@st.composite
def matched_systems(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    n = draw(st.integers(1, 12))
    matching = draw(st.permutations(range(n)))
    others = draw(st.lists(st.sets(st.integers(0, n - 1), max_size=2), min_size=n, max_size=n))
    return [sorted(o | {m}) for o, m in zip(others, matching, strict=True)], matching


@given(matched_systems())
def test_components_are_scipys(case) -> None:
    rows, matching = case
    n = len(rows)
    row_of = {column: row for row, column in enumerate(matching)}
    matrix = numpy.zeros((n, n))
    for row, columns in enumerate(rows):
        matrix[row, [row_of[c] for c in columns]] = 1
    _, label = connected_components(csr_array(matrix), connection="strong")
    expected = {tuple(numpy.flatnonzero(label == k)) for k in set(label)}
    assert set(strong_blocks(rows, matching)) == expected


@given(matched_systems())
def test_every_block_uses_what_came_before(case) -> None:
    rows, matching = case
    known: set[int] = set()
    for block in strong_blocks(rows, matching):
        known.update(matching[i] for i in block)
        assert all(known.issuperset(rows[i]) for i in block)
    assert known == set(matching)


def test_fifty_thousand_rows_in_reverse() -> None:
    n = 50_000
    rows = [[i, i + 1] for i in range(n - 1)] + [[n - 1]]
    assert strong_blocks(rows, range(n)) == tuple((i,) for i in reversed(range(n)))
    ring = [sorted([i, (i + 1) % n]) for i in range(n)]
    assert strong_blocks(ring, range(n)) == (tuple(range(n)),)
