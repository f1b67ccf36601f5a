"""Which start value counts: one that the model or its run writes before the default of a class, whatever the order of
declaration."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from started_four_bars import SPEEDS, four_bar, starts

import cutset
from cutset.runtime.errors import RunError


@pytest.mark.parametrize("order", list(permutations(SPEEDS))[::2])
@pytest.mark.parametrize("joint", SPEEDS)
def test_the_written_speed_of_a_loop_counts(order, joint, write_model) -> None:
    model = cutset.load(write_model(four_bar(order, **{joint: "qd0=6"})))
    found = starts(model, *(f"{name}.qd" for name in SPEEDS))
    assert found == pytest.approx([6 * speed / SPEEDS[joint] for speed in SPEEDS.values()])


def test_the_run_writes_as_the_model_does(write_model) -> None:
    model = cutset.load(write_model(four_bar(("coupler", "rocker", "crank"))))
    for joint, speed in SPEEDS.items():
        assert starts(model, "crank.qd", parameters={f"{joint}.qd0": 7.0}) == pytest.approx([7 / speed])
    assert starts(model, "rocker.q", "crank.qd", parameters={"rocker.q0": 0.05, "crank.qd0": 2.0}) == pytest.approx(
        [0.05, 2]
    )


def test_a_run_that_gives_the_value_of_the_default_writes_it(write_model) -> None:
    """Also where it stands in the code, and where it comes by a parameter around it."""
    text = four_bar(("coupler", "rocker", "crank"), crank="qd0=2")
    model = cutset.load(write_model(text))
    assert starts(model, "crank.qd") == [2.0]
    with pytest.raises(RunError, match=r"E644.*'coupler.qd'"):
        starts(model, parameters={"coupler.qd0": 0.0})
    class_of_joint = "model class Slow\n  parameter slow = 0\n  submodel (Revolute) r(n3=1, qd0=slow)\n"
    class_of_joint += "  main path P <r:a - r:b>\nend\n"
    inside = text.replace("coupler(n3=1), ", "").replace("model FourBar", class_of_joint + "model FourBar")
    inside = inside.replace("  submodel (Planar", "  submodel (Slow) coupler\n  submodel (Planar")
    model = cutset.load(write_model(inside))
    assert starts(model, "crank.qd") == [2.0]
    with pytest.raises(RunError, match=r"E644.*'coupler.r.qd'"):
        starts(model, parameters={"coupler.slow": 0.0})


REACHING = """
@mbs
model Arm
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) j(n2=1{j}), k(n2=1{k})
  submodel (Bar) upper(r1=1), fore(r1=0.8)
  submodel (Body) m1(m=1, r1=0.5, I22=0.1), m2(m=1, r1=0.4, I22=0.1)
  connect world to j to upper to k to fore, m1 at j:b, m2 at k:b
  initial
    {initial}
  endinitial
end
"""


@pytest.mark.parametrize("bend", [0.9, -0.9])
def test_written_start_values_are_guesses_beside_equations_with_several_solutions(bend, write_model) -> None:
    """The tip is at a place that the arm can reach in two ways: the guesses choose."""
    text = REACHING.format(j=f", q0={-bend / 2}", k=f", q0={bend}", initial="fore.rb(1) = 1.2\n    fore.rb(3) = 0.1")
    model = cutset.load(write_model(text))
    x, z, k = starts(model, "fore.rb(1)", "fore.rb(3)", "k.q")
    assert (x, z) == pytest.approx((1.2, 0.1))
    assert k == pytest.approx(math.copysign(math.acos((1.2**2 + 0.1**2 - 1 - 0.8**2) / 1.6), bend))
    assert starts(model, "k.q", parameters={"k.q0": -bend, "j.q0": bend / 2}) == pytest.approx([-k])


@pytest.mark.parametrize("given", [
    {"j": ", q0=0.3", "k": ", q0=0.5", "initial": "fore.rb(1) = 1.2"},  # which of them gives way?
    {"j": ", qd0=1", "k": "", "initial": "2*j.qd = 5"},  # one solution: a contradiction
    {"j": ", q0=0.3", "k": "", "initial": "cos(j.q) = 0.5\n    j.q = 0.6"},
])  # fmt: skip
def test_conditions_that_contradict_each_other_are_refused_all_the_same(given, write_model) -> None:
    with pytest.raises(cutset.ModelError, match="E504"):
        cutset.load(write_model(REACHING.format(**given)))


def test_a_position_that_is_asked_for_of_a_loop_leaves_others_as_guesses(write_model) -> None:
    text = four_bar(("coupler", "rocker", "crank"), coupler="q0=0.2").replace(
        "\nend\n", "\n  initial\n    rocker.q = 0.1\n  endinitial\nend\n"
    )
    model = cutset.load(write_model(text))
    rocker, coupler = starts(model, "rocker.q", "coupler.q")
    assert rocker == pytest.approx(0.1) and 0.01 < abs(coupler - 0.2) < 1.0


def test_a_position_and_the_speed_of_another_joint(write_model) -> None:
    text = four_bar(("rocker", "coupler", "crank"), crank="q0=0.3", coupler="qd0=-1")
    found = starts(cutset.load(write_model(text)), "crank.q", "coupler.qd")
    assert found == pytest.approx([0.3, -1])


GEAR = """
@rotational
model M
  submodel (Inertia) {inertias}
  submodel (IdealGear) g(ratio=2)
  connect J1 to g to J2
