"""JointN, joints with coordinates of your own: the libraries against joints of one degree of freedom."""

from __future__ import annotations

import re
import string

import numpy as np
import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start, vectors
from oracles.random_joints import Mass, energy, turned, wrong

import cutset
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.options import Options
from cutset.compiler.pipeline import read_library

ARM = """@mbs
model class (JointN) Crane "turns about axis 3, reaches out, lifts"
  parameter n = 3
  T = [cos(q(1)), sin(q(1)), 0; -sin(q(1)), cos(q(1)), 0; 0, 0, 1]
  r = [q(2)*cos(q(1)), q(2)*sin(q(1)), q(3)]
  Phi = [zeros(2,3); 1, 0, 0; 0, 1, 0; q(2), 0, 0; 0, 0, 1]
  zeta = [zeros(3); -q(2)*qd(1)^2; 2*qd(1)*qd(2); 0]
end
model class (JointN) Cardan "universal joint: about axis 1, then about axis 2, which turns along"
  parameter n = 2
  T = [cos(q(2)), 0, -sin(q(2)); 0, 1, 0; sin(q(2)), 0, cos(q(2))]*
      [1, 0, 0; 0, cos(q(1)), sin(q(1)); 0, -sin(q(1)), cos(q(1))]
  r = 0
  Phi = [cos(q(2)), 0; 0, 1; sin(q(2)), 0; zeros(3,2)]
  zeta = [-sin(q(2)); 0; cos(q(2)); zeros(3)]*qd(1)*qd(2)
end
model class (JointN) Thread "screw of one coordinate"
  T = [cos(q(1)), sin(q(1)), 0; -sin(q(1)), cos(q(1)), 0; 0, 0, 1]
  r = [0, 0, 0.1*q(1)]
  Phi(:, 1) = [0, 0, 1, 0, 0, 0.1]
  zeta = 0
end
model Arm
  submodel (Inertial) i(ng=[1, 2, -3])
  submodel (Revolute) arm(n=[1, 1, 0], q0=0.3, qd0=1.2)
  submodel (Bar) up(r=[0.2, 0.1, 1]), bar(r=[0.1, 0.3, -0.5])
  submodel (Body) link(m=2, r=[0.1, 0.2, 0.4], I=diagonal([0.2, 0.3, 0.4])), mid(m=1, r=[0.1, 0.1, 0.1]),
                  nut(m=1, r=[0.2, 0, 0], I=0.1*identity(3)), last(m=1, r=[0.1, 0.2, 0], I=0.2*identity(3))
  submodel (CutForce) load
  submodel (AbsoluteSensor) s
  {joints}
  connect i to arm to load to up, link at arm:b, mid at {crane}:b, {chain}, last at {cardan}:b, s at {cardan}:b
end
"""
OWN = ARM.format(
    crane="c",
    cardan="u",
    joints="submodel (Crane) c(q0=[0.3, 0.5, -0.2], qd0=[1, -2, 0.5], lambda=[1, 2, 3])\n"
    "  submodel (Thread) t(q0=[0.4], qd0=[3])\n  submodel (Cardan) u(q0=[{angle}, -0.4], qd0=[1, 2])",
    chain="up to c to bar to t to u, nut at t:b",
)
SINGLE = ARM.format(
    crane="c3",
    cardan="u",
    joints="submodel (Revolute) c1(n=[0, 0, 1], q0=0.3, qd0=1)\n  submodel (Screw) t(n=[0, 0, 1], q0=0.4, qd0=3, "
    "pitch=0.1*6.283185307179586)\n"
    "  submodel (Prismatic) c2(n=[1, 0, 0], q0=0.5, qd0=-2), c3(n=[0, 0, 1], q0=-0.2, qd0=0.5)\n"
    "  submodel (Universal) u(na=[1, 0, 0], nb=[0, 1, 0], q0=[{angle}, -0.4], qd0=[1, 2])\n"
    "  submodel (JointForce) f1(f=1), f2(f=2), f3(f=3)",
    chain="up to c1 to c2 to c3 to bar to t to u, nut at t:b, f1 at c1:ext, f2 at c2:ext, f3 at c3:ext",
)
SEEN = vectors("load.f", "load.tau", "s.r", "s.v", "s.w", "s.acc", "s.alpha")
OF_OWN = ["arm.qdd", *(f"c.qdd({k})" for k in (1, 2, 3)), "t.qdd(1)", "u.qdd(1)", "u.qdd(2)", *SEEN]
OF_SINGLE = ["arm.qdd", "c1.qdd", "c2.qdd", "c3.qdd", "t.qdd", "u.first.qdd", "u.second.qdd", *SEEN]


