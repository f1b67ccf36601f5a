"""Force elements that all multibody libraries have: the libraries against each other, and closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start, vectors
from oracles.circuits import free_response

import cutset

ACCURATE = {"rtol": 1e-9, "atol": 1e-10}

MOVING = """@mbs
model class (Wrench) Bushing "a law written once"
  parameter c (unit="N/m") = 30, k (unit="N.m.s") = 2
  f = -c*r + [0, 1, 0]
  tau = -k*w
end
model Moving
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Revolute) arm(n1=1, n2=1, q0=0.4, qd0=1.5)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (Body) link(m=1.5, r1=0.2, I11=0.1, I22=0.2, I33=0.3)
  submodel (Free) j(angle1=2.5, angle2=1, angle3=-2, w1=1, w2=-2, w3=0.5, x1=0.2, x2=0.1, x3=0.17, v1=1, v2=0.3, v3=-2)
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel (CutForce) load
  submodel (AbsoluteSensor) s
  submodel {elements}
  connect i to load to arm to bar to j to m, link at arm:b, s at j:b, {connected}
end
"""
LOADS = [*vectors("load.f", "load.tau", "s.acc", "s.alpha"), "arm.qdd"]
PLANE = "n1=0.1, n2=-0.2, n3=1, radius=0.2, c=3e3, d=0.1, mu=0.4"
ELEMENTS = {
    "(Bushing) e": ["e.w(2)", "e.v(1)"],
    "(SpringDamperSeries) e(c=70, d=4, s0=0.2, drawn0=0.01)": ["e.f", "der(e.drawn)"],
    "(SpringWithMass) e(c=70, s0=0.2, m=3)": ["e.s"],
    f"(PlaneContact) e({PLANE})": ["e.N", "e.slip(2)"],
    f"(PlaneStickSlip) e({PLANE}, peak=100, ct=1e3, dt=20)": ["e.N", *vectors("e.friction")],
}


def test_all_libraries_give_the_same_accelerations_and_forces(write_model):
    """All elements act at once between the same frames."""
    declared, connected, names = [], [], [*LOADS]
    for k, (element, results) in enumerate(ELEMENTS.items()):
        declared.append(element.replace(" e", f" e{k}"))
        connected.append(f"e{k} at (bar:b, j:b)")
        names += [result.replace("e.", f"e{k}.") for result in results]
    path = write_model(MOVING.format(elements="\n  submodel ".join(declared), connected=", ".join(connected)))
    expected = at_start(path, names, "mbs")
    for library in LIBRARIES[1:]:
        assert_same(at_start(path, names, library), expected)


SLIDER = """@mbs
model Slider
  submodel (Inertial) i(ng1={gravity})
  submodel (Prismatic) p(n1=1, q0={q0}, qd0={qd0})
  submodel (PointMass) m(m=2)
  submodel {element}
  connect i to p to m, {connected}
end
"""


def _slider(write_model, element: str, q0=0.0, qd0=0.0, gravity=0, at="(i, p:b)", stop=1.0, library="mbs"):
    text = SLIDER.format(gravity=gravity, q0=q0, qd0=qd0, element=element, connected=f"e at {at}")
    model = cutset.load(write_model(text), instead={"mbs": library})
    return model.simulate(stop=stop, points=101, **ACCURATE)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_third_of_a_spring_moves_with_its_end(library, write_model):
    run = _slider(write_model, "(SpringWithMass) e(c=8, s0=1, m=1.5)", q0=1.5, gravity=1, library=library)
    rest = 1 + 9.81 * (2 + 1.5 / 2) / 8
    swing = (1.5 - rest) * np.cos(np.sqrt(8 / (2 + 1.5 / 3)) * run.time)
    np.testing.assert_allclose(run["p.q"], rest + swing, atol=1e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_spring_and_damper_in_series(library, write_model):
    run = _slider(write_model, "(SpringDamperSeries) e(c=50, d=6, s0=1)", q0=1.5, library=library, stop=2.0)
    matrix = np.array([[0, 1, 0], [-25, 0, 25], [50 / 6, 0, -50 / 6]])  # position beyond 1 m, velocity, damper
    expected = free_response(matrix, np.array([0.5, 0.0, 0.0]), run.time)
    np.testing.assert_allclose(run["p.q"], 1 + expected[:, 0], atol=1e-7)
    np.testing.assert_allclose(run["e.drawn"], expected[:, 2], atol=1e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_stops_throw_a_joint_back(library, write_model):
    """Half a period of a spring at each end of the range."""
    element = "(JointStop) e(q_min=-0.1, q_max=0.3, c=2e4)"
    run = _slider(write_model, element, qd0=2.0, at="p:ext", library=library)
    half = np.pi / 100
    since = np.mod(run.time - 0.15, 0.4 + 2 * half)
    np.testing.assert_allclose(run["p.q"][since < half], 0.3 + 0.02 * np.sin(100 * since[since < half]), atol=1e-6)
    back = (since > half) & (since < half + 0.2) & (run.time > 0.15)
    np.testing.assert_allclose(run["p.q"][back], 0.3 - 2 * (since[back] - half), atol=1e-6)
    np.testing.assert_allclose(run["p.qd"][back], -2.0, atol=1e-6)


def test_dampers_of_stops_never_pull(write_model):
    run = _slider(write_model, "(JointStop) e(q_min=-1, q_max=0, c=1e4, d=2e4)", qd0=1.0, at="p:ext", stop=0.1)
    assert np.asarray(run["e.f"]).min() >= 0 and abs(run["p.qd"][-1]) < 1.0
    bare = _slider(write_model, "(JointStop) e(q_min=0, q_max=2, c=1e4, d=2e4)", qd0=-1.0, at="p:ext", stop=0.1)
    np.testing.assert_allclose(bare["p.q"], -np.asarray(run["p.q"]), atol=1e-9)


GEARED = """@mbs
model Geared "two joints of the inertial system, tied by a gear; one of them has its cut in an assembly"
  submodel (Inertial) world(g=0)
  submodel (Revolute) ra(n1=1, q0=0.5)
  submodel (Body) a(I=identity(3))
  submodel (Rotor3D) rb(n1=1, J=2)
  submodel (JointGear) gear(ratio=-10)
  submodel (JointForce) f(f=2)
  connect world to ra to a, rb at world, gear at (ra:ext, rb:ext), f at ra:ext
end
"""


@pytest.mark.parametrize(("library", "kind"), [("mbs", "IdealGear"), ("mbsmat", "IdealGear"), ("mbssim", "JointGear")])
def test_a_gear_between_two_joints(library, kind, write_model):
    model = cutset.load(write_model(GEARED.replace("JointGear", kind)), instead={"mbs": library})
    run = model.simulate(1.0, points=3, rtol=1e-9, target="python")
    qdd = 2 / (1 + 2 / 100)
    np.testing.assert_allclose(run["ra.q"], 0.5 + qdd * run.time**2 / 2, rtol=1e-8)
    np.testing.assert_allclose(run["rb.joint.q"], -run["ra.q"] / 10, rtol=1e-8)
    np.testing.assert_allclose(run["gear.lambdaa"], 2 / 100 * qdd, rtol=1e-8)
