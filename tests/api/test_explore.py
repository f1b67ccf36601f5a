"""`Model.explore`: what its sliders say, and the runs and pictures that follow the messages of a page."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import threading

import numpy as np
import pytest

import cutset

widget = pytest.importorskip("cutset.api.notebook.widget", reason="the package anywidget is not installed")
MODEL = """model Decay
  parameter k (unit="1/s", min=0.5, max=4) = 2 "rate <script>"
  parameter (Integer) n (min=1) = 1
  parameter (Boolean) on = true
  parameter T = 1
  input u (unit="m/s")
  local x (unit="m", start=1) "way"
  der(x) = if on then -k*n*x/T + u else 0
end
"""


@pytest.fixture(scope="module")
def model() -> cutset.Model:
    return cutset.loads(MODEL)


def column(explorer: widget.Explorer, k: int = 0) -> np.ndarray:
    return np.frombuffer(explorer.picture["columns"][k], "<f8")


def time_of(explorer: widget.Explorer) -> np.ndarray:
    return np.frombuffer(explorer.picture["time"], "<f8")


def test_sliders_have_values_units_limits_and_choices(model: cutset.Model) -> None:
    about = model.explore(stop=2.0, parameters={"T": -3.0}).about
    found = {each["name"]: each for each in about["sliders"]}
    assert list(found) == ["k", "n", "on", "T"] and about["first"] == 4
    k = found["k"]
    assert (k["value"], k["low"], k["high"], k["unit"], k["documentation"]) == (2.0, 0.5, 4.0, "1/s", "rate <script>")
    assert (found["n"]["low"], found["n"]["high"], found["n"]["whole"]) == (1.0, 2.0, True)
    assert (found["on"]["choices"], found["on"]["first"], found["on"]["value"]) == (["false", "true"], 0, 1.0)
    assert (found["T"]["value"], found["T"]["low"], found["T"]["high"]) == (-3.0, -6.0, 0.0)
    json.dumps(about, allow_nan=False)


def test_chosen_sliders_come_first_with_their_limits(model: cutset.Model) -> None:
    explorer = model.explore(sliders={"x": (0.0, 5.0), "u": (-1.0, 1.0), "k": (1.0, 3.0)})
    rows = explorer.about["sliders"]
    assert [(row["name"], row["value"], row["low"], row["high"]) for row in rows[:3]] == [
        ("x", 1.0, 0.0, 5.0), ("u", 0.0, -1.0, 1.0), ("k", 2.0, 1.0, 3.0),
    ]  # fmt: skip
    assert explorer.about["first"] == 3 and {row["name"] for row in rows[3:]} == {"n", "on", "T"}
    explorer.set_state({"values": {"x": 2.0, "u": 1.0}, "asked": 1})
    exact = 0.5 + 1.5 * np.exp(-2.0 * time_of(explorer))
    assert np.allclose(column(explorer), exact, atol=1e-5)


def test_a_message_of_the_page_runs_the_model_again(model: cutset.Model) -> None:
    explorer = model.explore(stop=2.0)
    assert explorer.shown == ["x"] and explorer.picture["units"] == ["m"] and explorer.picture["number"] == 0
    before = explorer.run
    explorer.set_state({"values": {"k": 0.5}, "asked": 1})
    assert explorer.picture["number"] == 1 and explorer.picture["error"] is None and explorer.run is not before
    assert np.allclose(column(explorer), np.exp(-0.5 * time_of(explorer)), atol=1e-5)
    explorer.set_state({"stop": 4.0, "asked": 2})
    assert time_of(explorer)[-1] == 4.0 and float(explorer.run["x"][-1]) == pytest.approx(np.exp(-2.0), rel=1e-4)
    run = explorer.run
    explorer.set_state({"shown": ["x", "der(x)"], "asked": 3})
    assert explorer.run is run and np.allclose(column(explorer, 1), -0.5 * column(explorer), atol=1e-9)
    explorer.set_state({"values": {"k": 0.5}, "asked": 4})
    assert explorer.picture["number"] == 4


def test_python_moves_sliders_too(model: cutset.Model) -> None:
    explorer = model.explore()
    explorer.values = {"on": 0.0}
    assert column(explorer).tolist() == [1.0] * len(time_of(explorer))


def test_a_wrong_value_is_a_message_and_the_curves_stay(model: cutset.Model) -> None:
    explorer = model.explore()
    before = column(explorer).tolist()
    explorer.set_state({"values": {"k": 9.0}, "asked": 1})
    assert "'k' cannot be 9, which is more than its max, 4" in explorer.picture["error"]
    assert column(explorer).tolist() == before and explorer.picture["number"] == 1
    explorer.set_state({"values": {}, "asked": 2})
    assert explorer.picture["error"] is None


def test_an_interrupted_run_is_a_message_and_can_be_repeated(
    model: cutset.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for a message of the page, which changes two traits; the page knows when a run can be interrupted."""
    explorer = model.explore()
    runs = []

    def interrupted(*_: object) -> None:
        runs.append(explorer.is_running)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cutset.Model, "run", interrupted)
        explorer.set_state({"values": {"k": 1.0}, "asked": 1})
        assert (explorer.picture["error"], explorer.picture["number"]) == ("the run was interrupted", 1)
    assert runs == [True] and not explorer.is_running
    explorer.set_state({"values": {"k": 1.0}, "asked": 2})
    assert explorer.picture["error"] is None and np.allclose(column(explorer), np.exp(-time_of(explorer)), atol=1e-5)


def test_runs_stay_in_the_thread_that_interrupts_reach(model: cutset.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel takes messages in threads; outside of cells it ignores interrupts."""

    def interrupted(*_: object) -> None:
        assert threading.current_thread() is threading.main_thread()
        signal.raise_signal(signal.SIGINT)

    async def ask() -> None:
        explorer = model.explore()
        monkeypatch.setattr(cutset.Model, "run", interrupted)
        await asyncio.to_thread(explorer.set_state, {"values": {"k": 1.0}, "asked": 1})
        await asyncio.sleep(0)
        assert (explorer.picture["error"], explorer.picture["number"]) == ("the run was interrupted", 1)

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        asyncio.run(ask())
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_only_models_with_bodies_have_an_animation(model: cutset.Model) -> None:
    text = "@mbssim\nmodel P\n  submodel (Inertial) i(ng3=-1)\n  submodel (Revolute) r(n2=1, q0=1)\n"
    text += "  submodel (Body) b(m=1, r3=-1)\n  connect i to r to b\nend\n"
    moving = cutset.loads(text).explore(["r.q"], ["r.q0"], points=11)
    first = json.loads(moving.picture["scene"])
    assert len(moving.run.time) == 11 and first["title"] == "P" and "var THREE" in moving._esm
    moving.set_state({"values": {"r.q0": 0.2}, "asked": 1})
    assert json.loads(moving.picture["scene"])["nodes"] != first["nodes"]
    still = model.explore()
    assert still.picture["scene"] == "" and "var THREE" not in still._esm


def test_wrong_names_are_refused(model: cutset.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(cutset.RunError, match=r"E602.*'kk'"):
        model.explore(sliders=["kk"])
    with pytest.raises(cutset.RunError, match="E607"):
        model.explore(["nothing"])
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(cutset.RunError, match=r"E647.*anywidget"):
        model.explore()


def test_settings_are_those_of_simulate(model: cutset.Model) -> None:
    assert len(model.explore(stop=2.0, interval=0.5, parameters=None).run.time) == 5
    with pytest.raises(TypeError, match="no argument 'duration'"):
        model.explore(duration=1.0)
