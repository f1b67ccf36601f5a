"""Settings of runs that a model gives: `experiment (stop=3, points=4)`."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.contract.experiment_settings import METHODS, MOST_OUTPUTS, SETTINGS
from cutset.runtime.errors import RunError
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.solvers import METHODS as KNOWN
from cutset.runtime.targets.toolchain import find_compiler

TEXT = """model class Base
  experiment (stop=5, points=11, rtol=1e-9, atol=1e-11)
  local x (start=1)
  input u
  der(x) = u - x
end

model class Part
  local y (start=1)
  der(y) = -y
  experiment (stop=7, method="rk4")
end

model (Base) A
  constant T = 0.5
  submodel (Part) part
  experiment (start=1, stop=6*T + 1, interval=T)
end
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "a.mo"
    path.write_text(TEXT)
    return path


@pytest.fixture(scope="module")
def model(file: Path) -> cutset.Model:
    return cutset.load(file)


def test_the_object_replaces_what_it_inherits_and_submodels_do_not_count(model: cutset.Model) -> None:
    assert model.experiment == Experiment(stop=4.0, start=1.0, interval=0.5, rtol=1e-9, atol=1e-11)
    assert model.simulate().time.tolist() == np.linspace(1.0, 4.0, 7).tolist()


def test_arguments_replace_them(model: cutset.Model) -> None:
    assert model.simulate(3.0, points=3).time.tolist() == [1.0, 2.0, 3.0]
    assert model.simulate(times=[1.5]).time.tolist() == [1.0, 1.5, 4.0]
    fine, coarse = (model.simulate(**more)["x"][-1] for more in ({}, {"rtol": 1e-3, "atol": 1e-3}))
    assert abs(fine - np.exp(-3.0)) < 1e-9 < abs(coarse - np.exp(-3.0))
    assert model.run(Experiment()).time[-1] == 1.0
    with pytest.raises(RunError, match="before it starts at 7"):
        model.simulate(start=7.0)


def test_other_runs_have_them(model: cutset.Model) -> None:
    swept = model.sweep({"x": [1.0, 2.0]}, ["x"], workers=1)
    assert [row.values[0] for row in swept.rows] == pytest.approx([np.exp(-3.0), 2.0 * np.exp(-3.0)], abs=1e-8)
    batch = model.batch(initial={"x": [1.0, 2.0]})
    assert batch.time.tolist() == [1.0, 4.0] and batch["x"][1, -1] == pytest.approx(2.0 * np.exp(-3.0), abs=1e-8)
    assert model.batch(2.0, initial={"x": [1.0]}, interval=0.25).time.tolist() == [1.0, 1.25, 1.5, 1.75, 2.0]
    simulator = model.simulator()
    assert simulator.time == 1.0
    assert model.inverse({"x": 2.0}, ["u"]).time[[0, -1]].tolist() == [1.0, 4.0]
    table = np.linspace(1.0, 2.0, 5), np.zeros(5)
    assert model.inverse({"x": table}, ["u"]).time[[0, -1]].tolist() == [1.0, 2.0]


def test_translations_from_the_cache_have_them(file: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cutset.load(file)
    first.build("python")
    monkeypatch.setattr("cutset.api.translate.translation.translate_file", None)
    assert cutset.load(file).experiment == first.experiment


def test_commands(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["start"], report["stop"]) == (1.0, 4.0)
    assert main(["simulate", str(file), "-o", "-", "--stop", "3", "--points", "3", "--outputs", "x"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main(["simulate", str(file), "-o", "-", "--times", "3.25", "--outputs", "x"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["1.0", "3.25", "4.0"]
    assert main(["sweep", str(file), "--vary", "x=1", "--outputs", "x"]) == 0
    assert "0.04978706" in capsys.readouterr().out
    assert main(["simulate", str(file), "--start", "9"]) == 2


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_proposes_them(
    model: cutset.Model, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutset.export.fmu.libraries", lambda *_: {})
    with ZipFile(io.BytesIO(model.export_fmu(tmp_path / "a.fmu", version).read_bytes())) as archive:
        proposed = ElementTree.fromstring(archive.read("modelDescription.xml")).find("DefaultExperiment")
        sizes = archive.read("sources/sizes.h").decode()
    assert proposed is not None
    expected = {"startTime": 1.0, "stopTime": 4.0, "tolerance": 1e-9, "stepSize": 0.5}
    assert {name: float(value) for name, value in proposed.items()} == expected
    assert "#define CUTSET_RTOL 1e-09" in sizes and "#define CUTSET_ATOL 1e-11" in sizes
    with pytest.raises(RunError, match="must come after the start, 1 s"):
        model.export_fmu(tmp_path / "a.fmu", version, stop=0.5)


def test_an_exported_program_has_them(model: cutset.Model, tmp_path: Path) -> None:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler")
    model.export_c(tmp_path)
    program = tmp_path / "run"
    sources = [str(path) for path in tmp_path.glob("*.c")]
    subprocess.run([*compiler.command, "-O0", *sources, "-lm", "-o", str(program)], check=True, cwd=tmp_path)
    table = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    place = [name.strip('"') for name in table[0].split(",")].index("x")
    rows = np.array([[float(number) for number in line.split(",")] for line in table[1:]])
    assert rows[:, 0].tolist() == np.linspace(1.0, 4.0, 7).tolist()
    assert rows[:, place] == pytest.approx(np.exp(1.0 - rows[:, 0]), abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("stop=2, start=3", "the run stops at 2 s, before it starts at 3 s"),
        ("start=3", "the run stops at 1 s, before it starts at 3 s"),
        ("points=2, interval=0.1", "both give the output times"),
        ("interval=1e-9", "too many output times"),
        ("points=1", "'points' must be a whole number from 2"),
        ("method=3", "'method' must be an integration method, not 3"),
        ("rtol=0", "'rtol' must be a number greater than 0"),
    ],
)
def test_wrong_settings(settings: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.mo"
    path.write_text(f"model W\n  local x (start=1)\n  der(x) = -x\n  experiment ({settings})\nend\n")
    with pytest.raises(ModelError) as caught:
        cutset.load(path)
    [found] = caught.value.diagnostics
    assert found.code == "E348" and says in found.message and found.span is not None and found.span.line == 4


def test_the_settings_are_those_of_runs() -> None:
    """What a model can give passes the checks of a run, at the ends of the ranges too."""
    assert tuple(KNOWN) == METHODS
    ends = {"start": [-5.0, 1.0], "points": [2, MOST_OUTPUTS], "max_steps": [1]}
    for name, setting in SETTINGS.items():
        for value in ends.get(name, METHODS if name == "method" else [2.0]):
            assert setting.fits(value)
            assert getattr(Experiment(**{name: value}), name) == value
    for name, value in {"points": 1, "max_steps": 0, "rtol": 0.0, "max_step": 0.0, "interval": -1.0}.items():
        assert not SETTINGS[name].fits(value)
        with pytest.raises(RunError):
            Experiment(**{name: value})
