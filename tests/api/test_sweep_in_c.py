"""Tests sweeps whose runs are one call of C: the same rows as those of single runs; SUNDIALS, room, Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import cutset
import cutset.api.runs.sweep
import cutset.api.runs.sweep_points
from cutset.runtime.errors import RunError
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.many_runs import DONE, Runs, many_runs
from cutset.runtime.runs.run import INTERRUPTED
from cutset.runtime.runs.sweep import Row, Task, Texts, run_tasks
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

# A ball, a counter of samples, a nonlinear system, a stiff part whose nominal value is a parameter, a time event.
HYBRID = """model Hybrid
  parameter e = 0.8, k = 0.9, size = 1.5
  input u
  local h (start=1), v (start=0), n (start=0), z, s (start=0, nominal=size), F
  der(h) = v
  der(v) = -9.81
  z + k*z^3 = 1 + h
  der(s) = 3e3*(u + z - s)
  F = if time > 0.35 then k*h else -v
  when h < 0 then
    init(v) = -e*v
    new(n) = n + 1
  endwhen
  assert h < 4, "too high"
end
"""
KEEP = ["h", "n", "max(z)", "mean(F)", "min(v)", "mean(time)", "k"]


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("hybrid") / "h.mo"
    path.write_text(HYBRID, encoding="utf-8")
    return cutset.load(path)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the runs that Python does."""
    numbers: list[int] = []

    def noted(models: Sequence[Texts], tasks: Sequence[Task]) -> list[Row]:
        numbers.extend(task.number for task in tasks)
        return run_tasks(models, tasks)

    monkeypatch.setattr(cutset.api.runs.sweep, "run_tasks", noted)
    return numbers


def in_python(model: cutset.Model, vary: cutset.api.runs.sweep_points.Vary, **settings: object) -> cutset.Sweep:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutset.api.runs.sweep._Runs, "in_c", lambda *_: None)
        return model.sweep(vary, KEEP, workers=1, **settings)  # type: ignore[arg-type]


def assert_same(found: cutset.Sweep, expected: cutset.Sweep) -> None:
    for row, other in zip(found.rows, expected.rows, strict=True):
        assert (row.number, row.outcome, row.reason, row.refusal) == (
            *(other.number, other.outcome),
            *(other.reason, other.refusal),
        )
    values, others = (np.array([row.values for row in sweep.rows]) for sweep in (found, expected))
    np.testing.assert_array_equal(values, others)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("method", ["auto", "dopri5"])
def test_rows_are_those_of_single_runs(hybrid: cutset.Model, alone: list[int], workers: int, method: str) -> None:
    vary = {"e": [0.7, 0.8], "h": [1.0, 1.5], "n": [0.0, 3.0], "size": [1.0, 2.0]}
    settings = {"stop": 0.9, "inputs": {"u": 0.5}, "parameters": {"k": 0.4}, "method": method, "points": 7}
    found = hybrid.sweep(vary, KEEP, workers=workers, **settings)  # type: ignore[arg-type]
    assert alone == []
    assert not found.failed
    assert_same(found, in_python(hybrid, vary, **settings))


def test_a_run_that_fails_is_done_again_for_its_message(hybrid: cutset.Model, alone: list[int]) -> None:
    points = [{"v": 0.0, "k": 1.0}, {"v": 9.0, "k": 1.0}, {"v": 1.0, "k": float("nan")}, {"v": 1.0, "k": "no"}]
    found = hybrid.sweep(points, KEEP, stop=0.9, workers=2)
    assert alone == [1, 2, 3]
    assert [row.outcome for row in found.rows] == ["completed", "assertion", "no start", "no start"]
    assert_same(found, in_python(hybrid, points, stop=0.9))


def test_contradicting_start_values_have_their_message(write_model: Callable[[str], Path]) -> None:
    text = "model M\n  local x (start=1), y\n  der(x) = -x\n  y = -x\nend\n"
    found = cutset.load(write_model(text)).sweep({"x": [1.0, 2.0]}, ["y"], workers=1, initial={"y": -1.0})
    assert found.rows[1].reason.startswith("E644")
    assert found["y"][0] == pytest.approx(-np.exp(-1), rel=1e-5)


