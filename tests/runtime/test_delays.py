"""Delayed quantities against the method of steps by hand, on both targets and by all methods."""

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.solvers import METHODS

RETARDED = """
model Retarded
  local x (start=1), y, s (start=0), z
  der(x) = -delay(x, 1)
  y = delay(time, 0.25)
  der(s) = 1
  z = delay(sin(3*s) + (if time > 0.7 then 5 else 0), 0.4)
end
"""


def exact(t: float) -> float:
    """x' = -x(t-1), x = 1 before 0."""
    return sum((-1) ** k * max(t - k + 1, 0.0) ** k / np.prod(range(1, k + 1)) for k in range(5))


@pytest.mark.parametrize("target", ["auto", "python"])
@pytest.mark.parametrize("method", METHODS)
def test_a_retarded_equation(write_model, target, method):
    run = cutset.load(write_model(RETARDED)).simulate(stop=3.0, target=target, method=method, rtol=1e-8, atol=1e-10)
    assert np.abs(run["x"] - [exact(t) for t in run.time]).max() < 1e-6
    assert np.abs(run["y"] - np.maximum(run.time - 0.25, 0)).max() < 1e-12
    wanted = np.sin(3 * np.maximum(run.time - 0.4, 0)) + 5.0 * (run.time > 1.1)
    away = np.abs(run.time - 1.1) > 1e-9
    assert np.abs(run["z"] - wanted)[away].max() < 1e-6


def test_a_delayed_jump_is_an_event(write_model):
    """What is decided by a delayed quantity changes when that jumps."""
    text = "model M\n  local x, n (start=0)\n  x = delay(if time > 1 then 1 else 0, 0.5)\n"
    text += "  when x > 0.5 then\n    new(n) = time\n  endwhen\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=2.0)
    assert run["n"][-1] == pytest.approx(1.5, abs=1e-9)


@pytest.mark.parametrize("target", ["auto", "python"])
def test_segments_add_no_rows(write_model, target):
    """A run with delays ends a segment at least each 0.3 s, and has rows at the output times alone."""
    text = "model M\n  local x (start=1)\n  der(x) = -delay(x, 0.3)\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=2.0, points=5, target=target)
    assert run.time.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_up_to_the_start_all_was_as_it_is_there(write_model):
    """x = 2*x(t - 0.1) + 1 rests at -1, though it flies from there at any other value."""
    text = "model M\n  local x, y\n  x = 2*y + 1\n  y = delay(x, 0.1)\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=0.05)
    assert run["x"] == pytest.approx(-1.0)


def test_a_delay_of_nothing(write_model):
    model = cutset.load(write_model("model M\n  parameter T = 1\n  local y\n  y = delay(sin(time), T)\nend\n"))
    for T in (0.0, -1.0):
        with pytest.raises(RunError, match="E645"):
            model.simulate(stop=1.0, parameters={"T": T})


@pytest.mark.parametrize("delay", [1e-12, 1e-20])
@pytest.mark.parametrize("method", ["auto", "rk4"])
def test_a_delay_far_below_the_step_does_not_hang(write_model, delay, method):
    """x' = -x(t-T) is exp(-t) but for T; what is delayed by less than the step is interpolated within it."""
    text = f"model M\n  local x (start=1), y\n  der(x) = -delay(x, {delay})\n  y = delay(sin(3*time), {delay})\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=1.0, points=11, method=method)
    assert np.abs(run["x"] - np.exp(-run.time)).max() < 1e-6
    assert np.abs(run["y"] - np.sin(3 * run.time)).max() < 1e-9


def test_short_delays_meet_events(write_model):
    """A delay of 1e-6 s moves a pulse by that."""
    text = "model M\n  local x (start=0), n (start=0)\n  der(x) = -5*delay(x, 1e-6) + (if time > 0.5 then 5 else 0)\n"
    text += "  when delay(x, 1e-6) > 0.5 then\n    new(n) = time\n  endwhen\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=1.0, points=5)
    assert run["n"][-1] == pytest.approx(0.5 + np.log(2) / 5, abs=1e-5)
