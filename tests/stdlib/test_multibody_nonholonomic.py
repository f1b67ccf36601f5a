"""Constraints on velocities in all multibody libraries, against closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start
from scipy.integrate import cumulative_trapezoid

import cutset

ACCURATE = {"rtol": 1e-9, "atol": 1e-10}

PLATE = """@mbs
model class (CutVelocity) Knife "edge along axis 1 of b"
  A = [zeros(1,3), [0, 1, 0]'*T]
  g = 0
end
model class (CutVelocity) Drive "keeps velocity along axis 1 of b, and angular velocity"
  parameter conditions = 2
  A = [zeros(1,3), [1, 0, 0]'*T; 0, 0, 1, 0, 0, 0]
  g = [0.5, 2]
end
model Plate
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Planar) p(n=[0, 0, 1], nx=[1, 0, 0], q03=0.3, {start})
  submodel ({kind}) k
  submodel (Body) b(m=2, r=[{ahead}, 0, 0], I=diagonal([1, 1, 0.7]))
  connect i to p to b, k at (i, p:b)
end
"""


def _run(text: str, library: str, write_model, stop: float) -> cutset.Result:
    model = cutset.load(write_model(text), instead={"mbs": library})
    return model.simulate(stop=stop, points=101, **ACCURATE)


@pytest.mark.parametrize("library", LIBRARIES)
def test_chaplygin_sleigh(library, write_model):
    """A body on a knife edge whose center of mass, a before the edge, pulls it into a straight line: the velocity v
    along the edge and the angular velocity follow der(v) = a*w^2, k^2*der(w) = -a*v*w, k^2 = a^2 + I/m."""
    run = _run(PLATE.format(kind="Knife", start="qd03=2", ahead=0.4), library, write_model, stop=3.0)
    a, k2 = 0.4, 0.4**2 + 0.7 / 2
    c = 2 * np.sqrt(k2)
    phase = c * a / k2 * run.time
    np.testing.assert_allclose(run["p.turn.qd"], 2 / np.cosh(phase), atol=1e-7)
    along = [np.cos(run["p.turn.q"]), np.sin(run["p.turn.q"])]
    np.testing.assert_allclose(along[0] * run["p.x.qd"] + along[1] * run["p.y.qd"], c * np.tanh(phase), atol=1e-7)
    np.testing.assert_allclose(along[1] * run["p.x.qd"] - along[0] * run["p.y.qd"], 0, atol=1e-7)
    # The force across: m*(v*w + a*der(w)).
    force = 2 * (c * np.tanh(phase) * 2 / np.cosh(phase) * (1 - a * a / k2))
    np.testing.assert_allclose(run["k.lambda(1)"], force, atol=1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_conditions_with_right_sides_do_work(library, write_model):
    """In the turning frame the velocity across changes by -w*v, which takes the force -m*w*(velocity across)."""
    start = "qd01=0.5*cos(0.3), qd02=0.5*sin(0.3), qd03=2"
    run = _run(PLATE.format(kind="Drive", start=start, ahead=0), library, write_model, stop=1.0)
    np.testing.assert_allclose(run["p.turn.q"], 0.3 + 2 * run.time, atol=1e-8)
    across = -np.sin(run["p.turn.q"]) * run["p.x.qd"] + np.cos(run["p.turn.q"]) * run["p.y.qd"]
    np.testing.assert_allclose(across, -run.time, atol=1e-8)
    np.testing.assert_allclose(run["k.lambda(1)"], 2 * 2 * run.time, atol=1e-7)
    np.testing.assert_allclose(run["k.lambda(2)"], 0, atol=1e-7)


def test_W_of_mbsmat_has_the_conditions(write_model):
    run = _run(PLATE.format(kind="Drive", start="qd01=0.5*cos(0.3), qd02=0.5*sin(0.3), qd03=2", ahead=0), "mbsmat",
               write_model, stop=0.3)  # fmt: skip
    qd = np.array([run["p.x.qd"], run["p.y.qd"], run["p.turn.qd"]])
    for k, expected in enumerate((0.5, 2), start=1):
        np.testing.assert_allclose(sum(run[f"k.W({i},{k})"] * qd[i - 1] for i in (1, 2, 3)), expected, atol=1e-9)


ROBOT = """@mbs
model Robot "a body on a wheel set, with a motor between the body and each wheel"
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (FreeCardan) p({start})
  submodel (WheelSet) set(radius=0.3, track=0.8)
  submodel (Body) b(m=20, I=diagonal([3, 2, 3])), w(2)(m=1.5, I=diagonal([0.1, 0.2, 0.1]))
  submodel (JointForce) motor(2)
  motor(1).f = 1
  motor(2).f = 1.5
  connect i to p to b, set at p:b, w(1) at set:wheel1, w(2) at set:wheel2, motor(1) at set:ext1, motor(2) at set:ext2
end
"""


@pytest.mark.parametrize("library", LIBRARIES[:3])
def test_a_wheel_set_drives_and_turns(library, write_model):
    """With the center of the body on the axle the torques accelerate the velocity v along the ground and the angular
    velocity about the vertical separately; a wheel at +track/2 across, its force F = (torque - J*der(spin))/r."""
    run = _run(ROBOT.format(start="q03=0.3"), library, write_model, stop=1.0)
    r, half, J, mass = 0.3, 0.4, 0.2, 20 + 2 * 1.5
    turning = 3 + 2 * (0.1 + 1.5 * half**2)
    forward = (1 + 1.5) / r / (mass + 2 * J / r**2)
    around = (1.5 - 1) * half / r / (turning + 2 * J * half**2 / r**2)
    t = run.time
    heading = around * t**2 / 2
    fine = np.linspace(0, 1, 10001)
    way = [cumulative_trapezoid(forward * fine * f(around * fine**2 / 2), fine, initial=0) for f in (np.cos, np.sin)]
    np.testing.assert_allclose(run["p.x.q"], np.interp(t, fine, way[0]), atol=1e-7)
    np.testing.assert_allclose(run["p.y.q"], np.interp(t, fine, way[1]), atol=1e-7)
    np.testing.assert_allclose(run["p.z.q"], r, atol=1e-8)
    # The body turns back about the axle.
    pitch = -(1 + 1.5) / 2 * t**2 / 2
    for k, side in ((1, -1), (2, 1)):
        spin = (forward * t**2 / 2 + side * half * heading) / r
        np.testing.assert_allclose(run[f"set.joint{k}.q"], spin - pitch, atol=1e-7)


def test_a_wheel_set_in_absolute_coordinates(write_model):
    """The joint may be turned in any way that leaves the axle horizontal: the angle that is not given follows. The
    given angular velocity replaces a velocity."""
    path = write_model(ROBOT.format(start="q03=0.3, q05=-0.5, q06=0.7, qd06=1, qd01=0.2"))
    names = ["p.turn.x.q", "p.turn.y.q", "p.turn.z.q", "p.x.qd", "p.turn.z.qd", "p.x.qdd", "p.z.qdd", "p.turn.y.qdd"]
    found = at_start(path, names, "mbsabs")
    assert_same(found, at_start(path, names, "mbs"))
    np.testing.assert_allclose(found[0], np.arctan(np.sin(0.5) * np.tan(0.7)), rtol=1e-9)


def test_a_wheel_set_turns_at_the_start_in_absolute_coordinates(write_model):
    """The structure of the equations would let the heading follow from the height, which is written too: only numbers
    show that it cannot, in a block of 165 unknowns."""
    path = write_model(ROBOT.format(start="q03=0.3, qd06=1, qd01=0.2"))
    names = ["p.x.qd", "p.y.qd", "p.turn.z.qd", "p.x.qdd", "p.y.qdd", "set.joint1.qdd", "set.joint2.qdd"]
    assert_same(at_start(path, names, "mbsabs"), at_start(path, names, "mbs"))