@pytest.mark.parametrize("value", [1.5, 7.0])
def test_a_value_that_the_type_excludes_is_an_error(write_model: Callable[[str], Path], value: float) -> None:
    text = "model M\n  parameter (Integer) n (max=5) = 2\n  local x (start=1)\n  der(x) = -n*x\nend\n"
    model = cutset.load(write_model(text))
    with pytest.raises(RunError, match="cannot be"):
        model.sweep({"n": [2.0, value]}, ["x"])


def test_interrupt_keeps_the_rows_so_far(hybrid: cutset.Model) -> None:
    seen: list[int] = []

    def interrupt(row: Row) -> None:
        seen.append(row.number)
        if len(seen) == 5:
            raise KeyboardInterrupt

    experiment = Experiment(0.1, inputs={"u": 0.0})
    vary = {"e": np.linspace(0.1, 0.9, 400).tolist()}
    found = cutset.api.runs.sweep.sweep(hybrid, vary, ["h"], experiment, workers=2, progress=interrupt)
    ended = {row.number for row in found.rows if row.outcome == "completed"}
    assert ended == set(seen)
    assert {row.outcome for row in found.rows} == {"completed", "interrupted"}


def test_a_run_in_progress_ends(write_model: Callable[[str], Path]) -> None:
    text = "model M\n  parameter w = 1\n  local x (start=1), v\n  der(x) = w*v\n  der(v) = -w*x\nend\n"
    model = cutset.load(write_model(text)).build("c")
    if not model.functions.has_threads():  # type: ignore[attr-defined]
        pytest.skip("with this compiler there is one thread")
    given: Mapping[str, float] = {"w": 1.0}
    experiment = Experiment(1e6, parameters=given, points=2, max_steps=10**9)
    runs = many_runs(model, experiment, Runs(2, [("w", np.array([100.0, 1e-6]))], [("x", "")]))
    assert runs is not None
    done = runs.done(2)
    assert next(done) == (1, 2)
    while max(worker.data.evaluations for worker in runs._all) < 1000:  # the first run may not have begun
        time.sleep(0.01)
    done.close()  # type: ignore[attr-defined]
    assert runs.numbers.status.tolist() == [INTERRUPTED, DONE]
    assert model.memories.free[-1].events.solver is None


def test_many_events_get_room(write_model: Callable[[str], Path], alone: list[int]) -> None:
    text = """model M
  parameter period = 1e-3
  local n (start=0), x (start=0)
  der(x) = n
  when sample(0, period) then
    new(n) = 1 - n
  endwhen
end
"""
    model = cutset.load(write_model(text))
    found = model.sweep({"period": [1e-3, 1e-4]}, ["x", "max(n)"], stop=1.0, workers=1, points=2)
    assert alone == []
    np.testing.assert_allclose(found["x"], 0.5, rtol=1e-3)


def test_variables_with_delays_are_those_of_single_runs(write_model: Callable[[str], Path]) -> None:
    text = "model M\n  parameter a = 0.5\n  local x (start=1), y\n  der(x) = -a*x\n  y = delay(x, 0.3)^2\nend\n"
    model = cutset.load(write_model(text))
    found = model.sweep({"a": [0.4, 0.7]}, ["y", "mean(y)", "min(y)"], workers=1)
    for k, a in enumerate([0.4, 0.7]):
        run = model.simulate(1.0, parameters={"a": a})
        assert found["min(y)"][k] == run["y"].min()
        assert found["y"][k] == run["y"][-1]
        assert found["mean(y)"][k] == pytest.approx(
            float(0.5 * (run["y"][1:] + run["y"][:-1]) @ np.diff(run.time)), rel=1e-12
        )
    batch = model.batch(1.0, parameters={"a": [0.4, 0.7]}, outputs=["y"], points=11)
    expected = model.simulate(1.0, parameters={"a": 0.7}, points=11)["y"]
    assert np.abs(batch["y"][1] - expected).max() < 1e-6
