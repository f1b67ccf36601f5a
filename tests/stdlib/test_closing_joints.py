"""Loops of joints, each of which the compiler closes by one of them. `python -m tests.oracles.many_loops --joints`
draws as many as one likes, against an oracle."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.many_loops import Compared, compared
from oracles.random_loops import random_loop

import cutset
from cutset.compiler.flatten.closing_joints import with_loops_closed
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.pipeline import read_library

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")
RING = """@{library}
model Ring
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) r1(n3=1{r1}), r2(n3=1{r2}), r3(n3=1{r3}), r4(n3=1{r4})
  submodel (Bar) b1(r1=1), b2(r1=2), b3(r1=-1.5), b4(r1=1.5)
  submodel (Body) m1(m=1, r1=0.5, I33=0.1), m2(m=1, r1=1, I33=0.1), m3(m=1, r1=-0.5, I33=0.2)
  submodel (JointState) s
  submodel (Rotor) g(J=0.1)
  {more}
  connect i to r1 to b1 to r2 to b2 to r3 to b3 to {last}, i to b4, b4:b at {end}
  connect m1 at r1:b, m2 at r2:b, m3 at r3:b, g at {rotor}:ext, s at {state}:ext
end
"""
GIVEN = {"rotor": "r1", "state": "r1", "r1": ", q0=0.5", "r2": "", "r3": "", "r4": "", "more": "", "last": "r4"}


def ring(library="mbs", end="r4:b", **given):
    return RING.format(library=library, end=end, **GIVEN | given)


def notes_on(text, write_model, run=None):
    """Those of the choice; `run` has values of parameters."""
    library = read_library(write_model(text))
    instance = with_loops_closed(lambda values: instantiate(library, values=values), run or {})
    return [label.text for label in instance.notes]


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_library_closes_a_ring_by_the_same_joint(library, write_model):
    (note,) = notes_on(ring(library), write_model)
    assert note == (
        "'r4' closes the loop of 'r1', 'b1', 'r2', 'b2', 'r3', 'b3' and 1 more: its motion follows from that of its "
        "two cuts; to choose another joint, give it closing=true, or 'r4' closing=false"
    )


@pytest.mark.parametrize(
    ("given", "joint"),
    [
        ({"last": "reversed r4", "end": "r4:a"}, "r4"),
        ({"r4": ", closing=false"}, "r3"),
        ({"state": "r4"}, "r3"),
        ({"r4": ", q0=0.1"}, "r3"),
        ({"r4": ", qd0=0.1", "r3": ", q0=0", "r2": ", q0=1"}, "r4"),
        ({"r2": ", closing=true"}, None),
        ({"r1": ", closing=false", "r2": ", closing=false", "r3": ", closing=false", "r4": ", closing=false"}, None),
    ],
    ids=str,
)
def test_which_joint_closes_a_loop(given, joint, write_model):
    notes = notes_on(ring(**given), write_model)
    assert [note.partition(" ")[0] for note in notes] == ([f"'{joint}'"] if joint else [])


def test_a_run_decides_too(write_model):
    assert "'r3' closes" in notes_on(ring(), write_model, {"r4.closing": 0.0})[0]
    assert notes_on(ring(), write_model, {"r2.closing": 1.0}) == []


def test_what_acts_at_a_joint_and_joints_that_turn_freely(write_model):
    both = {"more": "submodel (Revolute) r5(n1=1)\n  connect r4:b at r5:b", "end": "r5:a"}
    assert "'r5' closes" in notes_on(ring(**both), write_model)[0]
    assert "'r4' closes" in notes_on(ring(rotor="r5", **both), write_model)[0]
    more = "submodel (Spherical) k\n  submodel (Revolute) r5(n1=1)\n  connect r4:b at r5:a, r5:b at k:b"
    assert "'k' closes" in notes_on(ring(more=more, end="k:a"), write_model)[0]


def test_a_loop_of_one_joint_cannot_move(write_model):
    with pytest.raises(cutset.ModelError, match="E408"):
        cutset.load(
            write_model(
                ring(last="b5 to b6", end="r1:b", more="submodel (Bar) b5, b6")
                .replace("r2 to", "")
                .replace("r3 to", "")
                .replace("at r2:b", "at b2:b")
                .replace("at r3:b", "at b3:b")
            )
        )


def test_ways_between_two_bases_and_two_loops(write_model):
    two = ring(more="submodel (Inertial) i2").replace("i to b4", "i2 to b4")
    assert len(notes_on(two, write_model)) == 1
    more = """submodel (Bar) a(r2=1), b(r1=1)
  submodel (Revolute) r5(n3=1), r6(n3=1)
  connect r1:b to a to r5 to b to r6 to r3:b"""
    names = {note.partition(" ")[0] for note in notes_on(ring(more=more), write_model)}
    assert names == {"'r4'", "'r6'"}


HINGE = """model class (JointN) Hinge
  T = [cos(q(1)), sin(q(1)), 0; -sin(q(1)), cos(q(1)), 0; 0, 0, 1]
  r = zeros(3)
end
model Ring"""


def test_the_joint_that_closes_a_ring_has_its_coordinate_and_what_acts_there(write_model):
    more = "submodel (JointSpringDamper) k(c=2, d=0.1)\n  connect k at r4:ext"
    text = ring(r1=", q0=0.5, qd0=9", more=more)
    own = (
        text.replace("model Ring", HINGE)
        .replace(", r4(n3=1)", "\n  submodel (Hinge) r4")
        .replace("k at r4:", "k at r4:coordinate(1):")
    )
    run, other = (cutset.load(write_model(t)).simulate(stop=1.0, points=51, rtol=1e-9) for t in (text, own))
    np.testing.assert_allclose(sum(run[f"r{k}.q"] for k in (1, 2, 3, 4)), 0.0, atol=1e-8)
    assert np.ptp(run["r4.q"]) > 0.5
    np.testing.assert_allclose(run["r4.lambda"], -2 * run["r4.q"] - 0.1 * run["r4.qd"], atol=1e-9)
    np.testing.assert_allclose(other["r4.q(1)"], run["r4.q"], atol=1e-6)


@pytest.mark.parametrize(("number", "libraries"), [(2, ("mbssim", "mbsmat"))])
def test_random_loops_of_joints_agree(number, libraries, tmp_path):
    found = dict(compared(random_loop(number, 3).by_joints(), tmp_path, libraries))
    assert all(isinstance(each, Compared) and each.is_right for each in found.values()), found
