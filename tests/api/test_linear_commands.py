"""The commands linearize and steady."""

import json

import numpy as np
import pytest
from cutset.command import main

TANK = "model Tank\n  parameter c = 2\n  local h (start=1)\n  input q\n  output y\n  der(h) = q - c*h\n  y = 3*h + q\nend\n"


def test_matrices_are_printed_and_written(write_model, tmp_path, capsys):
    path, file = str(write_model(TANK)), tmp_path / "lin.npz"
    assert main(["linearize", path, "--outputs", "y", "-o", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    with np.load(file) as read:
        for name, value in zip("ABCD", (-2.0, 1.0, 3.0, 1.0), strict=True):
            assert printed[name] == read[name].tolist() and read[name][0, 0] == pytest.approx(value)
    assert main(["linearize", path, "--steady", "--set", "q=4", "--outputs", "*"]) == 0
    assert "-2" in capsys.readouterr().out


def test_steady_state_is_printed(write_model, capsys):
    assert main(["steady", str(write_model(TANK)), "--set", "q=4", "--outputs", "h", "y", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"] == pytest.approx({"h": 2.0, "y": 10.0})


@pytest.mark.parametrize("file", ["nowhere/lin.npz", "lin.csv"])
def test_a_file_that_cannot_be_is_said_beforehand(write_model, tmp_path, capsys, file):
    assert main(["linearize", str(write_model(TANK)), "-o", str(tmp_path / file)]) == 2
    assert "cannot write" in capsys.readouterr().err
