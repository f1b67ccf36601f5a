"""sign jumps at events; steps have limits that a person sets."""

import pytest

import cutset
from cutset.api.commands.common import add_run, experiment_of
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment


def from_text(write_model, body: str):
    return cutset.load(write_model(f"model M\n{body}\nend\n"))


@pytest.mark.parametrize("method", ["auto", "cvode-bdf", "radau", "rk4"])
def test_sign_is_located(write_model, method):
    """The integral of the sign of a sine vanishes after whole periods."""
    model = from_text(write_model, "  local x (start=0)\n  der(x) = sign(sin(2*3.141592653589793*5*time))")
    run = model.simulate(stop=1.0, method=method)
    assert abs(run["x"][-1]) < 1e-9
    assert sum(run.statistics.events.values()) >= 9


def test_sign_of_a_state_is_located_once_for_each_side(write_model):
    model = from_text(write_model, "  local x (start=1), s\n  der(x) = -1\n  s = sign(x)")
    run = model.simulate(stop=2.0, points=2)
    assert run["s"].tolist() == [1.0, 1.0, -1.0, -1.0]
    assert run.time[1] == run.time[2] == pytest.approx(1.0, abs=1e-12)


def test_a_sign_that_slides_chatters(write_model):
    model = from_text(write_model, "  local x (start=1), v\n  der(x) = v\n  der(v) = 0.5 - sign(v)")
    with pytest.raises(RunError, match="E620") as error:
        model.simulate(stop=20.0)
    assert "v > 0" in str(error.value) or "v < 0" in str(error.value)


@pytest.mark.parametrize("quiet", ["noevent(sign(x))", "smooth(sign(x))"])
def test_a_quiet_sign_makes_no_event(write_model, quiet):
    run = from_text(write_model, f"  local x (start=1), s\n  der(x) = -1\n  s = {quiet}").simulate(stop=2.0)
    assert not run.statistics.events


def test_the_slope_of_abs_makes_no_event(write_model):
    run = from_text(write_model, "  local x (start=1), y, s\n  der(x) = -1\n  y = abs(x)\n  s = der(y)").simulate(
        stop=2.0
    )
    assert not run.statistics.events
    assert run["s"][[0, -1]].tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf", "ida", "cvode-adams", "radau"])
def test_steps_are_counted_between_two_outputs(write_model, method):
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -1000*(x - sin(200*time))\nend\n"))
    ending = model.run(Experiment(stop=10.0, points=2, method=method, max_steps=20))
    assert ending.outcome is Outcome.TOO_MANY_STEPS
    advice = str(ending.failure.error())
    assert "--max-steps" in advice
    assert ("try the method cvode-bdf" in advice) == (method in ("dopri5", "cvode-adams"))


def test_no_step_is_longer_than_asked(write_model):
    model = from_text(write_model, "  local x (start=1)\n  der(x) = -x")
    for method in ("auto", "cvode-bdf", "radau", "rk4"):
        assert model.simulate(stop=1.0, points=2, method=method, max_step=0.01).statistics.steps >= 100


@pytest.mark.parametrize("wrong", [{"max_steps": 0}, {"max_steps": 2.5}, {"max_step": 0.0}, {"max_step": float("nan")}])
def test_limits_are_checked(write_model, wrong):
    with pytest.raises(RunError, match="E605"):
        from_text(write_model, "  local x\n  der(x) = 1").simulate(**wrong)


def test_limits_on_the_command_line():
    import argparse

    parser = argparse.ArgumentParser()
    add_run(parser)
    experiment = experiment_of(parser.parse_args(["--max-steps", "17", "--max-step", "0.25"]), Experiment(1.0))
    assert (experiment.max_steps, experiment.max_step) == (17, 0.25)
