"""The pool folds, shares and keeps the value: checked against plain arithmetic at random points."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, reachable, rewrite, variables_of

LEAVES = {"x": 0.7, "y": -1.3, "z": 2.1, "p": 0.4, "q": -2.5}


def value(e: Expr, leaves: dict[str, float]) -> float:
    """An evaluator of its own, node by node."""
    values: dict[Expr, float] = {}
    operators = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}
    for n in reachable([e]):
        a = [values[c] for c in n.args]
        if n.op == "constant":
            values[n] = n.data
        elif not n.args:
            values[n] = leaves[n.data]
        elif n.op in operators:
            values[n] = operators[n.op](*a)
        elif n.op == "div":
            values[n] = a[0] / a[1] if a[1] else math.nan
        elif n.op == "neg":
            values[n] = -a[0]
        else:
            values[n] = getattr(math, n.op)(*a)
    return values[e]


def leaf(pool: Pool, name: str) -> Expr:
    return pool.parameter(name) if name in "pq" else pool.variable(name)


# A recipe builds the same expression twice: in the pool, and as a number.
recipes = st.recursive(
    st.sampled_from([*LEAVES, 0.0, 1.0, -1.0, 2.0, 0.5]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["add", "sub", "mul", "div"]), inner, inner),
        st.tuples(st.sampled_from(["neg", "sin", "cos"]), inner),
    ),
    max_leaves=25,
)


def build(pool: Pool, recipe) -> tuple[Expr, float]:
    if isinstance(recipe, str):
        return leaf(pool, recipe), LEAVES[recipe]
    if isinstance(recipe, float):
        return pool.constant(recipe), recipe
    op, *inner = recipe
    (a, x), *rest = [build(pool, r) for r in inner]
    if op == "neg":
        return pool.neg(a), -x
    if op in ("sin", "cos"):
        return pool.call(op, a), getattr(math, op)(x)
    ((b, y),) = rest
    if op == "div" and abs(y) < 1e-3:
        op = "mul"
    number = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y if y else 0.0}[op]
    return getattr(pool, op)(a, b), number


@given(recipes)
@settings(max_examples=400, deadline=None)
def test_folding_keeps_the_value(recipe):
    pool = Pool()
    e, expected = build(pool, recipe)
    assert value(e, LEAVES) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(recipes)
@settings(max_examples=200, deadline=None)
def test_children_come_before_parents(recipe):
    e, _ = build(Pool(), recipe)
    for n in reachable([e]):
        assert all(a.id < n.id for a in n.args)
        assert n.level == max([a.level for a in n.args], default=n.level)


@given(recipes)
@settings(max_examples=200, deadline=None)
def test_derivative_agrees_with_a_difference_quotient(recipe):
    pool = Pool()
    e, expected = build(pool, recipe)
    slopes = {"x": 0.3, "y": -0.8, "z": 1.1}
    d = differentiate(pool, e, lambda v: pool.constant(slopes[v.data]))
    h = 1e-6
    ahead = {k: v + h * slopes.get(k, 0.0) for k, v in LEAVES.items()}
    behind = {k: v - h * slopes.get(k, 0.0) for k, v in LEAVES.items()}
    quotient = (value(e, ahead) - value(e, behind)) / (2 * h)
    if math.isfinite(quotient) and abs(quotient) < 1e4 and abs(expected) < 1e4:
        assert value(d, LEAVES) == pytest.approx(quotient, rel=1e-4, abs=1e-4)


@given(recipes)
@settings(max_examples=200, deadline=None)
def test_linear_form_adds_up(recipe):
    pool = Pool()
    e, expected = build(pool, recipe)
    x = pool.variable("x")
    try:
        (form,) = linear_forms(pool, [e], [x])
    except Nonlinear:
        return
    assert x not in variables_of(form.rest)
    slope = form.coefficients.get(x, pool.zero)
    assert value(slope, LEAVES) * LEAVES["x"] + value(form.rest, LEAVES) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_equal_expressions_are_one_node():
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    assert pool.add(x, y) is pool.add(y, x)
    assert pool.mul(pool.mul(pool.constant(2), x), pool.constant(3)) is pool.mul(pool.constant(6), x)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda p, x, y: p.mul(x, p.zero), "0"),
        (lambda p, x, y: p.sub(p.add(x, y), y), "x"),
        (lambda p, x, y: p.mul(x, p.div(y, x)), "y"),
        (lambda p, x, y: p.div(p.mul(x, y), x), "y"),
        (lambda p, x, y: p.mul(p.neg(x), p.neg(y)), "x*y"),
        (lambda p, x, y: p.add(x, p.neg(y)), "x - y"),
        (lambda p, x, y: p.neg(p.sub(x, y)), "y - x"),
        (lambda p, x, y: p.call("sin", p.neg(x)), "-sin(x)"),
        (lambda p, x, y: p.call("cos", p.neg(x)), "cos(x)"),
        (lambda p, x, y: p.power(x, p.constant(2)), "x*x"),
        (lambda p, x, y: p.choose(p.one, x, y), "x"),
        (lambda p, x, y: p.sub(x, p.sub(x, y)), "y"),
    ],
)
def test_folds(made, expected):
    pool = Pool()
    assert text(made(pool, pool.variable("x"), pool.variable("y"))) == expected


def test_parameters_are_gathered():
    pool = Pool()
    x, p, q = pool.variable("x"), pool.parameter("p"), pool.parameter("q")
    product = pool.mul(pool.mul(p, x), q)
    assert [a.level for a in product.args] in ([PARAMETER, TIME], [TIME, PARAMETER])
    total = pool.add(pool.add(p, x), q)
    assert sum(a.level == PARAMETER for a in total.args) == 1


def test_the_level_is_the_highest_of_the_arguments():
    pool = Pool()
    x, p, one = pool.variable("x"), pool.parameter("p"), pool.one
    for a, b, level in ((p, x, TIME), (x, p, TIME), (p, one, PARAMETER), (one, p, PARAMETER)):
        table = pool.table([one, pool.constant(2.0)], [a, one])
        assert pool.solve([{0: a}], [b])[0].level == level
        assert pool.interpolate("interp1", b, table).level == pool.interpolate("interp1_slope", b, table).level == level


def test_what_has_no_value_is_undefined():
    pool = Pool()
    with pytest.raises(Undefined, match="division by zero"):
        pool.div(pool.variable("x"), pool.zero)
    with pytest.raises(Undefined):
        pool.call("sqrt", pool.constant(-1))
    with pytest.raises(Undefined):
        pool.constant(1e308 * 10)


def test_a_deep_expression_needs_no_recursion():
    pool = Pool()
    x, e = pool.variable("x"), pool.variable("x")
    for _ in range(20_000):
        e = pool.add(pool.mul(pool.constant(0.5), pool.call("sin", e)), x)
    y = pool.variable("y")
    assert variables_of(Substitution(pool, {x: y})(e)) == (y,)
    assert differentiate(pool, e, lambda v: pool.one).level == TIME
    assert len(rewrite(pool, [e], lambda node, args: None)) == len(reachable([e]))
    with pytest.raises(Nonlinear):
        linear_forms(pool, [e], [x])
    assert "..." in text(e)


@pytest.mark.parametrize("first", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("second", ["add", "sub", "mul", "div"])
def test_every_small_expression_keeps_its_value(first, second):
    leaves = ["x", "y", "p", "q", ("neg", "x"), ("neg", "p"), 2.0, -1.0]
    for a in leaves:
        for b in leaves:
            for c in leaves:
                for recipe in ((second, (first, a, b), c), (second, c, (first, a, b))):
                    e, expected = build(Pool(), recipe)
                    assert value(e, LEAVES) == pytest.approx(expected, rel=1e-12, abs=1e-12), recipe


def test_unknowns_that_cancel_leave_no_trace():
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    e = pool.call("sin", pool.neg(pool.add(pool.add(x, y), pool.sub(y, x))))
    (form,) = linear_forms(pool, [e], [x])
    assert not form.coefficients and variables_of(form.rest) == (y,)


def test_zeros_are_no_elements_of_a_matrix():
    pool = Pool()
    a, b = pool.variable("a"), pool.variable("b")
    with_zero = pool.solve([{0: a, 1: pool.zero}, {1: b}], [a, b])
    assert with_zero == pool.solve([{0: a}, {1: b}], [a, b])


def test_parts_of_a_branch_below_the_depth_are_left_out():
    pool = Pool()
    condition, a, b, c = (pool.variable(name) for name in ("yes", "a", "b", "c"))
    choice = pool.choose(condition, pool.add(a, pool.mul(b, c)), pool.neg(c))
    assert text(choice, 3) == "(if yes then a + b*c else -c)"
    assert text(choice, 2) == "(if yes then a + ... else -c)"
    assert text(choice, 1) == "(if yes then ... else ...)"


def test_the_text_of_an_unknown_counts_from_one():
    pool = Pool()
    a, b = pool.variable("a"), pool.variable("b")
    first, second = pool.solve([{0: a, 1: b}, {0: b, 1: pool.one}], [a, b])
    assert text(second) == text(second, 2) == "solution of 2 linear equations(2)"
    assert text(first, 1) == "...(1)"
    assert text(pool.div(first, pool.add(a, b))) == "solution of 2 linear equations(1)/(a + b)"
