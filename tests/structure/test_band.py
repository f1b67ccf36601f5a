"""An order in which a sparse matrix is narrow."""

import random

from cutset.compiler.structure.band import band_order, bandwidths


def in_order(rows, order):
    position = {column: k for k, column in enumerate(order[1])}
    return [[position[k] for k in rows[i]] for i in order[0]]


def test_a_shuffled_chain_becomes_tridiagonal():
    n = 40
    columns, numbers = list(range(n)), list(range(n))
    random.Random(1).shuffle(columns)
    random.Random(2).shuffle(numbers)
    rows = [sorted(columns[j] for j in (k - 1, k, k + 1) if 0 <= j < n) for k in numbers]
    assert sum(bandwidths(rows)) > 40
    order = band_order(rows)
    assert sorted(order[0]) == sorted(order[1]) == list(range(n))
    assert sum(bandwidths(in_order(rows, order))) <= 4


def test_what_is_small_or_full_stays():
    assert band_order([[0, 1], [0]]) == ([0, 1], [0, 1])
    full = [list(range(10)) for _ in range(10)]
    assert band_order(full) == (list(range(10)), list(range(10)))
    assert bandwidths([[0], [0, 1], [1, 2, 3], [3]]) == (1, 1)


def test_what_is_narrow_already_stays():
    n = 12
    rows = [[j for j in (k - 1, k, k + 1) if 0 <= j < n] for k in range(n)]
    assert band_order(rows) == (list(range(n)), list(range(n)))
