"""mbsabs.mo: each joint and force of mbs.mo in absolute coordinates has the same motion and the same forces."""

from __future__ import annotations

import numpy as np
import pytest
from multibody_pairs import assert_same, at_start, vectors
from oracles.random_trees import ALL, SIMPLE, one_joint, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

LIBRARY = {"mbssim": "mbsabs"}


def _load(text, write_model) -> cutset.Model:
    return cutset.load(write_model(text), instead=LIBRARY)


@pytest.mark.parametrize(
    "kind", [kind for kind in ALL if kind not in (*SIMPLE, "Screw", "SphericalCardan", "FreeCardan", "Fixed")]
)
def test_each_joint_between_two_that_move(kind, write_model):
    """At any state: the iteration for the Euler parameters begins at those that belong to the coordinates."""
    tree = one_joint(kind, 3)
    model, rng = _load(tree.text, write_model), np.random.default_rng(4)
    q, qd = random_state(tree, rng)
    found = tree_accelerations(model, tree, q, qd)
    assert relative_error(found, tree.tree.accelerations(q, qd)) < 1e-9


def test_random_tree(write_model):
    """With a spring, a damper, a rotor and bodies that are connected rigidly."""
    tree = random_tree(135, 3, kinds=ALL, rotors=True)
    model, rng = _load(tree.text, write_model), np.random.default_rng(0)
    q, qd = random_state(tree, rng)
    found = tree_accelerations(model, tree, q, qd)
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
    assert model.evaluate(0.0, [1.0, 2.0, 3.0, 4.0]) == pytest.approx([2.0, 0.0, 4.0, -9.81])
    assert model.simulate(stop=0.0).notes == ()


MEASURED = """@mbs
model Measured
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Revolute) arm(n1=1, n2=1, q0=0.4, qd0=1.5)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (PointMass) link(m=1.5)
  submodel (Fixed) turned(n1=1, n2=-1, angle=2, r1=0.1)
  submodel (Free) j(angle1=2.5, angle2=1, angle3=-2, w1=1, w2=-2, w3=0.5, x1=0.2, x2=0.1, x3=0.7, v1=1, v2=0.3, v3=-2)
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
  connect i to arm to bar to turned to load to j to m, link at bar:b, s at j:b, rel at (bar:b, j:b)
  connect spring at (i, j:b), f at j:b, t at j:b, attraction at j:b, ff at j:b, ft at j:b
  connect torsion at (i, j:b), drag at (i, j:b)
  f.f = [1, 2, 3]
  t.tau = [-1, 0.5, 2]
  ff.f = [2, -1, 1]
  ft.tau = [0.3, 0.2, -0.5]
end
"""
READ = ("load.f", "load.tau", *(f"{s}.{x}" for s in ("s", "rel") for x in ("r", "v", "w", "acc", "alpha")))


def test_forces_and_sensors_at_start_values_far_from_home(write_model):
    path = write_model(MEASURED)
    names = [*vectors(*READ), "load.P", "spring.sd", "drag.thetad", "s.T(1,2)", "arm.qdd"]
    assert_same(at_start(path, names, "mbsabs"), at_start(path, names, "mbs"))


HANGING = """@mbs
model Hanging
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel (CutForce) load
  submodel (AbsoluteSensor) s
  submodel {joint}
  connect i to load to j to m, s at j:b{closing}
end
"""
# A joint, and what closes a loop around a free body with the same motion at the start.
CLOSING = {
    "CutSpherical": ("(Spherical) j(w1=1, w2=2, w3=3)", "c", "qd04=1, qd05=2, qd06=3"),
    "CutUniversal": ("(Universal) j(na1=1, nb2=1, qd01=3, qd02=4)", "c(na1=1, nb2=1)", "qd04=3, qd05=4"),
    "CutPrismatic": ("(Prismatic) j(n1=0.6, n3=0.8, qd0=5)", "c(n1=0.6, n3=0.8)", "qd01=3, qd03=4"),
}


@pytest.mark.parametrize("kind", CLOSING)
def test_constraints_on_a_free_body_make_a_joint(kind, write_model):
    joint, closing, moves = CLOSING[kind]
    names = vectors("load.f", "load.tau", "s.v", "s.w", "s.acc", "s.alpha")
    tree = at_start(write_model(HANGING.format(joint=joint, closing="")), names, "mbs")
    free = f"(FreeCardan) j({moves})\n  submodel ({kind}) {closing}"
    text = HANGING.format(joint=free, closing=", c at (load:b, j:b)")
    assert_same(at_start(write_model(text), names, "mbsabs"), tree)


