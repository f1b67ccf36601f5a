"""Events on every method and both targets: where they are, what they change, and how those end that have no end."""

from __future__ import annotations

from pathlib import Path

import hybrids
import numpy as np
import pytest
from hybrids import run
from interrupted import output_of

from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import METHODS
from cutset.runtime.targets.toolchain import find_compiler

TIGHT = {"rtol": 1e-9, "atol": 1e-9}


# Every method in C; in Python one of each kind, since what happens at events is the same code for all.
KINDS = ("auto", "dopri5", "rk4", "cvode-bdf", "bdf")
PAIRS = [("c", method) for method in METHODS] + [("python", method) for method in KINDS]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"target", "method"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("target", "method"), PAIRS)


def bounces(restitution: float, times: np.ndarray) -> np.ndarray:
    """The height of a ball that falls from 1 m, while it bounces less than ten times."""
    h, start, speed = np.full(len(times), np.nan), -np.sqrt(2.0 / hybrids.G), np.sqrt(2.0 * hybrids.G)
    for _ in range(10):
        end = start + 2.0 * speed / hybrids.G
        inside = (times >= start) & (times <= end)
        t = times[inside] - start
        h[inside] = speed * t - 0.5 * hybrids.G * t * t
        start, speed = end, restitution * speed
    return h


def test_ball(target, method):
    result = run(hybrids.ball(0.7), target, stop=2.0, method=method, **TIGHT)
    assert result.outcome is Outcome.COMPLETED
    assert np.abs(result["h"] - bounces(0.7, result.time)).max() < 1e-6
    assert result["n"][-1] == 4.0 and result.statistics.events == {"state": 4}
    rows = np.flatnonzero(np.diff(result.time) == 0.0)
    assert len(rows) == 4
    assert np.allclose(result["v"][rows + 1], -0.7 * result["v"][rows], rtol=1e-12)
    assert np.allclose(result.time[rows[0]], np.sqrt(2.0 / hybrids.G), atol=1e-8)
    assert result["n"][rows].tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("restitution", [0.5, 0.95])
@pytest.mark.parametrize("method", [name for name in METHODS if name != "radau"])
def test_ball_does_not_fall_through_the_floor(restitution, method):
    end = np.sqrt(2.0 / hybrids.G) * (1.0 + restitution) / (1.0 - restitution)
    for floor in (0.0, 1000.0):
        result = run(hybrids.ball(restitution, floor), "c", stop=20.0, method=method)
        assert result.outcome is Outcome.CHATTERING
        assert result["h"].min() - floor > -1e-6
        assert (result.failure is not None and floor) or abs(result.failure.time - end) < 0.02
        error = result.failure.error()
        assert error.code == "E620" and "h <= floor" in error.message and "model.mo:3:5" in error.notes[0]


@pytest.mark.parametrize("name", ["ball", "thermostat", "rectifier", "counter", "cascade", "square", "moving_instant"])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "cvode-bdf"])
def test_targets_agree(name, method):
    files = getattr(hybrids, name)(*([0.7] if name == "ball" else []))
    runs = [run(files, target, stop=1.9, points=40, method=method) for target in ("c", "python")]
    assert np.array_equal(runs[0].time, runs[1].time) or np.allclose(runs[0].time, runs[1].time, atol=1e-12)
    assert runs[0].statistics.events == runs[1].statistics.events
    for variable in runs[0].names():
        assert np.allclose(runs[0][variable], runs[1][variable], rtol=1e-9, atol=1e-10)


def test_thermostat(target, method):
    result = run(hybrids.thermostat(), target, stop=7.0, method=method, **TIGHT)
    # Down to 0 at 0.5, up to 1 at 1.5, ...
    expected = np.abs((result.time + 0.5) % 2.0 - 1.0)
    assert np.abs(result["x"] - expected).max() < 1e-7
    switches = result.time[np.flatnonzero(np.diff(result["on"]) != 0.0)]
    assert np.allclose(switches, np.arange(0.5, 7.0), atol=1e-7)
    # Each relation becomes false again in the same event.
    assert result.statistics.events == {"state": 7}


def test_relay_without_hysteresis_chatters(target, method):
    result = run(hybrids.relay(), target, stop=2.0, method=method)
    assert result.outcome is Outcome.CHATTERING
    assert result.failure is not None and abs(result.failure.time - 0.5) < 1e-3
    error = result.failure.error()
    assert "x > 0 crossed" in error.message and "hysteresis" in error.hint
    assert np.abs(result["x"] - np.maximum(0.5 - result.time, 0.0)).max() < 1e-3


def test_rectifier(target, method):
    result = run(hybrids.rectifier(), target, stop=2.0, method=method, points=201, **TIGHT)
    assert np.abs(result["i"] - np.maximum(np.sin(2.0 * np.pi * result.time), 0.0) / 2.0).max() < 1e-8
    assert abs(result["q"][-1] - 1.0 / np.pi) < 1e-6
    assert result.statistics.events["state"] in (3, 4)


