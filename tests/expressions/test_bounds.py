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


A, B = (-1.0, 2.0), (-3.0, 5.0)
ABOVE, BELOW, EVERYTHING = (2.0, 4.0), (-4.0, -2.0), (-math.inf, math.inf)
TURN = math.pi


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("add", A, B, (-4, 7)),
        ("sub", A, B, (-6, 5)),
        ("sub", B, A, (-5, 6)),
        ("mul", A, B, (-6, 10)),
        ("mul", BELOW, BELOW, (4, 16)),
        ("mul", (0, 0), EVERYTHING, (0, 0)),
        ("mul", EVERYTHING, (0, 2), EVERYTHING),
        ("div", A, ABOVE, (-0.5, 1)),
        ("div", A, BELOW, (-1, 0.5)),
        ("div", ABOVE, (2, math.inf), (0, 2)),
        ("div", ABOVE, (-math.inf, -2), (-2, 0)),
        ("div", ABOVE, (0, 1), EVERYTHING),
        ("div", ABOVE, (-1, 0), EVERYTHING),
        ("min", A, B, (-3, 2)),
        ("min", (3, 4), B, (-3, 4)),
        ("max", A, B, (-1, 5)),
        ("max", (3, 8), B, (3, 8)),
        ("if", A, (-3, 1), (-3, 2)),
        ("if", ABOVE, (3, 5), (2, 5)),
        ("atan2", A, B, (-TURN, TURN)),
        ("fabs", A, A, (0, 2)),
        ("fabs", BELOW, A, (2, 4)),
        ("fabs", ABOVE, A, (2, 4)),
        ("fabs", (-3, 0), A, (0, 3)),
        ("cosh", (-1, 1000), A, (1, math.inf)),
        ("sqrt", (4, 9), A, (2, 3)),
        ("sqrt", (-1, math.inf), A, (0, math.inf)),
        ("exp", (0, 1000), A, (1, math.inf)),
        ("sin", (0, 2 * TURN), A, (-1, 1)),
        ("sin", (0.25 * TURN, 0.75 * TURN), A, (math.sqrt(0.5), 1)),
        ("sin", (-0.25 * TURN, 0.25 * TURN), A, (-math.sqrt(0.5), math.sqrt(0.5))),
        ("sin", (1.25 * TURN, 1.75 * TURN), A, (-1, -math.sqrt(0.5))),
        ("cos", (0.25 * TURN, 0.75 * TURN), A, (-math.sqrt(0.5), math.sqrt(0.5))),
        ("cos", (-0.25 * TURN, 0.25 * TURN), A, (math.sqrt(0.5), 1)),
        ("cos", (7.75 * TURN, 8.25 * TURN), A, (math.sqrt(0.5), 1)),
        ("cos", (0.75 * TURN, 1.25 * TURN), A, (-1, -math.sqrt(0.5))),
    ],
)
def test_the_narrowest_interval(name: str, a: tuple[float, float], b: tuple[float, float], expected) -> None:
    """Each function is continuous and monotonic between the points that count here."""
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    root = pool.choose(pool.variable("either"), x, y) if name == "if" else operation(pool, name, x, y)
    assert Bounds({x: a, y: b}).of(root) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("exponents", "limits", "expected"),
    [
        ((2,), [A], (0, 4)),
        ((3,), [A], (-4, 8)),
        ((4,), [A], (0, 16)),
        ((2,), [BELOW], (4, 16)),
        ((2, 1), [A, ABOVE], (0, 16)),
        ((2, 1, 1), [A, ABOVE, BELOW], (-64, 0)),
        ((1, 1), [A, BELOW], (-8, 4)),
    ],
)
def test_equal_factors_form_a_power(exponents, limits, expected) -> None:
    """Wherever they are: the first factor is written within products with the others, as in (x*y)*(x*z)."""
    pool = Pool()
    leaves = [pool.variable(f"x{k}") for k in range(len(limits))]
    known, (first, *others) = dict(zip(leaves, limits, strict=True)), leaves
    parts = [pool.mul(first, other) for other in others][: exponents[0]]
    parts += [first] * (exponents[0] - len(parts)) + others[exponents[0] :]
    product = parts[0]
    for part in parts[1:]:
        product = pool.mul(product, part)
    assert Bounds(known).of(product) == expected


def test_what_no_interval_is_known_of() -> None:
    pool = Pool()
    x, y = pool.variable("x"), pool.variable("y")
    assert Bounds().of(pool.div(x, y)) == Bounds({x: (1, 2)}).of(pool.div(x, y)) == EVERYTHING
    assert Bounds().of(pool.relation("<", x, y, "noevent")) == Bounds().of(pool.logical("not", x)) == (0, 1)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [((0, 1), False), ((-1, 0), False), ((-1, 1), False), (ABOVE, True), (BELOW, True), (EVERYTHING, False)],
)
def test_what_stays_from_zero(interval: tuple[float, float], expected: bool) -> None:
    x = Pool().variable("x")
    assert Bounds({x: interval}).stays_from_zero(x) == expected


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
