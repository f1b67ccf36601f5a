"""Tests inputs at any variable of a linear model, and loops that are opened at one."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

LOOP = """model Loop "a PI controller and a motor of first order"
  input w
  output y
  local x (start=0), xi (start=0), e, u, v(1), half
  e = w - y
  der(xi) = e
  u = 5*e + 2*xi
  v = [-u]
  0.1*der(x) = -v(1) - x
  y = x
  half = y/2
end
"""
OMEGA = np.logspace(-1, 2, 7)
S = 1j * OMEGA
GAIN = -(5 + 2 / S) / (0.1 * S + 1)


@pytest.mark.parametrize("signal", ["e", "u", "v(1)", "y"])
def test_loop_gain_is_the_same_at_each_signal(signal: str) -> None:
    """Also at y, which without its disturbance is the state x itself."""
    linear = cutset.loads(LOOP).disturbed(signal).steady(inputs={"w": 1}).linearize([signal, "half"])
    closed = linear.response(OMEGA)
    assert linear.inputs == ("w", f"disturbance({signal})")
    assert closed[0, 1] == pytest.approx(GAIN / (1 - GAIN), rel=1e-9)
    opened = linear.opened(signal)
    assert opened.inputs == ("w", signal)
    assert opened.response(OMEGA)[0, 1] == pytest.approx(GAIN, rel=1e-9)
    assert linear.u.tolist() == [1.0, 0.0]


def test_what_determines_a_variable_does_not_read_its_disturbance() -> None:
    linear = cutset.loads(LOOP).disturbed("y").linearize(0.0, [0.0, 0.0], [0.0, 0.0], ["y", "half", "e"])
    assert linear.D[:, 1].tolist() == pytest.approx([0.0, 0.5, -1.0], abs=1e-12)


def test_two_loops_are_opened_one_after_the_other() -> None:
    """A cascade: the outer loop reads the inner one as it is, or without its own return."""
    text = """model Cascade
      input w
      local v (start=0), x (start=0), u, r
      r = 3*(w - x)
      u = 8*(r - v)
      der(v) = u
      der(x) = v
    end
    """
    linear = cutset.loads(text).disturbed("r", "u").linearize(0.0, [0.0, 0.0], [0.0] * 3, ["r", "u"])
    outer = linear.opened("r")
    assert outer.response(OMEGA)[0, 1] == pytest.approx(-3 / S * 8 / (S + 8), rel=1e-9)
    assert linear.opened("u").response(OMEGA)[1, 2] == pytest.approx(-8 / S * (1 + 3 / S), rel=1e-9)
    assert outer.opened("u").response(OMEGA)[1, 2] == pytest.approx(-8 / S, rel=1e-9)


def test_discrete_and_mechanical_signals() -> None:
    text = """@rotational

    model Drive
      submodel (Torque) motor
      submodel (Inertia) rotor(J=2)
      connect motor:A to rotor:A
      local u (start=0)
      when sample(0, 0.1) then
        new(u) = -rotor.w
      endwhen
      motor.tau = 4*u
    end
    """
    model = cutset.loads(text)
    linear = model.disturbed("u", "motor.tau").simulate(0.05).linearize("rotor.w")
    assert linear.B[list(linear.states).index("rotor.w")].tolist() == pytest.approx([2.0, 0.5], abs=1e-9)


def test_command(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "loop.mo"
    file.write_text(LOOP)
    assert main(["linearize", str(file), "--steady", "--open", "v", "--inputs", "y"]) == 0
    out = capsys.readouterr().out
    assert "disturbance(y)" in out and " v(1)" in out


def test_what_cannot_be_opened(tmp_path) -> None:
    model = cutset.loads(LOOP.replace("input w", "input w\n  parameter k = 1"))
    with pytest.raises(RunError, match="'z'"):
        model.disturbed("z")
    with pytest.raises(RunError, match="'k' is a parameter"):
        model.disturbed("k")
    with pytest.raises(RunError, match="'x' is a state"):
        model.disturbed("x")
    slopes = """model P
      local x (start=0), v (start=0), y, u
      y = 2*x
      u = -10*y - 2*der(y)
      der(x) = v
      der(v) = u - x
    end
    """
    with pytest.raises(RunError, match="derivative of a disturbance"):
        cutset.loads(slopes).disturbed("y")
    index = "model I\n  local x (start=0), y, u\n  u = -y\n  y = -u + x\n  der(x) = -x - u\nend\n"
    with pytest.raises(RunError, match="derivative of a disturbance"):
        cutset.loads(index).disturbed("u")
    with pytest.raises(RunError, match="no loop can be opened at 'u'"):
        model.steady().linearize("u").opened("u")
    direct = "model M\n  input w\n  local a, b\n  a = w - 2*b\n  b = 3*a\n  local x (start=0)\n  der(x) = a - x\nend\n"
    linear = cutset.loads(direct).disturbed("b").linearize(0.0, [0.0], [0.0, 0.0], ["b"])
    assert linear.opened("b").D[0].tolist() == pytest.approx([3.0, -6.0], rel=1e-9)
