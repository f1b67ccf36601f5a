"""The elements of mbssim.mo: single motions with closed solutions, and random trees against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.random_trees import random_tree
from oracles.translated import joint_accelerations, relative_error

import cutset

ACCURATE = {"rtol": 1e-10, "atol": 1e-10, "method": "dopri5"}


@pytest.fixture
def load(write_model):
    """load(body) -> the object `System` with this body, translated."""

    def translate(body: str):
        return cutset.load(write_model(f"@mbssim\nmodel System\n{body}\nend\n"))

    return translate


def test_free_fall_along_an_oblique_axis(load):
    model = load(
        "submodel (Inertial) i(ng1=3, ng3=-4, g=10)\nsubmodel (Prismatic) p(n2=1, n3=-1, q0=2, qd0=-3)\n"
        "submodel (Body) m(m=5, r1=1, r2=2)\nconnect i to p to m"
    )
    run = model.simulate(stop=2.0, **ACCURATE)
    slope = 10 * 0.8 / np.sqrt(2)
    np.testing.assert_allclose(run["p.qdd"], slope, rtol=1e-12)
    np.testing.assert_allclose(run["p.q"], 2 - 3 * run.time + slope / 2 * run.time**2, atol=1e-8)
    # Position of the frame that slides.
    np.testing.assert_allclose(run["p.rb(3)"], -run["p.q"] / np.sqrt(2), atol=1e-12)


def test_no_direction_of_gravity_is_no_gravity(load):
    model = load("submodel (Inertial) i\nsubmodel (Prismatic) p(n1=1)\nsubmodel (Body) m(m=1)\nconnect i to p to m")
    np.testing.assert_array_equal(model.evaluate(0.0, np.zeros(2)), 0.0)


def test_mass_on_a_spring(load):
    model = load(
        "submodel (Inertial) i(ng3=-1, g=9.81)\nsubmodel (Prismatic) p(n3=-1, q0=0.8)\nsubmodel (Body) m(m=2)\n"
        "submodel (Spring) s(c=50, s0=0.5)\nconnect i to p to m, s at (i:a, p:b)"
    )
    run = model.simulate(stop=10.0, **ACCURATE)
    rest = 0.5 + 2 * 9.81 / 50
    np.testing.assert_allclose(run["p.q"], rest + (0.8 - rest) * np.cos(5 * run.time), atol=1e-7)
    np.testing.assert_allclose(run["s.f"], 50 * (run["p.q"] - 0.5), atol=1e-9)


def test_spring_between_two_masses_keeps_their_momentum(load):
    model = load(
        "submodel (Inertial) i\nsubmodel (Prismatic) p1(n1=1, q0=1), p2(n1=1, q0=2)\nsubmodel (Body) m1(m=1), m2(m=3)\n"
        "submodel (Spring) s(c=12, s0=0.9)\nconnect i to p1 to m1, i to p2 to m2, s at (p1:b, p2:b)"
    )
    run = model.simulate(stop=5.0, **ACCURATE)
    # The reduced mass 3/4 swings with omega = 4 about the unstretched length.
    gap = 0.9 + 0.1 * np.cos(4 * run.time)
    np.testing.assert_allclose(run["s.s"], gap, atol=1e-8)
    np.testing.assert_allclose(run["p1.q"] + 3 * run["p2.q"], 7.0, atol=1e-8)
    np.testing.assert_allclose(run["p2.q"], (7 + gap) / 4, atol=1e-8)


def test_spring_of_length_zero_has_no_direction_and_no_force(load):
    model = load(
        "submodel (Inertial) i\nsubmodel (Prismatic) p(n1=1)\nsubmodel (Body) m(m=1)\n"
        "submodel (Spring) s(c=1, s0=0.5)\nconnect i to p to m, s at (i:a, p:b)"
    )
    np.testing.assert_array_equal(model.evaluate(0.0, np.zeros(2)), 0.0)


def test_damped_wheel(load):
    model = load(
        "submodel (Inertial) i(ng1=1)\nsubmodel (Revolute) r(n1=2, qd0=30)\nsubmodel (JointDamper) d(d=0.6)\n"
        "submodel (Body) m(m=4, r1=1, I11=0.3, I22=1, I33=1)\nconnect i to r to m, d at r:ext"
    )
    run = model.simulate(stop=3.0, **ACCURATE)
    np.testing.assert_allclose(run["r.qd"], 30 * np.exp(-2 * run.time), atol=1e-7)


def test_bars_in_a_row_are_one_bar(load):
    bodies = "submodel (Inertial) i(ng2=-1)\nsubmodel (Revolute) r(n3=1)\nsubmodel (Body) m(m=2, r1=0.1, I33=0.4)\n"
    two = load(bodies + "submodel (Bar) b1(r1=0.3, r2=0.2), b2(r1=-0.1, r3=0.7)\nconnect i to r to b1 to b2 to m")
    one = load(bodies + "submodel (Bar) b(r1=0.2, r2=0.2, r3=0.7)\nconnect i to r to b to m")
    for state in ([0.4, 2.0], [-2.0, 5.0]):
        np.testing.assert_allclose(two.evaluate(0.0, state), one.evaluate(0.0, state), rtol=1e-12)


def test_gyroscopic_torque_of_a_rotor(load):
    """A rotor turning fast about x in a frame that turns about z needs a torque about y, here a pendulum's weight."""
    model = load(
        "submodel (Inertial) i(ng3=-1, g=9.81)\nsubmodel (Revolute) turn(n3=1), tilt(n2=1), spin(n1=1)\n"
        "submodel (Body) m(m=1, r1=0.2, I11=0.01, I22=0.005, I33=0.005)\nconnect i to turn to tilt to spin to m"
    )
    spin = 400.0
    # Regular precession of the horizontal top: C*spin*Omega = m*g*l, nothing else accelerates.
    precession = 9.81 * 0.2 / (0.01 * spin)
    found = joint_accelerations(model, ("turn", "tilt", "spin"), np.zeros(3), np.array([precession, 0.0, spin]))
    np.testing.assert_allclose(found, 0.0, atol=1e-9)
    slower = joint_accelerations(model, ("turn", "tilt", "spin"), np.zeros(3), np.array([precession, 0.0, 0.5 * spin]))
    assert slower[1] == pytest.approx(0.5 * 9.81 * 0.2 / (0.005 + 0.04), rel=1e-9)


def test_joint_that_moves_no_mass_is_an_error_that_names_it(load):
    with pytest.raises(cutset.ModelError, match=r"swing\.M is zero"):
        load("submodel (Inertial) i\nsubmodel (Revolute) swing(n3=1)\nsubmodel (Body) m(m=1)\nconnect i to swing to m")


def test_joint_without_axis_is_an_error(load):
    with pytest.raises(cutset.ModelError, match="the axis has no direction"):
        load("submodel (Inertial) i\nsubmodel (Prismatic) p\nsubmodel (Body) m(m=1)\nconnect i to p to m")


@pytest.mark.parametrize("seed", range(4))
def test_random_trees_equal_the_oracle(seed, write_model):
    expected = random_tree(seed)
    model = cutset.load(write_model(expected.text))
    assert model.inspect()["linear_systems"] == []
    rng = np.random.default_rng(100 + seed)
    n = len(expected.joints)
    for _ in range(5):
        q, qd = rng.uniform(-3, 3, n), rng.uniform(-3, 3, n)
        found = joint_accelerations(model, expected.joints, q, qd)
        assert relative_error(found, expected.tree.accelerations(q, qd)) < 1e-9
