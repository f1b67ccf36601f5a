"""The values that must be finite besides the derivatives."""

import pytest

from cutset.compiler.codegen.guards import guards_of, named_guards
from cutset.compiler.expressions.pool import Pool


@pytest.fixture
def pool():
    return Pool()


def test_what_the_rates_hand_on_needs_no_check(pool):
    x = pool.variable("x")
    root, log = pool.call("sqrt", x), pool.call("log", x)
    rate = pool.mul(root, x)
    assert guards_of([rate], [root, log]) == [log]
    assert guards_of([rate], [pool.add(log, x), rate]) == [pool.add(log, x)]


def test_what_is_always_finite_needs_no_check(pool):
    x, p = pool.variable("x"), pool.parameter("p")
    assert guards_of([], [pool.call("sin", x), pool.mul(x, x), pool.call("sqrt", p)]) == []


def test_a_divisor_that_varies_may_be_zero(pool):
    """A parameter in a divisor is checked at the start."""
    x, p = pool.variable("x"), pool.parameter("p")
    by_variable, by_parameter = pool.div(pool.one, x), pool.div(x, p)
    assert guards_of([], [by_variable, by_parameter]) == [by_variable]


def test_a_comparison_hides_undefined_numbers(pool):
    x = pool.variable("x")
    root, log = pool.call("sqrt", x), pool.call("log", x)
    both = pool.logical("and", pool.relation("<", root, x), pool.relation("<", x, log))
    assert guards_of([], [both]) == [root, log]
    assert guards_of([pool.choose(both, x, pool.one)], []) == [root, log]
    assert guards_of([pool.add(root, log)], [both]) == []


def test_results_come_before_conditions(pool):
    x = pool.variable("x")
    root, log = pool.call("sqrt", x), pool.call("log", x)
    assert guards_of([pool.choose(pool.relation("<", log, x), x, pool.one)], [root]) == [root, log]


def test_conditions_in_branches_are_not_always_evaluated(pool):
    x = pool.variable("x")
    inner = pool.choose(pool.relation("<", pool.call("log", x), x), x, pool.one)
    outer = pool.relation("<", pool.call("sqrt", x), x)
    assert guards_of([pool.choose(outer, inner, x)], []) == [pool.call("sqrt", x)]
    assert guards_of([pool.choose(outer, inner, x), inner], []) == [pool.call("log", x), pool.call("sqrt", x)]


def test_a_value_of_branches_is_a_number_that_may_be_undefined(pool):
    """It is undefined only if the branch that is taken is."""
    x = pool.variable("x")
    chosen = pool.choose(pool.relation("<", x, pool.one), pool.call("sqrt", x), x)
    assert guards_of([], [chosen]) == [chosen]
    assert guards_of([chosen], [pool.call("sqrt", x)]) == [pool.call("sqrt", x)]


def test_iterations_check_their_own_conditions(pool):
    x, unknown = pool.variable("x"), pool.iterate("z")
    chosen = pool.choose(pool.relation("<", pool.call("log", unknown), x), unknown, x)
    (found,) = pool.newton(("z",), [pool.sub(chosen, x)], [[pool.one]])
    assert guards_of([found], []) == []
    assert guards_of([], [found]) == [found]


def test_a_guard_is_named_after_the_first_variable_that_contains_it(pool):
    x, y = pool.variable("x"), pool.variable("y")
    root, log = pool.call("sqrt", x), pool.call("log", y)
    variables = [x, pool.add(root, y), pool.mul(root, x)]
    assert named_guards([root, log], variables) == ((1, "sqrt(x)"), (-1, "log(y)"))
    assert named_guards([], variables) == ()
