"""Force elements and sensors of mbssim.mo."""

from __future__ import annotations

import numpy as np
import pytest

import cutset

ACCURATE = {"rtol": 1e-10, "atol": 1e-10, "method": "dopri5"}


@pytest.fixture
def load(write_model):
    """load(body) -> the object `System` with this body, translated."""

    def translate(body: str):
        return cutset.load(write_model(f"@mbssim\nmodel System\n{body}\nend\n"))

    return translate


SLIDER = "submodel (Inertial) i\nsubmodel (Prismatic) p(n1=1, q0=2)\nsubmodel (PointMass) m(m=2)\nconnect i to p to m\n"


@pytest.mark.parametrize(
    "forces",
    [
        "submodel (Spring) c(c=8, s0=1)\nsubmodel (Damper) d(d=2)\nconnect c at (i, p:b), d at (i, p:b)",
        "submodel (SpringDamper) cd(c=8, d=2, s0=1)\nconnect cd at (i, p:b)",
    ],
)
def test_spring_and_damper(load, forces):
    run = load(SLIDER + forces).simulate(stop=3.0, **ACCURATE)
    omega = np.sqrt(4 - 0.25)
    swing = np.exp(-0.5 * run.time) * (np.cos(omega * run.time) + 0.5 / omega * np.sin(omega * run.time))
    np.testing.assert_allclose(run["p.q"], 1 + swing, atol=1e-8)


def test_forces_of_the_world_keep_their_direction(load):
    """A force along axis 2 and a torque about axis 3 of the inertial frame, on a wheel that turns."""
    run = load(
        "submodel (Inertial) i\nsubmodel (Revolute) r(n3=1, qd0=3)\nsubmodel (Bar) b(r1=2)\nsubmodel (Body) m(I33=1)\n"
        "submodel (WorldForce) f\nsubmodel (WorldTorque) t\nconnect i to r to b, m at r:b, f at b:b, t at b:b\nf.f = "
        "[0, 5, 0]\nt.tau = [9, 0, 0.5]"
    ).simulate(stop=1.0, **ACCURATE)  # fmt: skip
    np.testing.assert_allclose(run["r.qdd"], 10 * np.cos(run["r.q"]) + 0.5, rtol=1e-9)
    assert run["r.q"][-1] > 2


def test_forces_of_a_frame_turn_with_it(load):
    run = load(
        "submodel (Inertial) i\nsubmodel (Revolute) r(n3=1, qd0=3)\nsubmodel (Bar) b(r1=2)\nsubmodel (Body) m(I33=1)\n"
        "submodel (FrameForce) f\nsubmodel (FrameTorque) t\nconnect i to r to b, m at r:b, f at b:b, t at b:b\nf.f = "
        "[7, 5, 0]\nt.tau = [9, 0, 0.5]"
    ).simulate(stop=1.0, **ACCURATE)  # fmt: skip
    np.testing.assert_allclose(run["r.qdd"], 10.5, rtol=1e-9)


def test_a_torsional_spring_counts_turns(load):
    """From -2 over 10 rad and back: two times through the angle at which the frames are opposite."""
    run = load(
        "submodel (Inertial) i\nsubmodel (Revolute) r(n3=1, q0=-2, qd0=40)\nsubmodel (Body) m(I33=1)\n"
        "submodel (TorsionalSpring) c(c=4, theta0=1)\nsubmodel (TorsionalDamper) d(d=2)\n"
        "connect i to r to m, c at (i, m), d at (i, m)"
    ).simulate(stop=2.0, **ACCURATE)  # fmt: skip
    np.testing.assert_allclose(run["c.theta"], run["r.q"], atol=1e-8)
    np.testing.assert_allclose(run["r.qdd"], -4 * (run["r.q"] - 1) - 2 * run["r.qd"], atol=1e-6)
    assert run["r.q"].max() > 10


def test_an_orbit_closes_after_the_time_of_kepler(load):
    """From the far point of an ellipse of half axis 1.5 around the center."""
    model = load(
        "submodel (Inertial) i\nsubmodel (FreeCardan) f(q01=2, qd02=0.5773502691896258)\nsubmodel (Body) m(m=3, "
        "I11=1, I22=1, I33=1)\n"
        "submodel (PointGravity) g(mu=1, m=3)\nconnect i to f to m, g at f:b"
    )
    # v^2 = mu*(2/r - 1/a)
    axis = 1 / (2 / 2 - 1 / 3)
    run = model.simulate(stop=2 * np.pi * axis**1.5, **ACCURATE)
    np.testing.assert_allclose([run["f.x.q"][-1], run["f.y.q"][-1]], [2, 0], atol=1e-6)
    assert run["f.x.q"].min() == pytest.approx(2 - 2 * axis, abs=1e-4)


CHAIN = (
    "submodel (Inertial) i(ng3=-1, g=10)\nsubmodel (Revolute) r1(n3=1, qd0=2), r2(n1=1, q0=0.5, qd0=-1)\n"
    "submodel (Bar) b1(r1=1), b2(r2=0.7)\nsubmodel (Body) m1(m=1, r1=0.5, I33=0.1), m2(m=2, I11=0.3, I22=0.2, "
    "I33=0.4)\n"
)