LOOP = """@mbs
model Loop
  submodel (Inertial) i(ng3=-1)
  submodel (CutForce) load
  submodel (Revolute) crank(n2=1, q0=-0.5, qd0=3)
  submodel (Bar) b1(r3=1), b0(r1=3.3, r3=-1.5)
  submodel (Body) m1(m=1, r3=0.5, I11=0.1, I22=0.1, I33=0.1), m2(m=2, r1=1.5, r3=0.1, I11=0.3, I22=1, I33=1),
                  m3(m=1, r1=0.3, r3=-1, I11=0.3, I22=0.5, I33=0.3)
  submodel (Spring) s(c=50, s0=1)
  submodel {assembly}
  connect i to load to crank to b1, i to b0, m1 at crank:b, s at (i, b1:b)
  connect b1 to j:a, b0 to j:b, m2 at j:ia, m3 at j:ib
end
"""
ASSEMBLIES = {
    "JointRRR": "(JointRRR) j(n2=1, r11=3, r21=-0.3, r23=2.5)",
    "JointRRP": "(JointRRP) j(n2=1, r11=3, r13=0.4, r21=-0.3, r23=2.9, nb1=1)",
    "JointRPR": "(JointRPR) j(n2=1, r11=3.3, r13=-2.5, s0=4)",
}


@pytest.mark.parametrize("kind", ASSEMBLIES)
def test_assemblies(kind, write_model):
    path = write_model(LOOP.format(assembly=ASSEMBLIES[kind]))
    names = [*vectors("load.f", "load.tau"), "crank.qdd"] + (["j.s", "j.sd", "j.sdd"] if kind != "JointRRR" else [])
    assert_same(at_start(path, names, "mbsabs"), at_start(path, names, "mbs"))


ROLLING = """@mbs
model Rolling
  submodel (Inertial) i(ng3=-1)
  submodel (FreeCardan) free(q03=0.28665, q04=0.3, qd04=0.2, qd05=9, qd06=1)
  submodel (RollingWheel) wheel(radius=0.3)
  submodel (Body) body(m=2, I11=0.12, I22=0.06, I33=0.12)
  submodel (AbsoluteSensor) center
  submodel (JointState) s4, s5, s6
  connect i to free, wheel at free:b, body at free:b, center at free:b
  connect s4 at free:ext4, s5 at free:ext5, s6 at free:ext6
end
"""
ROD = """@mbs
model Rod
  submodel (Inertial) i(ng3=-1)
  submodel (CutForce) load
  submodel (Prismatic) slide(n1=1, q0=0.3, qd0=2)
  submodel (Revolute) swing(n2=1)
  submodel (Bar) bar(r3=-1)
  submodel (PointMass) m1(m=1), m2(m=2)
  submodel (RodSphericalSpherical) rod(length=sqrt(1.09))
  connect i to load to slide to m1, i to swing to bar to m2, rod at (slide:b, bar:b)
end
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (ROLLING, vectors("wheel.f", "center.v", "center.w", "center.acc", "center.alpha")),
        (ROD, [*vectors("load.f", "load.tau"), "slide.qdd", "swing.qd", "swing.qdd", "rod.f"]),
    ],
    ids=["wheel", "rod"],
)
def test_further_constraints(text, names, write_model):
    path = write_model(text)
    assert_same(at_start(path, names, "mbsabs"), at_start(path, names, "mbs"))


# Joints with several coordinates, at the start away from home, and the names of their coordinates.
DRIVEN = {
    "Screw": ("n1=1, n2=1, pitch=0.5, q0=0.4, qd0=1", [""]),
    "Cylindrical": ("n1=1, n2=1, q01=0.2, q02=0.4, qd01=1, qd02=2", ["slide.", "turn."]),
    "Universal": ("na1=1, nb1=1, nb2=1, q01=0.5, q02=0.4, qd01=1, qd02=2", ["first.", "second."]),
    "Planar": ("n3=1, nx1=1, q01=0.2, q02=-0.3, q03=1, qd01=1, qd02=2, qd03=-1", ["x.", "y.", "turn."]),
    "SphericalCardan": ("q01=0.2, q02=-0.3, q03=1, qd01=1, qd02=2, qd03=-1", ["x.", "y.", "z."]),
    "FreeCardan": (
        "q01=1, q04=0.2, q05=-0.3, q06=1, qd02=1, qd04=1, qd05=2, qd06=-1",
        ["x.", "y.", "z.", "turn.x.", "turn.y.", "turn.z."],
    ),
}


@pytest.mark.parametrize(
    "kinds", [("Screw", "Cylindrical", "Universal"), ("Planar", "SphericalCardan", "FreeCardan")], ids=" ".join
)
def test_springs_and_dampers_on_all_coordinates(kinds, write_model):
    lines, names = ["@mbs", "model Driven", "submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)"], []
    for k, kind in enumerate(kinds):
        given, coordinates = DRIVEN[kind]
        lines += [f"submodel ({kind}) j{k}({given})", f"connect i to j{k} to m{k}"]
        lines += [f"submodel (Body) m{k}(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05)"]
        for n, coordinate in enumerate(coordinates):
            ext = f"ext{n + 1}" if len(coordinates) > 1 else "ext"
            lines += [
                f"submodel (JointSpringDamper) d{k}{n}(c={3 + n}, d=2, q_rest=1)",
                f"connect d{k}{n} at j{k}:{ext}",
            ]
            names.append(f"j{k}.{coordinate}qdd")
    path = write_model("\n".join([*lines, "end", ""]))
    assert_same(at_start(path, names, "mbsabs"), at_start(path, names, "mbs"))


WRONG = """@mbs
model Wrong
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n3=1)
  submodel (Body) m(m=20, r1=0.4, r3=1, I11=5, I22=6, I33=1)
  {rest}