def alone(text: str) -> str:
    """The joints by T and r alone."""
    return re.sub(r"(?m)^  (Phi|zeta).*\n", "", text)


@pytest.mark.parametrize("library", LIBRARIES[:3])
def test_the_motion_follows_from_directions_and_displacement(library, write_model):
    expected = at_start(write_model(SINGLE.replace("{angle}", "0.4")), OF_SINGLE, "mbs")
    assert_same(at_start(write_model(alone(OWN).replace("{angle}", "0.4")), OF_OWN, library), expected)


def test_what_follows_costs_what_the_written_motion_costs(write_model):
    texts = (text.replace("{angle}", "0.4") for text in (OWN, alone(OWN)))
    written, followed = (cutset.load(write_model(text)).inspect()["operations"] for text in texts)
    assert written == followed


NUT = """@mbs
model class (Joint, MbsAngleCut, MbsFactors) Own "screw by T and r alone"
  parameter pitch (unit="m") = 0
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = pitch/6.283185307179586*q*n
end
model M
  submodel (Inertial) i(ng=[1, 2, -3])
  submodel (Revolute) base(n=[1, 1, 0], q0=0.3, qd0=1.2)
  submodel (SCREW) screw(n=[0.6, 0.8, 0.3], pitch=0.7, q0=0.4, qd0=3)
  submodel (Body) nut(m=1, r=[0.1, 0.2, 0.3], I=diagonal([0.2, 0.3, 0.4]))
  submodel (Rotor) rotor(J=0.2)
  connect i to base to screw to nut, rotor at screw:ext
end
"""


@pytest.mark.parametrize("library", LIBRARIES[:2])
def test_a_joint_of_one_freedom_follows_too(library, write_model):
    own, screw = (write_model(NUT.replace("SCREW", name), f"{name}.mo") for name in ("Own", "Screw"))
    names = ["base.qdd", "screw.qdd", *(f"screw.zeta({k})" for k in range(1, 7))]
    assert_same(at_start(own, names, library), at_start(screw, names, library))


# Names of their own that classes of the libraries have, too.
ROLLING = """@mbs
model class (JointN) Cam "turns about axis 3 and follows a cam along it"
  parameter h (unit="m") = 0.3
  T = [cos(q(1)), sin(q(1)), 0; -sin(q(1)), cos(q(1)), 0; 0, 0, 1]
  r = [0, 0, h*(1 - cos(3*q(1)))]
end
model class (JointN) Knee "an ellipse rolls on an equal one, its image in their common tangent"
  parameter L = 0.5, s = 0.2, E(2,2) = identity(2)
  local M(2,2), y(2), w(2), i(2)
  y = [L*cos(q(1)), s*sin(q(1))]
  w = [-L*sin(q(1)), s*cos(q(1))]
  M = 2*w*w'/(w'*w) - E
  for k = 1..2 do
    i(k) = y(k) - M(k,:)'*y + M(k,1)*2*L
  endfor
  T = [[-1, 0; 0, 1]*M, zeros(2,1); zeros(1,2), 1]
  r = [i; 0]
end
model M
  submodel (Inertial) i(ng=[0, -1, -1])
  submodel (Revolute) base(n=[1, 0, 1], q0=0.2, qd0=0.5)
  submodel (Cam) cam(q0=0.3, qd0=2)
  submodel (Knee) knee(q0=0.4, qd0=-1)
  submodel (Body) BODIES
  connect i to base to cam to knee to third, first at base:b, second at cam:b
end
"""


BODIES = (
    Mass(1, [0.2, 0, 0], [0.1, 0.2, 0.25]),
    Mass(2, [0.2, 0.1, 0], [0.3, 0.2, 0.4]),
    Mass(1, [0.1, 0.2, 0.3], [0, 0, 0]),
)


