"""Sorted and solved systems against numpy and closed solutions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError


@given(st.integers(1, 7), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_random_linear_systems(n, seed):
    """A sparse regular matrix with varying right sides: the same solution as numpy's."""
    rng = np.random.default_rng(seed)
    a = np.where(rng.random((n, n)) < 0.5, rng.integers(-4, 5, (n, n)), 0) + np.diag(rng.integers(5, 30, n))
    a = a[rng.permutation(n)]
    b = rng.integers(-5, 6, n)
    lines = [f" local {', '.join(f'x{k}' for k in range(n))}"]
    for row, right in zip(a, b, strict=False):
        left = " + ".join(f"({c})*x{k}" for k, c in enumerate(row) if c) or "0"
        lines.append(f" {left} = {right}*cos(time) + sin(time)")
    model = translate("model M\n" + "\n".join(lines) + "\nend\n")
    found = model.values(time=0.3)
    expected = np.linalg.solve(a, b * np.cos(0.3) + np.sin(0.3))
    assert [found[f"x{k}"] for k in range(n)] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.integers(2, 6), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_random_systems_with_coefficients_that_vary(n, seed):
    """No pivot is constant: the whole block is torn and solved by LU at run time."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-1, 1, (n, n)) + n * np.eye(n)[rng.permutation(n)]
    lines = [f" local {', '.join(f'x{k}' for k in range(n))}, w(start=0.5)", " der(w) = 1"]
    for row in a:
        lines.append(" " + " + ".join(f"({c})*w*x{k}" for k, c in enumerate(row)) + " = w^2 + 1")
    model = translate("model M\n" + "\n".join(lines) + "\nend\n")
    w = 0.7
    found = model.values({"w": w})
    expected = np.linalg.solve(a * w, np.full(n, w**2 + 1))
    assert [found[f"x{k}"] for k in range(n)] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0.5, 9)), min_size=3, max_size=14))
@settings(max_examples=25, deadline=None)
def test_random_resistor_networks(branches):
    """Node potentials of a network fed by a current source: those of the Laplacian."""
    spanning = [(k, k + 1, 1.0 + k) for k in range(5)]
    branches = spanning + [(i, j, r) for i, j, r in branches if i != j]
    text = [
        """
model class Resistor
 cut A (Va / i), B (Vb / -i)
 main cut C [A, B]
 parameter R
 R*i = Va - Vb
end
model class Feed
 main cut A (V / i)
 i = -(2 + 0*time)
end
model class Ground
 main cut A (V / i)
 V = 0
end
model M
 submodel (Feed) f
 submodel (Ground) g
 node n0, n1, n2, n3, n4, n5
 connect f at n5, g at n0"""
    ]
    for k, (i, j, r) in enumerate(branches):
        text += [f" submodel (Resistor) r{k}(R={r!r})", f" connect r{k} at (n{i}, n{j})"]
    model = translate("\n".join([*text, "end", ""]))
    laplacian = np.zeros((6, 6))
    for i, j, r in branches:
        laplacian[[i, j], [i, j]] += 1 / r
        laplacian[[i, j], [j, i]] -= 1 / r
    potential = np.zeros(6)
    potential[1:] = np.linalg.solve(laplacian[1:, 1:], [0, 0, 0, 0, 2])
    found = model.values()
    for k, (i, j, r) in enumerate(branches):
        assert found[f"r{k}.i"] == pytest.approx((potential[i] - potential[j]) / r, rel=1e-8, abs=1e-9)


def test_a_loop_of_capacitors_is_differentiated():
    model = translate(
        """
model M
  local u1(start=0), u2, u3(start=0), i1, i2, i3
  parameter C1 = 1, C2 = 2, C3 = 3
  C1*der(u1) = i1
  C2*der(u2) = i2
  C3*der(u3) = i3
  u2 = u1 - u3
  i1 + i2 = 1 - u1
  i3 - i2 = -u3
end
"""
    )
    assert model.program.info.states == ("u1", "u3")
    assert model.program.statistics.differentiated_equations == 1
    u1, u3 = 0.4, 0.1
    # (C1 + C2) u1' - C2 u3' = 1 - u1 and -C2 u1' + (C2 + C3) u3' = -u3
    expected = np.linalg.solve([[3, -2], [-2, 5]], [1 - u1, -u3])
    rates = model.rates({"u1": u1, "u3": u3})
    assert [rates["u1"], rates["u3"]] == pytest.approx(expected)
    assert model.values({"u1": u1, "u3": u3})["der(u2)"] == pytest.approx(expected[0] - expected[1])


def test_two_inertias_on_a_gear():
    """q1 = r*q2: two second-order equations become one (index 3)."""
    model = translate(
        """
model M
  parameter J1 = 2, J2 = 3, r = 4
  local q1, w1, q2(start=0.1), w2, t1, t2
  w1 = der(q1)
  w2 = der(q2)
  J1*der(w1) = 1 - t1
  J2*der(w2) = t2
  q1 = r*q2
  t2 = r*t1
