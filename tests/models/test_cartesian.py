"""Mechanisms in Cartesian coordinates: the choice of states changes on the way, the constraints hold on every level."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cutset

MODELS = Path(__file__).parent.parent.parent / "models"
G = 9.81


def simulate(name: str, stop: float, **settings):
    """The result, and a function that gives the values of names."""
    result = cutset.load(MODELS / f"{name}.mo").simulate(stop, **settings)
    return result, lambda names: [np.asarray(result[n]) for n in names.split()]


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf", "cvode-adams", "rk4"])
def test_pendulum_through_full_turns(method: str) -> None:
    settings = {"points": 100_001} if method == "rk4" else {"rtol": 1e-8, "atol": 1e-10, "points": 10_001}
    result, values = simulate("cartesian_pendulum", 100.0, method=method, **settings)
    x, y, vx, vy = values("x y vx vy")
    assert np.abs(x**2 + y**2 - 1).max() < 1e-8
    assert np.abs(x * vx + y * vy).max() < 1e-8
    assert abs(np.unwrap(np.arctan2(y, x))[-1]) > 2 * np.pi * 20
    assert result.statistics.events["state"] > 4 * 20
    energy = 0.5 * (vx**2 + vy**2) + G * y
    assert np.ptp(energy) < 0.05


def test_pendulum_against_its_angle() -> None:
    _, values = simulate("cartesian_pendulum", 10.0, rtol=1e-10, atol=1e-12)
    x, y, vx = (v[-1] for v in values("x y vx"))

    def rate(_, z):
        return [z[1], -G * np.sin(z[0])]

    angle, speed = solve_ivp(rate, (0.0, 10.0), [0.0, 7.0], rtol=1e-11, atol=1e-12).y[:, -1]
    assert (x, y, vx) == pytest.approx((np.sin(angle), -np.cos(angle), speed * np.cos(angle)), abs=1e-6)


@pytest.mark.parametrize("target", ["c", "python"])
def test_pendulum_on_both_targets(target: str) -> None:
    _, values = simulate("cartesian_pendulum", 3.0, rtol=1e-9, atol=1e-11, target=target, parameters={"L": 1.5})
    x, y, vx, vy = values("x y vx vy")
    assert (x[0], y[0]) == (0.0, -1.5)
    assert np.abs(x**2 + y**2 - 2.25).max() < 1e-8
    assert np.ptp(0.5 * (vx**2 + vy**2) + G * y) < 1e-5


def test_double_pendulum() -> None:
    _, values = simulate("cartesian_double_pendulum", 100.0, rtol=1e-9, atol=1e-11, points=10_001)
    x1, y1, x2, y2, u1, v1, u2, v2 = values("x1 y1 x2 y2 u1 v1 u2 v2")
    assert np.abs(x1**2 + y1**2 - 1).max() < 1e-8
    assert np.abs((x2 - x1) ** 2 + (y2 - y1) ** 2 - 0.49).max() < 1e-8
    assert np.abs(x1 * u1 + y1 * v1).max() < 1e-8
    assert np.abs((x2 - x1) * (u2 - u1) + (y2 - y1) * (v2 - v1)).max() < 1e-8
    energy = 0.5 * (u1**2 + v1**2) + 0.25 * (u2**2 + v2**2) + G * (y1 + 0.5 * y2)
    assert np.ptp(energy) < 1e-3
    assert y2.max() > 0.2  # it swings wildly


def test_double_pendulum_against_its_angles() -> None:
    _, values = simulate("cartesian_double_pendulum", 3.0, rtol=1e-11, atol=1e-12)
    m1, m2, l1, l2 = 1.0, 0.5, 1.0, 0.7

    def rate(_, z):
        a, b, w, v = z
        mass = [[(m1 + m2) * l1, m2 * l2 * np.cos(a - b)], [l1 * np.cos(a - b), l2]]
        right = [
            -m2 * l2 * v * v * np.sin(a - b) - (m1 + m2) * G * np.sin(a),
            l1 * w * w * np.sin(a - b) - G * np.sin(b),
        ]
        return [w, v, *np.linalg.solve(mass, right)]

    a, b = solve_ivp(rate, (0.0, 3.0), [np.pi / 2, np.pi / 2, 0, 0], rtol=1e-12, atol=1e-12).y[:2, -1]
    found = [v[-1] for v in values("x1 y1 x2 y2")]
    expected = [l1 * np.sin(a), -l1 * np.cos(a), l1 * np.sin(a) + l2 * np.sin(b), -l1 * np.cos(a) - l2 * np.cos(b)]
    assert found == pytest.approx(expected, abs=1e-5)


def test_four_bar_linkage_turns_all_round() -> None:
    _, values = simulate("four_bar", 100.0, rtol=1e-9, atol=1e-11, points=10_001)
    x1, y1, x2, y2, u1, v1, u2, v2 = values("x1 y1 x2 y2 u1 v1 u2 v2")
    for g in (x1**2 + y1**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 9, (x2 - 3) ** 2 + y2**2 - 6.25):
        assert np.abs(g).max() < 1e-8
    for rate in (x1 * u1 + y1 * v1, (x2 - x1) * (u2 - u1) + (y2 - y1) * (v2 - v1), (x2 - 3) * u2 + y2 * v2):
        assert np.abs(rate).max() < 1e-8
    assert np.abs(np.unwrap(np.arctan2(y1, x1))[-1]) > 2 * np.pi * 100
    assert y2.min() > 0.5  # it stays assembled as it was
    assert np.ptp(0.5 * (u1**2 + v1**2 + u2**2 + v2**2)) < 1e-3
