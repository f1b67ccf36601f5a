"""A start that has no solution says what can be changed: joints that are held, how far a loop stays open, what has no
start value."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError
from cutset.runtime.runs.open_loops import _nearest
from cutset.runtime.targets.python_model import PythonModel

FOUR_BAR = """@mbs
model FB
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) a(n2=1, q0={a}), b(n2=1, q0={b}), c(n2=1, q0={c})
  submodel (Bar) l1(r1=0.2), l2(r1={long}), l3(r1=0.3), base(r1=0.9)
  submodel (Body) m1(m=1, r1=0.1, I22=0.01), m2(m=1, r1=0.25, I22=0.02), m3(m=1, r1=0.15, I22=0.01)
  submodel (PlanarCutRevolute) k(n2=1)
  connect world to a to l1 to b to l2, world to base to c to l3, k:a at l2:b, k:b at l3:b,
          m1 at a:b, m2 at b:b, m3 at c:b
end
"""
INTERNAL = re.compile(r"\$|\bT\(|, iterated")


def said(text: str, write_model, target: str = "python") -> RunError:
    with pytest.raises(RunError, match="E633") as raised:
        cutset.load(write_model(text)).simulate(0.0, target=target)
    assert not INTERNAL.search(
        str(raised.value).replace("(the standard library)/multibody/joints.mo:21:3: T = n", "")
    ), str(raised.value)
    return raised.value


def apart(a: float, b: float, c: float) -> float:
    """How far the tips of the four-bar are from each other."""
    x = 0.2 * math.cos(a) + 0.5 * math.cos(a + b) - 0.9 - 0.3 * math.cos(c)
    return math.hypot(x, 0.2 * math.sin(a) + 0.5 * math.sin(a + b) - 0.3 * math.sin(c))


def reach(error: RunError, pattern: str) -> list[float]:
    found = re.search(pattern, str(error), re.MULTILINE)
    assert found, str(error)
    return [float(group) for group in found.groups()]


def test_a_start_that_does_not_close_names_the_joint_that_is_held(target, write_model) -> None:
    """The tip of the first bar is too far away for the other two: by how much follows from the lengths."""
    error = said(FOUR_BAR.format(a=2.5, b=-3, c=2, long=0.5), write_model, target)
    missing, a = reach(error, r"the loop that 'k' closes remains open by ([\d.]+) m where 'a.q' starts at ([\d.]+)$")
    assert a == 2.5
    assert missing == pytest.approx(math.hypot(0.9 - 0.2 * math.cos(2.5), 0.2 * math.sin(2.5)) - 0.8, abs=1e-3)
    b, c, a = reach(error, r"it can be closed with 'b.q' = ([-\d.]+), 'c.q' = ([-\d.]+), 'a.q' = ([-\d.]+)$")
    assert apart(a, b, c) <= 1e-5
    assert max(abs(a - 2.5), abs(b + 3), abs(c - 2)) <= math.pi
    assert "'a.q', 'b.q', 'c.q'" in error.message


@pytest.mark.parametrize("c", [-2.6, 2.6, 3.0])
def test_one_of_written_values_that_do_not_agree_is_held(c, write_model) -> None:
    """The others are first guesses, and the start is near to them, or there is none where that one begins."""
    given = {"a": 2.5, "b": -3.0, "c": c}
    model = cutset.load(write_model(FOUR_BAR.format(**given, long=0.5)))
    try:
        run = model.simulate(0.0, target="python")
    except RunError as error:
        open_by, name, value = re.findall(
            r"remains open by ([\d.]+) m where '(\w).q' starts at ([-\d.]+)$", str(error), re.MULTILINE
        )[0]
        assert error.code == "E633" and float(value) == given[name] and float(open_by) > 0.2
        return
    found = {name: float(run[f"{name}.q"][0]) for name in given}
    assert apart(**found) < 1e-9 and sum(found[name] == given[name] for name in given) == 1
    assert max(abs(found[name] - given[name]) for name in given) <= math.pi


def test_what_an_equation_of_the_start_holds_is_named(write_model) -> None:
    """The lengths reach: so nothing is said of them."""
    text = FOUR_BAR.format(a=0.5, b=0.3, c=2, long=0.5).replace(
        "\nend\n", "\n  initial\n    c.q = 0.6\n  endinitial\nend\n"
    )
    text = text.replace("c(n2=1, q0=2)", "c(n2=1)")
    error = said(text, write_model)
    (missing,) = reach(
        error, r"the loop that 'k' closes remains open by ([\d.]+) m where the initial equations fix 'c.q'$"
    )
    assert missing == pytest.approx(math.hypot(0.9 + 0.3 * math.cos(0.6), 0.3 * math.sin(0.6)) - 0.7, abs=1e-3)
    assert "lengths" not in str(error)


def test_lengths_that_do_not_reach(write_model) -> None:
    error = said(FOUR_BAR.format(a=0.5, b=0.3, c=2, long=0.3), write_model)
    assert reach(
        error,
        r"no position of its joints closes it: the bars are too short or too long; the smallest gap is ([\d.]+) m",
    ) == [0.1]


def test_equations_without_start_values_say_so_first(write_model, capsys) -> None:
    text = "model M\n  local x, y\n  x*y = 4\n  x^2 + y^3 = 9\nend\n"
    error = said(text, write_model)
    assert "'x', 'y' could not be solved; none of them has a start value (start=...)" in error.message
    assert "open by" not in str(error)
    assert main(["simulate", str(write_model(text)), "--target", "python"]) == 1
    printed = capsys.readouterr()
    assert "nan" not in printed.out and printed.err.startswith("error[E633]")


@pytest.mark.parametrize(
    ("first", "expected", "tried"),
    [(5.0, 7.0, [7.5]), (-2.0, -3.5, []), (6.5, 7.0, []), (1.0, -3.5, [-4.0, 8.0]), (45.0, 7.0, [7.5, 50.0])],
)
def test_the_nearest_position_is_within_half_a_turn(first, expected, tried) -> None:
    """The loop closes at -3.5, which guesses below 6 reach, and at 7, which those up to 30 reach; above it stays open.
    Farther guesses are tried until one is near."""
    starts = []

    def evaluate(y):
        starts.append(float(y[0]))
        if y[0] > 30.0:
            return np.array([5.0]), np.zeros((1, 1))
        return np.array([y[0] + 3.5 if y[0] < 6.0 else y[0] - 7.0]), np.ones((1, 1))

    places = [np.array([place]) for place in tried or [8.0]]
    best = _nearest(evaluate, np.array([first]), places, random.Random(1))
    assert best.at == pytest.approx([expected]) and best.distance < 1e-7
    assert [place in starts for place in tried] == [True] * len(tried) and (tried or 8.0 not in starts)


@pytest.fixture
def starts(monkeypatch) -> list[float]:
    """Grows by one with each evaluation of a start in Python."""
    instants, write = list[float](), PythonModel.write

    def counted(self, name, t, arrays):
        instants.extend([t] if name == "start" else [])
        return write(self, name, t, arrays)

    monkeypatch.setattr(PythonModel, "write", counted)
    return instants


def test_other_relations_do_not_close_a_loop(starts, write_model) -> None:
    """Friction has relations, which could have any values where no position is known: 7076 starts for their
    combinations, and then a message about these."""
    friction = "\n  submodel (CoulombFriction) fr(fc=1, peak=1.5)\n  connect fr at a:ext\nend\n"
    error = said(FOUR_BAR.format(a=2.5, b=-3, c=2, long=0.5).replace("\nend\n", friction), write_model)
    assert "the loop that 'k' closes remains open by 0.267 m where 'a.q' starts at 2.5" in str(error)
    assert len(starts) <= 70


def test_a_loop_that_does_not_close_is_sought_once(starts, write_model) -> None:
    """Three starts each of two choices of states: 13 near the guesses, and one for the message; and one start for the
    explanation. It was 112."""
    said(FOUR_BAR.format(a=2.5, b=-3, c=2, long=0.5), write_model)
    assert len(starts) <= 31


def test_the_explanation_needs_one_start(target, starts, write_model) -> None:
    said(FOUR_BAR.format(a=0.5, b=0.3, c=2, long=0.3), write_model, target)
    assert len(starts) <= (1 if target == "c" else 31)


def test_few_of_many_relations_are_tried_if_nothing_solves_the_start(starts, write_model) -> None:
    text = """model M
  local x(start=0.3, fixed=false)
  terminal y(14)
  for k = 1..14 do
    y(k) = if x > k/10 then 1 else 0
  endfor
  der(x) = -x
  initial
    x^2 + x*sum(y) + {rest} = 0
  endinitial
end
"""
    assert "'x' could not be solved" in said(text.format(rest="sum(y)^2 + 1"), write_model).message
    assert 100 < len(starts) <= 201
    run = cutset.load(write_model(text.format(rest="sum(y) - 1"))).simulate(0.0, target="python")
    assert run["x"][0] == pytest.approx(-1.0)