end
"""
    )
    assert len(model.program.info.states) == 2
    values = model.values()
    assert values["der(w2)"] == pytest.approx(4 / (3 + 16 * 2)) and values["der(w1)"] == pytest.approx(
        4 * values["der(w2)"]
    )


def test_the_derivative_of_an_input_becomes_an_input():
    model = translate("model M\n input u\n local x, f\n x = u\n der(x) = f\nend\n")
    assert model.program.info.inputs == ("u", "der(u)")
    assert model.values(inputs={"u": 1.0, "der(u)": 5.0})["f"] == 5.0


def test_a_nonlinear_system_is_torn_and_iterated():
    model = translate("model M\n local x, y\n x + sin(y) = time\n exp(x) - y = 2\nend\n")
    assert model.program.statistics.nonlinear_systems == ((2, 1),)
    values = model.values(time=0.5)
    assert values["x"] + math.sin(values["y"]) == pytest.approx(0.5, abs=1e-12)
    assert math.exp(values["x"]) - values["y"] == pytest.approx(2.0, abs=1e-12)


def test_what_follows_a_singular_block_is_not_looked_at():
    """It builds on what has no value."""
    from dataclasses import replace

    from cutset.compiler.flatten.model import ScalarEquation
    from cutset.compiler.sort.solve import solve

    sorted_system = translate("model M\n local x, y\n 2*x = sin(time)\n 3*y = x + cos(time)\nend\n").sorted_system
    pool = sorted_system.system.pool

    def singular(block):
        equation = block.equations[0]
        factor = pool.sub(pool.call("sin", pool.time), pool.call("sin", pool.time))
        residual = pool.sub(pool.mul(factor, block.unknowns[0]), pool.one)
        return block._replace(equations=(ScalarEquation(residual, equation.origin),))

    broken = replace(sorted_system, blocks=tuple(map(singular, sorted_system.blocks)))
    with pytest.raises(ModelError) as raised:
        solve(broken)
    assert [d.code for d in raised.value.diagnostics] == ["E501"]


def test_a_derivative_may_be_the_first_of_all_variables():
    """Its number is 0, which is a number like any other."""
    model = translate(
        "model M\n local v, x(start=1), y, f\n der(x) = v\n der(v) = f\n y = 2*x\n der(y, 2) = -f - x\nend\n"
    )
    assert str(model.system.unknowns[0].node.data) == "v"
    values = model.values({"x": 1.5, "v": 0.25}) if "x" in model.program.info.states else model.values({"y": 3.0})
    assert values["f"] == pytest.approx(-0.5)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_a_system_of_parameters_is_solved_once_whatever_their_unit_is(scale, write_model):
    text = "model M\n parameter p = {0}*2, q = {0}*3, r = {0}*5\n local x, y\n p*x + q*y = time\n r*x - p*y = 1\nend\n"
    systems = cutset.load(write_model(text.format(scale))).inspect()["linear_systems"]
    assert systems == [{"size": 2, "torn": 0}]


@pytest.mark.parametrize(
    "rows",
    [("p*x + q*y", "q*x - p*y"), ("q*x - p*y", "p*x + q*y"), ("p*y + q*x", "q*y - p*x"), ("q*y - p*x", "p*y + q*x")],
)
@pytest.mark.parametrize(("p", "within"), [("1e-13", 1e-12), ("a - b", 1e-12)])
def test_no_pivot_is_small_beside_the_others(p, within, rows):
    """p is tiny, or zero as the model has its parameters: divided by it, what it is added to would be lost."""
    text = (
        f"model M\n parameter a = 3, b = 3, q = 2, tiny = 1e-13\n local x, y\n {rows[0]} = cos(time)\n"
        f" {rows[1]} = 1 + time\nend\n"
    )
    text = text.replace("p*", "tiny*" if p == "1e-13" else "(a - b)*")
    found, size = translate(text).values(time=0.7), {"1e-13": 1e-13, "a - b": 0.0}[p]
    terms = {"p": size, "q": 2.0}
    matrix = []
    for row in rows:
        second = -1.0 if " - " in row else 1.0
        parts = [part.split("*") for part in row.replace(" - ", " + ").split(" + ")]
        line = {name: terms[factor] * sign for (factor, name), sign in zip(parts, (1.0, second), strict=False)}
        matrix.append([line["x"], line["y"]])
    expected = np.linalg.solve(matrix, [math.cos(0.7), 1.7])
    assert [found["x"], found["y"]] == pytest.approx(expected, rel=within)


@pytest.mark.parametrize(("n", "named"), [(3, "'x1', 'x2', 'x3', of"), (8, " and 3 more, of")])
def test_what_an_iteration_is_for_is_named(n, named):
    names = [f"x{k + 1}" for k in range(n)]
    lines = [f"  {a}^3 + {a} + 0.1*{b}^2 = time + 1" for a, b in zip(names, [*names[1:], names[0]], strict=False)]
    model = translate(f"model M\n  local {', '.join(names)}\n" + "\n".join(lines) + "\nend\n")
    (fault,) = model.program.info.faults
    said = fault.removeprefix("the equations for ").split(" one is ")[0]
    assert said.count("'") == 2 * min(n, 5)
    assert named.strip(" ,of") in said if n > 5 else all(f"'{name}'" in said for name in names)


def test_a_factor_that_is_canceled_must_not_be_zero(write_model):
    """Where k is zero y may have any value, as in a text with k = 0; it was x."""
    text = "model M\n parameter k = 2\n local x(start=1), y\n der(x) = -x\n k*y = k*x\nend\n"
    model = cutset.load(write_model(text))
    assert model.simulate(1.0, parameters={"k": 3.0})["y"][-1] == pytest.approx(math.exp(-1.0), rel=1e-5)
    with pytest.raises(RunError, match="do not determine all variables"):
        model.simulate(1.0, parameters={"k": 0.0})
