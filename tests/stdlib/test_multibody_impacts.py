"""Impacts by Stronge's law in all multibody libraries, against closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from multibody_pairs import LIBRARIES
from oracles.bodies_on_contacts import body_number, faults
from scipy.optimize import brentq

import cutset

G = 9.81


def _run(text: str, write_model, stop: float, library: str = "mbs", **options) -> cutset.Result:
    model = cutset.load(write_model(text), instead={"mbs": library})
    return model.simulate(stop=stop, **({"rtol": 1e-9, "atol": 1e-10, "points": 201} | options))


BALL = """@mbs
model Ball
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Prismatic) z(n=[0, 0, 1], q0={height})
  submodel (PointMass) m(m=2)
  submodel (JointForce) lift
  submodel (PlaneImpact) c(n=[0, 0, 1], radius=0.1, restitution=0.7)
  lift.f = {force}
  connect i to z to m, c at (i, z:b), lift at z:ext
end
"""


def _bouncing(t: float) -> float:
    """The height above the ground at this time of a ball that falls by 1 m, and has 0.7 of its velocity after an
    impact."""
    now, speed = np.sqrt(2 / G), 0.7 * np.sqrt(2 * G)
    if t < now:
        return 1 - G / 2 * t**2
    while speed > 1e-3 and t > now + 2 * speed / G:
        now, speed = now + 2 * speed / G, 0.7 * speed
    return speed * (t - now) - G / 2 * (t - now) ** 2 if speed > 1e-3 else 0.0


def test_a_ball_bounces_and_comes_to_rest(write_model):
    run = _run(BALL.format(height=1.1, force=0), write_model, stop=3.5)
    np.testing.assert_allclose(run["z.q"] - 0.1, [_bouncing(t) for t in run.time], atol=3e-5)
    assert run["c.resting"][-1] and not run["c.hitting"][-1]
    assert run["c.N"][-1] == pytest.approx(2 * G) and abs(run["z.q"][-1] - 0.1) < 1e-6
    # All impulses together are those of gravity.
    assert run["c.impulse"][-1] == pytest.approx(2 * G * 3.5, rel=1e-6)


def test_a_contact_opens_where_it_would_have_to_pull(write_model):
    run = _run(BALL.format(height=0.1, force="40*time"), write_model, stop=1.0)
    start = 2 * G / 40  # the time when the force equals the weight
    expected = np.where(run.time > start, 20 * (run.time - start) ** 3 / 6, 0)
    np.testing.assert_allclose(run["z.q"] - 0.1, expected, atol=1e-6)
    assert run["c.resting"][50] and not run["c.resting"][-1]


ROD = """@mbs
model Rod "one end of a rod that falls hits the ground"
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Planar) p(n=[0, -1, 0], nx=[1, 0, 0], q02=1, q03=-0.4)
  submodel (Body) rod(m=2, I=diagonal([0, 0.3, 0]))
  submodel (Bar) tip(r=[0.5, 0, 0])
  submodel (PlaneImpact) c(n=[0, 0, 1], restitution=0.6, mu={mu})
  connect i to p to rod, tip:a at p:b, c at (i, tip:b)
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_rod_that_is_hit_at_its_end(library, write_model):
    """The impulse changes the velocity of the end by that of the center and by that of the rotation."""
    run = _run(ROD.format(mu=0), write_model, 0.42, library)
    lever = 0.5 * np.cos(0.4)
    at = np.sqrt(2 * (1 - 0.5 * np.sin(0.4)) / G)
    impulse = 1.6 * G * at / (1 / 2 + lever**2 / 0.3)
    assert run["p.turn.qd"][-1] == pytest.approx(impulse * lever / 0.3, rel=1e-5)
    assert run["p.y.qd"][-1] == pytest.approx(impulse / 2 - G * 0.42, rel=1e-5)
    assert run["c.impulse"][-1] == pytest.approx(impulse, rel=1e-5)


def test_friction_of_an_impact(write_model):
    """A sphere that slides during the impact gets mu times the impulse along the plane, and spins."""
    text = """@mbs
model Sphere
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Planar) p(n=[0, 1, 0], nx=[1, 0, 0], q02=-1.2, qd01=5)
  submodel (Body) sphere(m=2, I=0.032*identity(3))
  submodel (PlaneImpact) c(n=[0, 0, 1], radius=0.2, restitution=0.5, mu=0.2)
  connect i to p to sphere, c at (i, p:b)
end
"""
    run = _run(text, write_model, 0.5)
    impulse = 1.5 * 2 * np.sqrt(2 * G * 1.0)
    assert run["p.x.qd"][-1] == pytest.approx(5 - 0.2 * impulse / 2, rel=1e-5)
    assert run["p.turn.qd"][-1] == pytest.approx(0.2 * impulse * 0.2 / 0.032, rel=1e-5)


