"""Conditions of the start that follow from others: the start is that of the others, a note names them, and a run checks
them."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError

EQUIVALENT = """model M
  parameter k = {k}, s = 3
  local x, y
  der(x) = -x
  der(y) = -2*y
  initial
    x + y = s
    k*x + 2*y = 6
  endinitial
end
"""
SQUARES = """model M
  local x(start=3, fixed=false), y(start=4, fixed=false)
  der(x) = -x
  der(y) = -2*y
  initial
    x^2 + y^2 = 25
    2*x^2 + 2*y^2 = 50
  endinitial
end
"""
PENDULUM = """model M
  local x(start=0.6), y(start=0.8), vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
  initial
    x = 0.6
    y = 0.8
    vx = 0
    vy = 0
  endinitial
end
"""
DELTA = """model class Capacitor
  parameter C = 1
  main cut A (ua / i)
  cut B (ub / -i)
  terminal u
  u = ua - ub
  C*der(u) = i
end
model class Ground
  main cut A (u / i)
  u = 0
end
model M
  submodel (Capacitor) c1(C=1), c2(C=2), c3(C=3)
  submodel (Ground) g
  node a, b, c
  connect g at b, c1:A at a, c1:B at b, c2:A at c, c2:B at a, c3:A at c, c3:B at b
  initial
    c1.u = 1
    c2.u = 2
    c3.u = {u3}
  endinitial
end
"""
AXLE = """@mbs
model Axle
  submodel (Inertial) world(ng3=-1)
  submodel (Free) f(x3=0.3, v1=0.45, w3=0.3)
  submodel (Body) axle(m=1, I11=1, I22=0.01, I33=1)
  submodel (Bar) left(r2=0.5), right(r2=-0.5)
  submodel (Revolute) r1(n2=1{}), r2(n2=1{})
  submodel (Body) w1(m=1, I11=0.1, I22=0.2, I33=0.1), w2(m=1, I11=0.1, I22=0.2, I33=0.1)
  submodel (RollingWheel) roll1(radius=0.3), roll2(radius=0.3)
  connect world to f, axle at f:b, f:b to left to r1, f:b to right to r2
  connect w1 at r1:b, roll1 at r1:b, w2 at r2:b, roll2 at r2:b
end
"""


def at_start(text: str, write_model, *names: str, **options) -> tuple[list[float], str]:
    run = cutset.load(write_model(text)).simulate(0.0, **options)
    return [float(run[name][0]) for name in names], "\n".join(run.notes)


@pytest.mark.parametrize(
    ("text", "names", "expected", "redundant"),
    [
        (
            EQUIVALENT.format(k=2),
            ("x", "y"),
            (0, 3),
            ["'k*x + 2*y = 6' is redundant at the start: it follows from 'x + y = s'"],
        ),
        (SQUARES, ("x", "y"), (3, 4), ["'2*x^2 + 2*y^2 = 50' is redundant"]),
        (
            PENDULUM,
            ("x", "y", "vx", "vy"),
            (0.6, 0.8, 0, 0),
            ["'y = 0.8' is redundant", "'vy = 0' is redundant"],
        ),
        (DELTA.format(u3=3), ("c1.u", "c2.u", "c3.u"), (1, 2, 3), ["it follows from 'c1.u = 1' and 'c2.u = 2'"]),
    ],
)
def test_what_follows_is_left_away_and_named(text, names, expected, redundant, write_model) -> None:
    found, notes = at_start(text, write_model, *names)
    assert found == pytest.approx(expected, abs=1e-9)
    assert all(words in notes for words in redundant)
    assert len(notes.splitlines()) == len(redundant)


def test_a_contradiction_names_what_it_contradicts(write_model) -> None:
    with pytest.raises(ModelError, match="E504") as refused:
        cutset.load(write_model(DELTA.format(u3=4)))
    assert "c1.u = 1" in str(refused.value) and "c3.u = 4" in str(refused.value)


@pytest.mark.parametrize("target", ["python", "c"])
def test_parameters_of_a_run_make_conditions_contradict_or_follow(target, write_model) -> None:
    """What follows from others with some values does not with others."""
    model = cutset.load(write_model(EQUIVALENT.format(k=2)))
    with pytest.raises(RunError, match=r"E644.*'k\*x \+ 2\*y = 6' contradicts 'x \+ y = s'") as refused:
        model.simulate(0.0, parameters={"s": 4}, target=target)
    assert "its sides differ by 2" in str(refused.value)
    run = model.simulate(0.0, parameters={"s": 4, "k": 3}, target=target)
    assert (run["x"][0], run["y"][0]) == pytest.approx((-2, 6))
    assert run.notes == ()
    other = cutset.load(write_model(EQUIVALENT.format(k=3)))
    run = other.simulate(0.0, parameters={"k": 2}, target=target)
    assert run["x"][0] + run["y"][0] == pytest.approx(3)
    assert "'k*x + 2*y = 6' is redundant" in run.notes[0]


@pytest.mark.parametrize("speeds", [("", ""), (", qd0=1", ", qd0=2")])
def test_written_speeds_of_an_axle_with_two_wheels(speeds, write_model) -> None:
    """v = r*(w1 + w2)/2 along the road, and it turns at r*(w2 - w1)/distance."""
    found, _ = at_start(AXLE.format(*speeds), write_model, "f.v(1)", "f.w(3)", "r1.qd", "r2.qd", "f.v(2)")
    assert found == pytest.approx([0.45, 0.3, 1, 2, 0], abs=1e-9)


def test_a_speed_of_an_axle_that_contradicts_the_others(write_model) -> None:
    with pytest.raises(RunError, match=r"E644.*'r2.qd' contradicts those of"):
        at_start(AXLE.format(", qd0=1", ", qd0=2.5"), write_model, "r2.qd")


def test_conditions_without_a_solution_are_named_together(write_model) -> None:
    with pytest.raises(RunError, match="E633") as refused:
        at_start(SQUARES.replace("= 50", "= 51"), write_model, "x")
    assert "'x^2 + y^2 = 25'" in str(refused.value) and "'2*x^2 + 2*y^2 = 51'" in str(refused.value)


SCALED = """model M
  local x(start={x}, fixed=false), y(start={y}, fixed=false)
  der(x) = -x
  der(y) = -2*y
  initial
    {first}
    {second}
  endinitial
