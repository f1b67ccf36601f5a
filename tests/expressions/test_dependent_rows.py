"""Dependent rows: each set found is dependent, no part of it is, and there are as many as the rank says."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.expressions import dependent_rows as elimination
from cutset.compiler.expressions.dependent_rows import dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import Pool

rows_of_numbers = st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=7)


def rank(rows):
    """By elimination in fractions."""
    rows, found = [[Fraction(a) for a in row] for row in rows], 0
    for column in range(4):
        pivot = next((r for r in rows if r[column]), None)
        if pivot is not None:
            found += 1
            rows.remove(pivot)
            rows = [[a - r[column] / pivot[column] * b for a, b in zip(r, pivot, strict=False)] for r in rows]
    return found


def sparse(rows):
    return [{j: a % PRIME for j, a in enumerate(row) if a} for row in rows]


@given(rows_of_numbers)
def test_each_circuit_is_the_smallest(rows):
    found = dependent_rows(sparse(rows), range(len(rows)))
    assert len(found) == len(rows) - rank(rows)
    for circuit in found:
        for column in range(4):
            assert sum(factor * rows[i][column] for i, factor in circuit.items()) % PRIME == 0
        for left_out in circuit:
            assert rank([rows[i] for i in circuit if i != left_out]) == len(circuit) - 1


def test_slopes_at_a_point():
    pool = Pool()
    x, y, z = (pool.variable(name) for name in "xyz")
    point = FieldPoint({y: pool.neg(x)})
    a, b = point.value(x), point.value(z)
    assert point.value(y) == -a % PRIME
    quotient = pool.div(pool.mul(x, z), pool.add(z, pool.constant(0.1)))
    slopes = point.gradient(quotient)
    tenth = b + pow(10, -1, PRIME)
    assert slopes[x] * tenth % PRIME == b
    assert slopes[z] * tenth * tenth % PRIME == a * pow(10, -1, PRIME) % PRIME
    assert point.gradient(pool.sub(pool.mul(x, x), pool.mul(y, y))) == {x: 2 * a % PRIME, y: 2 * a % PRIME}
    for function, sign in (("sin", -1), ("cos", 1)):
        f, mirrored = pool.call(function, x), pool.call(function, y)
        assert point.value(mirrored) == sign * point.value(f) % PRIME
        assert point.gradient(mirrored)[y] == -sign * point.gradient(f)[x] % PRIME


def test_variables_without_a_slope_are_left_out():
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    past = pool.delay(x, pool.constant(0.5))  # decided by values before
    assert FieldPoint({}).gradient(pool.add(past, y)) == {y: 1}
    zero = pool.sub(pool.call("sin", x), pool.call("sin", y))  # where x and y are equal, but not for all x and y
    assert FieldPoint({y: x}).gradient(pool.mul(zero, pool.variable("z"))).keys() == {x, y}


def test_the_column_that_the_fewest_rows_have_is_eliminated(monkeypatch):
    """Pivots in the column that all rows have would be subtracted from all rows after them."""
    rows = [{0: 1, k: 1} for k in range(1, 101)]
    monkeypatch.setattr(elimination, "MOST_WORK", len(rows))
    assert dependent_rows([*rows, rows[0]], range(101)) == [{100: 1, 0: PRIME - 1}]