end
"""
ONE_MORE = "submodel (Revolute) k(n3=1)\n  connect "
ONE_LOOP = "submodel (Revolute) k(n3=1, closing=false)\n  submodel (JointState) s\n  connect s at j:ext,"
TWO_HINGES = """submodel (Bar) up(r3=2), frame(r3=2.1)
  submodel (CutRevolute) upper(n3=1)
  connect i to j to up, m at j:b, i to frame, upper at (frame:b, up:b)"""


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("connect i at j:b, m at j:a", "E407 'j' is reversed: its cut b is nearer to 'i' than its cut a"),
        (f"{ONE_LOOP} i to j to k to i, m at j:b", "E408 the mechanism forms a loop of 'j', 'k'"),
        (f"{ONE_MORE} i to j, j:b to m to k", "E409 joint 'k' moves no mass or inertia about its axis"),
        (TWO_HINGES, "E423 'upper' over-constrains its loop, and its conditions contradict each other"),
    ],
    ids=["reversed", "loop", "no mass", "contradiction"],
)
def test_messages_name_the_joints_of_the_user(rest, message, write_model):
    """Not the parts and constraints of which the library makes them."""
    with pytest.raises(cutset.ModelError) as raised:
        cutset.load(write_model(WRONG.format(rest=rest)), instead={"mbs": "mbsabs"})
    (found,) = raised.value.diagnostics
    assert f"{found.code} {found.message}".startswith(message)
    assert "standard library" not in str(raised.value)


def test_two_velocities_of_a_loop_determine_no_position(write_model):
    """Those of a parallelogram are equal in each position: the given second one follows from the first."""
    path = write_model(
        "@mbsabs\nmodel W\n  submodel (Inertial) i(ng2=-1)\n"
        "  submodel (Revolute) a(n3=1, qd0=-1), b(n3=1, qd0=1), c(n3=1)\n"
        "  submodel (Bar) a1(r2=1), b1(r1=1), c1(r2=1), g(r1=1)\n"
        "  submodel (Body) body(m=1, I33=1), other(m=1, r2=0.5, I33=0.1)\n  submodel (PlanarCutRevolute) last(n3=1)\n"
        "  connect i to a to a1 to b to b1, body at b:b, i to g to c to c1, other at c:b, "
        "last:a at b1:b, last:b at c1:b\n"
        "end\n"
    )
    run = cutset.load(path).simulate(0.01, points=2)
    found = [run[name][0] for name in ("a.q", "a.qd", "b.qd", "c.qd")]
    np.testing.assert_allclose(found, [0, -1, 1, -1], atol=1e-9)
