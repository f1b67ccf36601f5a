"""Contacts of spheres and points with planes: closed solutions, with each of the four multibody libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from multibody_pairs import LIBRARIES
from scipy.optimize import brentq

import cutset

BALL = """@mbs
model Ball
  submodel (Inertial) i(ng3=-1, g={g})
  submodel (Prismatic) across(n1=1, qd0={across}), up(n3=1, q0={height}, qd0={up})
  submodel (Revolute) turn(n2=1)
  submodel (Body) m(m=2, I11=0.008, I22=0.008, I33=0.008)
  submodel {contact}
  connect i to across to up to turn to m, c at (i, turn:b)
end
"""


def _run(write_model, contact: str, library: str, stop: float, g=0.0, across=0.0, up=0.0, height=0.1):
    text = BALL.format(contact=contact, g=g, across=across, up=up, height=height)
    model = cutset.load(write_model(text), instead={"mbs": library})
    return model.simulate(stop=stop, points=101, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("library", LIBRARIES)
def test_hertz_takes_its_time_and_no_energy(library, write_model):
    """A sphere that meets a plane at the velocity v: greatest depth z, and time 2.943275*z/v of contact."""
    run = _run(write_model, "(PlaneContact) c(n3=1, radius=0.1, c=1e5)", library, stop=0.2, up=-0.5, height=0.11)
    depth = (5 * 2 * 0.25 / (4 * 1e5)) ** 0.4
    away = 0.02 + 2.943275 * depth / 0.5
    np.testing.assert_allclose(run["up.q"][run.time > away], 0.1 + 0.5 * (run.time[run.time > away] - away), atol=1e-7)
    assert np.asarray(run["c.depth"]).max() <= depth * (1 + 1e-9)


@pytest.mark.parametrize(("exponent", "stiffness"), [(1, 1e4), (1.5, 1e5)])
def test_velocity_after_a_contact_with_dissipation(exponent, stiffness, write_model):
    """v*dv/(1 - d*v) = -c/m*z^n*dz, whose right side vanishes over a contact."""
    contact = f"(PlaneContact) c(n3=1, radius=0.1, c={stiffness}, d=0.4, exponent={exponent})"
    run = _run(write_model, contact, "mbs", stop=0.2, up=-1.0)

    def integral(v: float) -> float:
        return -v / 0.4 - np.log(1 - 0.4 * v) / 0.16

    assert run["up.qd"][-1] == pytest.approx(brentq(lambda v: integral(v) - integral(-1.0), 0.1, 1.0), rel=1e-6)


LAWS = {
    "PlaneContact": "(PlaneContact) c(n3=1, radius=0.1, c=1e6, mu=0.2, v_small=1e-4)",
    "PlaneStickSlip": "(PlaneStickSlip) c(n3=1, radius=0.1, c=1e6, mu=0.2, ct=1e4, dt=200)",
}
DEPTH = (2 * 9.81 / 1e6) ** (2 / 3)  # in balance


@pytest.mark.parametrize("kind", LAWS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_sphere_that_slides_begins_to_roll(kind, library, write_model):
    """It loses 2/7 of its velocity, whatever the friction, in the time 2/7*v/(mu*g)."""
    run = _run(write_model, LAWS[kind], library, stop=0.6, g=9.81, across=1.0, height=0.1 - DEPTH)
    slides = run.time < 2 / 7 / (0.2 * 9.81) - 1e-3
    atol = 1e-6 if kind == "PlaneStickSlip" else 2e-4
    np.testing.assert_allclose(run["across.qd"][slides], 1 - 0.2 * 9.81 * run.time[slides], atol=atol)
    assert run["across.qd"][-1] == pytest.approx(5 / 7, abs=1e-3)
    assert run["turn.qd"][-1] == pytest.approx(5 / 7 / 0.1, abs=1e-2)


INCLINE = """@mbs
model Incline
  submodel (Inertial) i(ng1=-0.5, ng3=-sqrt(0.75))
  submodel (Prismatic) along(n1=1, qd0=2), off(n3=1, q0=-{depth})
  submodel (PointMass) m(m=2)
  submodel (PlaneStickSlip) c(n3=1, c=1e6, mu={mu}, peak={peak}, ct=1e5, dt=900)
  connect i to along to off to m, c at (i, off:b)
