"""Expressions of parameters without a finite value: each cause once, at its place, with its instance."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError

TEXT = """model class Lag "a lag"
  parameter T (unit="s") = 2, gain = 1/T
  terminal u, y
  T*der(y) = u - y
end

model class Two
  submodel (Lag) first(T=3), second(T=3, gain=4)
  parameter k = 2, r = sqrt(k), Q
  terminal z
  first.u = k*time
  second.u = first.y/k + r
  z = 1/(k - 2.5)*Q
end

model Top
  parameter a = 2
  submodel (Two) two(Q = 1/a), other(3)(Q = 1, k=a)
  local x (start=1/a)
  der(x) = -x/(a - 1)
end
"""


def message(folder: Path, text: str, target: str = "python", code: str = "E601", **given: float) -> str:
    path = folder / "top.mo"
    path.write_text(text)
    with pytest.raises(cutset.RunError) as raised:
        cutset.load(path).simulate(
            parameters={name.replace("_", "."): value for name, value in given.items()}, target=target
        )
    assert raised.value.code == code
    return str(raised.value).replace(str(path), "top.mo")


def told(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def test_an_equation(tmp_path: Path) -> None:
    assert message(tmp_path, TEXT, a=1.0) == told("""
        error[E601]: an expression of parameters has no finite value: 1/(-1 + a) is inf
           --> top.mo:20:3
            |
         20 |   der(x) = -x/(a - 1)
            |   ^^^^^^^^^^^^^^^^^^^
          = in:   Top
          = note: a = 1
          = help: check for a division by zero, or a root or logarithm of a number out of range
    """)


def test_one_line_for_each_place(tmp_path: Path) -> None:
    assert message(tmp_path, TEXT, a=0.0) == told("""
        error[E601]: an expression of parameters has no finite value: two.Q, computed from 1/a, is inf
           --> top.mo:18:22
            |
         18 |   submodel (Two) two(Q = 1/a), other(3)(Q = 1, k=a)
            |                      ^
          = in:   two
          = note: a = 0
          = note: top.mo:12:3: 1/other(1).k is inf, in other(1), other(2), other(3)
          = note: top.mo:19:9: 1/a is inf, in Top
          = help: check for a division by zero, or a root or logarithm of a number out of range
    """)


def test_what_follows_from_a_parameter_is_left_out(tmp_path: Path) -> None:
    said = message(tmp_path, TEXT, target="auto", two_k=-1.0).splitlines()
    assert said[0].endswith("two.r, computed from sqrt(two.k), is nan")
    assert said[1].strip() == "--> top.mo:9:24"
    assert [line for line in said if "note" in line] == ["  = note: two.k = -1"]


def test_what_follows_from_another_expression_is_left_out(tmp_path: Path) -> None:
    text = "model M\n  parameter R = 1, C = 1\n  local x, i\n  i = (1 - x)/R\n  C*der(x) = i\nend\n"
    said = message(tmp_path, text, R=0.0).splitlines()
    assert said[0].endswith(": 1/R is inf") and said[1].strip() == "--> top.mo:4:3"
    assert [line for line in said if "note" in line] == ["  = note: R = 0"]


def test_many_causes_are_counted(tmp_path: Path) -> None:
    equations = "".join(f"  der(x({k})) = {k}/(a - 1)*x({k}) + log(a - {k})\n" for k in range(1, 10))
    said = message(tmp_path, f"model M\n  parameter a = 20\n  local x(9)\n{equations}end\n", a=1.0)
    assert said.count("note: ") == 7
    assert "  = note: and 3 more\n" in said


def test_a_table(tmp_path: Path) -> None:
    text = "model M\n  parameter a = 2\n  local y, x\n  y = interp1(time, [1, a, 4], [0, 1, 2])\n  der(x) = y\nend\n"
    said = message(tmp_path, text, a=7.0)
    assert "a table of interp1, whose xs must ascend, is nan\n  --> top.mo:4:3\n" in said
    assert "  = note: a = 7\n" in said


def test_an_assertion_says_better_what_is_wrong(tmp_path: Path) -> None:
    text = TEXT.replace("  T*der(y) = u - y\n", '  assert T > 0, "a lag takes time"\n  T*der(y) = u - y\n')
    said = message(tmp_path, text, code="E618", two_first_T=0.0)
    assert said.startswith("error[E618]: an assertion failed: a lag takes time\n")
    assert re.search(r"the assertion is at .*top.mo:4:3, in two.first\n", said) and "1/two.first.T is inf" in said, said
    message(tmp_path, text, a=1.0)  # nothing is asserted of that


WRIST = """@{library}
model Wrist
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r4(n3=1), r5(n1=1), r6(n3=1)
  submodel (Bar) b(r3=0.7), tool(r1=0.1)
  submodel ({load}) load(m=15{values})
  connect i to r4 to b to r5 to r6 to tool to load
end
"""


@pytest.mark.parametrize(
    ("library", "load", "values", "help"),
    [
        ("mbs", "PointMass", "", "'r4', 'r5' and 'r6' can move together without moving a mass or an inertia: connect"),
        ("mbsmat", "PointMass", "", "'r4', 'r5' and 'r6' can move together without moving a mass or an inertia"),
        ("mbssim", "Body", ", r2=0.1, I11=0.1, I22=0.1", "'r4' and 'r6' can move together here .*: start elsewhere"),
    ],
)
def test_joints_that_move_no_mass_together_are_named(write_model, library, load, values, help) -> None:
    """Three axes through one point move a point mass on a sphere; two axes in line turn about one."""
    text = WRIST.format(library=library, load=load, values=values)
    with pytest.raises((ModelError, RunError), match=f"(E509|E501|E613)(.|\n)*help: the joints {help}"):
        cutset.load(write_model(text)).simulate(stop=0.1)
