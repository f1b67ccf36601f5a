"""What each variable is, and why, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

ROOT = Path(__file__).parents[2]
SWING = """
model Swing
  parameter m = 1, L = 1, g = 9.81, n(2) = [1, 2]
  constant two = 2
  local x (start=0.6, state=prefer), y (start=-0.8), vx, vy, F, k, s
  input u
  vx = der(x)
  vy = der(y)
  m*der(vx) = -F*x + u
  m*der(vy) = -F*y - m*g
  x^2 + y^2 = L^2
  k = -vx
  s = two*L
end
"""


@pytest.fixture
def swing(write_model) -> cutset.Model:
    return cutset.load(write_model(SWING, "swing.mo"))


@pytest.mark.parametrize(
    ("name", "kind", "line"),
    [
        ("x", "state", "it is integrated; its derivative is 'vx'"),
        ("x", "state", "the constraints leave 1 of 'x', 'y' free: the model prefers it (state=...)"),
        ("x", "state", "constraint: 'x^2 + y^2 = L^2' at {}:11:3, differentiated twice"),
        ("y", "algebraic variable", "the constraints determine it, so that it is not integrated"),
        ("y", "algebraic variable", "constraint: 'x^2 + y^2 = L^2' at {}:11:3, differentiated twice"),
        ("vy", "dummy derivative", "solved from 'x^2 + y^2 = L^2' at {}:11:3, differentiated once"),
        ("der(vx)", "derivative of a state", "computed from the torn variables by 'm*der(vx) = -F*x + u' at {}:9:3"),
        ("k", "alias of -vx", "by 'k = -vx' at {}:12:3"),
        ("s", "known before the run", "s = 2*L"),
        ("u", "input", "its value comes from outside the model"),
        ("two", "constant", "it is 2 in every run"),
        ("n(2)", "parameter", "known before the run; another value needs no new translation"),
    ],
)
def test_each_kind_and_its_reason(swing: cutset.Model, name: str, kind: str, line: str) -> None:
    [reason] = swing.why(name)
    path = str(reason).partition(" at ")[2].partition(":11:")[0] if ":11:" in str(reason) else ""
    place = line.format(path or str(swing.variables("x")[0].place).partition(":")[0])
    assert reason.kind == kind
    assert place in reason.lines


def test_a_torn_variable_names_its_system(swing: cutset.Model) -> None:
    lines = "\n".join(str(reason) for reason in swing.why("F", "der(v?)"))
    assert "torn; its residual is: 'x^2 + y^2 = L^2'" in lines
    assert "a linear system of 3 equations, torn to 1" in lines


@pytest.mark.parametrize("path", ["models/r3/one_axis.mo", "models/four_bar.mo", "models/rc.mo"])
def test_every_variable_is_answered(path: str) -> None:
    model = cutset.load(ROOT / path)
    names = {v.name for v in model.variables() if "$" not in v.name}
    reasons = {reason.name: reason for reason in model.why("*")}
    assert reasons.keys() == names
    assert all(reason.lines for reason in reasons.values())
    states = {name for name, reason in reasons.items() if reason.kind == "state"}
    assert states == {s for s in model.states if "$" not in s}


def test_on_the_command_line(write_model, capsys) -> None:
    path = write_model(SWING, "swing.mo")
    assert main(["inspect", str(path), "--why", "k", "--json"]) == 0
    [reason] = json.loads(capsys.readouterr().out)
    assert (reason["name"], reason["kind"]) == ("k", "alias of -vx")


def test_an_unknown_name(swing: cutset.Model) -> None:
    with pytest.raises(RunError, match="there is no variable 'z'") as caught:
        swing.why("z")
    assert caught.value.code == "E602"


def test_structural_dumps_speak_in_names(write_model, capsys) -> None:
    path = write_model(SWING, "swing.mo")
    main(["translate", str(path), "--dump", "analyze"])
    printed = capsys.readouterr().out
    assert "state x, derivative vx\n" in printed
    assert "from 0 = y*y + x*x - L*L, differentiated twice" in printed
    main(["translate", str(path), "--dump", "incidence"])
    assert "x, y: 0 = y*y + x*x - L*L\n" in capsys.readouterr().out
