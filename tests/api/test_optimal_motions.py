"""Tests optimal motions against solutions that are known in closed form or published."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import cutset

TEXTS = {
    "Mass": "input u\nlocal x(start=0), v(start=0), far\nder(x) = v\nder(v) = u\nfar = x^2",
    "Bead": "parameter g = 9.81\ninput slope\nlocal x(start=0), y(start=0), v(start=0)\n"
    "der(x) = v*cos(slope)\nder(y) = v*sin(slope)\nder(v) = g*sin(slope)",
    "Rocket": "input T\nlocal h(start=1), v(start=0), m(start=1), D\nD = 310*v^2*exp(-500*(h - 1))\n"
    "der(h) = v\nm*der(v) = T - D - m/h^2\nder(m) = -2*T",
    "Cart": "parameter m1 = 1, m2 = 0.3, l = 0.5, g = 9.81\ninput u\n"
    "local x(start=0), v(start=0), q(start=0), w(start=0)\nder(x) = v\nder(q) = w\n"
    "(m1 + m2)*der(v) + m2*l*(der(w)*cos(q) - w^2*sin(q)) = u\nl*der(w) + der(v)*cos(q) = -g*sin(q)",
    "Hopper": "parameter m = 1, k = 200, l = 0.5, g = 9.81\ninput u\nlocal y(start=0.5), v(start=0), F\n"
    "F = if y < l then k*(l - y) + u else 0\nder(y) = v\nm*der(v) = F - m*g",
    "Spring": "parameter c = 30, d = 0.2\ninput u\nlocal x(start=0), v(start=0)\nder(x) = v\nder(v) = u - c*x - d*v",
    "Cubic": "input F\nlocal x(start=0.2), v(start=0), s\nder(x) = v\nder(v) = F - s\ns + 0.1*s^3 = 2*x",
}


@cache
def model(name: str) -> cutset.Model:
    return cutset.loads(f"model {name}\n{TEXTS[name]}\nend")


def optimum(name: str, minimize: str, **settings: Any) -> Any:
    """The optimum, which a run of the model confirms."""
    best = model(name).optimize(minimize, **settings)
    for state, difference in best.differences.items():
        assert difference < 2e-3 * max(np.ptp(best[state]), 1.0)
    return best


@pytest.mark.parametrize("points", ["radau", "legendre"])
def test_least_time_of_a_mass(points: str) -> None:
    """Full force, then full brake: 2*sqrt(x/u)."""
    rest = {"end": {"x": 1, "v": 0}, "limits": {"u": 1}, "stop": (0.1, 10), "points": points}
    best = optimum("Mass", "time", interpolation="hold", intervals=4, degree=2, **rest)
    assert best.objective == pytest.approx(2.0, abs=1e-7) == best.stop and not best.notes
    assert np.sign(best["u"][1]) == 1.0 and np.sign(best["u"][-1]) == -1.0
    assert best.run["x"][-1] == pytest.approx(1.0, abs=1e-6) and "optimal" in repr(best)


def test_least_effort_and_greatest_force_of_a_mass() -> None:
    """The least integral of u^2 is 12, of a force that falls linearly from 6; the least greatest force is 4."""
    settings = {"stop": 1.0, "end": {"x": 1, "v": 0}, "intervals": 4}
    best = optimum("Mass", "integral(u^2)", **settings)
    assert best.objective == pytest.approx(12.0, rel=1e-8) and best["u"][0] == pytest.approx(6.0, rel=1e-6)
    assert optimum("Mass", "2*mean(u^2) + v", **settings).objective == pytest.approx(24.0, rel=1e-8)
    held = optimum("Mass", "max(u)", interpolation="hold", limits={"u": (-4, None)}, **settings)
    assert held.objective == pytest.approx(4.0, rel=1e-6)
    near = optimum("Mass", "integral(u^2)", limits={"v": (None, 1.2), "max(far, 0.5)": (None, 1.0)}, **settings)
    assert near.objective > 12.5 and near["v"].max() < 1.2 + 1e-6 and near["far"].max() < 1.0 + 1e-6


def test_limits_are_checked_between_the_points() -> None:
    limits = {"time*(1 - time)": (None, 0.24)}  # 0.25 between the points at 1/3 and 1
    best = optimum("Mass", "integral(u^2)", stop=1.0, limits={"u": (1, 1), **limits}, intervals=1, interpolation="hold",
                   degree=2)  # fmt: skip
    assert len(best.notes) == 1 and "is 0.2" in best.notes[0] and "beyond its limit" in best.notes[0]


def test_brachistochrone() -> None:
    """The cycloid to (1, 1): 0.58289546 s."""
    best = optimum("Bead", "time", stop=(0.1, 5), end={"x": 1, "y": 1}, limits={"slope": (0, 1.6)}, intervals=8,
                   guess={"slope": [1.5, 0.2], "v": [0, 4]})  # fmt: skip
    assert best.objective == pytest.approx(0.582895, abs=2e-6)


def test_goddard_rocket() -> None:
    """E. D. Dolan, J. J. Moré, T. S. Munson: Benchmarking optimization software with COPS 3.0 (2004): 1.01283."""
    best = optimum("Rocket", "-h", stop=(0.05, 0.5), end={"m": 0.6}, limits={"T": (0, 3.5), "v": (0, None)},
                   guess={"m": [1, 0.6], "v": [0.05, 0.05], "T": [3.5, 0]}, intervals=30, degree=2,
                   interpolation="hold")  # fmt: skip
    assert -best.objective == pytest.approx(1.01283, abs=2e-5)


def test_cart_pole() -> None:
    """The problem of M. Kelly, SIAM Review 59 (2017) 849; its least integral in the tests of Dymos is 58.839."""
    best = optimum("Cart", "integral(u^2)", stop=2.0, end={"x": 1, "v": 0, "q": np.pi, "w": 0},
                   limits={"u": 20, "x": 2}, intervals=30)  # fmt: skip
    assert best.objective == pytest.approx(58.839, rel=1e-3)
    again = optimum("Cart", "integral(u^2)", stop=2.0, end=best.run, limits={"u": 20}, guess=best, intervals=30)
    assert again.objective == pytest.approx(best.objective, rel=1e-3) and again.iterations < best.iterations


def test_jump_with_given_phases() -> None:
    """The leg pushes, then flies: from the speed at take-off the height is l + v^2/(2*g)."""
    stance = cutset.Phase((0.1, 1), {"y < l": 1}, end={"y": 0.5}, limits={"y": (0.3, 0.5), "u": (0, 60)})
    flight = cutset.Phase((0.05, 1), {"y < l": 0}, end={"v": 0}, limits={"u": 0})
    best = optimum("Hopper", "-y", phases=[stance, flight], intervals=10)
    take_off = best["v"][10 * 3]
    assert -best.objective == pytest.approx(0.5 + take_off**2 / (2 * 9.81), rel=1e-6)
    assert best.run["y"].max() == pytest.approx(-best.objective, rel=1e-3) and not best.notes
    wrong = model("Hopper").optimize("-y", stop=(0.1, 1.0), limits={"u": (0, 60)}, modes={"y < l": 1}, intervals=8)
    assert "differs from that of a run" in wrong.notes[0]


def test_periodic_motion_with_a_free_parameter() -> None:
    """At resonance, c = (2*pi/T)^2, the force cancels the damper only."""
    best = optimum("Spring", "integral(u^2)", stop=1.0, start={"x": 1.0, "v": 0.0}, periodic=["x", "v"], intervals=10,
                   free={"c": (10, 80)}, guess={"x": [1, -1, 1], "v": [0, -6, 0, 6, 0]})  # fmt: skip
    assert best["x"][-1] == pytest.approx(1.0, abs=1e-8) and best["v"][-1] == pytest.approx(0.0, abs=1e-7)
    assert best.parameters["c"] == pytest.approx((2 * np.pi) ** 2, rel=1e-4)
    assert best.objective == pytest.approx(0.2**2 * 2 * np.pi**2, rel=2e-3)


def test_given_parameters_are_those_of_the_motion() -> None:
    settings = {"stop": 1.0, "end": {"x": 1, "v": 0}, "intervals": 4}
    best = optimum("Spring", "integral(u^2)", parameters={"c": 7.0, "d": 0.0}, **settings)
    text = TEXTS["Spring"].replace("c = 30, d = 0.2", "c = 7, d = 0")
    own = cutset.loads(f"model Spring\n{text}\nend").optimize("integral(u^2)", **settings)
    assert best.objective == pytest.approx(own.objective, rel=1e-7) and best.parameters == {}


def test_iterations_of_the_model_are_unknowns() -> None:
    best = optimum("Cubic", "integral(F^2)", stop=1, end={"s": 1.5, "v": 0}, intervals=6)
    s = best["s"]
    assert np.abs(s + 0.1 * s**3 - 2 * best["x"]).max() < 1e-8 and s[-1] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("minimize", "settings", "code", "told"),
    [
        ("integral(F^2)", {}, "E607", "there is no variable 'F'"),
        ("rms(u)", {}, "E605", "has no derivative: rms"),
        ("integral(sign(u))", {}, "E605", "'sign' has no derivative"),
        ("integral(u^2", {}, "E605", "close all parentheses"),
        ("2", {}, "E605", "does not depend on anything that is free"),
        ("integral(u^2)", {"limits": {"w": 1}}, "E607", "there is no variable 'w'"),
        ("integral(u^2)", {"limits": {"u": (2, 1)}}, "E605", "contains no value"),
        ("integral(u^2)", {"free": ["x"]}, "E602", "there is no parameter 'x'"),
        ("integral(u^2)", {"modes": {"x < 0": 1}}, "E602", "there is no mode 'x < 0'"),
        ("integral(u^2)", {"intervals": 0}, "E605", "intervals must be"),
        ("integral(u^2)", {"points": "lobatto"}, "E605", "points must be one of"),
        ("time", {"stop": (3, 1)}, "E605", "a duration must be"),
        ("x", {"limits": {"x": (1, 2)}}, "E605", "x = 0 contradicts another condition of 'x'"),
        ("x", {"stop": 1.0, "phases": [cutset.Phase(1.0)]}, "E605", "leave out stop and modes"),
        ("x", {"limits": {"u": 0}, "end": {"x": 1}}, "E605", "1 condition more than unknowns"),
        ("integral(u^2)", {"stop": 1.0, "limits": {"u": 1}, "end": {"x": 1, "v": 0}}, "E668", "no motion near"),
    ],
)  # fmt: skip
def test_messages(minimize: str, settings: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(cutset.RunError) as raised:
        model("Mass").optimize(minimize, **{"stop": 1.0, "intervals": 2, **settings})
    assert raised.value.code == code and told in str(raised.value)


def test_an_infeasible_problem_names_what_is_missed() -> None:
    """With the force 1 the mass comes 0.25 m far from rest to rest in 1 s; 0.4 m is a compromise with the speed."""
    with pytest.raises(cutset.RunError) as raised:
        model("Mass").optimize("integral(u^2)", stop=1.0, limits={"u": 1}, end={"x": 1, "v": (None, 0)})
    assert raised.value.code == "E668" and "nearest end within the limits has x = 0." in str(raised.value)
    with pytest.raises(cutset.RunError) as raised:
        model("Mass").optimize("integral(u^2)", stop=1.0, limits={"u": 1, "far": (None, 9)}, end={"far": 1, "v": 0},
                               guess={"x": [0, 0.5]})  # fmt: skip
    assert "has far = 0." in str(raised.value) and "for far = 1" in str(raised.value)
