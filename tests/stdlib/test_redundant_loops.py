"""Mechanisms some of whose constraints say nothing new: they move, keep their energy, and say what is redundant. A
large run of the linkages:
``python -m tests.stdlib.test_redundant_loops FIRST COUNT``."""

from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.options import Options
from cutset.compiler.pipeline import compile_model
from cutset.compiler.sort import redundancy
from cutset.compiler.sort.constraint_point import Constraints
from tests.oracles.linkages import KINDS, linkage

ACCURATE = {"rtol": 1e-9, "atol": 1e-9}

FOUR_BAR = """@mbs
model FourBar
  submodel (Inertial) world(ng3=-1)
  submodel (JointState) drive
  submodel (Revolute) crank(n2=1, q0=0.3, qd0=1), j2(n2=1), j3(n2=1)
  submodel (Bar) b1(r3=1), b2(r1=2), b3(r3=-2), ground(r1=2.5, r3=-0.5)
  submodel (Body) m1(m=1, r3=0.5, I22=0.1), m2(m=1, r1=1, I22=0.3), m3(m=1, r3=-1, I22=0.3)
  submodel (PlanarCutRevolute) c(n2=1)
  connect world to crank to b1 to j2 to b2 to j3 to b3 to c, world to ground, ground:b at c:b, drive at crank:ext
  connect m1 at crank:b, m2 at j2:b, m3 at j3:b
end
"""
DOOR = """@mbs
model Door
  submodel (Inertial) world(ng1=-1, ng3=-2)
  submodel (CutForce) post
  submodel (Revolute) hinge(n3=1, q0=0.3, qd0=1)
  submodel (Bar) up(r3=2), frame(r3=2)
  submodel (Body) leaf(m=20, r1=0.4, r3=1, I11=5, I22=6, I33=1)
  submodel (CutRevolute) upper(n3=1)
  connect world to post to hinge to up, leaf at hinge:b, post:b to frame, upper at (frame:b, up:b)
end
"""
AXLE = """@mbs
model Axle
  submodel (Inertial) world(ng3=-1)
  submodel (FreeCardan) f(q03=0.3)
  submodel (Body) axle(m=1, I11=1, I22=0.01, I33=1)
  submodel (Bar) left(r2=0.5), right(r2=-0.5)
  submodel (Revolute) r1(n2=1, qd0=1), r2(n2=1, qd0=2)
  submodel (Body) w1(m=1, I11=0.1, I22=0.2, I33=0.1), w2(m=1, I11=0.1, I22=0.2, I33=0.1)
  submodel (RollingWheel) roll1(radius=0.3), roll2(radius=0.3)
  connect world to f, axle at f:b, f:b to left to r1, f:b to right to r2
  connect w1 at r1:b, roll1 at r1:b, w2 at r2:b, roll2 at r2:b
end
"""


def failure_of(seed: int, library: str, folder: Path, closing: str = "CutRevolute") -> str:
    """What is wrong with a run of a random linkage; empty where nothing is. A joint of trees is chosen to close it."""
    drawn = linkage(seed)
    path = folder / f"linkage_{library}.mo"
    path.write_text(drawn.text(library, closing))
    try:
        run = cutset.load(path).simulate(stop=0.4, points=5, **ACCURATE)
    except (cutset.ModelError, cutset.RunError) as error:
        return str(error)
    energy = drawn.energy(run)
    if np.ptp(energy) > 1e-6 * max(1.0, abs(energy).max()):
        return f"the energy goes from {energy.min()} to {energy.max()}"
    # Where the first joint comes to a dead center the run is done again, which is another note.
    redundant = [note for note in run.notes if "redundant in the loop of" in note and "of 'c'" in note]
    chosen = [note for note in run.notes if "'c' closes the loop of" in note]
    is_told = len(redundant) == 1 and len(chosen) == (closing == "Revolute")
    return "" if is_told else f"the notes are {run.notes}"


@pytest.mark.parametrize(("seed", "closing"), [(80, "Revolute"), (3, "CutRevolute")])
def test_linkage_keeps_its_energy(seed, closing, tmp_path):
    """Of neither can constraints be left out as a whole all along the motion, of the first three and of the second
    one."""
    assert failure_of(seed, "mbs", tmp_path, closing) == ""


@pytest.mark.parametrize("library", ["mbsabs", "mbsmat"])
def test_two_hinges_of_a_door(library, write_model):
    """In all formulations the loads on the post are those of the body, and the same element is redundant."""
    path = write_model(DOOR)
    names = ["hinge.qdd", *(f"post.{what}({k})" for what in ("f", "tau") for k in (1, 2, 3))]
    runs = [cutset.load(path, instead=other).simulate(stop=0.0) for other in ({}, {"mbs": library})]
    own, other = ([run[name][0] for name in names] for run in runs)
    np.testing.assert_allclose(other, own, rtol=1e-9, atol=1e-9)
    assert runs[0].notes == runs[1].notes
    assert "5 conditions of 'upper' are redundant in the loop of 'frame', 'up' and 'hinge'" in runs[1].notes[0]


