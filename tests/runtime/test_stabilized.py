"""The method ggl: all variables with derivatives are integrated, and multipliers keep them on their constraints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cutset
from cutset.compiler.options import Options
from cutset.compiler.pipeline import Observer, compile_model
from cutset.compiler.verify import Verifier
from cutset.runtime.errors import RunError

MODELS = Path(__file__).parent.parent.parent / "models"
G = 9.81
TIGHT = {"rtol": 1e-8, "atol": 1e-8}
PENDULUM = """
model Pendulum
  local x (start=1), y (start=0), vx (start=0), vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
{when}end
"""
BOUNCE = "  when x < 0.5 then\n    init(vx) = -0.8*vx\n  endwhen\n"
# Capacitors in parallel, through a source that jumps.
PARALLEL = """
model Parallel
  local a (start=0), b, i, j
  der(a) = i
  der(b) = 2*j
  b = 2*a + (if time > 0.5 then 1 else 0)
  i + j = 1 - a
end
"""
STIFF = """
model Stiff
  local q (start=100/(1e9 - 100)), u (start=0), a (start=0), p, v, w
  der(q) = u
  der(u) = 100*cos(a) - 1e9*q
  der(a) = 10
  p = cos(a) + q
  v = der(p)
  w = der(v)
end
"""
CAM = """
function cam(a) result r
  r := sin(a)
  r := a + 0.2*r
end
model Cam
  local q (start=0), v (start=1), h, s, F
  der(q) = v
  h = cam(q)
  s = der(h)
  der(s) = F
  der(v) = -q - F*(1 + 0.2*cos(q))
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_pendulum_turns_for_long(target) -> None:
    """No event, no drift: the constraints hold within the tolerances on both levels, and the energy stays as well as
    with chosen states."""
    stop = 50.0 if target == "c" else 10.0
    run = cutset.load(MODELS / "cartesian_pendulum.mo").simulate(stop, method="ggl", target=target, **TIGHT)
    x, y, vx, vy = (run[name] for name in ("x", "y", "vx", "vy"))
    assert run.statistics.method.startswith("ggl, sparse") and not run.statistics.events
    assert np.abs(x**2 + y**2 - 1.0).max() < 1e-7
    assert np.abs(x * vx + y * vy).max() < 1e-6
    energy = 0.5 * (vx**2 + vy**2) + G * y
    assert np.ptp(energy) < 1e-3
    assert abs(np.unwrap(np.arctan2(y, x))[-1]) > 2 * np.pi * 0.2 * stop


def test_a_pendulum_against_its_angle() -> None:
    run = cutset.load(MODELS / "cartesian_pendulum.mo").simulate(5.0, method="ggl", rtol=1e-9, atol=1e-9)

    def rate(_, z):
        return [z[1], -G * np.sin(z[0])]

    angle, speed = solve_ivp(rate, (0.0, 5.0), [0.0, 7.0], rtol=1e-11, atol=1e-12).y[:, -1]
    expected = np.sin(angle), -np.cos(angle), speed * np.cos(angle)
    assert [run[name][-1] for name in ("x", "y", "vx")] == pytest.approx(expected, abs=1e-5)


def test_constraints_of_all_levels_have_multipliers(write_model) -> None:
    path = write_model(PENDULUM.format(when=""))
    beside = compile_model(path, None, Options(unreduced=True, stabilized=True), Observer([Verifier()])).unreduced
    assert beside is not None
    info = beside.info
    integrated = info.states[: len(info.states) - info.n_algebraic]
    assert sorted(integrated) == ["vx", "vy", "x", "y"] and info.n_multipliers == 2
    without = compile_model(path, None, Options(unreduced=True)).unreduced
    assert without is not None and without.info.n_multipliers == 0


def test_without_constraints_it_is_bdf(write_model) -> None:
    model = cutset.load(write_model("model M\n  local x (start=1), y\n  y + y^3 = x\n  der(x) = -y\nend\n"))
    one, other = (model.simulate(1.0, method=method) for method in ("ggl", "bdf"))
    assert one["x"].tolist() == other["x"].tolist() and one.statistics.method.startswith("ggl")


