"""Delayed quantities against the method of steps, by hand and with DOP853, on both targets and by all methods."""

import json

import delayed_models
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


# In Python one method of each kind, since what happens between their steps is the same code.
@pytest.mark.parametrize(
    ("target", "method"),
    [
        *(("auto", method) for method in METHODS),
        *(("python", method) for method in ("dopri5", "rk4", "cvode-bdf", "bdf")),
    ],
)
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


@pytest.mark.parametrize("method", ["auto", "cvode-bdf", "radau"])
def test_a_delay_far_below_the_step_of_implicit_methods(write_model, method):
    """y = x(t-T) + 1 for tiny T, and x' = -5*y, which is x' = -5*(x + 1)."""
    text = "model M\n  local x (start=1), y\n  der(x) = -5*y\n  y = delay(x, 1e-10) + 1\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=1.0, points=11, method=method)
    assert np.abs(run["x"] - (2.0 * np.exp(-5.0 * run.time) - 1.0)).max() < 2e-5
    assert run.statistics.steps < 300


@pytest.mark.parametrize("target", ["auto", "python"])
def test_a_signal_that_is_faster_than_its_delay(write_model, target):
    """The signal has 40 periods within the delay, and the model has no states whose steps would show them."""
    text = "model M\n  local y\n  y = delay(sin(250*time), 1)\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=1.5, points=8, target=target)
    wanted = np.sin(250.0 * np.maximum(run.time - 1.0, 0.0))
    assert np.abs(run["y"] - wanted).max() < 1e-7


def test_kinks_are_followed_from_delay_to_delay(write_model):
    """The solution is a polynomial between kinks, so that a method of order 5 is exact if its steps end at them."""
    run = cutset.load(write_model(RETARDED)).simulate(stop=3.0)
    assert np.abs(run["x"] - [exact(t) for t in run.time]).max() < 1e-14


def test_a_history_that_grows(write_model):
    """More steps within the delay than there is room for at first; the run goes on in C, and can be continued."""
    text = "model M\n  local x (start=0), y (start=0)\n  der(x) = cos(time)\n  der(y) = delay(x, 1)\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=2.5, method="rk4", max_step=4e-4, points=26)
    run = run.resume(3.0)
    assert run["y"][-1] == pytest.approx(1.0 - np.cos(2.0), abs=1e-12)


@pytest.mark.parametrize("target", ["auto", "python"])
def test_a_delayed_condition_that_is_true_from_the_start(write_model, target):
    text = "model M\n  local x (start=1), n (start=0), k (start=0)\n  der(x) = -0.1*x\n"
    text += "  when delay(x, 0.2) > 0.5 then\n    new(n) = 1\n  endwhen\n"
    text += "  when sample(0.1, 0.1) then\n    new(k) = k + 1\n  endwhen\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=0.5, points=6, target=target)
    assert run["n"][-1] == 0.0 and run["k"][-1] == 5.0


@pytest.mark.parametrize("number", [3, 4, 22])
def test_both_targets_give_the_same_run(write_model, number):
    """Random models: with events, with smooth delays, with delays that are shorter than a step."""
    model = delayed_models.drawn(number, has_events=number % 2 == 1)
    loaded = cutset.load(write_model(model.text))
    runs = [loaded.simulate(delayed_models.STOP, target=target, points=101) for target in ("auto", "python")]
    assert delayed_models.difference(*runs, tuple(name for name in runs[0].names() if name != "time")) < 1e-13
    if number == 4:
        states = [runs[0][f"x{k}"] for k in range(len(model.starts))]
        assert np.abs(np.array(states).T - delayed_models.solved(model, runs[0].time)).max() < 1e-6


def test_a_jump_of_a_delayed_value_has_two_rows(write_model):
    text = "model M\n  local x\n  x = delay(if time > 1 then 1 else 0, 0.5)\nend\n"
    run = cutset.load(write_model(text)).simulate(stop=2.0, points=5)
    at = np.flatnonzero(run.time == 1.5)
    assert run["x"][at].tolist() == [0.0, 1.0]


def test_the_segment_at_whose_end_the_model_ends_the_run_is_stored(write_model):
    """The short delay limits the steps, which depend on the steps before."""
    text = "model M\n  local x (start=1), y (start=0)\n  der(x) = -delay(x, 1)\n  der(y) = delay(sin(3*x), 1e-4)\n"
    text += '  terminate time >= 2.2, "over"\nend\n'
    model = cutset.load(write_model(text))
    runs = [model.simulate(2.5, points=6, method="dopri5", target=target) for target in ("auto", "python")]
    (ends, longest), wanted = [_stored(run) for run in runs]
    assert len(ends) == len(wanted[0])
    assert np.allclose(ends, wanted[0], rtol=1e-12) and longest == pytest.approx(wanted[1], rel=1e-12)


def _stored(run: cutset.Result) -> tuple[list[float], float]:
    """The ends of the stretches of the history at the end of a run, and the longest step."""
    history = json.loads(run.state())["delays"]
    return history["ends"], history["longest_step"]