def test_sensors_agree_with_derivatives_of_positions(load):
    """Of the run: velocities and accelerations of a point, absolute and as seen from the first arm."""
    run = load(
        CHAIN + "submodel (AbsoluteSensor) s\nsubmodel (RelativeSensor) k\nconnect i to r1 to b1 to r2 to b2 to m2, "
                "m1 at r1:b, s at b2:b, k at (r1:b, b2:b)"
    ).simulate(stop=1.0, points=2001, **ACCURATE)  # fmt: skip
    h = run.time[1] - run.time[0]
    gravity = {1: 0.0, 2: 0.0, 3: 10.0}
    for n in (1, 2, 3):
        slope = np.gradient(run[f"s.r({n})"], h, edge_order=2)
        np.testing.assert_allclose(run[f"s.v({n})"][2:-2], slope[2:-2], atol=1e-4)
        slope = np.gradient(run[f"s.v({n})"], h, edge_order=2)
        np.testing.assert_allclose(run[f"s.acc({n})"][2:-2] - gravity[n], slope[2:-2], atol=1e-2)
        slope = np.gradient(run[f"s.w({n})"], h, edge_order=2)
        np.testing.assert_allclose(run[f"s.alpha({n})"][2:-2], slope[2:-2], atol=1e-2)
        slope = np.gradient(run[f"k.r({n})"], h, edge_order=2)
        np.testing.assert_allclose(run[f"k.v({n})"][2:-2], slope[2:-2], atol=1e-4)
        slope = np.gradient(run[f"k.v({n})"], h, edge_order=2)
        np.testing.assert_allclose(run[f"k.acc({n})"][2:-2], slope[2:-2], atol=1e-2)
    np.testing.assert_allclose(run["k.w(1)"], run["r2.qd"], atol=1e-9)
    np.testing.assert_allclose(run["k.alpha(1)"], run["r2.qdd"], atol=1e-8)
    np.testing.assert_allclose(run["k.s"], np.sqrt(1 + 0.49), rtol=1e-12)


def test_cut_force_is_what_the_body_behind_it_needs(load):
    """Newton's law for the last body, and its power is the rate of its energy; the motion is that without the
    sensor."""
    body = (
        "submodel (CutForce) k\nsubmodel (AbsoluteSensor) s\n"
        "connect i to r1 to b1 to r2 to b2 to k to m2, m1 at r1:b, s at b2:b"
    )
    run = load(CHAIN + body).simulate(stop=1.0, points=2001, **ACCURATE)
    bare = load(CHAIN + "connect i to r1 to b1 to r2 to b2 to m2, m1 at r1:b").simulate(
        stop=1.0, points=2001, **ACCURATE
    )
    np.testing.assert_allclose(run["r2.q"], bare["r2.q"], atol=1e-9)
    T = np.array([[run[f"s.T({i},{j})"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    force = np.einsum("ijt,jt->it", T, np.array([run[f"k.f({n})"] for n in (1, 2, 3)]))
    np.testing.assert_allclose(force, 2 * np.array([run[f"s.acc({n})"] for n in (1, 2, 3)]), atol=1e-8)
    w = np.einsum("jit,jt->it", T, np.array([run[f"s.w({n})"] for n in (1, 2, 3)]))
    v = np.array([run[f"s.v({n})"] for n in (1, 2, 3)])
    kinetic = 0.5 * (np.array([[0.3], [0.2], [0.4]]) * w * w).sum(axis=0) + (v * v).sum(axis=0)
    # Gravity is counted as an acceleration of the world: its power is that of a force in the cut.
    rate = np.gradient(kinetic, run.time, edge_order=2) + 2 * 10 * v[2]
    np.testing.assert_allclose(run["k.P"][2:-2], rate[2:-2], atol=1e-2)


def test_planes_cylinders_and_universal_joints_take_drives(load):
    """Each of their coordinates by itself."""
    model = load(
        "submodel (Inertial) i\nsubmodel (Planar) p(n3=1, nx1=1)\nsubmodel (Cylindrical) c(n3=1)\nsubmodel "
        "(Universal) u(na3=1, nb1=1)\n"
        "submodel (Body) m1(m=2, I33=3), m2(m=4, I33=5), m3(m=1, I11=6, I22=6, I33=7)\n"
        "submodel (JointForce) f1(f=1), f2(f=2), f3(f=3), f4(f=4), f5(f=5), f6(f=6), f7(f=7)\n"
        "connect i to p to m1, i to c to m2, i to u to m3, f1 at p:ext1, f2 at p:ext2, f3 at p:ext3, f4 at c:ext1, f5 "
        "at c:ext2, f6 at u:ext1, f7 at u:ext2"
    )
    slopes = dict(zip(model.states, model.evaluate(0.0, np.zeros(14)), strict=True))
    expected = {
        "p.x": 1 / 2,
        "p.y": 2 / 2,
        "p.turn": 3 / 3,
        "c.slide": 4 / 4,
        "c.turn": 5 / 5,
        "u.first": 6 / 7,
        "u.second": 7 / 6,
    }
    assert {name: slopes[f"{name}.qd"] for name in expected} == pytest.approx(expected)
