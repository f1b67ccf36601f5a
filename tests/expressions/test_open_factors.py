"""Factors of undetermined unknowns are recognized, and nothing else is."""

from cutset.compiler.expressions.open_factors import LeftOpen, is_nothing, message_of
from cutset.compiler.expressions.pivot_selection import quality
from cutset.compiler.expressions.pool import Pool


def test_only_these_factors_are_nothing():
    pool = Pool()
    factors = LeftOpen(pool, "the forces of a and b")
    factor, other = factors.factor(0, 1), factors.factor(1, 0)
    assert is_nothing(factor) and message_of(factor) == "the forces of a and b"
    assert factor is not other and factor is factors.factor(0, 1)
    call = pool.apply(quality(pool, 1, 1), [pool.variable("x"), pool.one])
    for expression in (pool.zero, pool.variable("x"), call[0], pool.add(factor, pool.variable("x"))):
        assert not is_nothing(expression)
    for expression in (pool.neg(factor), pool.sub(factor, other), pool.mul(pool.constant(2.0), factor)):
        assert is_nothing(expression) and message_of(expression) == "the forces of a and b"