def test_crossings_without_states(target, method):
    result = run(hybrids.square(), target, stop=1.0, method=method, points=101)
    rows = np.flatnonzero(np.diff(result["y"]) != 0.0)
    first = np.arcsin(0.5)
    assert np.allclose(
        result.time[rows], np.array([first, np.pi - first, first + 2.0 * np.pi, 3.0 * np.pi - first]) / 10.0
    )


def test_samples(target, method):
    result = run(hybrids.counter(), target, stop=1.0, method=method, points=11)
    assert result.time[:3].tolist() == [0.0, 0.0, 0.1] and result["n"][:3].tolist() == [0.0, 1.0, 1.0]
    assert len(result.time) == 22 and result["n"][-1] == 11.0
    assert result["last"][-1] == 1.0 and result.statistics.events == {"sample": 11}
    assert abs(result["x"][-1] - 5.5) < 1e-6


def test_samples_between_outputs(target):
    result = run(hybrids.counter("0.25", "0.5"), target, stop=2.0, points=3)
    assert result.time.tolist() == [0.0, 0.25, 0.25, 0.75, 0.75, 1.0, 1.25, 1.25, 1.75, 1.75, 2.0]
    late = run(hybrids.counter("0.25", "0.5"), target, start=1.0, stop=2.0, points=2)
    assert late.time.tolist() == [1.0, 1.25, 1.25, 1.75, 1.75, 2.0] and late["n"][-1] == 2.0


@pytest.mark.parametrize("interval, words", [("0.0", "is 0.0"), ("-1.0", "is -1.0"), ("1e-15", "too short")])
def test_sample_without_an_interval(target, interval, words):
    result = run(hybrids.counter(interval=interval), target)
    assert result.outcome is Outcome.BAD_SAMPLE
    error = result.failure.error()
    assert error.code == "E622" and words in error.message and "sample(0.0" in error.notes[0]


def test_discrete_variables_follow_pass_by_pass(target, method):
    """OpenModelica's test EventIteration: x is 2 at 1, and h1, c1, c2 and c3 are true."""
    result = run(hybrids.cascade(), target, stop=1.0, method=method)
    assert abs(result["x"][-1] - 2.0) < 1e-6
    assert [result[name][-1] for name in ("h1", "y", "z", "c1", "c2", "c3")] == [1.0] * 6
    changed = [np.flatnonzero(result[name] == 1.0)[0] for name in ("h1", "c3")]
    assert changed[0] == changed[1] and result.statistics.events == {"state": 1}


def test_instants_that_events_move(target, method):
    result = run(hybrids.moving_instant(), target, stop=1.0, points=2, method=method)
    assert np.allclose(result.time, [0.0, 0.3, 0.3, 0.6, 0.6, 0.9, 0.9, 1.0])
    assert result["n"].tolist() == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert result.statistics.events == {"time": 3}


def test_start_of_a_discrete_variable(target):
    result = run(hybrids.moving_instant(), target, stop=1.0, points=2, initial={"n": 5.0, "next": 0.8})
    assert result["n"].tolist() == [5.0, 5.0, 6.0, 6.0] and result.time[1] == 0.8


def test_event_without_end(target):
    with pytest.raises(RunError) as raised:
        run(hybrids.restless(), target)
    assert raised.value.code == "E619" and "n keeps changing" in raised.value.notes
    assert "after 3 passes" in raised.value.message  # it goes round in a circle
    later = run(hybrids.restless_later(), target)
    assert later.outcome is Outcome.EVENT_WITHOUT_END and later.failure.time == 0.5 and later.time[-1] == 0.5
    error = later.failure.error()
    assert error.code == "E619" and "100 passes" in error.message and error.notes == ("n changes from 1.0 to 0.0",)


def test_relations_that_contradict(target):
    result = run(hybrids.contradiction(), target, stop=2.0)
    assert result.outcome is Outcome.RELATIONS_CONTRADICT
    assert abs(result.failure.time - 0.5) < 1e-6
    error = result.failure.error()
    assert error.code == "E634" and "model.mo:3:5: z > 0, in part" in error.notes


@pytest.mark.parametrize("branch", [-1, 0])
def test_assertion(target, method, branch):
    result = run(hybrids.watched(False, branch), target, method=method, points=11)
    time = 0.6 if branch < 0 else 0.25
    assert result.outcome is Outcome.ASSERTION
    assert abs(result.time[-1] - time) < 1e-6 and abs(result["x"][-1] - time) < 1e-6
    error = result.failure.error()
    assert error.code == "E618" and error.message.startswith("an assertion failed: x has gone too far, at time 0.")
    assert error.notes[0] == "the assertion is at model.mo:7:3, in part"


