"""Equations with several solutions: a run stays on a branch until it has ended, whatever the method, the target and the
tolerance."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from oracles.relaxation import error_of, random_oscillator

import cutset

HYSTERESIS = """
model Limited "with y = v/2 - c, v stays at -15 until c < -7.485, then at 15 until c > 7.485"
  local c (start=1), v (start=-15)
  der(c) = v - c
  v = max(-15, min(15, 1000*(v/2 - c)))
end

model Smooth
  local c (start=1), v (start=-15)
  der(c) = v - c
  v = 30/3.14159265358979*atan(200*(v/2 - c))
end
"""
# Where v = 30/pi*atan(200*y) has the slope 2 over y, y = (v - 2*c)/2.
_Y = math.sqrt(30.0 / math.pi * 200.0 / 2.0 - 1.0) / 200.0
FOLD = 15.0 / math.pi * math.atan(200.0 * _Y) - _Y
MULTIVIBRATOR = """
@electrical
model Multivibrator
  submodel (OpAmp) op(k=15000)
  submodel (Resistor) r1(R=1000), r2(R=1000), r(R=1000)
  submodel (Capacitor) c(C=4.5512e-5, u0=1)
  submodel (Ground) g
  node p, n, o, e
  connect g at e, op at (p, n, o), r at (o, n), r2 at (o, p), r1 at (p, e), c at (n, e)
end
"""


def load(folder: Path, text: str, name: str | None = None) -> cutset.Model:
    path = folder / "model.mo"
    path.write_text(text)
    return cutset.load(path, name)


def leaps(run: cutset.Result, name: str) -> np.ndarray:
    """The rows before those in which the sign changes."""
    return np.flatnonzero(np.diff(np.sign(run[name])))


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["auto", "dopri5", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4"])
def test_every_method_stays_on_the_branch_until_its_end(tmp_path: Path, method: str, target: str) -> None:
    stop, points = (0.8, 9) if target == "python" or method == "radau" else (3.0, 31)
    run = load(tmp_path, HYSTERESIS, "Limited").simulate(stop, points=points, method=method, target=target, rtol=1e-5)
    left = run.time[leaps(run, "v") + 1]
    first, half = math.log(16.0 / (15.0 - 7.485)), math.log((15.0 + 7.485) / (15.0 - 7.485))
    expected = np.arange(first, stop, half)
    assert left == pytest.approx(expected, rel=2e-4)
    assert np.abs(run["v"]) == pytest.approx(15.0)
    assert run.statistics.events["branch"] == len(expected)


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_a_branch_is_left_at_the_same_place_with_any_tolerance(tmp_path: Path, rtol: float) -> None:
    run = load(tmp_path, HYSTERESIS, "Smooth").simulate(6.0, rtol=rtol, atol=rtol)
    assert pytest.approx(7.191, abs=1e-3) == FOLD
    assert np.abs(run["c"][leaps(run, "v") + 1]) == pytest.approx([FOLD] * 6, rel=1e-9)


@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
def test_period_of_a_multivibrator(tmp_path: Path, method: str) -> None:
    model = load(tmp_path, MULTIVIBRATOR)
    periods = []
    for rtol in (1e-3, 1e-6, 1e-8):
        run = model.simulate(0.5, rtol=rtol, atol=rtol, method=method)
        rising = run.time[leaps(run, "op.V3")][::2]
        periods.append(float(np.diff(rising).mean()))
    # With a gain that is not infinite the output is a little less than 15 V, and the branch ends a little earlier.
    assert periods == pytest.approx([0.09826] * 3, rel=5e-4)
    assert periods[-1] == pytest.approx(2.0 * 4.5512e-2 * math.log(3.0), rel=0.03)


@pytest.mark.parametrize("seed", [*range(6), 52])
def test_random_relaxation_oscillators(tmp_path: Path, seed: int) -> None:
    method = ("auto", "cvode-bdf", "ida")[seed % 3]
    assert error_of(random_oscillator(seed), tmp_path, method) < 1e-3


def test_outputs_lie_in_order_where_a_branch_ends(tmp_path: Path) -> None:
    """Here the method ends so near to the end of the branch that the rest is a step of rounding."""
    path = tmp_path / "oscillator.mo"
    oscillator = random_oscillator(107)
    path.write_text(oscillator.text)
    run = cutset.load(path).simulate(
        oscillator.stop, method="cvode-bdf", target="python", rtol=1e-7, atol=1e-9, points=200
    )
    assert np.diff(run.time).min() >= 0.0
    assert np.isfinite(run["y"]).all()
    assert 200 < len(run.time) <= 200 + 2 * run.statistics.events["branch"]


def test_a_steep_solution_is_no_end_of_a_branch(tmp_path: Path) -> None:
    text = "model M\n  local x (start=1), z (start=1)\n  der(x) = -1\n  z*abs(z) + 1e-4*z = smooth(x)\nend\n"
    run = load(tmp_path, text).simulate(2.0)
    assert run.statistics.events.get("branch", 0) == 0
    z = run["z"]
    assert z * np.abs(z) + 1e-4 * z == pytest.approx(1.0 - run.time, abs=1e-9)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf", "rk4"])
def test_what_rounding_leaves_of_a_solution_that_is_zero_is_no_other_branch(
    tmp_path: Path, method: str, target: str
) -> None:
    text = "model M\n  local x (start=0), b\n  der(x) = 1 + b\n  b + b^3 + sin(x)^2 + cos(x)^2 = 1\nend\n"
    run = load(tmp_path, text).simulate(3.0, points=31, method=method, target=target)
    assert run.statistics.events.get("branch", 0) == 0
    assert 0.0 < np.abs(run["b"]).max() < 1e-15 and run["x"] == pytest.approx(run.time)


def test_a_branch_that_ends_where_there_is_no_other_ends_the_run(tmp_path: Path) -> None:
    text = "model M\n  local x (start=1), z (start=1)\n  der(x) = -1 - 1e-9*z\n  z^2 = x\nend\n"
    with pytest.raises(cutset.RunError, match=r"at time (1.0|0.99999)"):
        load(tmp_path, text).simulate(2.0)


ZERO = """
model Zero
  parameter p = 1.1, q = 0.3, r = 0.8
  local x(start=0), a, b
  der(x) = 1 - 0.1*x
  a + 0.3*sin(a) + sin(b) = x
  b + 0.1*sin(a*b) = p*a - q*a - r*a
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_an_unknown_that_stays_zero_has_no_branch_to_lose(write_model, target) -> None:
    """All of b is rounding, which jumps from one evaluation to the next."""
    run = cutset.load(write_model(ZERO)).simulate(5.0, rtol=1e-8, atol=1e-8, target=target)
    assert run.statistics.events == {} and 0.0 < max(abs(run["b"])) < 1e-14
    np.testing.assert_allclose(run["x"], -10.0 * np.expm1(-0.1 * run.time), atol=1e-6)
    np.testing.assert_allclose(run["a"] + 0.3 * np.sin(run["a"]), run["x"], atol=1e-8)


