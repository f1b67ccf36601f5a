"""Expressions as text: what is read back has the same value."""

from __future__ import annotations

import math
import random

import pytest

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.text import Texts, text

NAMES = ("x", "y", "z")


def drawn(rng: random.Random, pool: Pool, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*map(pool.variable, NAMES), pool.constant(-2.0), pool.constant(0.1), pool.constant(1 / 3)])
    a, b = (drawn(rng, pool, depth - 1) for _ in range(2))
    operation = rng.choice(["add", "sub", "mul", "div", "neg"])
    return pool.neg(a) if operation == "neg" else getattr(pool, operation)(a, b)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_read_back_has_the_same_value(seed):
    rng, point = random.Random(seed), {"x": 1.7, "y": -0.6, "z": 3.1}
    for _ in range(60):
        pool = Pool()
        try:
            e = drawn(rng, pool, 4)
        except ArithmeticError:
            continue
        written = text(e, 99)
        value = RandomPoint({pool.variable(name): number for name, number in point.items()}).value(e)
        assert math.isclose(eval(written, dict(point)), value, rel_tol=1e-9, abs_tol=1e-12), written


def test_forms():
    pool = Pool()
    x, y, z = map(pool.variable, NAMES)
    less, table = pool.relation("<", x, pool.add(y, z), "noevent"), [pool.constant(float(k)) for k in range(5)]
    many = [pool.variable(f"v{k}") for k in range(13)]
    forms = [
        (pool.sub(x, pool.sub(y, z)), "x - (y - z)"),
        (pool.sub(pool.sub(x, y), z), "x - y - z"),
        (pool.div(x, pool.mul(y, z)), "x/(y*z)"),
        (pool.mul(pool.add(x, y), z), "z*(x + y)"),
        (pool.neg(pool.add(x, y)), "-(x + y)"),
        (pool.call("fabs", x), "abs(x)"),
        (pool.call("sin", pool.add(x, y)), "sin(x + y)"),
        (pool.call("min", x, y), "min(x, y)"),
        (less, "noevent(x < y + z)"),
        (pool.choose(less, x, y), "(if noevent(x < y + z) then x else y)"),
        (pool.logical("and", less, pool.relation("<", y, z, "noevent")), "noevent(x < y + z) and noevent(y < z)"),
        (pool.relation(">=", x, y), "x >= y"),
        (pool.constant(0.1), "0.1"),
        (pool.constant(1 / 3), "0.3333333333333333"),
        (pool.constant(0.0), "0"),
        (pool.add(x, pool.constant(-2.0)), "x + -2"),
        (pool.mul(x, pool.constant(-2.0)), "-2*x"),
        (pool.mode(3), "mode(3)"),
        (pool.element(x, 0), "x(1)"),
        (pool.table(table[:4], table[:4]), "[0, 1, 2, 3], [0, 1, 2, 3]"),
        (pool.table(table, table), "table of 5 points"),
        (pool.solve([{0: x, 1: y}, {0: y, 1: z}], [x, z])[0].args[0], "solution of 2 linear equations"),
        (pool._node("max", tuple(many[:12]), x.level), f"max({', '.join(f'v{k}' for k in range(12))})"),
        (pool._node("max", tuple(many), x.level), f"max({', '.join(f'v{k}' for k in range(12))}, ...)"),
    ]
    assert [text(e) for e, _ in forms] == [expected for _, expected in forms]


def nested(pool: Pool, depth: int) -> Expr:
    e = pool.variable("x")
    for k in range(depth):
        e = pool.call("sin", pool.add(e, pool.variable(f"a{k}")))
    return e


def test_parts_below_some_levels_are_left_out():
    pool = Pool()
    e = nested(pool, 3)
    assert text(e, 1) == "sin(...)" and text(e, 2) in ("sin(... + a2)", "sin(a2 + ...)")
    assert "..." not in text(e, 6) and "..." in text(e, 5)


def test_long_texts_have_fewer_levels():
    """The most that fit into 1000 characters, at least two."""
    pool = Pool()
    wide = pool.variable("a_variable_with_a_long_name")
    for k in range(12):
        wide = pool.mul(pool.add(wide, pool.variable(f"another_variable_{k}")), pool.call("sin", wide))
    lengths = {depth: len(Texts()._part(wide, depth)[0]) for depth in range(1, 13)}
    most = max(depth for depth in lengths if lengths[depth] <= 1000)
    assert 2 < most < 12 and text(wide) == Texts()._part(wide, most)[0]
    parts = [pool.variable(f"{k}_{'n' * 100}") for k in range(12)]
    huge = pool._node("max", tuple(pool.add(part, pool.call("sin", part)) for part in parts), parts[0].level)
    assert text(huge) == Texts()._part(huge, 2)[0] != Texts()._part(huge, 3)[0] and len(text(huge)) > 1000


def test_each_form_counts_as_one_level():
    pool = Pool()
    x, y = pool.call("sin", pool.variable("x")), pool.call("cos", pool.variable("y"))
    less = pool.relation("<", x, y, "noevent")
    forms = [pool.add(x, y), pool.mul(x, y), pool.neg(x), less, pool.relation("<", x, y), pool.call("atan2", x, y)]
    forms += [pool.choose(less, x, y), pool.table([x, y], [y, x]), pool.element(x, 0)]
    for e in forms:
        assert "..." in text(e, 1) and "sin" not in text(e, 1), text(e, 1)
        assert "sin(x)" in text(e, 2), text(e, 2)
        assert "..." not in text(e, 3)