def _after_impact(mobility, v, mu, restitution):
    """The change of the velocity (along, normal) by the normal impulse: slip until it ends, then the friction that
    holds it, up to mu; the work of the normal force gives back restitution^2 of what it took (W. J. Stronge)."""
    (tt, tn), (_, nn) = mobility.tolist()
    taken, work, step = None, 0.0, 1e-4
    while taken is None or work < (1 - restitution**2) * taken:
        slides = abs(v[0]) > 10 * step
        friction = -mu * (1 if v[0] > 0 else -1) if slides else min(max(-tn / tt, -mu), mu)
        change = (tt * friction + tn) * step, (tn * friction + nn) * step
        work += (v[1] + 0.5 * change[1]) * step
        v = v[0] + change[0], v[1] + change[1]
        if taken is None and v[1] > 0:
            taken = work
    return v


@pytest.mark.parametrize("mu", [0.3, 2.5])
def test_friction_that_jams_an_impact(mu, write_model):
    """A rod that slides on its tip: with much friction the force presses the tip on until the slip has ended."""
    text = """@mbs
model Slide
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Planar) p(n=[0, -1, 0], nx=[1, 0, 0], q02=0.47, q03=1.1, qd01=VX, qd02=-1)
  submodel (Body) rod(m=1, I=diagonal([0, 0.0833333, 0]))
  submodel (Bar) tip(r=[-0.5, 0, 0])
  submodel (PlaneImpact) c(n=[0, 0, 1], restitution=0.5, mu=MU)
  connect i to p to rod, tip:a at p:b, c at (i, tip:b)
end
""".replace("MU", str(mu))
    x, z = -0.5 * np.cos(1.1), -0.5 * np.sin(1.1)
    mobility = np.array([[1 + z * z / 0.0833333, -x * z / 0.0833333], [-x * z / 0.0833333, 1 + x * x / 0.0833333]])
    for vx in (1.5, -1.5):
        run = cutset.load(write_model(text.replace("VX", str(vx)))).simulate(0.03)
        hit = int(np.argmax(np.asarray(run["c.hitting"]) > 0.5))
        done = hit + int(np.argmax(np.asarray(run["c.hitting"][hit:]) < 0.5))
        expected = _after_impact(mobility, (run["c.slip"][hit][0], run["c.vn"][hit]), mu, 0.5)
        np.testing.assert_allclose([run["c.slip"][done][0], run["c.vn"][done]], expected, atol=1e-2)


def test_a_double_pendulum_that_hits_a_wall(write_model):
    """qd changes by inv(M)*W times the impulse, with the mass matrix M of two point masses and the direction W."""
    text = """@mbs
model Pendulum
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Revolute) a(n=[0, -1, 0], q0=-0.3, qd0=2), b(n=[0, -1, 0], q0=0.4, qd0=1)
  submodel (Bar) l1(r=[0, 0, -1]), l2(r=[0, 0, -0.7])
  submodel (PointMass) m1(m=3), m2(m=2)
  submodel (PlaneImpact) c(n=[-1, 0, 0.1], restitution=0.8)
  submodel (Bar) wall(r=[0.3, 0, 0])
  connect i to wall, i to a to l1 to b to l2 to m2, m1 at l1:b, c at (wall:b, l2:b)
end
"""
    run = _run(text, write_model, 0.5)
    hit = int(np.argmax(np.asarray(run["c.hitting"]) > 0.5))
    done = hit + int(np.argmax(np.asarray(run["c.hitting"][hit:]) < 0.5))
    before, after = (np.array([run["a.qd"][k], run["b.qd"][k]]) for k in (hit, done))
    q1, q2 = run["a.q"][hit], run["a.q"][hit] + run["b.q"][hit]
    tip = np.array(
        [[np.cos(q1) + 0.7 * np.cos(q2), 0.7 * np.cos(q2)], [np.sin(q1) + 0.7 * np.sin(q2), 0.7 * np.sin(q2)]]
    )
    elbow = np.array([[np.cos(q1), 0], [np.sin(q1), 0]])
    M = 3 * elbow.T @ elbow + 2 * tip.T @ tip
    W = tip.T @ np.array([-1, 0.1]) / np.sqrt(1.01)
    step = np.linalg.solve(M, W)
    np.testing.assert_allclose(after, before - 1.8 * step * (W @ before) / (W @ step), rtol=1e-4)
    assert run["c.impulse"][done] == pytest.approx(-1.8 * (W @ before) / (W @ step), rel=1e-4)


