"""Joints that close loops, and locks: each of the four multibody libraries against a tree with the same motion."""

from __future__ import annotations

import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start, vectors

HANGING = """@mbs
model Hanging
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Revolute) arm(n1=1, n2=1, q0=0.4, qd0=1.5)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (Body) link(m=1.5, r1=0.2, I11=0.1, I22=0.2, I33=0.3)
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel (CutForce) load
  submodel (AbsoluteSensor) s
  submodel {joint}
  connect i to load to arm to bar to j to m, s at j:b, link at arm:b{closing}
end
"""
LOADS = [*vectors("load.f", "load.tau", "s.v", "s.w", "s.acc", "s.alpha"), "arm.qdd"]
# A joint of a tree, and what gives a free body, which moves as its coordinates, this joint.
CLOSING = {
    "CutCylindrical": (
        "(Cylindrical) j(n1=0.6, n3=0.8, q01=0.5, qd01=5, q02=0, qd02=2)",
        "(CutCylindrical) c(n1=0.6, n3=0.8)",
        "q01=0.3, q03=0.4, qd01=3, qd03=4, qd04=1.2, qd06=1.6",
    ),
    "CutPlanar": (
        "(Planar) j(n3=1, nx1=1, q01=0.2, q02=0.3, q03=0.7, qd01=3, qd02=4, qd03=2)",
        "(CutPlanar) c(n3=1)",
        "q01=0.2, q02=0.3, q06=0.7, qd01=3, qd02=4, qd06=2",
    ),
}


# Each kind in two libraries.
@pytest.mark.parametrize(("kind", "library"), list(zip([*CLOSING, *CLOSING], LIBRARIES, strict=True)))
def test_constraints_on_a_free_body_make_a_joint(kind, library, write_model):
    joint, closing, moves = CLOSING[kind]
    tree = at_start(write_model(HANGING.format(joint=joint, closing="")), LOADS, "mbs")
    free = f"(FreeCardan) j({moves})\n  submodel {closing}"
    path = write_model(HANGING.format(joint=free, closing=", c at (bar:b, j:b)"))
    assert_same(at_start(path, LOADS, library), tree)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_locked_joint_is_a_rigid_connection(library, write_model):
    axis = "n1=0.6, n2=0.3, n3=-0.5"
    rigid = at_start(write_model(HANGING.format(joint=f"(Fixed) j({axis}, angle=0.9)", closing="")), LOADS, "mbs")
    # The torque that holds the joint is that of a prescribed motion at rest.
    moved = f"(Revolute) j({axis})\n  submodel (Motion) hold(q_ref=0.9)"
    motion = write_model(HANGING.format(joint=moved, closing=", hold at j:ext"))
    torque = at_start(motion, ["hold.f"], "mbs")
    locked = f"(Revolute) j({axis}, q0=0.9)\n  submodel (Lock) hold"
    path = write_model(HANGING.format(joint=locked, closing=", hold at j:ext"))
    assert_same(at_start(path, LOADS, library), rigid)
    assert_same(at_start(path, ["hold.f"], library), torque)


CARRIED = """@mbs
model Carried
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (CutForce) load
  submodel (Spherical) j(angle1=0.3, w1=1, w2=-2, w3=0.5)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6)
  submodel (JointForce) drive
  submodel {rotor}
  connect i to load to j to bar, m at j:b, {connected}
  drive.f = 3
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_rotor_has_the_gyroscopic_torques_of_a_wheel(library, write_model):
    """A wheel with the moments 0.03 across and 0.05 along its axis, (0.6, 0, 0.8); the carrier has those across."""
    names = vectors("load.f", "j.alpha")
    wheel = "(Revolute) r(n1=0.6, n3=0.8, qd0=40)\n  submodel (Body) w(I11=0.0372, I22=0.03, I33=0.0428, I31=0.0096)"
    explicit = CARRIED.format(rotor=wheel, connected="r:a at bar:b, w at r:b, drive at r:ext")
    expected = at_start(write_model(explicit), [*names, "r.qdd"], "mbs")
    rotor = "(Rotor3D) r(n1=3, n3=4, J=0.05, qd0=40)"
    inner = CARRIED.format(rotor=rotor, connected="r at bar:b, drive at r:ext")
    carrier = "submodel (Body) across(I11=0.0192, I22=0.03, I33=0.0108, I31=-0.0144)\n  connect across at bar:b\nend"
    path = write_model(inner.rstrip()[: -len("end")] + carrier + "\n")
    assert_same(at_start(path, [*names, "r.joint.qdd"], library), expected)