class _Found(Exception):
    """A point where the constraints hold is found."""


def test_constraints_are_met_with_the_parts_where_their_joints_are(write_model, monkeypatch):
    """The loop is closed in the home position, from where the Euler parameters of its parts follow."""

    def found(self, at):
        raise _Found

    monkeypatch.setattr(Constraints, "motion", found)
    path = write_model(linkage(2).text("mbs"))
    with pytest.raises(_Found):
        compile_model(path, None, Options(instead={"mbs": "mbsabs"}))


def test_planar_loop_that_is_closed_in_space_moves_as_in_the_plane(write_model):
    texts = FOUR_BAR, FOUR_BAR.replace("PlanarCut", "Cut")
    planar, spatial = (cutset.load(write_model(text)).simulate(stop=1.0, points=11, **ACCURATE) for text in texts)
    for name in ("crank.q", "crank.qdd", "c.F(1)", "c.F(3)"):
        np.testing.assert_allclose(spatial[name], planar[name], rtol=1e-6, atol=1e-7)
    for name in ("c.F(2)", "c.tau(1)", "c.tau(3)"):  # nothing acts across the plane
        np.testing.assert_allclose(spatial[name], 0.0, atol=1e-9)
    assert planar.notes == ()
    assert len(spatial.notes) == 1
    assert "3 conditions of 'c'" in spatial.notes[0]


def test_check_tells_that_a_loop_is_too_large_for_the_search(write_model, monkeypatch, capsys):
    monkeypatch.setattr(redundancy, "_MOST_CLOSING", 1)
    assert main(["check", str(write_model(FOUR_BAR))]) == 0
    out = capsys.readouterr().out
    assert "2 equations close the loops of 'c'; redundant conditions are searched among up to 1: if the run" in out


def test_large_loop_that_is_not_searched_is_not_called_contradictory(write_model, monkeypatch):
    """It may well be closed: nothing is known about its conditions."""
    monkeypatch.setattr(redundancy, "_MOST_CLOSING", 1)
    with pytest.raises(cutset.ModelError, match=r"E423.*'c' over-constrains.*: too many to find those") as raised:
        cutset.load(write_model(FOUR_BAR.replace("PlanarCut", "Cut")))
    assert "contradict" not in str(raised.value)


def _turned_bars(loops: int) -> str:
    """Equal loops of four links and two degrees of freedom in a plane across x + y, closed in space; their cranks turn
    alike."""
    numbers = range(1, loops + 1)
    lines = [
        f"""  submodel (Fixed) base{k}(n1=-1, n2=1, n3=1, angle=2.0943951023931953)
  submodel (Revolute) crank{k}(n2=1), p{k}(n2=1), q{k}(n2=1), r{k}(n2=1)
  submodel (Bar) place{k}(r1=0.5), b{k}(r1=0.3, r3=0.3), c{k}(r1=0.1, r3=0.1), d{k}(r1=0.2, r3=0.1),
                 e{k}(r1=-0.7, r3=-0.3)
  submodel (Body) m{k}(m=1, r1=0.1, I22=0.03), n{k}(m=1, r3=0.1, I22=0.03), o{k}(m=2, r1=0.1, I22=0.03),
                  s{k}(m=1, r1=0.1, I22=0.03)
  submodel (CutSpherical) close{k}
  connect world to base{k} to crank{k} to d{k}, base{k}:b to place{k} to p{k} to b{k} to q{k} to c{k} to r{k} to e{k}
  connect m{k} at crank{k}:b, n{k} at p{k}:b, o{k} at q{k}:b, s{k} at r{k}:b, close{k}:a at d{k}:b, close{k}:b at e{k}:b
"""
        for k in numbers
    ]
    alike = "  submodel (Same) same\n  connect same:A at crank1:ext, same:B at crank2:ext\n" if loops > 1 else ""
    return (
        "@mbs\nmodel class Same\n  cut (DriveCut) A (qa, qda, qdda / fa), B (qb, qdb, qddb / fb)\n  qb = qa\n"
        "  fa = -fb\nend\nmodel Turned\n  submodel (Inertial) world(ng3=-1)\n" + "".join(lines) + alike + "end\n"
    )


def test_loops_that_are_coupled_beside_move_as_one_of_them_alone(write_model):
    one, two = (cutset.load(write_model(_turned_bars(n), f"bars{n}.mo")).simulate(0.02, points=2) for n in (1, 2))
    for joint in ("crank", "p", "q"):
        assert two[f"{joint}1.qdd"] == pytest.approx(one[f"{joint}1.qdd"], rel=1e-6)
    assert np.abs(two["close1.fa"]).max() < 100