@pytest.mark.parametrize("method", ["ggl", "bdf", "auto"])
@pytest.mark.parametrize("target", ["c", "python"])
def test_a_restart_moves_all_that_the_constraints_bind(write_model, target, method) -> None:
    """The ball on the rod bounces from x = 0.5, where a run may have y as its state: vx gets its value, and vy
    follows."""
    run = cutset.load(write_model(PENDULUM.format(when=BOUNCE))).simulate(1.0, method=method, target=target, **TIGHT)
    before, after = np.flatnonzero(np.abs(run["x"] - 0.5) < 1e-6)[:2]
    assert run["vx"][after] == pytest.approx(-0.8 * run["vx"][before], abs=1e-6)
    assert run["x"][after] * run["vx"][after] + run["y"][after] * run["vy"][after] == pytest.approx(0.0, abs=1e-6)
    assert run["vx"][after] > 2.0
    lost = 0.5 * (1.0 - 0.8**2) * (run["vx"][before] ** 2 + run["vy"][before] ** 2)
    energy = 0.5 * (run["vx"] ** 2 + run["vy"] ** 2) + G * run["y"]
    assert energy[-1] == pytest.approx(-lost, abs=1e-4)


def test_a_restart_of_what_the_constraints_determine_is_refused(write_model) -> None:
    """Both velocities cannot be restarted."""
    both = BOUNCE.replace("  endwhen", "    init(vy) = 3\n  endwhen")
    with pytest.raises(RunError, match=r"the constraints determine 'vx', 'vy', which the event at time 0\.4"):
        cutset.load(write_model(PENDULUM.format(when=both))).simulate(1.0, method="ggl")


def test_states_follow_a_constraint_that_jumps(write_model) -> None:
    model = cutset.load(write_model(PARALLEL))
    run, expected = (model.simulate(1.0, method=method, **TIGHT) for method in ("ggl", "auto"))
    for name in ("a", "b", "i", "j"):
        assert np.abs(run[name] - expected[name]).max() < 1e-6
    assert np.ptp(run["b"] - 2.0 * run["a"]) == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("target", ["c", "python"])
def test_functions_may_be_in_constraints(write_model, target) -> None:
    run = cutset.load(write_model(CAM)).simulate(2.0, method="ggl", target=target, **TIGHT)
    assert np.abs(run["h"] - run["q"] - 0.2 * np.sin(run["q"])).max() < 1e-6
    energy = 0.5 * (run["v"] ** 2 + run["s"] ** 2 + run["q"] ** 2)
    assert np.ptp(energy) < 1e-4


def test_a_run_continues(write_model) -> None:
    model = cutset.load(write_model(PENDULUM.format(when="")))
    half, whole = (model.simulate(stop, method="ggl", **TIGHT) for stop in (1.0, 2.0))
    assert half.resume(2.0)["x"][-1] == pytest.approx(whole["x"][-1], abs=1e-5)


def test_nominal_values_weigh_the_way_back(write_model) -> None:
    """x is in nanometers, y in meters: the way back to the circle changes both by the same part."""
    text = PENDULUM.format(when="").replace("x^2", "(1e-9*x)^2").replace("x (start=1)", "x (start=0.6e9, nominal=1e9)")
    model = cutset.load(write_model(text.replace("y (start=0)", "y (start=-0.8)").replace("vx (", "vx (nominal=1e9, ")))
    built = model.for_method("ggl").build("python").unreduced
    assert built is not None
    none, values, names = np.zeros(0), built.bind({}), built.info.states
    at = {"x": 0.6e9, "y": -0.8, names[-1]: 1.0}
    push = built.derivatives(0.0, np.array([at.get(name, 0.0) for name in names]), none, values, none)
    way = dict(zip(names, push, strict=True))
    assert way["vx"] / 0.6e9 == pytest.approx(way["vy"] / -0.8) and way["vy"]
    run = model.simulate(2.0, method="ggl", **TIGHT)
    assert np.abs((run["x"] / 1e9) ** 2 + run["y"] ** 2 - 1.0).max() < 1e-7


def test_a_stiff_spring_is_not_bent_to_keep_a_constraint(write_model) -> None:
    """The state q follows a force of 100*cos(10*t) at 1e9 1/s2, and p from it: errors of the crank do not move q."""
    run = cutset.load(write_model(STIFF)).simulate(0.3, method="ggl", rtol=1e-5, atol=1e-5)
    expected = 100.0 * np.cos(10.0 * run.time) / (1e9 - 100.0)
    assert np.abs(run["q"] - expected).max() < 1e-4 * expected.max()
    assert np.abs(run["p"] - np.cos(10.0 * run.time) - expected).max() < 1e-5
    assert run.statistics.steps < 200


def test_unsolved_models_have_constraints_of_the_lowest_index(write_model) -> None:
    with pytest.raises(RunError, match="the method ggl needs a model whose equations are solved"):
        cutset.load(write_model(PENDULUM.format(when="")), solved=False).simulate(1.0, method="ggl")
