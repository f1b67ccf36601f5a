"""A run that continues another one, from its result or a file, is the run that did not stop."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

MODEL = """model M
  parameter T = 0.1
  input F
  local x (start=0), n (start=0), y, d (start=1), high (start=false)
  when sample(0, T) then
    new(n) = n + 1
  endwhen
  new(high) = x > 0.6 or high and x > 0.4
  der(x) = if high then -1 else 1 + 0.1*n
  der(d) = F - delay(d, 0.15)
  y = x + n
end
"""
FIXED = {"method": "rk4", "max_step": 1e-3, "interval": 0.1}
NAMES = ("x", "n", "d", "high", "y")


@pytest.fixture
def model(write_model):
    return cutset.load(write_model(MODEL))


def last(run):
    return [float(run[name][-1]) for name in NAMES]


def test_pieces_are_the_run_in_one_to_rounding(model, tmp_path) -> None:
    """The first piece ends at a sample, which ticks once."""
    whole = model.simulate(2.0, inputs={"F": 0.5}, **FIXED)
    first, path = model.simulate(0.7, inputs={"F": 0.5}, **FIXED), tmp_path / "first.npz"
    first.to_npz(path)
    for before in (first, path, str(path), first.state()):
        run = model.simulate(2.0, start_from=before, **FIXED)
        assert run.time[0] == 0.7 and run["n"][0] == 8.0
        assert last(run) == pytest.approx(last(whole), rel=1e-12, abs=1e-12)
    assert last(model.simulate(2.0, start_from=path, inputs={"F": 3.0}, **FIXED))[2] > last(whole)[2] + 0.1


def test_settings_may_differ(model) -> None:
    whole = model.simulate(2.0, rtol=1e-9, atol=1e-12)
    first = model.simulate(0.73, method="cvode-bdf", rtol=1e-9, atol=1e-12)
    run = model.simulate(2.0, start_from=first, times=[1.0, 1.5], rtol=1e-9, atol=1e-12)
    assert last(run) == pytest.approx(last(whole), abs=1e-6)
    assert last(run.resume(2.5)) == pytest.approx(last(model.simulate(2.5, rtol=1e-9, atol=1e-12)), abs=1e-6)


def test_another_process_continues(model, write_model, tmp_path) -> None:
    whole, path, out = model.simulate(2.0, **FIXED), tmp_path / "first.npz", tmp_path / "rest.npz"
    model.simulate(0.7, **FIXED).to_npz(path)
    options = ["--stop", "2", "--method", "rk4", "--max-step", "1e-3", "--interval", "0.1"]
    code = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "simulate", str(tmp_path / "model.mo"), *options]
    subprocess.run([*command, "--from", str(path), "-o", str(out)], check=True, capture_output=True)
    with np.load(out) as found:
        assert [found[name][-1] for name in NAMES] == pytest.approx(last(whole), rel=1e-12, abs=1e-12)
        assert found["time"][0] == 0.7


def test_a_table_goes_on(model) -> None:
    drive = {"F": cutset.table(([0.0, 0.5, 0.7, 1.0], [0.0, 1.0, 2.0, 0.5]), "hold")}
    whole = model.simulate(1.5, inputs=drive, **FIXED)
    first = model.simulate(0.7, inputs=drive, **FIXED)
    with pytest.raises(RunError, match="the input 'F' followed a function or a table") as raised:
        model.simulate(1.5, start_from=first, **FIXED)
    assert raised.value.code == "E605"
    assert last(model.simulate(1.5, inputs=drive, start_from=first, **FIXED)) == pytest.approx(last(whole), rel=1e-12)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"parameters": {"T": 0.2}}, "other values of parameters"),
        ({"initial": {"x": 1.0}}, "has no start values"),
        ({"start": 0.5}, "starts at 0.7, the time of the state, not at 0.5"),
        ({"stop": 0.5}, "before it starts"),
        ({"method": "bdf"}, "the method bdf cannot continue"),
        ({"times": [0.5]}, "within the run"),
    ],
)
def test_what_cannot_be_continued(model, settings, words) -> None:
    first = model.simulate(0.7, **FIXED)
    with pytest.raises(RunError, match=words) as raised:
        model.simulate(**{"stop": 2.0, "start_from": first, **settings})
    assert raised.value.code == "E605"


def test_files_without_a_state(model, write_model, tmp_path) -> None:
    csv, npz, broken = tmp_path / "a.csv", tmp_path / "failed.npz", tmp_path / "broken.npz"
    model.simulate(0.7).to_csv(csv)
    model.run(cutset.Experiment(0.7, points=2, max_steps=1)).to_npz(npz)
    broken.write_bytes(b"PK")
    for before, words in (
        (csv, "only a result in an .npz file has the state"),
        (npz, "has no state of a run"),
        (broken, "cannot read"),
        (tmp_path / "none.npz", "cannot read"),
        (b"{}", "not a saved state"),
        (3, "must be a result, a file or a state"),
    ):
        with pytest.raises(RunError, match=words):
            model.simulate(2.0, start_from=before)
    other = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -x\nend\n", "other.mo"))
    with pytest.raises(RunError, match="another model"):
        other.simulate(2.0, start_from=model.simulate(0.7))
    assert main(["simulate", str(tmp_path / "other.mo"), "--from", str(csv)]) == 2


def test_a_run_starts_at_an_equilibrium(tmp_path, capsys) -> None:
    """Where the delayed value, the state and the input agree; the search may start elsewhere."""
    path = tmp_path / "rest.mo"
    path.write_text(
        "model Rest\n  parameter a = 2\n  input F\n  local x (start=0.1), y\n"
        "  der(x) = F - a*x*abs(x) + (if time < 1 then 0 else 1)\n  y = delay(x, 0.3)\nend\n"
    )
    model = cutset.load(path)
    run = model.simulate(2.0, points=201, start_from=model.steady(inputs={"F": 8.0}), target="python")
    np.testing.assert_allclose(run["x"][run.time < 0.995], 2.0, rtol=1e-7)
    np.testing.assert_allclose(run["y"][run.time < 1.295], 2.0, rtol=1e-7)
    assert run["y"][-1] > 2.05
    options = [str(path), "--set", "F=8", "x=3", "--stop", "0.5", "--target", "python", "--outputs", "x,y"]
    assert main(["simulate", *options, "--steady"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split() for line in shown[1:3]] == [["x", "2", "2"], ["y", "2", "2"]]
    assert main(["simulate", *options, "--steady", "--from", "a.npz"]) == 2
    assert "--steady and --from both say where the run starts" in capsys.readouterr().err
