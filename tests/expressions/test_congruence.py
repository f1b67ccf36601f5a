"""A*S*A' of a symmetric S is made once for two mirrored elements, and is the product that it would be otherwise."""

from __future__ import annotations

import pytest
from models_from_text import translate

from cutset.compiler.expressions.array import (
    Array,
    is_congruence,
    is_symmetric,
    multiply,
    multiply_symmetric,
    transpose,
)
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint


def matrix(pool: Pool, name: str, rows: int, columns: int) -> Array:
    return Array((rows, columns), tuple(pool.variable(f"{name}{i}{j}") for i in range(rows) for j in range(columns)))


def symmetric(pool: Pool, n: int) -> Array:
    return Array((n, n), tuple(pool.variable(f"s{min(i, j)}{max(i, j)}") for i in range(n) for j in range(n)))


def test_the_upper_elements_are_those_of_the_product():
    pool = Pool()
    a, s = matrix(pool, "a", 2, 3), symmetric(pool, 3)
    made = multiply_symmetric(pool, multiply(pool, a, s), transpose(a))
    full = multiply(pool, multiply(pool, a, s), transpose(a))
    assert is_symmetric(made) and not is_symmetric(full)
    assert [made.at(i, j) for i, j in ((0, 0), (0, 1), (1, 1))] == [full.at(i, j) for i, j in ((0, 0), (0, 1), (1, 1))]
    assert RandomPoint().equal(made.at(1, 0), full.at(1, 0))


@pytest.mark.parametrize("sign", [1, -1])
def test_is_seen_with_either_sign(sign):
    pool = Pool()
    a, s = matrix(pool, "a", 3, 3), symmetric(pool, 3)
    first = a if sign > 0 else a.map(pool.neg)
    assert is_congruence(pool, first, s, transpose(a))


def test_is_not_seen_where_there_is_none():
    pool = Pool()
    a, b, s = matrix(pool, "a", 3, 3), matrix(pool, "b", 3, 3), symmetric(pool, 3)
    mixed = Array((3, 3), (pool.neg(a.at(0)), *a.elements[1:]))
    v = Array((3,), a.elements[:3])
    assert not is_congruence(pool, a, s, b)
    assert not is_congruence(pool, a, s, a)
    assert not is_congruence(pool, a, b, transpose(a))
    assert not is_congruence(pool, mixed, s, transpose(a))
    assert not is_congruence(pool, transpose(v), s, v)
    assert not is_congruence(pool, a, Array((), (s.at(0),)), transpose(a))


def test_a_model_without_the_word_symmetric_gets_the_product():
    text = """
      model M
        parameter A(2,2) = [1.5, 2.5; 3.5, 4.5], B(2,2) = [2.5, 7.5; 7.5, -3.5], C(2,2) = [2.5, 7.5; 1.5, -3.5]
        local S(2,2), N(2,2), P(2,2), Q(2,2)
        S = A*B*A'
        N = -A'*B*A
        P = 2*A*C*A'
        Q = A*A*B*A'
      end
    """
    found = translate(text).values()
    a, b, c = ((1.5, 2.5), (3.5, 4.5)), ((2.5, 7.5), (7.5, -3.5)), ((2.5, 7.5), (1.5, -3.5))
    flipped = tuple(zip(*a, strict=False))
    expected = {
        "S": product(product(a, b), flipped),
        "N": [[-e for e in row] for row in product(product(flipped, b), a)],
        "P": [[2 * e for e in row] for row in product(product(a, c), flipped)],
        "Q": product(product(product(a, a), b), flipped),
    }
    for name, rows in expected.items():
        assert [[found[f"{name}({i},{j})"] for j in (1, 2)] for i in (1, 2)] == [pytest.approx(row) for row in rows]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column, strict=False)) for column in zip(*b, strict=False)] for row in a]
