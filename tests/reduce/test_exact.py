"""Elimination in a prime field and with parameters, against fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint, inverse
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.reduce.exact import Field, echelon, fraction_of
from cutset.compiler.reduce.reduce import are_independent
from cutset.compiler.reduce.terms import residual_of, slopes_of, terms_of
from cutset.compiler.structure.dummy_derivatives import independent_first


def rank(rows: list[list[int]]) -> int:
    """Of whole numbers, by fractions."""
    left = [[Fraction(v) for v in row] for row in rows]
    found = 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(found, len(left)) if left[i][column]), None)
        if pivot is None:
            continue
        left[found], left[pivot] = left[pivot], left[found]
        for row in left[found + 1 :]:
            factor = row[column] / left[found][column]
            row[:] = [a - factor * b for a, b in zip(row, left[found], strict=False)]
        found += 1
    return found


def random_rows(seed: int) -> list[list[int]]:
    numbers = random.Random(seed)
    m, n = numbers.randint(1, 7), numbers.randint(1, 7)
    return [[numbers.choice([0, 0, 0, 1, -1, 2]) for _ in range(n)] for _ in range(m)]


@pytest.mark.parametrize("seed", range(60))
def test_independent_rows_are_those_of_full_rank(seed):
    rows = random_rows(seed)
    residues = [{j: v % PRIME for j, v in enumerate(row) if v} for row in rows]
    assert are_independent(residues) == (rank(rows) == len(rows))


@pytest.mark.parametrize("seed", range(60))
def test_the_first_columns_that_are_independent_come_first(seed):
    rows = random_rows(seed)
    n = len(rows[0])
    order = random.Random(seed).sample(range(n), n)
    entries = {j: {i: row[j] % PRIME for i, row in enumerate(rows) if row[j]} for j in range(n)}
    expected = []
    for j in order:
        if rank([[row[k] for k in (*expected, j)] for row in rows]) > len(expected):
            expected.append(j)
    found = independent_first(order, entries, PRIME)
    assert found[: len(expected)] == expected and sorted(found) == sorted(order)


@pytest.mark.parametrize("fraction", [Fraction(3, 7), Fraction(-1), Fraction(0), Fraction(-9999, 10000)])
def test_fractions_are_known_by_their_residues(fraction):
    assert fraction_of(fraction.numerator * inverse(fraction.denominator) % PRIME) == fraction


def test_a_number_that_is_no_small_fraction_is_none():
    assert fraction_of(pow(12345, 9, PRIME)) is None


def test_parameters_cancel_exactly():
    pool = Pool()
    field = Field(pool, FieldPoint({}))
    a, b = (field.of(pool.parameter(name)) for name in "ab")
    ab = field.mul(a, b)
    rows = [{0: a, 1: ab}, {0: field.one, 1: b}]
    assert list(echelon(field, rows)) == [0]
    assert list(echelon(field, [rows[0], {0: field.one, 1: a}])) == [0, 1]


def test_terms_of_a_sum_are_gathered():
    pool = Pool()
    field = Field(pool, FieldPoint({}))
    x, y, c = pool.variable("x"), pool.variable("y"), pool.parameter("c")
    product = pool.mul(x, y)
    residual = pool.sub(pool.add(pool.mul(c, pool.sub(x, y)), product), pool.add(pool.mul(c, x), pool.constant(2)))
    terms = terms_of(field, residual)
    assert set(terms) == {y, product, pool.one}
    assert terms[y].value is pool.neg(c) and terms[pool.one].value is pool.constant(-2)
    assert slopes_of(field, residual) == {atom: k.residue for atom, k in terms.items() if atom is not pool.one}
    assert set(terms_of(field, residual_of(pool, terms))) == set(terms)
