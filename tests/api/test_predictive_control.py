"""Tests predictive controllers against Riccati equations, and their files in C against Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_are

import cutset
from cutset.runtime.errors import RunError

TEXT = """
model Cart "a pendulum on a cart; q is zero where it hangs"
  parameter m1 = 1, m2 = 0.3, l = 0.5, g = 9.81
  input u
  local x(start=0), v(start=0), q(start=0), w(start=0), up, force
  der(x) = v
  der(q) = w
  (m1 + m2)*der(v) + m2*l*(der(w)*cos(q) - w^2*sin(q)) = u
  l*der(w) + der(v)*cos(q) = -g*sin(q)
  up = q - 3.141592653589793
  force = 2*u + 1
end
"""
COST = "integral(50*(x - r)^2 + v^2 + 50*up^2 + w^2 + 0.1*u^2)"
UP, SAMPLE = {"q": np.pi}, 0.05


@cache
def cart() -> cutset.Model:
    return cutset.loads(TEXT)


def controller(**settings: Any) -> Any:
    given = {
        "sample": SAMPLE,
        "horizon": 25,
        "at": UP,
        "references": {"r": 0.0},
        "limits": {"force": (-17, 19)},
        **settings,
    }
    return cart().mpc(COST, **given)


def test_a_linear_one_without_limits_is_the_state_feedback_of_riccati() -> None:
    linear = cart().linearize(0.0, [0, 0, np.pi, 0], [0.0])
    whole = expm(SAMPLE * np.block([[linear.A, linear.B], [np.zeros((1, 5))]]))
    A, B = whole[:4, :4], whole[:4, 4:]
    P = solve_discrete_are(A, B, SAMPLE * np.diag([50, 1, 50, 1]), [[SAMPLE * 0.1]])
    K = np.linalg.solve(SAMPLE * 0.1 + B.T @ P @ B, B.T @ P @ A)
    names = ("x", "v", "up", "w")
    terminal = " + ".join(f"{P[i, j]:.17g}*{a}*{b}" for i, a in enumerate(names) for j, b in enumerate(names))
    free = cart().mpc(COST.replace("- r", "") + " + " + terminal, sample=SAMPLE, horizon=3, at=UP)
    x = np.array([0.02, 0.1, np.pi + 0.03, -0.1])
    assert free(x)["u"] == pytest.approx(float(-(K @ (x - [0, 0, np.pi, 0]))[0]), rel=1e-6)


def test_in_the_loop_of_a_simulator() -> None:
    control, sim, most = controller(), cart().simulator(initial={"q": 3.3}), 0.0
    while sim.time < 3.0:
        inputs = control(sim.x, r=0.5 if sim.time > 1.0 else 0.0)
        most = max(most, abs(inputs["u"]))
        sim.step(SAMPLE, inputs)
    assert abs(sim["x"] - 0.5) < 0.03 and abs(sim["up"]) < 0.03 and 8.9 < most <= 9.0 + 1e-6


def test_a_nonlinear_one_swings_up() -> None:
    control = cart().mpc("integral(x^2 + 0.1*v^2 + 10*(1 + cos(q)) + 0.1*w^2 + 0.01*u^2) + 100*(1 + cos(q)) + 10*w^2",
                         sample=0.1, horizon=10, kind="nonlinear", limits={"force": (-39, 41), "x": 2})  # fmt: skip
    sim, most = cart().simulator(initial={"q": 0.1}), 0.0
    while sim.time < 4.0:
        sim.step(0.1, control(sim.x))
        most = max(most, abs(sim["u"]))
    assert np.cos(sim["q"]) < -0.99 and abs(sim["w"]) < 0.2 and most <= 20.0 + 1e-4


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_in_c_it_is_the_same(tmp_path: Path) -> None:
    control = controller(horizon=8)
    source = control.write(tmp_path / "balance.c")
    flags = ["-std=c11", "-Wall", "-O0", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, source, "-lm", "-o", tmp_path / "balance.so"], check=True)
    balance, u = ctypes.CDLL(str(tmp_path / "balance.so")).balance, np.zeros(1)
    pointer = ctypes.POINTER(ctypes.c_double)
    for x in ([0.0, 0.0, 3.2, 0.0], [0.1, 0.0, 3.3, 0.0], [0.1, 0.0, 3.1, 0.2]):
        given = np.array(x), np.array([0.3])
        arguments = [each.ctypes.data_as(pointer) for each in (*given, u)]
        balance(arguments[0], ctypes.c_double(0.0), *arguments[1:])
        assert u[0] == pytest.approx(control(x, r=0.3)["u"], rel=1e-6) and abs(u[0]) < 9.0 + 1e-6


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        ({"kind": "robust"}, "E605", "kind must be"),
        ({"horizon": 0}, "E605", "a horizon is"),
        ({"limits": {"F": 1}}, "E607", "no variable 'F'"),
        ({"references": {}}, "E607", "no variable 'r'"),
    ],
)
def test_messages(settings: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(cutset.RunError) as raised:
        controller(**settings)
    assert raised.value.code == code and told in str(raised.value)


def test_what_a_linear_one_cannot_do() -> None:
    for cost in ("integral(cos(q) + u^4)", "integral(u^2 - x^2)", "max(x) + integral(u^2)"):
        with pytest.raises(cutset.RunError, match="must be quadratic"):
            cart().mpc(cost, sample=SAMPLE, horizon=2)
    with pytest.raises(cutset.RunError, match="no inputs that keep its limits from x = 3"):
        controller(horizon=3, end={"x": 0, "v": 0})([3.0, 0.0, 3.2, 0.0])
    with pytest.raises(cutset.RunError, match="there is no reference 's'"):
        controller(horizon=2)([0.0, 0.0, 3.2, 0.0], s=1.0)


@pytest.mark.parametrize("minimize", ["x + v", "integral(x)", "integral(abs(x) + 0.01*u^2)", "max(x, 0) + 0.01*u^2"])
def test_objectives_that_are_not_quadratic(minimize: str) -> None:
    """Their program gave an input at its limit, whatever the sign."""
    text = "model M\n  input u\n  local x (start=0), v (start=0)\n  der(x) = v\n  der(v) = u - x\nend\n"
    with pytest.raises(RunError, match="must be quadratic"):
        cutset.loads(text).mpc(minimize, sample=0.1, horizon=5, limits={"u": 2})


def test_numbers_that_are_not_finite() -> None:
    text = "model M\n  input u\n  local x (start=0)\n  der(x) = u\nend\n"
    control = cutset.loads(text).mpc("integral(x^2 + u^2)", sample=0.1, horizon=5)
    with pytest.raises(RunError, match="'x' must be a finite number"):
        control([float("nan")])
