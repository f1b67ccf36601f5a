"""Intervals of expressions hold every value that the expression has."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutset.compiler.expressions.bounds import Bounds
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.contract.functions import FUNCTIONS

ONE = tuple(op for op, row in FUNCTIONS.items() if row.arity == 1 and row.shape is not None)
TWO = ("add", "sub", "mul", "div", "min", "max", "pow", "atan2", "if")


def operation(pool: Pool, name: str, a: Expr, b: Expr) -> Expr:
    """That of one or two arguments."""
    match name:
        case "add" | "sub" | "mul" | "div":
            return getattr(pool, name)(a, b)
        case "pow":
            return pool.power(a, b)
        case "if":
            return pool.choose(pool.relation("<", a, b, "noevent"), a, b)
    return pool.call(name, a) if name in ONE else pool.call(name, a, b)


@st.composite
def expressions(draw) -> tuple[Pool, Expr, list[Expr]]:
    pool = Pool()
    leaves = [pool.variable(f"x{k}") for k in range(3)]
    nodes: list[Expr] = [*leaves, pool.constant(draw(st.floats(-3, 3))), pool.constant(2.0)]
    for _ in range(draw(st.integers(1, 8))):
        a, b = draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes))
        name = draw(st.sampled_from(ONE if draw(st.booleans()) else TWO))
        try:
            nodes.append(operation(pool, name, a, b))
        except ArithmeticError:
            continue
    return pool, nodes[-1], leaves


@given(
    expressions(), st.lists(st.tuples(st.floats(-4, 4), st.floats(0, 3)), min_size=3, max_size=3), st.integers(0, 10**6)
)
@settings(max_examples=150, deadline=None)
def test_no_value_leaves_the_interval(drawn, limits, seed: int) -> None:
    _, root, leaves = drawn
    known = {leaf: (low, low + width) for leaf, (low, width) in zip(leaves, limits, strict=False)}
    low, high = Bounds(known).of(root)
    for k in range(5):
        parts = [((seed * 7919 + 104729 * k + 31 * j) % 1000) / 999 for j in range(3)]
        point = {leaf: a + part * (b - a) for (leaf, (a, b)), part in zip(known.items(), parts, strict=False)}
        value = RandomPoint(point).value(root)
        if math.isfinite(value):
            assert low - 1e-9 * (1 + abs(low)) <= value <= high + 1e-9 * (1 + abs(high))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3 + cos(x)", (2, 4)), ("x^2 + 1", (1, math.inf)), ("exp(x)", (0, math.inf)), ("x", (-math.inf, math.inf))],
)
def test_intervals_of_some(text: str, expected: tuple[float, float]) -> None:
    pool = Pool()
    x = pool.variable("x")
    made = {
        "3 + cos(x)": pool.add(pool.constant(3), pool.call("cos", x)), "x^2 + 1": pool.add(pool.mul(x, x), pool.one),
        "exp(x)": pool.call("exp", x), "x": x,
    }  # fmt: skip
    assert Bounds().of(made[text]) == expected
    assert Bounds().stays_from_zero(made[text]) == (expected[0] > 0)


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [
        ((0, 2), (-1, -1), (0.5, math.inf)),
        ((0, 2), (0, 0), (1, 1)),
        ((4, math.inf), (0.5, 0.5), (2, math.inf)),
        ((4, math.inf), (-0.5, -0.5), (0, 0.5)),
        ((-2, 1), (2, 2), (0, math.inf)),
        ((1, 2), (1, 3), (0, math.inf)),
    ],
)
def test_powers(base, exponent, expected) -> None:
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    assert Bounds({x: base, y: exponent}).of(pool.power(x, y)) == expected


def test_a_power_by_squares_of_squares_is_no_work() -> None:
    pool = Pool()
    x = pool.variable("x")
    power = x
    for _ in range(300):
        power = pool.mul(power, power)
    assert Bounds().of(power) == (0.0, math.inf)
    assert Bounds({x: (-0.5, 0.5)}).of(pool.mul(power, x))[1] < 1e-9
