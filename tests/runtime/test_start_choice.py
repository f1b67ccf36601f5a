"""Equations whose relations let them have several solutions begin at the one that is nearest to the start values of the
model."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cutset

# Solutions at s = 0: -15 and 15, which are stable, and 0, which is not.
COMPARATORS = {
    "in one equation": "local x (start={0})\n  x = if x/2 - s > 0.015 then 15 elseif x/2 - s < -0.015 then -15 else "
    "1000*(x/2 - s)",
    "in a "
    "loop": "local e, x (start={0})\n  e = x/2 - s\n  x = if e > 0.015 then 15 elseif e < -0.015 then -15 else 1000*e",
    "by another "
    "unknown": "local e (start={0}/2), x\n  e = x/2 - s\n  x = if e > 0.015 then 15 elseif e < -0.015 then -15 else "
    "1000*e",
    "through relations alone": "local e, x (start={0})\n  e = x/2 - s\n  x = if e > 0 then 15 else -15",
    "by another "
    "name": "local e, x, y (start={0})\n  y = -x\n  e = -x/2 - s\n  x = if e > 0.015 then -15 elseif e < -0.015 then "
    "15 else -1000*e",
}


def load(write_model, declarations: str) -> cutset.Model:
    return cutset.load(write_model(f"model M\n  local s (start=0)\n  der(s) = 1\n  {declarations}\nend\n"))


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("start", [-15.0, 15.0])
@pytest.mark.parametrize("how", COMPARATORS)
def test_a_start_on_a_stable_solution_counts(write_model, how: str, start: float, target: str) -> None:
    run = load(write_model, COMPARATORS[how].format(start)).simulate(0.5, points=3, target=target)
    name = "y" if "name" in how else "x"
    assert run[name] == pytest.approx([start] * 3)
    assert not any("start value" in note for note in run.notes)


@pytest.mark.parametrize(("start", "solution"), [(-2.0, -1.0), (-0.9, -1.0), (0.0, 0.0), (0.9, 1.0), (2.0, 1.0)])
def test_of_nonlinear_branches_that_with_the_start_is_taken(write_model, start: float, solution: float) -> None:
    text = "local x (start={0})\n  0 = if x > 0.5 then x^2 - 1 elseif x < -0.5 then 1 - x^2 else 1.5*x"
    run = load(write_model, text.format(start)).simulate(0.5, points=3)
    assert run["x"] == pytest.approx([solution] * 3, abs=1e-9)


def test_several_roots_within_a_branch(write_model) -> None:
    """The search among relations does not lose the root that is near to the start."""
    text = "local x (start={0})\n  0 = if x > 0 then (x - 1)*(x - 4) else (x + 2)*(x + 7)"
    for start in (-7.5, -1.5, 0.9, 4.5):
        run = load(write_model, text.format(start)).simulate(0.5, points=3)
        assert run["x"] == pytest.approx([min((-7.0, -2.0, 1.0, 4.0), key=lambda root: abs(root - start))] * 3)


FLIP_FLOP = """
model class Gate
  parameter y0 = 0
  terminal u, y (start=y0)
  y = if u > 0.6 then 0 elseif u < 0.4 then 1 else 3 - 5*u
end

model FlipFlop
  local s (start=0)
  submodel (Gate) a(y0={0}), b(y0={1})
  der(s) = 1
  a.u = b.y
  b.u = a.y
end
"""


@pytest.mark.parametrize("state", [(0, 1), (1, 0)])
def test_a_flip_flop_begins_as_it_is_told(write_model, state: tuple[int, int]) -> None:
    run = cutset.load(write_model(FLIP_FLOP.format(*state))).simulate(1.0, points=3)
    assert (run["a.y"][-1], run["b.y"][-1]) == state


@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
def test_it_is_left_where_it_ends(write_model, method: str) -> None:
    text = """model M
  local c (start=1), v (start=-15)
  der(c) = v - c
  v = if 1000*(v/2 - c) > 15 then 15 elseif 1000*(v/2 - c) < -15 then -15 else 1000*(v/2 - c)
end
"""
    run = cutset.load(write_model(text)).simulate(4.0, points=41, method=method)
    left = run.time[np.flatnonzero(np.diff(np.sign(run["v"]))) + 1]
    first, half = math.log(16.0 / (15.0 - 7.485)), math.log((15.0 + 7.485) / (15.0 - 7.485))
    assert left == pytest.approx(np.arange(first, 4.0, half), rel=1e-4)


CIRCLE = """
model Circle "y follows from x up to its sign"
  local x(start=0.8, state=prefer), y(start={y}{fixed}), f
  der(x) = y
  der(y) = f
  x^2 + y^2 = 1
end
"""


@pytest.mark.parametrize(
    ("y", "fixed", "noted"), [("-0.7", "", True), ("-0.6", "", False), ("-0.7", ", fixed=false", False)]
)
def test_a_written_value_that_chooses_among_solutions_and_is_not_reached_is_noted(
    write_model, y: str, fixed: str, noted: bool
) -> None:
    run = cutset.load(write_model(CIRCLE.format(y=y, fixed=fixed))).simulate(0.1, points=2)
    assert run["y"][0] == pytest.approx(-0.6)
    text = "start values that choose among several solutions, none of which has them: 'y' = -0.7 (starts at -0.6)"
    assert run.notes == ((text,) if noted else ())
