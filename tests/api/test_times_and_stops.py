"""Output times that are given, and conditions that end a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.targets.toolchain import find_compiler

RC = Path(__file__).parents[2] / "models" / "rc.mo"
TARGETS = ["c", "python"] if find_compiler() else ["python"]
# The capacitor is charged from 0.1 s on with the time constant 0.1 s.
FIVE = 0.1 + 0.1 * np.log(2.0)
EXACT = {"rtol": 1e-10, "atol": 1e-12}
PULSE = """model Pulse
  local x (start=1), v (start=0)
  der(x) = v
  der(v) = -x
end
"""


@pytest.fixture(params=TARGETS)
def target(request) -> str:
    return request.param


@pytest.mark.parametrize("method", ["auto", "rk4", "cvode-bdf", "radau"])
def test_rows_at_times(method, target) -> None:
    times = [0.05, 0.15, 0.1 + 1.0 / 3.0, 0.9]
    run = cutset.load(RC).simulate(1.0, times=times, method=method, target=target, **EXACT, max_step=0.01)
    assert sorted(set(run.time.tolist())) == [0.0, 0.05, 0.1, *times[1:], 1.0]
    assert np.allclose(run["C.u"], -10.0 * np.expm1(-np.maximum(run.time - 0.1, 0.0) / 0.1), atol=1e-4)


def test_times_with_the_ends() -> None:
    run = cutset.load(RC).simulate(0.09, times=np.array([0.0, 0.04, 0.09]))
    assert run.time.tolist() == [0.0, 0.04, 0.09]
    assert run.resume(0.1, points=2).time.tolist()[:2] == [0.09, 0.1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"times": [0.5, 0.2]}, "must ascend"),
        ({"times": [0.5, 0.5]}, "must ascend"),
        ({"times": [0.5, 1.5]}, "within the run, from 0 to 1 s, but number 2 is 1.5"),
        ({"times": [float("nan")]}, "finite"),
        ({"times": []}, "a list of numbers"),
        ({"times": "now"}, "a list of numbers"),
        ({"times": [0.5], "points": 3}, "only one of"),
        ({"until": "x < 0\nx = 1"}, "in one line"),
        ({"until": ""}, "in one line"),
        ({"until": 3}, "in one line"),
    ],
)
def test_settings_that_are_refused(settings, words) -> None:
    with pytest.raises(RunError, match=words) as raised:
        cutset.load(RC).simulate(1.0, **settings)
    assert raised.value.code == "E605"


@pytest.mark.parametrize("method", ["auto", "rk4", "cvode-bdf", "radau"])
def test_a_condition_ends_the_run(method, target) -> None:
    """Also one of a variable that is local to a submodel."""
    run = cutset.load(RC).simulate(1.0, until="C.u > 5", method=method, target=target, **EXACT)
    assert abs(run.time[-1] - FIVE) < (1e-6 if method == "rk4" else 1e-9) and abs(run["C.u"][-1] - 5.0) < 1e-5
    assert run.outcome is Outcome.TERMINATED and run.ending is not None and run.ending.text == "until C.u > 5"


def test_a_short_crossing_is_not_stepped_over(write_model, target) -> None:
    """Below -0.9999 for 0.03 s at time pi, with two rows only, and long steps."""
    model = cutset.load(write_model(PULSE))
    run = model.simulate(10.0, until="x < -0.9999", points=2, target=target, **EXACT)
    assert abs(run.time[-1] - np.arccos(-0.9999)) < 1e-7
    assert model.simulate(10.0, until="x < -1.01", points=2, target=target).outcome is Outcome.COMPLETED
    at_once = model.simulate(10.0, until="x > 0.5", points=2, target=target)
    assert at_once.time[-1] == 0.0 and at_once.outcome is Outcome.TERMINATED


def test_until_with_an_input_and_parameters(write_model) -> None:
    model = cutset.load(
        write_model("model M\n  input F\n  parameter a = 2\n  local x (start=0)\n  der(x) = a*F\nend\n")
    )
    step = {"F": cutset.table(([0, 1], [0.0, 1.0]), "hold")}
    run = model.until("F > 0.5 and x >= 0").simulate(3.0, inputs=step, parameters={"a": 3.0})
    assert run.time[-1] == 1.0 and run["x"][-1] == 0.0
    run = model.until("x >= a/2").simulate(3.0, inputs=step, parameters={"a": 4.0})
    assert abs(run.time[-1] - 1.5) < 1e-9


@pytest.mark.parametrize(("condition", "code"), [("C.u >", "E107"), ("C.w > 1", "E212"), ("C.u", "E277")])
def test_conditions_with_errors(condition, code) -> None:
    with pytest.raises(ModelError) as raised:
        cutset.load(RC).until(condition)
    assert raised.value.diagnostics[0].code == code and "until:2:" in str(raised.value)


def test_command_line(tmp_path, capsys) -> None:
    table, out = tmp_path / "times.csv", tmp_path / "out.npz"
    table.write_text("time\n0.11\n0.12\n0.12\n")
    assert main(["simulate", str(RC), "--times", str(table), "--until", "C.u > 5", "-o", str(out)]) == 0
    assert "the model ended the run at time 0.169315: until C.u > 5" in capsys.readouterr().out
    with np.load(out) as found:
        assert [t for t in found["time"].tolist() if t not in (0.1, found["time"][-1])] == [0.0, 0.11, 0.12]
    assert main(["simulate", str(RC), "--times", "0.5,0.1"]) == 2
    assert main(["simulate", str(RC), "--until", "C.w > 5"]) == 1