LEVER = """
model Lever "x leaps from -1 to 2 where y = 2"
  local z (start=1), x (start=-1.9, fixed=false), y{0}
  der(z) = -z
  y = time - 1.5
  y = x^3 - 3*x{1}
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
def test_what_has_a_derivative_does_not_leap(tmp_path: Path, method: str, target: str) -> None:
    run = load(tmp_path, LEVER.format("", "")).simulate(4.0, points=9, method=method, target=target)
    assert run.statistics.events == {"branch": 1} and run["x"][-1] > 2.0
    with pytest.raises(cutset.RunError, match=r"the equations for 'x' could not be solved.*at time 3.5") as error:
        load(tmp_path, LEVER.format(", v", "\n  v = der(x)")).simulate(4.0, points=9, method=method, target=target)
    assert error.value.code == "E633"


def test_leaps_at_one_instant_have_an_end() -> None:
    """Each is at a fold of a cubic, of which y passes a side in (4.5 - log(8))/1e10 s. In a run of 1e-8 s there are 41;
    in one of 1 s all are at one instant, and the 22nd is none."""
    model = cutset.loads("model M\n local y (start=0), x (start=-1.8)\n der(y) = -1e10*x\n y = x^3 - 3*x\nend\n")
    assert model.simulate(1e-8, points=3).statistics.events == {"branch": 41}
    with pytest.raises(cutset.RunError, match="E633") as error:
        model.simulate(1.0, points=3)
    side, first = (4.5 - math.log(8.0)) / 1e10, (3.0 - 1.5 * math.log(3.0)) / 1e10
    assert float(str(error.value).split("at time ")[1].split()[0]) == pytest.approx(first + 21 * side, rel=0.01)
