"""Slopes by forward mode against differences, through linear systems and iterations."""

import math

import numpy as np
import pytest
from models_from_text import translate

from cutset.compiler.expressions import jacobian
from cutset.compiler.expressions.jacobian import Jacobian
from cutset.compiler.expressions.pool import Pool


def test_only_what_depends_is_in_the_pattern():
    pool = Pool()
    x, y, z = (pool.variable(name) for name in "xyz")
    made = Jacobian(pool, [pool.mul(x, y), pool.call("sin", z), pool.constant(3.0)], [x, y, z])
    assert made.pattern == ((0, 1), (2,), ())
    assert made.entries() == [[y, x], [pool.call("cos", z)], []]


def test_local_dependences_stay_so_in_a_large_model(monkeypatch):
    """A ladder of 10,000 stages had a full matrix. Where each root depends on all leaves there is a limit."""
    monkeypatch.setattr(jacobian, "_MOST_BITS", 1000)
    pool, n = Pool(), 100
    leaves = [pool.variable(f"x{k}") for k in range(n)]
    chain = [pool.sub(pool.call("sin", leaves[k]), leaves[k + 1]) for k in range(n - 1)]
    assert Jacobian(pool, chain, leaves).pattern == tuple((k, k + 1) for k in range(n - 1))
    whole = [pool.add(pool.add(leaves[0], leaves[n - 1]), leaves[k]) for k in range(1, n - 1)]
    made = Jacobian(pool, whole, leaves)
    assert made.pattern == (tuple(range(n)),) * (n - 2) and made.entries() is None


def test_a_function_is_left_to_differences():
    model = translate(
        "function f(a) result b\n b := a\n while b > 1 do\n b := b/2\n endwhile\nend\n"
        "model M\n local x (start=3)\n der(x) = -f(x)\nend\n"
    )
    assert not model.program.info.has_jacobian


@pytest.mark.parametrize(
    "equations",
    [
        "der(x) = -x*y\n der(y) = sin(x) + z\n der(z) = exp(-x)/(1 + y*y)",
        # a linear system whose matrix varies
        "der(x) = a\n der(y) = b\n der(z) = -z\n a*x + 2*b*y = 1\n a - b*(3 + z*z) = x",
        # a nonlinear one, and one that follows from it
        "der(x) = a\n der(y) = b - y\n der(z) = a*b\n a^3 + a = x*y + 1\n exp(b) + b = a + z",
    ],
)
def test_slopes_are_those_of_differences(equations):
    model = translate(
        f"model M\n local x (start=0.7), y (start=1.2), z (start=0.4), a, b\n {equations}\n"
        + ("" if " a" in equations else " a = x\n b = y\n")
        + "end\n"
    )
    info = model.program.info
    assert info.has_jacobian
    point = np.array([0.7, 1.2, 0.4])
    slopes = model.slopes(point)
    for k in range(3):
        h = 1e-6
        step = np.eye(3)[k] * h
        expected = (model.derivatives(point + step) - model.derivatives(point - step)) / (2 * h)
        for i in range(3):
            assert math.isclose(slopes[i, k], expected[i], rel_tol=1e-7, abs_tol=1e-7)