def test_assertion_at_the_start(target):
    result = run(hybrids.watched(False), target, initial={"x": 1.0})
    assert result.outcome is Outcome.ASSERTION and result.time.tolist() == [0.0]


@pytest.mark.parametrize("branch", [-1, 0])
def test_terminate(target, method, branch):
    result = run(hybrids.watched(True, branch), target, method=method, points=11)
    assert result.outcome is Outcome.TERMINATED and result.failure is None
    assert result.ending.text == "x has gone too far"
    assert abs(result.time[-1] - (0.6 if branch < 0 else 0.25)) < 1e-6


def test_solution_that_ceases_to_exist(target, method):
    result = run(hybrids.parabola(), target, stop=0.9, method=method, **TIGHT)
    assert np.allclose(result["z"], np.sqrt(1.0 - result.time), rtol=1e-10)
    assert abs(result["area"][-1] - 2.0 / 3.0 * (1.0 - 0.1**1.5)) < 1e-6
    result = run(hybrids.parabola(), target, stop=2.0, method=method)
    assert result.outcome is Outcome.NOT_FINITE and abs(result.failure.time - 1.0) < 0.01
    error = result.failure.error()
    assert error.code == "E633" and "start values" in error.hint
    assert error.message.startswith("the equations for 'z' could not be solved, at time")


def test_many_events(target):
    """Also where a state is all but zero after each of them, and time is large."""
    count = 1000 if target == "c" else 200
    result = run(hybrids.thermostat(), target, stop=float(count), points=2)
    assert result.statistics.events == {"state": count} and np.allclose(np.diff(result.time[1:-1:2]), 1.0)
    assert abs(result["x"][-1] - 0.5) < 1e-9


@pytest.mark.parametrize("target", ["c", "python"])
def test_ctrl_c_keeps_the_events_so_far(target):
    """The interrupt comes between two of very many events."""
    program = (
        "import hybrids\n"
        "from cutset.runtime.targets.build import build\n"
        "from cutset.runtime.runs.experiment import Experiment\n"
        "from cutset.runtime.runs.simulate import simulate\n"
        "model = build(hybrids.thermostat(), sys.argv[1])\n"
        "presser.start()\n"
        "run = simulate(model, Experiment(stop=1e7, points=1001), now=now)\n"
        "print(run.outcome.name, len(run.time) > 10, run.statistics.events['state'] > 5)\n"
    )
    if target == "c" and find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    assert output_of(program, Path(__file__).parent, target) == "INTERRUPTED True True\n"


def test_bridge(target, method):
    """Two diodes of four conduct at a time; at their crossing only rounding decides."""
    result = run(hybrids.bridge(), target, stop=2.0, method=method, points=201)
    assert result.outcome is Outcome.COMPLETED
    assert np.abs(result["u"] - np.abs(np.sin(2.0 * np.pi * result.time)) * 100.0 / 12.0).max() < 0.01


def test_a_third_combination_where_two_call_each_other(target, method):
    """Schmitt trigger: beyond the threshold neither 'at the limit' nor 'between' agrees, but the other limit does."""
    result = run(hybrids.schmitt(), target, stop=2.0, method=method, points=401)
    assert result.outcome is Outcome.COMPLETED
    v, high = 10.0 * np.sin(2.0 * np.pi * result.time), result["s"] > 0.0
    assert (high[v > 4.01]).all() and not high[v < -4.01].any()
    late = result.time > 0.1  # at the start it is between the limits
    expected = np.where(high, 15.0 + 0.75 * v, 0.75 * v - 15.0)
    assert np.allclose(result["s"][late], expected[late], atol=1e-6)
    assert np.count_nonzero(np.diff(high[late].astype(float))) == 3


def test_combinations_without_a_finite_solution_are_passed(target, method):
    """Also where a discrete variable follows from the relation."""
    result = run(hybrids.shorted(), target, stop=0.5, method=method, points=11)
    assert result.outcome is Outcome.COMPLETED and result["off"][0] == 1.0 and result["off"][-1] == 0.0
    assert result["s"][0] == -12.0 and result["s"][-1] == 1.0


def test_what_fades_to_rounding_makes_no_events_without_end(target):
    result = run(hybrids.fading(), target, stop=0.1 if target == "c" else 0.02, method="cvode-bdf")
    assert result.outcome is Outcome.COMPLETED and abs(result["u"]).max() < 1e-7


def test_a_jump_back_is_no_leaning(target):
    """The sides jump by less than what rounding of the largest number in the model would make of them."""
    result = run(hybrids.sawtooth(), target, stop=1e-4)
    assert result.statistics.events["state"] in (19, 20) and abs(result["x"][-1] - 4.0) < 1e-6