def poses(q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Directions and origins of the frames of the three bodies."""
    base = turned(q[0], (1, 0, 1))
    cam, at_cam = base @ turned(q[1]), base @ [0, 0, 0.3 * (1 - np.cos(3 * q[1]))]
    point, tangent = [0.5 * np.cos(q[2]), 0.2 * np.sin(q[2])], np.array([-0.5 * np.sin(q[2]), 0.2 * np.cos(q[2])])
    image = 2 * np.outer(tangent, tangent) / (tangent @ tangent) - np.eye(2)
    knee = np.eye(3)
    knee[:2, :2] = image @ np.diag([-1, 1])
    rolled = [*(point - image @ np.add(point, [-1, 0])), 0]
    return [(base, np.zeros(3)), (cam, at_cam), (cam @ knee, at_cam + cam @ rolled)]


def test_a_cam_and_a_knee_keep_their_energy(write_model):
    """Energy by the poses alone, and the libraries against each other; mbsabs moves by T and r, not by Phi. The tool
    `python -m tests.oracles.random_joints` draws joints."""
    first, second, third = BODIES
    path = write_model(ROLLING.replace("BODIES", f"first({first}), second({second}), third({third})"))
    names = ["base.q", "cam.q(1)", "knee.q(1)", "base.qd", "cam.qd(1)", "knee.qd(1)"]
    assert wrong(path, names, lambda x: energy(poses, BODIES, (0, 1, 1), x[:3], x[3:]), 0.6) == []


SHORT = [
    *string.ascii_letters,
    "alpha",
    "beta",
    "gamma",
    "delta",
    "eta",
    "phi",
    "psi",
    "rho",
    "omega",
    "tau",
    "mu",
    "xi",
]
SHORT += [
    "free",
    "given",
    "applied",
    "root",
    "turn",
    "trace",
    "dofs",
    "part",
    "held",
    "own",
    "orientation",
    "apart",
    "bvab",
]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("superclass", "of_library", "equations"),
    [
        ("JointN", "n q T r", "T = identity(3)\n  r = [0, 0, 0.1*q(1)]"),
        ("Rigid", "T r", "T = identity(3)\n  r = [0, 0, 0.1]"),
        ("Revolute", "n q T r", "parameter n3 = 1"),
        ("Bar", "r T", "parameter r1 = 1"),
        ("Force", "", "fa = [0, 0, 0, 0, 0, -1]\n  fb = [0, 0, 0, 0, 0, 1]"),
    ],
)
def test_short_names_are_free(superclass, of_library, equations, library, write_model):
    if library == "mbsabs" and superclass in ("Rigid", "Force"):
        return  # it has no such superclass
    names = [name for name in SHORT if name not in of_library.split()]
    own = ", ".join(f"{name} = {k + 2}" for k, name in enumerate(names))
    text = f"@mbs\nmodel class ({superclass}) Own\n  parameter {own}\n  {equations}\nend\nmodel M\n"
    text += "  submodel (Inertial) i\n  submodel (Own) o\n  submodel (Body) m(m=1, I=identity(3))\n"
    text += "  connect i to o to m\nend\n"
    path = write_model(text)
    options = Options(instead=(("mbs", library),))
    (found,) = [each for each in instantiate(read_library(path, options)).children if each.path == "o"]
    values = {p.name: p.binding.elements[0].data for p in found.parameters}
    assert {name: values[f"o.{name}"] for name in names} == {name: k + 2 for k, name in enumerate(names)}


@pytest.mark.parametrize(
    ("written", "wrong", "named"),
    [
        ("q(2), 0, 0; 0, 0, 1]", "q(3), 0, 0; 0, 0, 1]", "c.Phi(5,1)"),
        ("Phi(:, 1) = [0, 0, 1, 0, 0, 0.1]", "Phi(:, 1) = [0, 0, 1, 0, 0, 0.2]", "t.Phi(6,1)"),
        ("Phi = [cos(q(2)), 0; 0, 1; sin", "Phi = [cos(q(2)), 0; 0, -1; sin", "u.Phi(2,2)"),
        ("2*qd(1)*qd(2); 0]", "2*qd(1)*qd(1); 0]", "c.zeta(5)"),
        ("cos(q(2)); zeros(3)]*qd(1)*qd(2)", "0; zeros(3)]*qd(1)*qd(2)", "u.zeta(3)"),
    ],
)
def test_a_wrong_motion_is_named(written, wrong, named, write_model):
    assert written in OWN
    with pytest.raises(cutset.ModelError) as error:
        cutset.load(write_model(OWN.replace("{angle}", "0.4").replace(written, wrong)))
    (found,) = error.value.diagnostics
    assert found.code == "E351" and found.message.startswith(f"{named} does not follow")


@pytest.mark.parametrize(("library", "angle"), [*((library, 0.4) for library in LIBRARIES[:3]), ("mbsabs", 2.7)])
def test_joints_move_like_those_of_the_library(library, angle, write_model):
    """In mbsabs the angles decide from which elements of T the Euler parameters come."""
    expected = at_start(write_model(SINGLE.replace("{angle}", str(angle))), OF_SINGLE, "mbs")
    assert_same(at_start(write_model(OWN.replace("{angle}", str(angle))), OF_OWN, library), expected)


# The same crane with cuts for its coordinates, and joints of one degree of freedom.
DRIVEN = """@mbs
model class (JointN) Crane
  parameter n = 3
  cut (DriveCut) turn, reach, lift
  T = [cos(q(1)), sin(q(1)), 0; -sin(q(1)), cos(q(1)), 0; 0, 0, 1]
  r = [q(2)*cos(q(1)), q(2)*sin(q(1)), q(3)]
  Phi = [zeros(2,3); 1, 0, 0; 0, 1, 0; q(2), 0, 0; 0, 0, 1]
  zeta = [zeros(3); -q(2)*qd(1)^2; 2*qd(1)*qd(2); 0]
  connect turn at coordinate(1), reach at coordinate(2), lift at coordinate(3)
end
model Arm
  submodel (Inertial) i(ng=[1, 2, -3])
  submodel (Body) m(m=1, r=[0.1, 0.1, 0.1], I=diagonal([0.2, 0.3, 0.4]))
  submodel (Rotor) rotor(J=0.7)
  submodel (JointSpring) spring(c=30)
  submodel {last}
  {joints}
  connect m at {end}:b, rotor at {turn}, spring at {reach}, last at {lift}
end
"""
CRANE = {
    "end": "c", "turn": "c:turn", "reach": "c:reach", "lift": "c:lift",
    "joints": "submodel (Crane) c(q0=[0.3, 0.5, -0.2], qd0=[1, -2, 0], lambda=[1, 2, 3])\n  connect i to c",
}  # fmt: skip
SINGLES = {
    "end": "c3", "turn": "c1:ext", "reach": "c2:ext", "lift": "c3:ext",
    "joints": "submodel (Revolute) c1(n=[0, 0, 1], q0=0.3, qd0=1)\n"
    "  submodel (Prismatic) c2(n=[1, 0, 0], q0=0.5, qd0=-2), c3(n=[0, 0, 1], q0=-0.2)\n"
    "  submodel (JointForce) f1(f=1), f2(f=2), f3(f=3)\n"
    "  connect i to c1 to c2 to c3, f1 at c1:ext, f2 at c2:ext, f3 at c3:ext",
}  # fmt: skip


@pytest.mark.parametrize(("library", "kind"), [*((library, "Rotor") for library in LIBRARIES), ("mbssim", "Lock")])
def test_drives_act_on_the_coordinates(library, kind, write_model):
    """A rotor, a spring and a lock, which takes the force that holds the coordinate."""
    last, force = ("(Rotor) last(J=0.4)", []) if kind == "Rotor" else ("(Lock) last", ["last.f"])
    crane, singles = (write_model(DRIVEN.format(last=last, **g), f"{g['end']}.mo") for g in (CRANE, SINGLES))
    assert_same(
        at_start(crane, [*(f"c.qdd({k})" for k in (1, 2, 3)), *force], library),
        at_start(singles, ["c1.qdd", "c2.qdd", "c3.qdd", *force], "mbs"),
    )


@pytest.mark.parametrize("library", ["mbs", "mbsabs"])
def test_the_topology_counts_the_coordinates(library, write_model):
    model = cutset.load(write_model(OWN.replace("{angle}", "0")), instead={"mbs": library})
    freedom = {data["joint"]: data["freedom"] for *_, data in model.graph("topology").edges(data=True)}
    assert freedom == {"arm": 1, "c": 3, "t": 1, "u": 2}


def test_functions_of_mechanics_know_the_coordinates(write_model):
    q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 7))
    own = cutset.load(write_model(OWN.replace("{angle}", "0.4"))).mechanics(target="python")
    found = own.inverse(q, v, a), own.forward(q, v, a)
    single = cutset.load(write_model(SINGLE.replace("{angle}", "0.4"))).mechanics(target="python")
    order = [["arm", "c1", "c2", "c3", "t", "u.first", "u.second"].index(joint.name) for joint in single.joints]
    expected = (f(q[order], v[order], a[order])[np.argsort(order)] for f in (single.inverse, single.forward))
    for values, others in zip(found, expected, strict=True):
        assert_same(values, others)
    assert own.bias(q, v).shape == (7,)  # the file holds another text now; a loaded model keeps its own