end
"""


@pytest.mark.parametrize("inertias", ["J1(J=1{}), J2(J=1{})", "J2(J=1{1}), J1(J=1{0})"])
@pytest.mark.parametrize(("first", "second"), [(", w0=6", ""), ("", ", w0=3")])
def test_the_written_speed_at_a_gear_counts(inertias, first, second, write_model) -> None:
    path = write_model(GEAR.format(inertias=inertias.format(first, second)))
    assert starts(cutset.load(path), "J1.w", "J2.w") == pytest.approx([6, 3])


@pytest.mark.parametrize(("first", "second"), [(", w0=6", ""), ("", ", w0=6")])
def test_of_one_quantity_the_written_value_counts(first, second, write_model) -> None:
    text = f"@rotational\nmodel M\n  submodel (Inertia) a(J=1{first}), b(J=1{second})\n  connect a to b\nend\n"
    assert starts(cutset.load(write_model(text)), "a.w") == [6]


IN_CLASSES = """
@rotational
model class Half "hands its own default on"
  parameter w0 = {default}
  main cut A (phi / tau)
  submodel (Inertia) inertia(J=1, w0=w0)
  connect inertia:A at A
end
model M
  submodel (Half) h{given}
  submodel (Inertia) J(J=1{own})
  submodel (IdealGear) g(ratio=2)
  connect h to g to J
end
"""


@pytest.mark.parametrize(
    ("default", "given", "own", "expected"),
    [(0, "", ", w0=4", 8), (5, "", ", w0=4", 8), (5, "(w0=10)", "", 10), (5, "(w0=0)", "", 0)],
)
def test_a_default_that_is_handed_on_stays_a_default(default, given, own, expected, write_model) -> None:
    path = write_model(IN_CLASSES.format(default=default, given=given, own=own))
    assert starts(cutset.load(path), "h.inertia.w") == pytest.approx([expected])


def test_a_default_that_a_run_gives_counts_as_written(write_model) -> None:
    model = cutset.load(write_model(IN_CLASSES.format(default=5, given="", own="")))
    assert starts(model, "h.inertia.w", "J.w", parameters={"J.w0": 4.0}) == pytest.approx([8, 4])
    assert starts(model, "h.inertia.w", "J.w", parameters={"h.w0": 4.0}) == pytest.approx([4, 2])
    with pytest.raises(RunError, match="E644"):
        starts(model, "J.w", parameters={"h.w0": 4.0, "J.w0": 3.0})


def test_written_speeds_of_a_loop_have_to_agree(write_model) -> None:
    path = write_model(four_bar(("coupler", "rocker", "crank"), crank="qd0=8", rocker="qd0=3"))
    assert starts(cutset.load(path), "coupler.qd") == pytest.approx([-8])
    with pytest.raises(RunError, match=r"E644.*'rocker.qd' contradicts|E644.*'crank.qd' contradicts") as raised:
        starts(cutset.load(path), "coupler.qd", parameters={"rocker.qd0": 4.0})
    assert sum("model.mo:5:" in note for note in raised.value.notes) == 2


def test_positions_of_a_loop_are_first_guesses(write_model) -> None:
    path = write_model(
        four_bar(("coupler", "rocker", "crank"), crank="q0=0.1, qd0=1", rocker="q0=0.1", coupler="q0=0.1")
    )
    assert starts(cutset.load(path), "crank.qd") == [1]


def test_each_element_of_a_vector_counts_by_itself(write_model) -> None:
    text = """