end
"""


@pytest.mark.parametrize("scale", [1e-6, 1.0, 100.0, 1e5, 1e8])
@pytest.mark.parametrize(
    ("start", "expected", "power", "first", "second"),
    [
        ((0, 0), (0, 3), 1, "x + y = 3*{s}", "2*x + 2*y = 6*{s}"),
        ((2, 5), (2, 21**0.5), 2, "x^2 + y^2 = 25*{s}", "2*x^2 + 2*y^2 = 50*{s}"),
        ((0.1, 0.1), (0.1, 24.99**0.5), 2, "x^2 + y^2 = 25*{s}", "2*x^2 + 2*y^2 = 50*{s}"),
    ],
)
def test_conditions_are_redundant_at_any_scale(scale, start, expected, power, first, second, write_model) -> None:
    texts = [text.format(s=f"{scale:g}^{power}") for text in (first, second)]
    x, y = (f"{scale * value:.17g}" for value in start)
    found, _ = at_start(SCALED.format(x=x, y=y, first=texts[0], second=texts[1]), write_model, "x", "y")
    assert [value / scale for value in found] == pytest.approx(expected, abs=1e-9)


CURVES = """model M
  parameter k = 3, r = 25
  local x(start=3, fixed=false), y(start=4, fixed=false)
  der(x) = -x
  der(y) = -2*y
  initial
    x^2 + y^2 = r
    k*x^2 + 2*y^2 = 50
  endinitial
end
"""


@pytest.mark.parametrize("target", ["python", "c"])
def test_curves_that_are_one_by_the_parameters_of_a_run_alone(target, write_model) -> None:
    """As if the text had these values; where they have no point in common it is the error that it is without."""
    model = cutset.load(write_model(CURVES))
    run = model.simulate(0.0, parameters={"k": 2}, target=target)
    assert (run["x"][0], run["y"][0]) == pytest.approx((3, 4), abs=1e-9)
    assert "'k*x^2 + 2*y^2 = 50' is redundant at the start" in run.notes[0]
    with pytest.raises(RunError, match="E633"):
        model.simulate(0.0, parameters={"k": 2, "r": 16}, target=target)
    assert model.simulate(0.0, parameters={"r": 20, "k": 3}, target=target)["x"][0] == pytest.approx(10**0.5)
