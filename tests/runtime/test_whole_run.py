"""A run that is one call of C gives what a run of several calls gives, bit by bit, errors included."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hybrids
import numpy as np
import pytest
from hand_written import load_model
from test_event_loop import MODELS, after_the_start, assert_same_run, result_of

import cutset
from cutset.runtime import simulate as simulating
from cutset.runtime.experiment import Experiment
from cutset.runtime.simulate import simulate
from cutset.runtime.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

TANK = """model Tank
  parameter k (min=0.1, max=10)=1, area=2, ratio=k/area
  parameter level (min=0)=0.5
  local h (start=level), low
  low = if h < 0.2 then 1 else 0
  area*der(h) = -k*h + 0.1*low
end
"""


def both(simulated, monkeypatch):
    """The run that is one call, and the one that has several."""
    first = simulated()
    with monkeypatch.context() as patch:
        patch.setattr(simulating, "_in_one_call", after_the_start)
        return first, simulated()


def assert_equal(one, other):
    assert_same_run(one, other)
    assert one.notes == other.notes and not np.any(one.fixed_values.p != other.fixed_values.p)
    if one.failure is None:
        assert one.state() == other.state()
        stop = float(one.time[-1]) + 0.05
        assert_same_run(one.resume(stop), other.resume(stop))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["auto", "rk4"])
def test_runs_with_events(name, method, monkeypatch):
    files = getattr(hybrids, name)(*([0.7] if name == "ball" else []))
    one, other = both(lambda: hybrids.run(files, "c", stop=1.9, points=40, method=method), monkeypatch)
    assert_equal(one, other)


@pytest.mark.parametrize("name", ["oscillator", "pendulum", "stiff", "algebraic", "blowup", "gap"])
@pytest.mark.parametrize("stop", [0.0, 0.9])
def test_runs_without_events(name, stop, monkeypatch):
    """Stiff ones, and those that fail, go on in Python."""
    model = load_model(name, "c")
    assert_equal(*both(lambda: simulate(model, Experiment(stop, points=20 if stop else None)), monkeypatch))


def test_loops_start_from_the_nearest_solution(monkeypatch):
    model = cutset.load(Path(__file__).parents[2] / "models" / "four_bar.mo")
    assert_equal(*both(lambda: model.simulate(0.1, points=5), monkeypatch))


def test_values_of_a_run_are_its_own(write_model, monkeypatch):
    """The memory of a run serves the next one."""
    model = cutset.load(write_model(TANK))
    settings = [
        *({}, {"parameters": {"k": 3.0, "area": 1.0}}, {"initial": {"h": 0.3}}, {"times": [0.1, 0.7]}, {"points": 4}),
        *({"stop": 3.0, "method": "rk4"}, {"max_step": 0.01}, {"rtol": 1e-9, "atol": 1e-12}, {}),
    ]
    runs = [both(lambda own=own: model.simulate(**own), monkeypatch) for own in settings]
    for one, other in runs:
        assert_equal(one, other)
    assert_same_run(runs[0][0], runs[-1][0])


@pytest.mark.parametrize(
    "settings",
    [
        *({"parameters": {"k": 20.0}}, {"parameters": {"area": 0.0}}, {"parameters": {"q": 1.0}}),
        *({"parameters": {"level": -1.0}}, {"initial": {"low": 1.0}}, {"initial": {"h": np.nan}}),
        *({"inputs": {"h": 1.0}}, {"parameters": {"ratio": np.inf}}, {"method": "cvode-bdf"}),
    ],
    ids=str,
)
def test_messages_are_those_of_python(settings, write_model, monkeypatch):
    model = cutset.load(write_model(TANK))
    one, other = both(lambda: result_of(model, **settings), monkeypatch)
    if isinstance(one, str):
        assert one == other
    else:
        assert_same_run(one, other)


def test_threads_have_memory_of_their_own(write_model):
    model = cutset.load(write_model(TANK))
    values = np.linspace(0.2, 9.0, 24)

    def last(k):
        return float(model.simulate(1.0, parameters={"k": k})["h"][-1])

    alone = [last(k) for k in values]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(last, values)) == alone


def test_delays_are_part_of_the_call(write_model):
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -delay(x, 0.5)\nend\n"))
    assert model.simulate(0.2)["x"][-1] == pytest.approx(0.8, abs=1e-12)