FOOT = """@mbs
model Foot "a rod with one end on a rough floor"
  submodel (Inertial) world(ng=[0, 0, -1])
  submodel (Planar) free(n=[0, -1, 0], nx=[1, 0, 0], q02=0.5, q03=0.5)
  submodel (Body) rod(m=1, I=diagonal([0, 0.1, 0]))
  submodel (Bar) half(r=[-0.5, 0, 0])
  submodel (PlaneImpact) foot(n=[0, 0, 1], restitution=0.5, mu=1)
  connect world to free to rod, half:a at free:b, foot at (world, half:b)
end
"""


def test_a_contact_that_rests_makes_no_events_by_rounding(write_model):
    run = cutset.load(write_model(FOOT)).simulate(2.0)
    assert run["foot.resting"][-1] and run["foot.N"][-1] == pytest.approx(3.647, abs=5e-3)


def test_a_point_that_starts_on_the_plane_does_not_pass_it(write_model):
    text = FOOT.replace("q02=0.5, q03=0.5", "q02=0.0, q03=0, qd02=-1")
    run = cutset.load(write_model(text)).simulate(0.05)
    assert run["foot.depth"].max() < 2e-6 and run["foot.impulse"][-1] > 0.1


def test_bodies_on_several_contacts(tmp_path):
    """`python -m tests.oracles.bodies_on_contacts` runs hundreds in all libraries. This one turns while it slides."""
    assert faults(body_number(5), tmp_path, ("mbs",), agree=False) == []


def test_rounding_of_a_derivative_that_is_zero_is_no_pole(tmp_path):
    """In flight nothing but rounding accelerates this body along the floor; it changes its sign as a pole does."""
    assert faults(body_number(42), tmp_path, ("mbsmat",), agree=False) == []


def test_rounding_after_an_impact_does_not_end_the_run(tmp_path):
    """The depth of the point that has just left the plane is rounding, of either sign."""
    assert faults(body_number(124), tmp_path, ("mbsmat",), agree=False) == []


@pytest.mark.parametrize(
    ("length", "angle", "vx", "w", "v_small"), [(0.4, 0.3, 1.5, -1.0, 1e-8), (0.5, -0.9, -1.2, 2.0, 1e-10)]
)
def test_friction_steeper_than_the_tolerance_stops_the_slip_of_an_impact(write_model, length, angle, vx, w, v_small):
    """After an impact that gives nothing back and sticks, the point rests: the momentum along the plane and across it
    is that of the two impulses."""
    mass, inertia, speed, height = 2.0, 0.1, 1.0, 0.01
    text = f"""@mbs
model Leg
  submodel (Inertial) world(ng3=-1)
  submodel (Planar) free(n=[0, -1, 0], nx=[1, 0, 0], q02={float(length * np.cos(angle)) + height!r}, q03={angle},
                         qd01={vx}, qd02={-speed}, qd03={w})
  submodel (Body) body(m={mass}, I=diagonal([1, {inertia}, 1]))
  submodel (Bar) leg(r3={-length})
  submodel (PlaneImpact) foot(n3=1, mu=1.5, v_small={v_small})
  connect world to free to body, leg:a at free:b, foot at (world, leg:b)
end
"""
    drop = brentq(
        lambda t: length * (np.cos(angle) - np.cos(angle + w * t)) + height - speed * t - 9.81 * t**2 / 2, 0, 0.2
    )
    turned, before = angle + w * drop, np.array([vx, -speed - 9.81 * drop, w])
    slopes = np.array([[1, 0, length * np.cos(turned)], [0, 1, length * np.sin(turned)]])
    along = slopes / [mass, mass, inertia]
    after = before - along.T @ np.linalg.solve(slopes @ along.T, slopes @ before)
    run = cutset.load(write_model(text)).simulate(drop + 5e-6, method="cvode-bdf", points=2)
    found = [run[f"free.{name}.qd"][-1] for name in ("x", "y", "turn")]
    assert found == pytest.approx(after, abs=2e-3)
