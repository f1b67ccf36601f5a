"""Matrix literals of scalars and blocks."""

import pytest

from cutset.compiler.expressions.array import Array, ShapeMismatch, multiply, pick_varying, stack
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint

A, B, C, D = (Pool().variable(name) for name in "abcd")
ONE, ROW, COLUMN = Array((), (A,)), Array((1, 2), (B, C)), Array((2,), (C, D))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[ONE]], Array((1,), (A,))),
        ([[ONE, ONE]], Array((2,), (A, A))),
        ([[ONE], [ONE]], Array((2,), (A, A))),
        ([[ONE, ROW]], Array((1, 3), (A, B, C))),
        ([[ROW, ONE]], Array((1, 3), (B, C, A))),
        ([[ROW], [ROW]], Array((2, 2), (B, C, B, C))),
        ([[ONE], [COLUMN]], Array((3,), (A, C, D))),
        ([[COLUMN, COLUMN]], Array((2, 2), (C, C, D, D))),
        ([[ONE, ONE], [ROW]], Array((2, 2), (A, A, B, C))),
    ],
)
def test_blocks_stand_next_to_and_below_each_other(rows, expected):
    assert stack(rows) == expected


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[ROW, COLUMN]], r"blocks side by side differ in height: a matrix \(1,2\), a vector \(2\)"),
        ([[ONE], [ROW]], "the rows differ in length: 1, 2"),
    ],
)
def test_blocks_must_fit(rows, message):
    with pytest.raises(ShapeMismatch, match=message):
        stack(rows)


@pytest.mark.parametrize(
    ("row", "column", "shape", "expected"),
    [
        (2.0, 1.0, (), [4.0]),
        (2.0, range(3), (3,), [4.0, 5.0, 6.0]),
        (range(2), 3.0, (2,), [3.0, 6.0]),
        (1, 3.0, (), [6.0]),
        (3.0, range(1, 3), (2,), [-1.0, -1.0]),
    ],
)
def test_an_index_that_varies_chooses_among_all_elements(row, column, shape, expected):
    pool = Pool()
    matrix = Array((2, 3), tuple(pool.constant(float(k)) for k in range(1, 7)))
    known = {pool.variable(name): index for name, index in (("i", row), ("j", column)) if isinstance(index, float)}
    indices = [
        pool.variable(name) if isinstance(index, float) else index for name, index in (("i", row), ("j", column))
    ]
    found = pick_varying(pool, matrix, indices, pool.constant(-1.0))
    assert found.shape == shape and [RandomPoint(known).value(e) for e in found.elements] == expected


@pytest.mark.parametrize("signs", [(1, -1, -1), (-1, 1, 1), (1, 1, -1), (-1, -1, -1)])
def test_a_product_with_terms_that_cancel(signs):
    """The first and the last term are equal up to their signs."""
    pool = Pool()
    a, b, x, y = (pool.variable(name) for name in "abxy")
    p, q, r = (leaf if sign > 0 else pool.neg(leaf) for leaf, sign in zip((a, b, a), signs, strict=True))
    (found,) = multiply(pool, Array((1, 3), (p, q, r)), Array((3,), (x, y, x))).elements
    numbers = {a: 2.0, b: 3.0, x: 5.0, y: 7.0}
    assert RandomPoint(numbers).value(found) == 10.0 * signs[0] + 21.0 * signs[1] + 10.0 * signs[2]
