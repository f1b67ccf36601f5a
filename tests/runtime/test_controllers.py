"""Controllers: called once at an instant, with a state for each run, saved and restored; failures keep the run."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset import RunError
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import Fault
from cutset.runtime.targets.controllers import Controllers, NotPlain, from_plain, to_plain

CODE = """
calls = []
class PI:
    def __init__(self):
        self.integral = 0.0
    def __call__(self, error, k, t):
        calls.append(t)
        self.integral += 0.1*error
        return k*error + self.integral
class Stuck:
    def __call__(self, t):
        if t > 0.25:
            raise LookupError("no data")
        return t
def rounded(x):
    return round(x, 1)
class Logger:
    def __init__(self):
        self.write = print
    def __call__(self, t):
        return t
"""
MODEL = """
external controller pi(error, k, t) result u "python:{module}.PI"
external controller stuck(t) result u "python:{module}.Stuck"
external controller rounded(x) result u "python:{module}.rounded"
external controller logger(x) result u "python:{module}.Logger"

model class Loop
  parameter k = 2
  local y (start=0), u (start=0), r (start=0)
  when sample(0, 0.1) then
    new(u) = pi(1 - y, k, time)
    new(r) = rounded(new(u))
  endwhen
  0.7*der(y) + y = u
end

model Two
  submodel (Loop) a, b(k=3)
end

model Plain "Loop without a controller"
  parameter k = 2
  local y (start=0), u (start=0), integral (start=0)
  when sample(0, 0.1) then
    new(integral) = integral + 0.1*(1 - y)
    new(u) = k*(1 - y) + new(integral)
  endwhen
  0.7*der(y) + y = u
end

model Fails
  local u (start=0), x (start=0)
  when sample(0, 0.1) then
    new(u) = stuck(time)
  endwhen
  der(x) = u
end

model Logs
  local u (start=0)
  when sample(0, 0.1) then
    new(u) = logger(time)
  endwhen
