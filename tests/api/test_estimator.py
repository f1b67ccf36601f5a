"""Tests Kalman filters: of a linear model against the exact recursion; friction and parameters by runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

import cutset
from cutset.runtime.errors import RunError

OSCILLATOR = """model Oscillator
  parameter k = 4, d = 0.5
  input F
  local x (start=1), v (start=0), y
  der(x) = v
  der(v) = -k*x - d*v + F
  y = x + 0.1*v
end
"""
MOTOR = """model Motor "with dry friction that is not known"
  parameter fc = 0.02, T (unit="s") = 1e-3
  input u
  local w (start=0), phi (start=0), i (start=0)
  0.01*der(i) = u - i - 0.05*w
  0.001*der(w) = 0.05*i - fc*tanh(w)
  der(phi) = w
end
"""


@pytest.mark.parametrize("kind", ["ekf", "ukf"])
def test_filters_of_a_linear_model_are_exact(kind: str) -> None:
    T = 0.1
    rng = np.random.default_rng(1)
    whole = expm(T * np.array([[0, 1, 0], [-4, -0.5, 1], [0, 0, 0]]))
    A, B, C = whole[:2, :2], whole[:2, 2], np.array([1, 0.1])
    model = cutset.loads(OSCILLATOR)
    found = model.estimator(kind, {"y": 0.05}, {"v": 0.3}, T, {"x": 1.0, "v": 0.5}, rtol=1e-10)
    x, P = np.array([1.0, 0.0]), np.diag([1.0, 0.25])
    for k in range(20):
        u, y = math.sin(0.3 * k), math.cos(2 * k * T) + 0.05 * rng.normal()
        x, P = A @ x + B * u, A @ P @ A.T + np.diag([0.0, 0.09 * T])
        innovation = y - C @ x
        if k == 10:  # no measurement
            found.step({"y": math.nan}, {"F": u})
            continue
        gain = P @ C / (C @ P @ C + 0.05**2)
        x, P = x + gain * innovation, P - np.outer(gain, C @ P)
        assert found.step({"y": y}, {"F": u})["y"] == pytest.approx(innovation, abs=1e-8)
    assert found.mean == pytest.approx(x, abs=1e-8)
    assert found.covariance == pytest.approx(P, abs=1e-8)
    assert found.deviation("y") == pytest.approx(math.sqrt(C @ P @ C), rel=1e-7)
    assert found["y"] == pytest.approx(C @ x, abs=1e-8) and found.time == pytest.approx(2.0)


@pytest.mark.parametrize("kind", ["ekf", "ukf"])
def test_friction_is_found(kind: str) -> None:
    """The errors of states and friction are as large as the filter says: their square is within the quantiles of 1e-4
    of the chi-square distribution with four degrees of freedom."""
    model = cutset.loads(MOTOR)
    drive = [6.0 * math.copysign(1.0, math.sin(0.02 * k)) for k in range(300)]
    true = model.simulator({"fc": 0.035})
    found = model.estimator(kind, {"phi": 0.01, "i": 0.05}, {"w": 0.1}, 0.01, {"fc": 0.02})
    rng = np.random.default_rng(2)
    for u in drive:
        true.step(0.01, {"u": u})
        phi, i = true.get("phi", "i")
        found.step({"phi": phi + 0.01 * rng.normal(), "i": i + 0.05 * rng.normal()}, {"u": u})
    assert found["fc"] == pytest.approx(0.035, rel=0.02)
    error = found.mean - [true[name] if name != "fc" else 0.035 for name in found.names]
    assert 0.0 < error @ np.linalg.solve(found.covariance + 1e-12 * np.eye(4), error) < 23.5


def test_what_is_wrong_is_said() -> None:
    model = cutset.loads(OSCILLATOR)
    for arguments, message in (
        (("kf", {"y": 1}, {}, 0.1), "no kind 'kf'"),
        (("ekf", {}, {}, 0.1), "nothing is measured"),
        (("ekf", {"z": 1}, {}, 0.1), "'z'"),
        (("ekf", {"y": 1}, {"y": 1}, 0.1), "'y'"),
        (("ekf", {"y": -1}, {}, 0.1), "is -1"),
        (("ekf", {"y": 0}, {}, 0.1), "is 0"),
        (("ekf", {"y": 1}, {}, 0.0), "must be positive"),
    ):
        with pytest.raises(RunError, match=message):
            model.estimator(*arguments)
    with pytest.raises(RunError, match="'x'"):
        model.estimator("ekf", {"y": 1}, {}, 0.1).step({"x": 1.0})
