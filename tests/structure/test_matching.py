"""Matchings: as large as scipy's, greedy transversals as good as exhaustive search, no recursion."""

from __future__ import annotations

import itertools
import random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from cutset.compiler.structure.matching import (
    UNMATCHED,
    augment,
    greedy_transversal,
    inverse,
    karp_sipser,
    maximum_matching,
    transpose,
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    columns = draw(st.integers(1, 9))
    row = st.sets(st.integers(0, columns - 1), max_size=4).map(sorted)
    return draw(st.lists(row, max_size=9)), columns


def size_by_scipy(rows: list[list[int]], columns: int) -> int:
    if not any(rows):
        return 0
    at = [(r, c) for r, row in enumerate(rows) for c in row]
    places = numpy.array(at, dtype=numpy.int32).T  # scipy 1.12 takes no others
    matrix = csr_array((numpy.ones(len(at)), tuple(places)), shape=(len(rows), columns))
    return int((maximum_bipartite_matching(matrix, perm_type="column") >= 0).sum())


def assert_is_matching(rows: list[list[int]], owner: list[int]) -> None:
    pairs = [(row, column) for column, row in enumerate(owner) if row != UNMATCHED]
    assert all(column in rows[row] for row, column in pairs)
    assert len({row for row, _ in pairs}) == len(pairs)


@given(graphs())
def test_maximum_matching_is_as_large_as_scipys(graph) -> None:
    rows, columns = graph
    owner = maximum_matching(rows, columns)
    assert_is_matching(rows, owner)
    assert sum(row != UNMATCHED for row in owner) == size_by_scipy(rows, columns)


@pytest.mark.parametrize("seed", range(5))
def test_large_random_graphs(seed: int) -> None:
    # Mean degree near e: where Karp and Sipser's start leaves something to augment.
    generator = random.Random(seed)
    n = 2000
    rows = [sorted({generator.randrange(n) for _ in range(generator.choice((2, 3, 3)))}) for _ in range(n)]
    owner = maximum_matching(rows, n)
    assert_is_matching(rows, owner)
    assert sum(row != UNMATCHED for row in owner) == size_by_scipy(rows, n)


@given(graphs())
def test_the_start_is_a_matching_already(graph) -> None:
    rows, columns = graph
    assert_is_matching(rows, karp_sipser(rows, columns))


def test_the_start_is_perfect_on_a_chain() -> None:
    n = 50
    rows = [[i, i + 1] for i in range(n - 1)] + [[n - 1]]
    assert karp_sipser(rows, n) == list(range(n))


def test_the_start_begins_with_those_that_have_no_choice() -> None:
    # The first row could take column 0 as well, which is the only one of the second row.
    assert karp_sipser([[0, 1], [0], [1, 2]], 3) == [1, 0, 2]


def test_where_the_start_falls_short() -> None:
    rows = [[0, 1, 2], [0, 4], [3, 4], [1, 2], [3, 4]]
    assert karp_sipser(rows, 5).count(UNMATCHED) == 1
    assert maximum_matching(rows, 5).count(UNMATCHED) == 0


def test_one_more_row_moves_the_others() -> None:
    rows = [[0], [0, 1], [1, 2]]
    owner = [1, 2, UNMATCHED]
    assert augment(0, rows, owner, set())
    assert owner == [0, 1, 2]


def test_failure_reports_what_was_reached() -> None:
    rows = [[0, 1], [0, 1], [0, 1], [2]]
    owner = [0, 1, 3]
    reached: set[int] = set()
    assert not augment(2, rows, owner, reached)
    assert reached == {0, 1}
    assert owner == [0, 1, 3]


def test_fifty_thousand_rows_moved_by_one_path() -> None:
    # Row i holds column i + 1; the last row to come wants column 1, and only column 0 is free, at the far end.
    n = 50_000
    rows = [[i, i + 1] for i in range(n)] + [[n]]
    owner = [UNMATCHED, *range(n)]
    assert augment(n, rows, owner, set())
    assert owner == list(range(n + 1))


def test_inverse_and_transpose() -> None:
    assert inverse([2, UNMATCHED, 0], 3) == [2, UNMATCHED, 0]
    assert inverse([1, UNMATCHED], 3) == [UNMATCHED, 0, UNMATCHED]
    assert transpose([[0, 2], [2]], 3) == [[0], [], [0, 1]]


@given(graphs(), st.randoms(use_true_random=False))
def test_greedy_transversal_is_the_best_of_all(graph, shuffle) -> None:
    rows, columns = graph
    priority = list(range(columns))
    shuffle.shuffle(priority)
    chosen = greedy_transversal(rows, priority)
    assert all(column in rows[row] for column, row in chosen.items())
    assert len(set(chosen.values())) == len(chosen)
    # Weights 2**k: the best set is the first of all matchable sets in the lexicographic order of priority.
    best: set[int] = set()
    for column in priority:
        trial = best | {column}
        if size_by_scipy([[c for c in row if c in trial] for row in rows], columns) == len(trial):
            best = trial
    assert set(chosen) == best


def test_greedy_transversal_against_every_subset() -> None:
    rows = [[0, 1], [1, 2], [0, 2, 3]]
    weight = {3: 8, 0: 4, 2: 2, 1: 1}

    def matchable(subset: tuple[int, ...]) -> bool:
        return any(all(c in rows[r] for r, c in enumerate(order)) for order in itertools.permutations(subset))

    best = max((s for s in itertools.combinations(range(4), 3) if matchable(s)), key=lambda s: sum(map(weight.get, s)))
    assert set(greedy_transversal(rows, sorted(weight, key=lambda c: -weight[c]))) == set(best)
