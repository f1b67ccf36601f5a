"""Independent rows, in the order given, and of which of them each other row is a sum."""

from random import Random

import pytest

from cutset.compiler.expressions import least_change
from cutset.compiler.expressions.least_change import InOrder, basis, cofactors, complement, determinant, in_order

X, Y, Z = [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("rows", "chosen", "sums"),
    [
        ([X, Y, Z], (0, 1, 2), {}),
        ([X, [3.0, 0.0, 0.0], Z], (0, 2), {1: (0,)}),
        ([X, Y, [1.0, 2.0, 0.0], Z, [0.0, 2.0, -1.0]], (0, 1, 3), {2: (0, 1), 4: (1, 3)}),
        ([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], X], (0, 1), {2: (0, 1)}),
    ],
)
def test_rows_are_chosen_in_order(rows, chosen, sums):
    assert in_order(rows, [1.0] * len(rows), 1e-9) == InOrder(chosen, sums)


@pytest.mark.parametrize(
    ("rows", "right", "least"),
    [
        ([], [], []),
        ([[0.0, 0.0]], [3.0], [0.0, 0.0]),
        ([[3.0, 4.0]], [10.0], [1.2, 1.6]),
        ([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]], [4.0, 2.0], [3.0, 1.0, 0.0]),
    ],
)
def test_the_least_change(rows, right, least):
    found = basis(rows, [max(map(abs, row)) for row in rows], 1e-9).change(right)
    assert found == pytest.approx(least if any(map(any, rows)) else [])


def test_cofactors_are_the_slopes_of_the_determinant():
    rows = [[2.0, -1.0, 0.5], [0.3, 1.5, -2.0], [1.0, 0.7, 3.0]]
    found = cofactors(rows)
    for i in range(3):
        for j in range(3):
            more = [list(row) for row in rows]
            more[i][j] += 1.0  # the determinant is linear in each element
            assert found[i][j] == pytest.approx(determinant(more) - determinant(rows))


def test_many_rows_have_the_same_basis(monkeypatch):
    """By numpy as by lists: rows that share few columns, one that is zero, one without a size, and sums of others."""
    draw = Random(3)
    rows = [[draw.uniform(-1.0, 1.0) * (draw.random() < 0.4) for _ in range(14)] for _ in range(9)]
    rows += [[0.0] * 14, [a - 3.0 * b for a, b in zip(rows[2], rows[5], strict=True)]]
    sizes = [*(max(map(abs, row)) for row in rows[:9]), 1.0, 2.0]
    sizes[4] = 0.0
    few, rest = basis(rows, sizes, 1e-9), complement(basis(rows, sizes, 1e-9).vectors, 14)
    monkeypatch.setattr(least_change, "_MANY", 1)
    many, rest_of_many = basis(rows, sizes, 1e-9), complement(few.vectors, 14)
    assert many.chosen == few.chosen
    assert len(few.chosen) == 8
    assert many.least == pytest.approx(few.least)
    for a, b in zip((*many.vectors, *many.factors, *rest_of_many), (*few.vectors, *few.factors, *rest), strict=True):
        assert a == pytest.approx(b, abs=1e-12)
