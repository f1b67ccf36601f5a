"""Functions of numbers in a prime field keep the symmetry that they have for real numbers, and no other."""

from __future__ import annotations

import pytest

from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import Pool
from cutset.contract.functions import FUNCTIONS

ALONE = sorted(row.op for row in FUNCTIONS.values() if row.arity == 1 and not row.jumps)


def symmetry(op: str) -> int:
    """1 for an even function, -1 for an odd one, else 0, by its values."""
    signs = set()
    for x in (0.3, 0.7, 0.9):
        try:
            value, mirrored = FUNCTIONS[op].value(x), FUNCTIONS[op].value(-x)
        except ValueError:
            signs.add(0)
            continue
        signs.add(1 if abs(value - mirrored) < 1e-12 else -1 if abs(value + mirrored) < 1e-12 else 0)
    return signs.pop() if len(signs) == 1 else 0


@pytest.mark.parametrize("op", ALONE)
def test_symmetry(op) -> None:
    """The value of f(-x) is that of f(x), its negative, or another number; so are its slopes along x."""
    pool = Pool()
    x = pool.variable("x")
    value, mirrored = pool.call(op, x), pool.call(op, pool.neg(x))
    for number in (12345, PRIME - 12345):
        point = FieldPoint({})
        point.know(x, number)
        a, b = point.value(value), point.value(mirrored)
        assert (a == b, (a + b) % PRIME == 0) == (symmetry(op) == 1, symmetry(op) == -1)
        slopes = [point.gradient(e)[x] % PRIME for e in (value, mirrored)]
        assert (slopes[0] == slopes[1], sum(slopes) % PRIME == 0) == (symmetry(op) == 1, symmetry(op) == -1)
