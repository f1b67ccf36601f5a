"""A run that is continued is the run that did not stop."""

from __future__ import annotations

import numpy as np
import pieces
import pytest

import cutset
from cutset.runtime.errors import RunError


@pytest.mark.parametrize(("seed", "target"), [(1, "c"), (2, "c"), (3, "python"), (21, "c"), (27, "python")])
def test_random_models_in_random_pieces(seed, target, tmp_path) -> None:
    assert pieces.difference(seed, tmp_path, target) == ""


COUNTER = """
model Counter "a sampled integrator on a continuous lag"
  parameter T (unit="s") = 0.01
  input e
  local x (start=0), I (start=0), n (start=0)
  when sample(0, T) then
    new(I) = I + T*e
    new(n) = n + 1
  endwhen
  0.1*der(x) = I - x
end
"""


def test_samples_are_counted_once_at_the_ends_of_pieces(write_model) -> None:
    model = cutset.load(write_model(COUNTER))
    settings = {"points": 2, "inputs": {"e": 1.0}, "rtol": 1e-9, "atol": 1e-12}
    whole = model.simulate(1.0, **settings)
    run = pieces.in_pieces(model.simulate(0.1, **settings), [k / 10 for k in range(2, 11)])
    assert run["n"][-1] == whole["n"][-1] == 101
    assert [float(run[name][-1]) for name in ("x", "I")] == pytest.approx(
        [float(whole[name][-1]) for name in ("x", "I")], abs=1e-9
    )


def test_equations_of_the_start_are_done_with(write_model) -> None:
    text = (
        "model AtRest\n  parameter k = 0.01\n  local level, v (start=1)\n  2*der(level) = 0.02 - k*level*v\n"
        "  der(v) = -v\n"
    )
    text += "  initial\n    der(level) = 0\n  endinitial\nend\n"
    model = cutset.load(write_model(text))
    whole, run = model.simulate(20.0, rtol=1e-9, atol=1e-12), model.simulate(10.0, rtol=1e-9, atol=1e-12).resume(20.0)
    assert run.time[0] == 10.0 and run["level"][0] > 2.05
    assert run["level"][-1] == pytest.approx(whole["level"][-1], rel=1e-7)


STICKING = """
@rotational

model Held
  submodel (Inertia) J(J=1)
  submodel (BearingFriction) brake(tau_tab=[10, 10], peak=1.5)
  submodel (Torque) drive
  connect drive to J to brake
  drive.tau = if time < 1 then 5 elseif time < 2 then 12 elseif time < 3 then 16 else 8
end
"""


def test_a_brake_that_sticks_stays_stuck(write_model) -> None:
    """The torque is below that which breaks loose, and above that of sliding, when the run is continued."""
    model = cutset.load(write_model(STICKING))
    whole = model.simulate(4.0, points=2, rtol=1e-9, atol=1e-12)
    run = model.simulate(0.3, points=2, rtol=1e-9, atol=1e-12)
    for end in (1.5, 1.75, 2.0):
        run = run.resume(end)
        assert run["J.w"][-1] == pytest.approx(0.0, abs=1e-12)
    run = pieces.in_pieces(run, [2.5, 3.0, 3.1, 4.0])
    assert whole["J.w"][-1] > 1.0
    assert run["J.w"][-1] == pytest.approx(whole["J.w"][-1], rel=1e-7)


def test_a_run_is_continued_more_than_once(write_model) -> None:
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -delay(x, 0.3)\nend\n"))
    run = model.simulate(0.5, points=2)
    before = run["x"].copy()
    first, second = run.resume(2.0), run.resume(2.0)
    assert np.array_equal(first["x"], second["x"]) and np.array_equal(first.time, second.time)
    assert np.array_equal(run["x"], before)


def test_outputs_are_as_before_or_as_asked(write_model) -> None:
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -x\nend\n"))
    run = model.simulate(1.0, interval=0.25)
    assert run.resume(2.0).time.tolist() == [1.0, 1.25, 1.5, 1.75, 2.0]
    assert run.resume(2.0, points=3).time.tolist() == [1.0, 1.5, 2.0]
    assert run.resume(1.0).time.tolist() == [1.0]


def test_inputs_change_from_there_on(write_model) -> None:
    text = (
        "model M\n  input u\n  local x (start=0), n (start=0)\n  der(x) = u\n  when u > 1 then\n    new(n) = n + 1\n"
        "  endwhen\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(1.0, inputs={"u": 1.0}).resume(2.0, inputs={"u": 3.0})
    assert run["x"][-1] == pytest.approx(4.0) and run["n"][-1] == 1
    assert run.resume(3.0)["x"][-1] == pytest.approx(7.0)
    with pytest.raises(RunError) as caught:
        run.resume(3.0, inputs={"v": 1.0})
    assert caught.value.code == "E602"


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_run_that_a_condition_has_ended_is_continued(write_model, target) -> None:
    """The condition holds on for a while; it ends the run when it becomes true again, whatever the output times."""
    path = write_model("model M\n  local x (start=0), v (start=1)\n  der(x) = v\n  der(v) = -x\nend\n")
    settings = {"target": target, "until": "x > 0.5", "rtol": 1e-10, "atol": 1e-12}
    run = cutset.load(path).simulate(20.0, points=7, **settings)
    ends = [float(run.time[-1])]
    for points in (3, 101):
        run = run.resume(20.0, points=points)
        ends.append(float(run.time[-1]))
        assert run.ending is not None and run.ending.text == "until x > 0.5"
    assert ends == pytest.approx([np.pi / 6 + 2 * np.pi * k for k in range(3)], abs=1e-7)
    assert run.resume(ends[-1] + 1.0).ending is None


@pytest.mark.parametrize("target", ["c", "python"])
def test_relations_of_time_change_in_a_continued_run(write_model, target) -> None:
    text = "model M\n  local x (start=0)\n  der(x) = if sin(3*time) > 0.5 then 1 else 0\nend\n"
    run = cutset.load(write_model(text)).simulate(0.1, target=target).resume(1.0).resume(4.0)
    assert run["x"][-1] == pytest.approx(4 * np.pi / 9, abs=1e-9)
    assert run.statistics.events["time"] == 2


def test_a_run_that_has_failed_is_not_continued(write_model) -> None:
    model = cutset.load(write_model('model M\n  local x (start=1)\n  der(x) = -1\n  assert x > 0.5, "low"\nend\n'))
    with pytest.raises(RunError) as caught:
        model.run(cutset.Experiment(1.0)).resume(2.0)
    assert caught.value.code == "E605" and "cannot be continued" in caught.value.message
    with pytest.raises(RunError) as caught:
        model.simulate(0.25).resume(0.1)
    assert "stops at 0.1 before it starts at 0.25" in caught.value.message


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_delayed_quantity_that_jumps_at_the_start(write_model, target) -> None:
    text = (
        "model M\n  local k (start=0), x (start=0)\n  when sample(0, 10) then\n    new(k) = 1\n  endwhen\n"
        "  der(x) = delay(k, 0.0892)\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(1.0, target=target)
    assert run["x"][-1] == pytest.approx(1.0 - 0.0892, abs=1e-12)