model class Pair
  parameter a = 1, b = 1
  terminal x(2) (start=[a, b]), f(2)
  der(x) = f
end
model M
  submodel (Pair) p{}, q{}
  p.x = 2*q.x
  p.f(1) = -p.x(1)
  p.f(2) = -p.x(2)
end
"""
    path = write_model(text.format("(a=6)", "(b=5)"))
    assert starts(cutset.load(path), "p.x(1)", "p.x(2)") == pytest.approx([6, 10])


DEAD_CENTER = """
model class Part
  parameter w0 = 2
  terminal q (start={q}, state=prefer), w (start=w0, state=prefer)
  der(q) = w
end

model M "a crank of length 1 drives a slider that has no speed in its dead center"
  submodel (Part) crank
  local y, v (start={v}), a
  y = cos(crank.q)
  v = der(y)
  a = der(v)
  der(crank.w) = 0
end
"""


def test_what_determines_nothing_at_the_start_is_not_taken(write_model) -> None:
    """In the dead center the speed of the slider says nothing of that of the crank, elsewhere it does."""
    assert starts(cutset.load(write_model(DEAD_CENTER.format(q=0, v=0))), "crank.w") == [2]
    assert starts(
        cutset.load(write_model(DEAD_CENTER.format(q=1.5707963267948966, v=-0.5))), "crank.w"
    ) == pytest.approx([0.5])


ARM = """
@mbs
model Arm "of two links of 0.5 m, of which the start says where the tip is"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) r1(n2=1), r2(n2=1{elbow})
  submodel (BodyRod) l1(r1=0.5, area=1e-3), l2(r1=0.5, area=1e-3)
  submodel (AbsoluteSensor) tip
  connect world to r1 to l1 to r2 to l2, tip at l2:b
  initial
    tip.r(1) = 0.7
  endinitial
end
"""


@pytest.mark.parametrize(("elbow", "angle"), [("", 0), (", q0=0.5", 0.5), (", q0=-0.5", -0.5)])
def test_the_default_of_a_joint_gives_way_to_an_equation_of_the_start(elbow, angle, write_model) -> None:
    found = starts(cutset.load(write_model(ARM.format(elbow=elbow))), "tip.r(1)", "r2.q")
    assert found == pytest.approx([0.7, angle], abs=1e-9)


def test_the_default_of_another_counts_before_the_zero_of_a_state(write_model) -> None:
    """The state that the model prefers has no start value; the default of the quantity behind it determines it."""
    text = """
model class Axis
  terminal q (start=2), v
  v = der(q)
end
model M
  submodel (Axis) a
  local x (state=prefer), w
  x + sin(x)/4 = 2*a.q + 1
  w = der(x)
  w + a.v = -x
end
"""
    x, q = starts(cutset.load(write_model(text)), "x", "a.q")
    assert q == pytest.approx(2, rel=1e-9)
    assert x + math.sin(x) / 4 == pytest.approx(5, rel=1e-9)


def test_a_value_of_a_run_makes_a_start_value_count_that_follows_from_others_in_the_text(write_model) -> None:
    text = """
model Tilted
  parameter tilt = 0
  local q, w, z (start=1), vz
  w = der(q)
  der(w) = -q
  z = cos(q + tilt)
  vz = der(z)
end
"""
    q, z = starts(cutset.load(write_model(text)), "q", "z", parameters={"tilt": 0.3}, target="python")
    assert (q, z) == pytest.approx((-0.3, 1))


def test_a_value_of_a_run_with_which_preferred_states_determine_nothing(write_model) -> None:
    text = """
model M
  parameter b = 2
  local x, y (start=1, state=prefer), z (start=0.3, state=prefer), f
  der(x) = f - x
  der(y) = f - y
  der(z) = f - z
  b*sin(x) + cos(z) = 0
end
"""
    found = starts(cutset.load(write_model(text)), "x", "y", "z", parameters={"b": 0.0}, target="python")
    assert found == pytest.approx([0, 1, math.pi / 2])


def test_the_zero_of_a_preferred_state_counts_before_that_of_another(write_model) -> None:
    """A spring that is not stretched, rather than a shaft at rest."""
    text = """
model M
  local x, d (state=prefer), y (start=2, state=avoid), w
  der(x) = -x
  der(d) = -d
  y = 0.1*x + d
  w = der(y)
end
"""
    assert starts(cutset.load(write_model(text)), "x", "d", target="python") == pytest.approx([20, 0])
