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


def test_the_smallest_that_is_ordered():
    columns = [3, 0, 6, 1, 7, 4, 2, 5]
    rows = [sorted(columns[j] for j in (k - 1, k, k + 1) if 0 <= j < 8) for k in range(8)]
    assert sum(bandwidths(in_order(rows, band_order(rows)))) == 2


# In the order of their first columns these rows are narrower by 3 than in that of their last ones.
BY_FIRST = [[0, 1, 3, 7, 8], [1], [3, 4], [0, 3, 4, 8, 9], [0, 8], [7], [3, 4, 6, 8, 9], [3, 4, 5, 6, 9], [0], [2]]


def shuffled_staircase(generator):
    n = generator.randrange(9, 16)
    columns, numbers = generator.sample(range(n), n), generator.sample(range(n), n)
    widths = [generator.choice((0, 1, 1, 4)) for _ in range(n)]
    return [sorted({columns[min(n - 1, i + d)] for d in range(widths[i] + 1)}) for i in numbers]


def test_rows_go_where_they_are_narrowest():
    assert sum(bandwidths(in_order(BY_FIRST, band_order(BY_FIRST)))) == 4
    generator = random.Random(0)
    widths = {True: 0, False: 0}
    for _ in range(200):
        rows = shuffled_staircase(generator)
        order = band_order(rows)
        position = {column: k for k, column in enumerate(order[1])}
        for first in (True, False):
            other = sorted(range(len(rows)), key=lambda i: sorted((position[k] for k in rows[i]), reverse=not first))
            width = sum(bandwidths(in_order(rows, (other, order[1]))))
            widths[first] += width - sum(bandwidths(in_order(rows, order)))
    assert widths[True] > 0 and widths[False] > 0


def test_what_is_small_or_full_stays():
    assert band_order([[0, 1], [0]]) == ([0, 1], [0, 1])
    full = [list(range(10)) for _ in range(10)]
    assert band_order(full) == (list(range(10)), list(range(10)))
    assert bandwidths([[0], [0, 1], [1, 2, 3], [3]]) == (1, 1)


def test_what_is_narrow_already_stays():
    n = 12
    rows = [[j for j in (k - 1, k, k + 1) if 0 <= j < n] for k in range(n)]
    assert band_order(rows) == (list(range(n)), list(range(n)))