end
"""
TARGETS = ("c", "python")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("controllers")
    (folder / "controls.py").write_text(CODE)
    (folder / "loop.mo").write_text(MODEL.format(module="controls"))
    return folder / "loop.mo"


def load(path: Path, name: str) -> cutset.Model:
    return cutset.load(path, name, allow_external=True)


def calls() -> list[float]:
    """The times of the calls of PI in the module that was loaded last."""
    module = [module for name, module in sys.modules.items() if name.startswith("cutset_of") and hasattr(module, "PI")]
    found: list[float] = module[-1].calls
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_each_sample_is_one_call_and_each_run_starts_anew(path: Path, target: str) -> None:
    model, plain = load(path, "Two"), cutset.load(path, "Plain")
    fixed = {"target": target, "method": "rk4", "max_step": 0.01}
    runs = [model.simulate(1.05, **fixed) for _ in range(2)]
    for name, k in (("a.y", 2.0), ("b.y", 3.0)):
        wanted = plain.simulate(1.05, parameters={"k": k}, **fixed)["y"][-1]
        assert [run[name][-1] for run in runs] == pytest.approx([wanted] * 2, rel=1e-14)
    of_a_run = [t for k in range(11) for t in [0.1 * k] * 2]
    np.testing.assert_allclose(calls(), of_a_run * 2)


@pytest.mark.parametrize("target", TARGETS)
def test_steps_saved_states_and_continued_runs(path: Path, target: str) -> None:
    model = load(path, "Two")
    wanted = cutset.load(path, "Plain").simulate(1.0, target=target, method="rk4", max_step=0.01)["y"][-1]
    first, second = model.simulator(target=target), model.simulator(target=target)
    for sim in (first, second):
        sim.step(0.33)
    saved = first.state()
    second.step(0.4)
    first.step(0.67)
    assert first["a.y"] == pytest.approx(wanted, rel=1e-7)
    other = load(path, "Two").simulator(target=target)
    other.restore(saved)
    other.step(0.67)
    assert other["a.y"] == first["a.y"]
    run = model.simulate(0.33, target=target)
    assert [run.resume(1.0)["a.y"][-1] for _ in range(2)] == pytest.approx([first["a.y"]] * 2, rel=1e-7)
    assert model.simulate(1.0, start_from=run, target=target)["b.y"][-1] == pytest.approx(first["b.y"], rel=1e-7)


@pytest.mark.parametrize("target", TARGETS)
def test_a_failing_controller_is_named_and_the_rows_before_are_kept(path: Path, target: str) -> None:
    run = load(path, "Fails").run(cutset.Experiment(stop=1.0), target)
    assert run.failure is not None and run.time[-1] == pytest.approx(0.3)
    error = run.failure.error()
    assert error.code == "E625"
    assert (
        error.message
        == f"the controller 'stuck' (controls.Stuck) failed with LookupError: no data, at time {run.time[-1]}"
    )
    assert error.notes[0] == f"it was called with {run.time[-1]}"


def test_a_failing_step_leaves_the_controllers_as_they_were(path: Path) -> None:
    sim = load(path, "Two").simulator(inputs={})
    sim.step(0.15)
    before = sim.state()
    with pytest.raises(RunError):
        sim.step(0.3, {"nothing": 1.0})
    assert sim.state() == before


def test_states_that_cannot_be_saved_are_refused(path: Path) -> None:
    sim = load(path, "Logs").simulator()
    sim.step(0.35)
    assert sim["u"] == pytest.approx(0.3)
    with pytest.raises(RunError, match=r"logger.*cannot be saved") as caught:
        sim.state()
    assert caught.value.code == "E658"


def test_a_controller_belongs_into_a_when(write_model) -> None:
    text = """
    external controller pi(x) result u "python:controls.PI"
    model M
      local a, b (start=0), c
      parameter p = pi(1)
      a = pi(time)
      new(b) = pi(time)
      when pi(time) > 0 then
        assert pi(time) > 2, "text"
      endwhen
      initial
        c = pi(3)
      endinitial
      der(c) = 1
    end
    """
    with pytest.raises(ModelError) as caught:
        cutset.load(write_model(textwrap.dedent(text)), allow_external=True)
    assert [d.code for d in caught.value.diagnostics] == ["E344"] * 6


# --- calls that are repeated ---------------------------------------------------------------------


class Counter:
    """An implementation whose results number its calls."""

    title, size, has_state = "counter", 1, False

    def __init__(self) -> None:
        self.calls = 0

    def make(self, others: object) -> object:
        return self

    def rest(self, made: object) -> None:
        pass

    def outcome(self, function: object, given) -> tuple[list[float], Fault | None]:
        self.calls += 1
        return [float(self.calls)], None


def test_repeated_events_use_the_results_of_their_first_calls() -> None:
    counter = Counter()
    own = Controllers({0: counter, 1: counter})
    assert [own.call(k, 0.0, [2.0])[0] for k in (0, 1, 0, 1)] == [[1.0], [2.0], [1.0], [2.0]]
    assert own.call(0, 0.5, [2.0])[0] == [3.0]
    own.again_after(0.0)
    assert [own.call(0, 0.5, [2.0])[0], own.call(1, 0.5, [2.0])[0]] == [[3.0], [4.0]]
    own.again_at(0.5)
    _, fault = own.call(0, 0.5, [7.0])
    assert fault is not None and "cannot be called again" in fault.text
    assert own.call(0, 0.5, [2.0])[0] == [3.0]


def test_a_step_that_is_repeated_uses_all_its_calls() -> None:
    counter = Counter()
    own = Controllers({0: counter})
    own.hold()
    assert [own.call(0, t, [1.0])[0] for t in (0.1, 0.2, 0.3)] == [[1.0], [2.0], [3.0]]
    own.again_at(-1.0)
    assert [own.call(0, t, [1.0])[0] for t in (0.1, 0.2, 0.3)] == [[1.0], [2.0], [3.0]]
    own.release()
    assert own.call(0, 0.4, [1.0])[0] == [4.0]


# --- plain data ----------------------------------------------------------------------------------


def test_plain_data_is_read_as_it_was_written() -> None:
    value = {"a": [1, 2.5, None, True, "x"], 3: (1, {2}), "m": np.arange(6.0).reshape(2, 3), "f": np.float64(2.0)}
    found = from_plain(to_plain(value))
    np.testing.assert_array_equal(found.pop("m"), value.pop("m"))
    assert found == value
    with pytest.raises(NotPlain, match=r"its state\['a'\]\[0\] is a function"):
        to_plain({"a": [load]})
