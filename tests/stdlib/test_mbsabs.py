"""mbsabs.mo: each joint and force of mbs.mo in absolute coordinates has the same motion and the same forces."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.random_trees import ALL, one_joint, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

LIBRARY = {"mbssim": "mbsabs"}


def _load(text, write_model) -> cutset.Model:
    return cutset.load(write_model(text), instead=LIBRARY)


@pytest.mark.parametrize("kind", ALL)
def test_each_joint_between_two_that_move(kind, write_model):
    """At any state: the iteration for the Euler parameters begins at those that belong to the coordinates."""
    tree = one_joint(kind, 3)
    model, rng = _load(tree.text, write_model), np.random.default_rng(4)
    q, qd = random_state(tree, rng)
    found = tree_accelerations(model, tree, q, qd, target="python")
    assert relative_error(found, tree.tree.accelerations(q, qd)) < 1e-9


def test_random_tree(write_model):
    """With springs, dampers, rotors and bodies that are connected rigidly."""
    tree = random_tree(0, 3, rotors=True, depth=0.5)
    model, rng = _load(tree.text, write_model), np.random.default_rng(0)
    q, qd = random_state(tree, rng)
    found = tree_accelerations(model, tree, q, qd, target="python")
    assert relative_error(found, tree.tree.accelerations(q, qd)) < 1e-9


ALONG_AXES = """@mbssim
model AlongAxes
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) turn(n1=1, n2=2)
  submodel (Prismatic) slide(n3=1)
  submodel (Body) m1(m=1, I11=1, I22=1, I33=1)
  submodel (PointMass) m2(m=2)
  connect i to turn to m1, i to slide to m2
end
"""


def test_states_are_the_coordinates_of_joints(write_model):
    """Here displacements are coordinates of parts and of bodies, too, and some elements of vectors are zero."""
    model = _load(ALONG_AXES, write_model)
    assert model.states == ("turn.q", "turn.qd", "slide.q", "slide.qd")
    assert model.evaluate(0.0, [1.0, 2.0, 3.0, 4.0], target="python") == pytest.approx([2.0, 0.0, 4.0, -9.81])
    assert model.simulate(stop=0.0, target="python").notes == ()


MEASURED = """@mbssim
model Measured
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Revolute) arm(n1=1, n2=1, q0=0.4, qd0=1.5)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (PointMass) link(m=1.5)
  submodel ({kind}) j({given})
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel (SpringDamper) spring(c=20, d=3, s0=0.2)
  submodel (WorldForce) f
  submodel (WorldTorque) t
  submodel (FrameForce) ff
  submodel (FrameTorque) ft
  submodel (TorsionalSpring) torsion(c=3, theta0=0.2)
  submodel (TorsionalDamper) drag(d=2)
  submodel (PointGravity) attraction(mu=3, m=2)
  submodel (CutForce) load
  submodel (AbsoluteSensor) s
  submodel (RelativeSensor) rel
  connect i to arm to bar to load to j to m, link at bar:b, s at j:b, rel at (bar:b, j:b), spring at (i, j:b), f at j:b,
          t at j:b, attraction at j:b, ff at j:b, ft at j:b, torsion at (i, j:b), drag at (i, j:b)
  f.f = [1, 2, 3]
  t.tau = [-1, 0.5, 2]
  ff.f = [2, -1, 1]
  ft.tau = [0.3, 0.2, -0.5]
end
"""
STARTS = {
    "Revolute": "n1=1, n3=2, q0=2.9, qd0=2",
    "Free": "angle1=2.5, angle2=1, angle3=-2, w1=1, w2=-2, w3=0.5, x1=0.2, x2=0.1, x3=0.7, v1=1, v2=0.3, v3=-2",
    "Spherical": "angle1=2.5, angle2=1, angle3=-2, w1=1, w2=-2, w3=0.5",
}
READ = ("load.f", "load.tau", *(f"{s}.{x}" for s in ("s", "rel") for x in ("r", "v", "w", "acc", "alpha")))


@pytest.mark.parametrize("kind", STARTS)
def test_forces_and_sensors_at_start_values_far_from_home(kind, write_model):
    text = MEASURED.format(kind=kind, given=STARTS[kind])
    path, rows = write_model(text), []
    for instead in ({}, LIBRARY):
        run = cutset.load(path, instead=instead).simulate(stop=0.0, target="python")
        names = [f"{name}({k})" for name in READ for k in (1, 2, 3)] + [
            "load.P",
            "spring.sd",
            "drag.thetad",
            "s.T(1,2)",
            "arm.qdd",
        ]
        rows.append(np.array([run[name][0] for name in names]))
    np.testing.assert_allclose(rows[1], rows[0], rtol=1e-9, atol=1e-9 * np.abs(rows[0]).max())
