"""`initial()`, `terminal()` and `change(n)`, against what the text says: a discrete variable counts."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import pytest
from built_programs import COMPILER, built

import cutset

MODELS = Path(__file__).parents[1] / "language" / "models"
ENDS, CHANGES = MODELS / "6-07-initial-terminal.mo", MODELS / "6-08-change.mo"


@pytest.fixture(scope="module")
def model():
    return cutset.load(ENDS)


@pytest.mark.parametrize("method", ["auto", "rk4", "bdf"])
def test_both_act_once(model, method):
    run = model.simulate(stop=1, method=method, rtol=1e-9)
    assert (run["n"][0], run["n"][1], run["n"][-1]) == (0, 7, 8)
    assert run["x"][-1] == run["last"][-1] == pytest.approx(2 * math.exp(-1), abs=1e-7)
    assert run["last"][-2] == -1 and run["time"][-2] == 1


def test_it_may_fail_at_the_end(model):
    with pytest.raises(cutset.RunError, match=r"the run is too short, at time 0\.1") as caught:
        model.simulate(stop=0.1)
    assert caught.value.result["time"][-1] == 0.1


def test_the_end_is_that_which_the_model_gives(write_model):
    text = ENDS.read_text().removesuffix("end\n") + '  terminate x < 0.5, "small"\nend\n'
    run = cutset.load(write_model(text)).simulate(stop=3)
    assert run["time"][-1] == pytest.approx(math.log(4), abs=1e-5) and run["last"][-1] == run["x"][-1]


def test_a_run_in_steps_has_a_start_and_no_end(model):
    steps = model.simulator()
    assert steps["n"] == 7
    steps.step(1.0)
    assert steps["n"] == 8 and steps["last"] == -1


def test_each_of_many_runs_ends(model):
    found = model.sweep({"x": [1.0, 1.0]}, ["last"], stop=1)
    assert list(found["last"]) == pytest.approx([2 * math.exp(-1)] * 2, abs=1e-4)


def test_changes_are_counted():
    run = cutset.load(CHANGES).simulate(stop=1)
    assert (run["c"][-1], run["d"][-1]) == (3, 1)  # n at 0.4; m at 0.6 and 0.8


@pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
def test_an_exported_program_ends(model, tmp_path):
    model.export_c(tmp_path)
    program = built(tmp_path)
    rows = subprocess.run([program, "1", "1"], check=True, capture_output=True, text=True).stdout
    names, *lines = [line.replace('"', "").split(",") for line in rows.splitlines()]
    assert [float(line[names.index("last")]) for line in lines] == pytest.approx([-1, -1, 2 * math.exp(-1)], abs=1e-5)
    done = subprocess.run([program, "0.1", "0.1"], capture_output=True, text=True)
    assert done.returncode == 1 and "the run is too short" in done.stderr


def test_a_run_chooses_equations(write_model):
    """Against the integral of the pieces: 0.5*2 + 0.3*4 + 0.2*3."""
    text = (
        "model M\n  local y, w, z (start=0)\n  der(z) = y\n  if time < 0.5 then\n    y = 2\n    w = 2*y\n"
        "  elseif time < 0.8 then\n    w = 3\n    y + w = 7\n  else\n    y - w = 1\n    y + w = 5\n  endif\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(stop=1, rtol=1e-9)
    assert run["z"][-1] == pytest.approx(2.8, abs=1e-9)
    assert (run["w"][0], run["w"][-1]) == (4, 2)