end
"""


def _up_and_down(write_model, library: str, mu: float, peak: float = 1.0):
    depth = (2 * 9.81 * np.sqrt(0.75) / 1e6) ** (2 / 3)
    path = write_model(INCLINE.format(depth=depth, mu=mu, peak=peak))
    model = cutset.load(path, instead={"mbs": library})
    return model.simulate(stop=1.0, points=101, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_block_stops_on_an_incline_and_stays(library, write_model):
    run = _up_and_down(write_model, library, mu=0.7)
    slow = 9.81 * (0.5 + 0.7 * np.sqrt(0.75))
    up = run.time < 2 / slow
    np.testing.assert_allclose(run["along.q"][up], 2 * run.time[up] - slow / 2 * run.time[up] ** 2, atol=1e-5)
    rest = run.time > 2 / slow + 0.2
    np.testing.assert_allclose(run["along.qd"][rest], 0.0, atol=1e-7)  # it does not creep
    # The elastic connection gives way by as much as it carries.
    strained = (2 * 9.81 * (0.7 * np.sqrt(0.75)) + 2 * 9.81 * 0.5) / 1e5
    np.testing.assert_allclose(run["along.q"][rest], 2 / slow - strained, atol=1e-5)
    assert np.all(np.diff(run["along.q"][rest]) == pytest.approx(0.0, abs=1e-9))


def test_a_block_slides_down_where_friction_is_too_small(write_model):
    run = _up_and_down(write_model, "mbs", mu=0.3)
    slow, fast = 9.81 * (0.5 + 0.3 * np.sqrt(0.75)), 9.81 * (0.5 - 0.3 * np.sqrt(0.75))
    up, down = run.time < 2 / slow, run.time > 2 / slow + 0.1
    np.testing.assert_allclose(run["along.qd"][up], 2 - slow * run.time[up], atol=1e-2)
    np.testing.assert_allclose(np.diff(run["along.qd"][down]), -fast * np.diff(run.time[down]), atol=1e-6)


def test_a_block_starts_to_slide_at_the_peak_of_friction(write_model):
    """Once it rests, it takes more force to move it: here it needs tan(30 degrees)."""
    assert _up_and_down(write_model, "mbs", mu=0.5, peak=1.4)["along.qd"][-1] == pytest.approx(0.0, abs=1e-7)
    assert _up_and_down(write_model, "mbs", mu=0.5, peak=1.1)["along.qd"][-1] < -0.1


BOUNCING = """@mbs
model Bouncing
  submodel (Inertial) i(ng1=1, ng3=-2)
  submodel (Free) j(x3=0.11, v1=1, v2=0.5, w1=3, w3=1)
  submodel (Body) m(m=2, I11=0.01, I22=0.01, I33=0.01)
  submodel (PlaneStickSlip) c(n3=1, radius=0.1, c=1e5, d=0.3, mu=0.3, ct=1e4, dt=10)
  connect i to j to m, c at (i, j:b)
end
"""


def test_a_ball_with_spin_bounces_and_rolls_down(write_model):
    """It slips and sticks in space while the pressing force changes; in the end it rolls without sliding."""
    run = cutset.load(write_model(BOUNCING)).simulate(stop=2.0, points=201)
    assert run.statistics.steps < 5000
    position, velocity, spin = (np.array([run[f"j.{x}({k})"] for k in (1, 2, 3)]) for x in "xvw")
    fall = 9.81 * (position[0] - 2 * position[2]) / np.sqrt(5)
    energy = (velocity**2).sum(0) + 0.005 * (spin**2).sum(0) - 2 * fall
    energy += 1e5 * np.maximum(run["c.depth"], 0) ** 2.5 / 2.5  # without what the tangential connection stores
    assert np.diff(energy).max() < 0.05 and energy[-1] < energy[0] - 0.2
    rolls = run.time > 1.5
    slope = np.polyfit(run.time[rolls], velocity[0][rolls], 1)[0]
    assert slope == pytest.approx(9.81 / np.sqrt(5) / (1 + 0.01 / (2 * 0.1**2)), rel=0.02)


THROWN = """@mbs
model Ball "thrown onto a floor"
  parameter x0(3) = [0, 0, 0.15], v0(3) = zeros(3), w0(3) = zeros(3), tilt = 0
  parameter stiffness = 1e5, d = 0, mu = 0.4, tangential = 1e4, damping = 0, peak = 1
  submodel (Inertial) i(ng1=sin(tilt), ng3=-cos(tilt))
  submodel (Free) j(x0=x0, v0=v0, w0=w0)
  submodel (Body) m(m=2, I=diagonal([0.008, 0.008, 0.008]))
  submodel (PlaneStickSlip) c(n3=1, radius=0.1, c=stiffness, d=d, mu=mu, ct=tangential, dt=damping, peak=peak)
  connect i to j to m, c at (i, j:b)
