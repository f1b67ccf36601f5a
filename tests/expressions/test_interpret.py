"""Functions with loops, evaluated by Python's floats: every round counts."""

from __future__ import annotations

import math

import pytest

from cutset.compiler.expressions import interpret
from cutset.compiler.expressions.interpret import run_function
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.user_function import Count, Set, UserFunction, While


def sum_of_numbers(first: float) -> UserFunction:
    """n -> first + (first + 1) + ... + n, with a loop `for`."""
    pool = Pool()
    n, k, total = (pool.variable(name) for name in ("n", "k", "total"))
    body = Set((total,), (pool.add(total, k),))
    loop = Count(k, pool.constant(first), n, (body,), "here")
    return UserFunction("total", (n,), (total,), (Set((total,), (pool.constant(0.0),)), loop))


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_the_last_round_of_a_loop_counts(n: int) -> None:
    assert run_function(sum_of_numbers(1.0), [float(n)]) == (sum(range(n + 1)),)
    assert run_function(sum_of_numbers(3.0), [float(n)]) == (sum(range(3, n + 1)),)


def test_too_many_rounds_have_no_value(monkeypatch) -> None:
    monkeypatch.setattr(interpret, "MOST_ITERATIONS", 1000)
    assert run_function(sum_of_numbers(1.0), [1000.0]) == (1000 * 1001 / 2,)
    assert math.isnan(run_function(sum_of_numbers(0.0), [1000.0])[0])
    pool = Pool()
    x = pool.variable("x")
    forever = While(pool.relation("<", x, pool.constant(1.0)), (Set((x,), (x,)),), "here")
    assert math.isnan(run_function(UserFunction("f", (x,), (x,), (forever,)), [0.0])[0])
