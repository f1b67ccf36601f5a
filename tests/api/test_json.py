"""--json: one JSON object on standard output, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutset.api.command_line.command import main

DECAY = """model Decay
  parameter k (unit="1/s") = 1
  local x (start=1, unit="m") "what is left"
  der(x) = -k*x
  assert k < 5, "too fast"
end
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "decay.mo"
    path.write_text(DECAY)
    return path


def told(capsys: pytest.CaptureFixture[str], code: int, *words: object) -> Any:
    assert main([*map(str, words), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_sweep(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.csv"
    words = "--vary", "k=1,2,9", "--outputs", "x,max(x)", "-o", table, "--rtol", "1e-9", "--atol", "1e-12"
    found = told(capsys, 1, "sweep", file, *words)
    assert (found["model"], found["failed"]) == ("Decay", 1) and table.is_file()
    points, values, outcomes = ([run[key] for run in found["runs"]] for key in ("point", "values", "outcome"))
    assert points == [{"k": 1.0}, {"k": 2.0}, {"k": 9.0}]
    assert [each["x"] for each in values[:2]] == pytest.approx([np.exp(-1.0), np.exp(-2.0)], rel=1e-7)
    assert values[0]["max(x)"] == 1.0
    assert outcomes[:2] == ["completed", "completed"] and "too fast" in found["runs"][2]["reason"]


def test_names_in_results(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = tmp_path / "decay.npz"
    assert main(["simulate", str(file), "-o", str(result), "--points", "3"]) == 0
    capsys.readouterr()
    found = told(capsys, 0, "plot", result)[str(result)]
    assert found["rows"] == 3 and found["variables"].keys() >= {"x", "k"}
    x = found["variables"]["x"]
    assert (x["unit"], x["documentation"], x["max"]) == ("m", "what is left", 1.0)
    assert x["min"] == pytest.approx(np.exp(-1.0), rel=1e-5)
    assert main(["plot", str(result), "x", "--json"]) == 2


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 0, "explain")["E402"]
    page = told(capsys, 0, "explain", "402")
    assert page["code"] == "E402" and page["message"].startswith("error[E402]") and page["fix"]
    assert told(capsys, 0, "explain", "Resistor")["libraries"] == ["electrical"]
    assert told(capsys, 0, "explain", "sweep")["see"] == {"its options": "cutset sweep --help"}


def test_format(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loose.mo").write_text(DECAY.replace("  der", " der"))
    (tmp_path / "wrong.mo").write_text("model A\n  x (\nend\n")
    files = [file, tmp_path / "loose.mo", tmp_path / "wrong.mo"]
    found = told(capsys, 1, "fmt", *files, "--check")
    assert found["changed"] == [str(files[1])]
    assert [(each["code"], each["line"]) for each in found["errors"]] == [("E105", 2)]
    assert told(capsys, 0, "fmt", files[1]) == {"changed": [str(files[1])], "errors": []}
    assert files[1].read_text() == DECAY


def test_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot = tmp_path / "one.urdf"
    robot.write_text(
        '<robot name="one"><link name="base"/><link name="arm"><visual><geometry><mesh filename="a.stl"/></geometry>'
        '</visual></link><joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint></robot>'
    )
    found = told(capsys, 0, "import", robot, "-o", tmp_path / "one.mo")
    assert found["output"] == str(tmp_path / "one.mo") and (tmp_path / "one.mo").is_file()
    assert isinstance(found["not_imported"], list)
    assert main(["import", str(robot), "--json"]) == 2