end
"""


def test_no_contact_gives_a_ball_energy(write_model):
    """Between contacts, while nothing is stored in them, the energy of a ball is never larger than before."""
    model, generator = cutset.load(write_model(THROWN)), np.random.default_rng(5)
    for _ in range(90):
        tilt = float(generator.uniform(0, 0.4) * generator.integers(0, 2))
        given = {
            "v0": list(generator.uniform(-2, 2, 3)),
            "w0": list(generator.uniform(-30, 30, 3) * generator.integers(0, 2)),
            "tilt": tilt,
            "stiffness": float(10 ** generator.uniform(4, 7)),
            "d": float(generator.choice([0, 0.1, 0.5])),
            "mu": float(generator.uniform(0.05, 1.2)),
            "tangential": float(10 ** generator.uniform(3, 6)),
            "damping": float(generator.choice([0, 1, 20, 200])),
            "peak": float(generator.choice([1, 1, 1.3])),
        }
        run = model.simulate(2.0, parameters=given, points=401, rtol=1e-7)
        height = np.cos(tilt) * run["j.x(3)"] - np.sin(tilt) * run["j.x(1)"]
        energy = (run["j.v"] ** 2).sum(1) + 0.004 * (run["j.w"] ** 2).sum(1) + 2 * 9.81 * height
        energy = energy[run["c.depth"] < 0]
        assert np.diff(energy).max() < 2e-5 * (abs(energy[0]) + 2)


def test_fingers_hold_an_object_by_friction():
    """They need F >= m*(g + a)/(2*mu) = 2.9525 N while it is accelerated."""
    model = cutset.load(Path(__file__).parents[2] / "models" / "gallery" / "gripper.mo")
    lost = {}
    for force in (2.925, 2.98):
        run = model.simulate(2.0, parameters={"F": force}, points=201)
        lost[force] = run["lift.q"][-1] - run["free.x(3)"][-1]
    assert lost[2.98] < 0.3e-3
    assert lost[2.925] > 3e-3


def test_slow_sliding_begins_by_all_equations_too(write_model):
    """A block is lifted while less pulls it: its friction reaches the greatest size at 0.3035 s, where it still moves
    back, by micrometers in a second. bdf takes what is below its absolute tolerance for zero."""
    weight = 2 * 9.81
    written = INCLINE.format(depth=(weight / 1e6) ** (2 / 3), mu=0.3, peak=1)
    written = written.replace("ng1=-0.5, ", "").replace(", qd0=2", "")
    written = written.replace(
        "connect",
        """submodel (JointForce) pull, lift
  pull.f = 3 + 4*(time - 0.5)^2
  lift.f = 30*time
  connect pull at along:ext, lift at off:ext,""",
    )
    model = cutset.load(write_model(written))
    for method in ("auto", "bdf"):
        run = model.simulate(0.4, points=41, method=method, atol=1e-7)
        before, after = run.time < 0.303, run.time > 0.315
        assert not run["c.sliding"][before].any() and run["c.sliding"][after].all()
        assert not run["c.along"][before].any()


SLIDING = """@mbs
model Sliding "a body falls on three feet; where one of them stops, its stretch is not yet an elastic displacement"
  submodel (Inertial) world(ng3=-1)
  submodel (Planar) free(n=[0, -1, 0], nx=[1, 0, 0], q02=0.967, q03=-1.665, qd01=-0.814, qd02=-0.555, qd03=1.667)
  submodel (Body) body(m=2.635, I=diagonal([0.356, 0.304, 0.105]))
  submodel (Bar) b0(r=[0.542, 0, 0.102]), b1(r=[0.201, 0, -0.473]), b2(r=[0.345, 0, -0.152])
  submodel (PlaneStickSlip) c0(n3=1, c=1e6, d=0.2, mu=0, ct=1e3, dt=100)
  submodel (PlaneStickSlip) c1(n3=1, radius=0.05, c=1e4, d=0.2, mu=0.6, peak=1.3, ct=1e4, dt=10)
  submodel (PlaneStickSlip) c2(n3=1, c=1e6, d=0.2, mu=0.6, ct=1e4)
  connect world to free to body, b0:a at free:b, c0 at (world, b0:b), b1:a at free:b, c1 at (world, b1:b),
          b2:a at free:b, c2 at (world, b2:b)
end
"""


def test_a_foot_that_stops_sliding_settles(write_model):
    run = cutset.load(write_model(SLIDING)).simulate(1.5)
    assert run["free.x.q"][-1] == pytest.approx(-1.541, abs=2e-3)
