"""Branches that have values on their own side of a relation only run with every method, target and export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.one_sided import METHODS, error_of, random_case

import cutset

HERTZ = """
model Hertz "a mass bounces on a contact of Hertz"
  parameter k = 1000, m = 1, g = 9.81
  local x (start=0.1), v, F, e
  der(x) = v
  m*der(v) = F - m*g
  F = if x < 0 then k*(-x)^1.5 else 0
  e = m*v^2/2 + m*g*x + 0.4*k*max(-x, 0)^2.5
end
"""
TANK = """
model Tank "h = (1 - t/2)^2 until it is empty"
  local h (start=1), entropy
  der(h) = if h > 0 then -sqrt(h) else 0
  entropy = if h > 0 then h*log(h) else 0
end
"""
# What rounding decides: the root has terms of its own.
ROUNDED = """
model Rounded "s = 2/3*sqrt(2.6)*0.7^1.5"
  parameter c = 0.3, k = 2.6
  local x (start=1), s (start=0)
  der(x) = -1
  der(s) = if x > c then sqrt(k*x - k*c) else 0
end
"""
WAVE = """
model Wave "mod leaves its range by rounding before it jumps"
  local s (start=0), y
  y = sqrt(1 - mod(time, 0.07)/0.07)
  der(s) = y
end
"""


# The left branch has no value where it begins, which is the start.
SINC = """
model Sinc "s is the sine integral"
  local x (start=0), s (start=0)
  der(x) = 1
  der(s) = if x > 0 then sin(x)/x else 1
end
"""


# Both roots are zero, with infinite slopes, at the start and where the flow reverses.
SERIES = """
model Series "two orifices in a row; s is the integral of 2*sqrt(p/5)"
  local p, pm, q, s (start=0)
  p = sin(3*time)
  q = if p > pm then sqrt(p - pm) else -sqrt(pm - p)
  q = if pm > 0 then 2*sqrt(pm) else -2*sqrt(-pm)
  der(s) = q
end
"""


def loaded(folder: Path, text: str) -> cutset.Model:
    path = folder / "model.mo"
    path.write_text(text)
    return cutset.load(path)


@pytest.mark.parametrize("seed", (0, 1, 3, 7, 108, 271))
def test_random_branches_have_closed_solutions(tmp_path: Path, seed: int) -> None:
    assert error_of(random_case(seed), tmp_path, METHODS[seed % len(METHODS)]) < 1e-4


def test_the_first_stage_after_a_crossing_may_be_beyond_it(tmp_path: Path) -> None:
    """At x = 0.203 itself sin(d)/d has no value, and a step begins there."""
    case = random_case(271)
    run = loaded(tmp_path, case.text).simulate(2.0, points=7, method="rk4", max_step=4e-3)
    assert run["s"][-1] == pytest.approx(case.s, abs=1e-6)


@pytest.mark.parametrize("flow", ("if {0} > 0 then sqrt({0}) else -sqrt(-({0}))", "sign({0})*sqrt(abs({0}))"))
@pytest.mark.parametrize("target", ("c", "python"))
def test_levels_that_have_met_rest_without_tiny_steps(tmp_path: Path, flow: str, target: str) -> None:
    text = f"""model Tanks
  local a (start=1), b (start=0.2), q
  der(a) = -q
  der(b) = q
  q = 1.3*({flow.format("a - b")})
end
"""
    run = loaded(tmp_path, text).simulate(3.0, points=31, target=target)
    np.testing.assert_allclose(run["a"], 0.6 + 0.5 * np.maximum(np.sqrt(0.8) - 1.3 * run.time, 0) ** 2, atol=1e-5)
    assert run.statistics.steps < 10_000


@pytest.mark.parametrize(("target", "method"), [("c", "cvode-bdf"), ("python", "auto")])
def test_models_of_users(tmp_path: Path, target: str, method: str) -> None:
    def run(text: str, stop: float) -> cutset.Result:
        return loaded(tmp_path, text).simulate(stop, points=41, target=target, method=method)

    bounced = run(HERTZ, 2.0)
    np.testing.assert_allclose(bounced["e"], 0.981, rtol=5e-4)
    emptied = run(TANK, 3.0)
    np.testing.assert_allclose(emptied["h"], np.maximum(1 - emptied["time"] / 2, 0) ** 2, atol=1e-5)
    assert np.isfinite(emptied["entropy"]).all()
    assert run(ROUNDED, 1.5)["s"][-1] == pytest.approx(2 / 3 * np.sqrt(2.6) * 0.7**1.5, rel=1e-4)
    assert run(SINC, 3.0)["s"][-1] == pytest.approx(1.848652527999, rel=1e-4)
    assert run(SERIES, 3.0)["s"][-1] == pytest.approx(0.65976012, rel=1e-4)
    assert run(WAVE, 0.35)["s"][-1] == pytest.approx(2 / 3 * 0.35, rel=1e-4)


@pytest.mark.parametrize("phase", (0.0, 0.5))
def test_orifices_in_a_row_that_begin_to_flow(tmp_path: Path, phase: float) -> None:
    """Both relations have to change at the start, where tolerances explain their differences."""
    size, first, second = (
        0.8232155771567337,
        0.404200802819147,
        2.7697068823290305,
    )  # rounding decides what happens there
    text = f"""model M
  local p, q, pm, s (start=0)
  p = {size}*sin(1.3*time + {phase})
  q = if p > pm then {first}*sqrt(p - pm) else -{first}*sqrt(pm - p)
  q = if pm >= 0 then {second}*sqrt(pm) else -{second}*sqrt(-pm)
  der(s) = q
end
"""
    run, angle = loaded(tmp_path, text).simulate(3.0, points=31), np.linspace(phase, 3.9 + phase, 100_001)
    flow = np.sign(np.sin(angle)) * np.sqrt(size * abs(np.sin(angle)) / (first**-2 + second**-2))
    assert run["s"][-1] == pytest.approx(np.trapezoid(flow, angle) / 1.3, rel=1e-4)


def test_a_value_without_meaning_on_the_side_that_is_held_stays_an_error(tmp_path: Path) -> None:
    text = TANK.replace("if h > 0 then h*log(h) else 0", "if h > 0 then log(h - 0.5) else 0")
    with pytest.raises(cutset.RunError, match=r"entropy = (nan|-inf)"):
        loaded(tmp_path, text).simulate(3.0)
