"""Tests linear models from sample to sample against the exponential of a matrix."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

TEXT = """model Sampled "an oscillator and a sampled controller with an integral"
  input w
  output y
  local x (start=0.3), v (start=0), u (start=0), s (start=0)
  der(x) = v
  der(v) = -4*x - 0.5*v + u + w
  y = x + 0.1*w
  when sample(0, 0.1) then
    new(s) = s + (1 - x)
    new(u) = 3*(1 - x) - 0.4*v + 0.2*new(s)
  endwhen
end
"""
PLANT = np.array([[0, 1, 0, 0], [-4, -0.5, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])  # of x, v, u, w


def flow(h: float) -> np.ndarray:
    """x, v, u, s after a time without a sample, and their derivatives by w."""
    own = expm(h * PLANT)
    whole = np.eye(4, 5)
    whole[:2, :3], whole[:2, 4] = own[:2, :3], own[:2, 3]
    return whole


SAMPLE = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [-3.2, -0.4, 0, 0.2], [-1, 0, 0, 1]])


@pytest.mark.parametrize("time", [0.3, 0.35])
def test_loop_from_sample_to_sample(time: float) -> None:
    """The states are those after a sample, or in the middle between two."""
    linear = cutset.loads(TEXT).discrete(0.1, ["y"], time)
    order = [linear.states.index(name) for name in "xvus"]
    if time == 0.3:
        wanted = SAMPLE @ flow(0.1)
    else:
        half = flow(0.05)
        wanted = half[:, :4] @ SAMPLE @ half
        wanted[:, 4] += half[:, 4]
    assert linear.A[np.ix_(order, order)] == pytest.approx(wanted[:, :4], abs=1e-9)
    assert linear.B[order, 0] == pytest.approx(wanted[:, 4], abs=1e-9)
    assert linear.C[0, order].tolist() == pytest.approx([1, 0, 0, 0], abs=1e-9)
    assert linear.D.tolist() == [[pytest.approx(0.1)]]
    assert sorted(np.abs(linear.eigenvalues)) == pytest.approx(sorted(np.abs(np.linalg.eigvals(wanted[:, :4]))))
    z = np.exp(2j * 0.1)
    gain = linear.C @ np.linalg.solve(z * np.eye(4) - linear.A, linear.B) + linear.D
    assert linear.response(2.0)[:, :, 0] == pytest.approx(gain)
    with pytest.raises(RunError, match="no natural motions"):
        assert linear.motions


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sampled.mo"
    file.write_text(TEXT)
    assert main(["linearize", str(file), "--sampled", "0.1", "--time", "0.3", "--outputs", "y"]) == 0
    out = capsys.readouterr().out
    assert "next x" in out and "size" in out
    assert main(["linearize", str(file), "--sampled", "0.1", "--json", "--set", "w=0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["interval"] == 0.1 and len(found["eigenvalues"]) == 4
    assert main(["linearize", str(file), "--sampled", "0.1", "--steady"]) == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("der(x) = -delay(x, 0.1)", "no states of a sampled model"),
        ("der(x) = -x\n  when sample(0, 0.2) then\n    new(n) = x\n  endwhen", "no multiple"),
        ('der(x) = -x\n  terminate x < 0.95, "low"', "ends before"),
        ("der(x) = 0\n  when sample(0, 0.1) then\n    new(n) = floor(10*x)\n  endwhen", "jumps nearby"),
    ],
)
def test_loops_without_such_a_model(body: str, message: str) -> None:
    text = f"model M\n  local x (start=1)\n  {body}\n{'  local n (start=0)' if 'new' in body else ''}\nend\n"
    with pytest.raises(RunError, match=message):
        cutset.loads(text).discrete(0.1)
