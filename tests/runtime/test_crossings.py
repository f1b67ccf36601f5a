"""Every crossing is met: those of time are isolated, those of states resolved, whatever the method and the outputs
are."""

import numpy as np
import pytest
from crossing_models import faults

import cutset
from cutset.runtime.solvers import METHODS
from cutset.runtime.targets.python_model import PythonModel

PI = "3.141592653589793"


def integral(write_model, condition: str, stop: float, body: str = "", **how):
    """How long the condition holds up to the stop, and the result."""
    text = f"model M\n  local E (start=0)\n{body}\n  der(E) = if {condition} then 1 else 0\nend\n"
    run = cutset.load(write_model(text)).simulate(stop, points=2, **how)
    return float(run["E"][-1]), run


@pytest.mark.parametrize("method", ["auto", "cvode-bdf", "rk4"])
def test_pulses_of_time_are_not_stepped_over(write_model, method):
    held, run = integral(write_model, "sin(time) > 0.9", 200.0, method=method)
    assert run.statistics.events == {"time": 64}
    assert held == pytest.approx(32 * (np.pi - 2 * np.arcsin(0.9)), abs=1e-6)


@pytest.mark.parametrize(
    "condition, body, wanted",
    [
        ("exp(-((time - 5)/1e-4)^2) > 0.5", "", 2e-4 * np.sqrt(np.log(2))),
        ("u > 0.999999", "  local u\n  u = 0.6*sin(20*time) + 0.8*cos(20*time)", 32 * 2 * np.arccos(0.999999) / 20),
        ("interp1(mod(time, 4), [0, 1, 2, 3, 4], [0, 0, 1, 0, 0]) > 0", "", 5.0),
        ("max(sin(time), 0) > 0", "", 2 * np.pi),
        ("sin(time)^2 + cos(time)^2 > 1.5", "", 0.0),
        (f"0.5 > 2*mod(2*time, 1) - 1 and sin(2*{PI}*time) < 2", "", 7.5),
        ("(if sin(time) > 0 then cos(time) else 1) > 0", "", 10 - np.pi),
    ],
)
def test_whatever_is_made_of_time(write_model, condition, body, wanted):
    held, run = integral(write_model, condition, 10.0, body)
    assert held == pytest.approx(wanted, abs=1e-6)
    assert "state" not in run.statistics.events


def test_a_step_of_time_is_not_seen_as_a_pulse(write_model):
    """What only touches zero makes no event, not even by rounding: 3*cos(time) reaches 3."""
    _, run = integral(write_model, "floor(3*cos(time)) > 1.5", 20.0)
    assert run.statistics.events["time"] > 20


def test_many_pulses_take_no_room(write_model):
    """Instants are looked for window by window, and forgotten behind."""
    held, run = integral(write_model, f"sin(2*{PI}*50*time) > 0", 2.0)
    assert held == pytest.approx(1.0, abs=1e-9) and run.statistics.events["time"] in (199, 200)


OSCILLATOR = "  local x (start=0), y (start=1)\n  der(x) = y\n  der(y) = -x"


@pytest.mark.parametrize(
    "condition, body, crossings",
    [
        ("x > 0.999", OSCILLATOR, 32),
        ("sin(50*x) > 0.99", "  local x (start=0)\n  der(x) = 5", 398 * 2),
        ("x > sin(50*time)", "  local x (start=0)\n  der(x) = 0.01", 2 * 398 - 1),
    ],
)
def test_two_crossings_in_a_step_are_found(write_model, condition, body, crossings):
    stop = 100.0 if body is OSCILLATOR else 10.0 if "5" in body else 50.0
    _, run = integral(write_model, condition, stop, body, rtol=1e-8)
    assert run.statistics.events["state"] == pytest.approx(crossings, abs=1)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", METHODS)
def test_a_run_ends_at_its_stop_though_a_crossing_follows(write_model, target, method):
    held, run = integral(write_model, "x > 0.5", 2.0, OSCILLATOR, target=target, method=method)
    assert run.time[-1] == 2.0 and run.statistics.events == {"state": 1}
    assert held == pytest.approx(2.0 - np.pi / 6, abs=1e-4)


@pytest.mark.parametrize("target", ["c", "python"])
def test_the_smallest_numbers_are_crossings_too(write_model, target):
    """Half of the smallest one is 0: from then on the sides are equal."""
    held, run = integral(
        write_model, "s > 0", 2.0, "  local x (start=1), s\n  der(x) = -1\n  s = 1e-323*x", target=target
    )
    assert run.statistics.events == {"state": 1}
    assert held == pytest.approx(0.75)


def test_a_short_pulse_of_a_state_is_found_by_shorter_steps(write_model):
    held, _ = integral(
        write_model, "exp(-((x - 5)/1e-3)^2) > 0.5", 10.0, "  local x (start=0)\n  der(x) = 1", max_step=2e-3
    )
    assert held == pytest.approx(2e-3 * np.sqrt(np.log(2)), rel=1e-3)


@pytest.mark.parametrize("number", [0, 2])
def test_random_crossings(number):
    """More of them: python tests/runtime/crossing_models.py 200."""
    runs = [("auto", 2, "c"), ("auto", 5000, "c"), ("cvode-bdf", 2, "c"), ("rk4", 2, "python"), ("dopri5", 2, "python")]
    assert faults(number, runs) == []


@pytest.mark.parametrize(("number", "target"), [(4, "c"), (10, "python"), (11, "c")])
def test_random_crossings_of_unknowns_that_are_not_integrated(number, target):
    assert faults(number, [("bdf", 2, target)]) == []


@pytest.mark.parametrize("count", [3, 4, 7])
def test_several_crossings_at_once_are_those_of_one_after_the_other(write_model, count):
    relations = "\n".join(f"  der(e({k})) = if y*y > {0.1 + 0.12 * k} then 1 else 0" for k in range(1, count + 1))
    body = "  local y (start=0), z (start=1)\n  der(y) = 3*z\n  der(z) = -3*y"
    model = cutset.load(write_model(f"model M\n  local e({count}) (start=0)\n{body}\n{relations}\nend\n"))
    runs = [model.simulate(2.0, points=2, method="dopri5", target=target) for target in ("c", "python")]
    found, wanted = ([(event.time, event.relations) for event in run.events] for run in runs)
    assert found == wanted and len(found) == 4 * count
    assert runs[0].statistics.steps == runs[1].statistics.steps


def test_few_samples_follow_an_event(write_model, monkeypatch):
    """A relation that is zero after an event may cross again at once, so that sampling starts at 2^-40 of the step;
    where it proves smooth, samples come up to 64 times farther apart."""
    calls, write = [], PythonModel.write
    monkeypatch.setattr(
        PythonModel, "write", lambda model, name, *given: calls.append(name) or write(model, name, *given)
    )
    body = "  local y (start=0)\n  der(y) = 1 + y*y/9\n  when sample(1, 1) then\n    init(y) = 0\n  endwhen"
    _, run = integral(write_model, "y > 0", 20.5, body, target="python", method="dopri5")
    events = run.statistics.events["sample"]
    assert events == 20
    assert 0 < calls.count("crossings") < 2 * run.statistics.steps + 20 * events