def test_two_wheels_on_an_axle_share_the_force_along_it(write_model):
    run = cutset.load(write_model(AXLE)).simulate(stop=1.0, points=11, **ACCURATE)
    assert len(run.notes) == 1
    assert "'roll1' and 'roll2'" in run.notes[0]
    # A wheel turns at w1, the other at w2: the axle turns about the vertical at radius*(w2 - w1)/distance and moves at
    # the mean speed.
    rate, speed = 0.3 * (2.0 - 1.0) / 1.0, 0.3 * 1.5
    np.testing.assert_allclose(run["r1.qd"], 1.0, atol=1e-7)
    np.testing.assert_allclose(run["r2.qd"], 2.0, atol=1e-7)
    along = [
        run[f"roll{k}.f(1)"] * -np.sin(rate * run.time) + run[f"roll{k}.f(2)"] * np.cos(rate * run.time) for k in (1, 2)
    ]
    np.testing.assert_allclose(along[0], along[1], atol=1e-6)
    np.testing.assert_allclose(along[0] + along[1], 3.0 * speed * rate, rtol=1e-5)


def test_axle_that_moves_freely_rolls_down_a_slope(write_model):
    """Free, by Euler parameters. All of g*sin(45 degrees) accelerates three masses and two wheels."""
    text = AXLE.replace("(FreeCardan) f(q03=0.3)", "(Free) f(x3=0.3)").replace(", qd0=1", "").replace(", qd0=2", "")
    text = text.replace("@mbs", "@mbssim").replace("world(ng3=-1)", "world(ng1=1, ng3=-1)")
    run = cutset.load(write_model(text)).simulate(stop=1.0, points=5, **ACCURATE)
    acceleration = 3.0 * 9.81 * np.sqrt(0.5) / (3.0 + 2 * 0.2 / 0.3**2)
    for name in ("r1.qd", "r2.qd"):
        np.testing.assert_allclose(run[name], acceleration / 0.3 * run.time, rtol=1e-6, atol=1e-8)
    assert len(run.notes) == 1 and "'roll1' and 'roll2'" in run.notes[0]


def test_axle_turns_round_though_its_wheels_say_the_same_along_it(write_model):
    """Half a turn and more: what is redundant is the same whatever the axle points to."""
    run = cutset.load(write_model(AXLE)).simulate(stop=12.0, points=13, **ACCURATE)
    np.testing.assert_allclose(run["r1.qd"], 1.0, atol=1e-6)
    np.testing.assert_allclose(run["r2.qd"], 2.0, atol=1e-6)


HELD = """@mbs
model Held
  submodel (Inertial) world(ng3=-1)
  submodel (Spherical) s
  submodel (Bar) b(r1=0.1), w(r1=0.1)
  submodel (Body) m(m=1, r1=0.2, r2=-0.3, I11=0.1, I22=0.1, I33=0.1)
  submodel (CutRevolute) c(n1=1)
  connect world to s to b to c, world to w, w:b at c:b, m at s:b
end
"""


def test_ball_joint_that_is_held_by_a_hinge_is_a_hinge(write_model):
    held = cutset.load(write_model(HELD)).simulate(stop=1.0, points=11, **ACCURATE)
    hinge = HELD.replace("(Spherical) s", "(Revolute) s(n1=1)").replace("  submodel (CutRevolute) c(n1=1)\n", "")
    hinge = hinge.replace(" to b to c, world to w, w:b at c:b", " to b, world to w")
    free = cutset.load(write_model(hinge)).simulate(stop=1.0, points=11, **ACCURATE)
    np.testing.assert_allclose(held["m.va(1)"], free["m.va(1)"], rtol=1e-6, atol=1e-7)
    assert abs(free["m.va(1)"]).max() > 1.0
    assert len(held.notes) == 1 and "3 conditions of 'c'" in held.notes[0]


def test_offsets_across_the_plane_that_cancel_leave_a_loop_as_it_is(write_model):
    """They cancel by the values of parameters, and but for rounding: 0.1 - 0.3 + 0.4 is not 0.2 in binary."""
    offsets = (
        FOUR_BAR.replace("PlanarCut", "Cut")
        .replace("b1(r3=1)", "b1(r3=1, r2=0.1)")
        .replace("b2(r1=2)", "b2(r1=2, r2=-0.3)")
    )
    offsets = offsets.replace("b3(r3=-2)", "b3(r3=-2, r2=0.4)").replace("ground(r1=2.5", "ground(r2=0.2, r1=2.5")
    model = cutset.load(write_model(offsets))
    planar = cutset.load(write_model(FOUR_BAR)).simulate(stop=1.0, points=5, **ACCURATE)
    np.testing.assert_allclose(model.simulate(stop=1.0, points=5, **ACCURATE)["crank.q"], planar["crank.q"], rtol=1e-6)
    with pytest.raises(cutset.RunError, match="the loop closes only if"):
        model.simulate(stop=1.0, parameters={"b2.r2": -0.2})
    with pytest.raises(cutset.ModelError, match="the loop cannot be closed"):
        cutset.load(write_model(offsets.replace("r2=0.4", "r2=0.5")))


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            for name, closing in itertools.product(("mbs", "mbssim"), ("CutRevolute", "Revolute")):
                said = failure_of(number, name, Path(folder), closing)
                wrong += bool(said)
                if said:
                    kind = f"{KINDS[number % len(KINDS)]}, {name}, {closing}"
                    print(f"{number} ({kind}): {said.splitlines()[0]}", flush=True)
    print(f"{4 * count} runs, {wrong} wrong")
