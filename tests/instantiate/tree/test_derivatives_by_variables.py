"""jacobian(x, q) of random functions, given by chains of equations and by functions, against differences of values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

NAMES = {name: getattr(math, name) for name in ("sin", "cos", "exp", "sqrt", "atan", "tanh", "log")}
FORMS = (
    "{a} + {b}", "{a}*{b}", "{a}/(2 + {b}^2)", "sin({a})", "cos({a} - {b})", "exp(-{a}^2)", "sqrt(1 + {a}^2)",
    "atan({a}*{b})", "tanh({a})", "log(2 + {b}^2)*{a}", "max({a}, {b})^2", "{a}^3 - {b}",
)  # fmt: skip


def drawn(number: int) -> tuple[str, list[float], list[list[float]]]:
    """A model whose J is a jacobian at the point of the returned values of q, and J by differences."""
    rng = np.random.default_rng([39, number])
    n, m, depth = rng.integers(1, 5), rng.integers(1, 4), rng.integers(0, 4)
    q = [f"q({k + 1})" for k in range(n)]
    known, equations = [*q, "0.7", "p"], []

    def expression(size: int) -> str:
        if size == 0:
            return str(rng.choice(known))
        return "(" + str(rng.choice(FORMS)).format(a=expression(size - 1), b=expression(size - 1)) + ")"

    for k in range(depth):
        equations.append((f"u({k + 1})", expression(2)))
        known.append(f"u({k + 1})")
    rows = [expression(rng.integers(1, 4)) for _ in range(m)]
    point = rng.uniform(-1, 1, n).tolist()

    def values(at: list[float]) -> np.ndarray:
        given: list[float] = []
        scope = {**NAMES, "q": lambda k: at[k - 1], "u": lambda k: given[k - 1], "p": 0.4}

        def value(text: str) -> float:
            return float(eval(text.replace("^", "**"), scope))

        for _, right in equations:
            given.append(value(right))
        return np.array([value(row) for row in rows])

    step = 1e-5
    slopes = np.zeros((m, n))
    for k in range(n):
        moved = [[x + sign * step * (i == k) for i, x in enumerate(point)] for sign in (-2, -1, 1, 2)]
        a, b, c, d = map(values, moved)
        slopes[:, k] = (a - 8 * b + 8 * c - d) / (12 * step)
    order = rng.permutation(len(equations))
    text = "\n  ".join(
        [
            "model M",
            "parameter p = 0.4",
            f"local q({n}), u(5), x({m}), J({m},{n}), K({m})",
            *(f"u({k + 1}) = time" for k in range(depth, 5)),
            *(f"{name} = {right}" if k % 2 else f"{right} = {name}" for k in order for name, right in [equations[k]]),
            *(f"{name} = {value!r}" for name, value in zip(q, point, strict=True)),
            *(f"x({k + 1}) = {row}" for k, row in enumerate(rows)),
            "J = jacobian(x, q)",
            f"K = jacobian({'[' + ', '.join(rows) + ']' if m > 1 else rows[0]}, q({n}))",
        ]
    )
    return f"{text}\nend\n", point, slopes.tolist()


@pytest.mark.parametrize("number", range(12))
def test_derivatives_are_those_of_differences(number):
    text, _, slopes = drawn(number)
    found = translate(text).values()
    m, n = len(slopes), len(slopes[0])
    got = [[found[f"J({i + 1},{k + 1})"] for k in range(n)] for i in range(m)]
    assert np.array(got) == pytest.approx(np.array(slopes), rel=1e-6, abs=1e-8)
    assert [found[f"K({i + 1})"] for i in range(m)] == pytest.approx([row[-1] for row in slopes], rel=1e-6, abs=1e-8)


def test_what_is_differentiated_may_contain_derivatives():
    """Lagrange's equations of a pendulum on a cart."""
    model = translate(
        """
        model Lagrange
          local q(2), qd(2), x(2), v(2), L, slope(4)
          q = [0.2, 0.7]
          qd = [-0.3, 1.1]
          L = qd(1)^2/2 + v'*v/2 - 9.81*x(2)
          slope = jacobian(L, [q; qd])
          v = jacobian(x, q)*qd
          x = [q(1) + sin(q(2)), -cos(q(2))]
        end
        """
    )
    found = [model.values()[f"slope({k})"] for k in range(1, 5)]
    s, c = math.sin(0.7), math.cos(0.7)
    assert found == pytest.approx([0, 0.33 * s - 9.81 * s, -0.6 + 1.1 * c, 1.1 - 0.3 * c], rel=1e-12)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("y = jacobian(q*w, q)", "'w'"),  # w is given by no equation of its own
        ("y = jacobian(q*t, q)", "'time'"),
        ("y = jacobian(z, q)", "'z'"),  # two equations give z
        ("y = jacobian(y*q, q)", "'y'"),
        ("y = jacobian(delay(q, 1), q)", "'delay(q, 1)'"),
        ("y = jacobian(q*der(q), q)", "'der(q)'"),
    ],
)
def test_what_is_no_function_of_the_variables_is_named(statement, named):
    text = f"model M\n  local q, w, t, z, y\n  q = 2\n  t = time\n  w + q = 1\n  z = q\n  z = w^2\n  {statement}\nend\n"
    with pytest.raises(ModelError) as error:
        translate(text)
    (found,) = [d for d in error.value.diagnostics if d.code == "E350"]
    assert named in found.message
