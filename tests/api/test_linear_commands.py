"""The commands linearize and steady."""

import json

import numpy as np
import pytest
from scipy.io import loadmat

from cutset.api.command_line.command import main

TANK = (
    "model Tank\n  parameter c = 2\n  local h (start=1)\n  input q\n  output y\n  der(h) = q - c*h\n  y = 3*h + q\n"
    "end\n"
)


def test_matrices_are_printed_and_written(write_model, tmp_path, capsys):
    path, file = str(write_model(TANK)), tmp_path / "lin.npz"
    assert main(["linearize", path, "--outputs", "y", "-o", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    with np.load(file) as read:
        for name, value in zip("ABCD", (-2.0, 1.0, 3.0, 1.0), strict=True):
            assert printed[name] == read[name].tolist() and read[name][0, 0] == pytest.approx(value)
    assert main(["linearize", path, "--steady", "--set", "q=4", "--outputs", "*"]) == 0
    assert "-2" in capsys.readouterr().out


def test_a_file_for_matlab(write_model, tmp_path, capsys):
    """As `load` finds it: names are cells of texts, also where there are none."""
    path, file = str(write_model(TANK)), tmp_path / "lin.mat"
    assert main(["linearize", path, "--outputs", "y", "h", "--set", "q=3", "-o", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"wrote {file}\n")
    read = loadmat(file)
    assert read["states"].shape == (1, 1) and [cell.item() for cell in read["states"][:, 0]] == ["h"]
    assert [cell.item() for cell in read["inputs"][:, 0]] == ["q"]
    assert [cell.item() for cell in read["outputs"][:, 0]] == ["y", "h"]
    np.testing.assert_allclose(
        np.block([[read["A"], read["B"]], [read["C"], read["D"]]]), [[-2, 1], [3, 1], [1, 0]], atol=1e-9
    )
    assert (read["x"].tolist(), read["u"].tolist(), read["y"].tolist()) == ([[1]], [[3]], [[6], [1]])
    closed = str(write_model("model Closed\n  local x (start=1)\n  der(x) = -x\nend\n"))
    assert main(["linearize", closed, "--outputs", "x", "-o", str(file)]) == 0
    assert "the model has no input" in capsys.readouterr().out
    read = loadmat(file)
    assert (
        read["B"].shape == (1, 0)
        and read["u"].shape == (0, 1)
        and read["inputs"].size == 0
        and read["C"].tolist() == [[1]]
    )


def test_rest_at_a_time(write_model, capsys):
    text = "model Late\n  local x\n  der(x) = (if time < 1 then 1 else 4) - x^2\nend\n"
    path = str(write_model(text))
    for time, slope in (("0", -2.0), ("5", -4.0)):
        assert main(["linearize", path, "--steady", "--time", time, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["A"][0][0] == pytest.approx(slope) and found["time"] == float(time)


def test_steady_state_is_printed(write_model, capsys):
    assert main(["steady", str(write_model(TANK)), "--set", "q=4", "--outputs", "h", "y", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"] == pytest.approx({"h": 2.0, "y": 10.0})


@pytest.mark.parametrize("file", ["nowhere/lin.npz", "lin.csv"])
def test_a_file_that_cannot_be_is_said_beforehand(write_model, tmp_path, capsys, file):
    assert main(["linearize", str(write_model(TANK)), "-o", str(tmp_path / file)]) == 2
    assert "cannot write" in capsys.readouterr().err
