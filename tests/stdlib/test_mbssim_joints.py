"""Every joint of mbssim.mo, and its rigid elements, against the oracle; motions with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models_from_text import translate
from oracles.random_trees import ALL, one_joint, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

ACCURATE = {"rtol": 1e-10, "atol": 1e-10, "method": "dopri5"}


def _agrees(tree, path, rng: np.random.Generator) -> None:
    """At three random states; without any system of equations."""
    file = path / "tree.mo"
    file.write_text(tree.text, encoding="utf-8")
    model = cutset.load(file)
    assert model.inspect()["linear_systems"] == []
    for _ in range(3):
        q, qd = random_state(tree, rng)
        found = tree_accelerations(model, tree, q, qd)
        assert relative_error(found, tree.tree.accelerations(q, qd)) < 1e-9


@pytest.mark.parametrize("kind", ALL)
def test_each_joint_in_a_moving_chain(kind, tmp_path):
    _agrees(one_joint(kind, 0), tmp_path, np.random.default_rng(0))


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), joints=st.integers(1, 12))
def test_random_trees_of_all_joints(seed, joints, tmp_path_factory):
    tree = random_tree(seed, joints, kinds=ALL, rotors=True)
    _agrees(tree, tmp_path_factory.mktemp("tree"), np.random.default_rng(seed + 1))


@pytest.fixture
def load(write_model):
    """load(body) -> the object `System` with this body, translated."""

    def translate_body(body: str):
        return cutset.load(write_model(f"@mbssim\nmodel System\n{body}\nend\n"))

    return translate_body


def test_angles_at_the_start_are_those_of_cardan_joints():
    """Spherical and SphericalCardan turn the frame alike: first about axis 1, then 2, then 3."""
    body = (
        "submodel (Inertial) i\nsubmodel (Body) m1(m=1, r1=1, I11=1, I22=1, I33=1), m2(m=1, r1=1, I11=1, I22=1, "
        "I33=1)\n"
    )
    values = translate(
        f"@mbssim\nmodel M\n{body}submodel (Spherical) s(angle1=0.3, angle2=-0.8, angle3=1.9)\n"
        "submodel (SphericalCardan) c(q01=0.3, q02=-0.8, q03=1.9)\nconnect i to s to m1, i to c to m2\nend\n"
    ).values()
    turns = [[values[f"{m}.Ta({i},{j})"] for i in (1, 2, 3) for j in (1, 2, 3)] for m in ("m1", "m2")]
    np.testing.assert_allclose(turns[0], turns[1], atol=1e-14)
    assert abs(turns[0][1]) > 0.1


def test_a_body_that_flies_keeps_energy_and_angular_momentum(load):
    """About its middle axis, where it tumbles; thrown upwards with gravity 10."""
    model = load(
        "submodel (Inertial) i(ng3=-1, g=10)\nsubmodel (Free) f(w1=0.2, w2=5, w3=0.2, v3=20, x1=1, v1=3)\n"
        "submodel (Body) m(m=2, I11=1, I22=2, I33=2.5)\nsubmodel (AbsoluteSensor) s\nconnect i to f to m, s at f:b"
    )
    run = model.simulate(stop=4.0, **ACCURATE)
    np.testing.assert_allclose(run["f.x(3)"], 20 * run.time - 5 * run.time**2, atol=1e-7)
    np.testing.assert_allclose(run["f.x(1)"], 1 + 3 * run.time, atol=1e-7)
    np.testing.assert_allclose(run["s.v(3)"], 20 - 10 * run.time, atol=1e-7)
    np.testing.assert_allclose(run["s.acc(3)"], 0.0, atol=1e-9)  # an accelerometer shows nothing in free fall
    w = np.array([run[f"f.w({k})"] for k in (1, 2, 3)])
    J = np.array([[1.0], [2.0], [2.5]])
    np.testing.assert_allclose((J * w * w).sum(axis=0), (J * w * w)[:, 0].sum(), rtol=1e-7)
    assert w[1].min() < -4  # it has turned over
    T = np.array([[run[f"s.T({i},{j})"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    momentum = np.einsum("ijt,jt->it", T, J * w)
    np.testing.assert_allclose(momentum, momentum[:, :1] * np.ones(momentum.shape[1]), atol=1e-6)


def test_a_spherical_pendulum_is_one_with_cardan_angles(load):
    """The same motion in other coordinates: positions of the body agree over the run."""
    bodies = (
        "submodel (Inertial) i(ng3=-1)\nsubmodel (Body) m(m=1, r3=-0.7, r1=0.1, I11=0.1, I22=0.12, I33=0.05)\n"
        "submodel (AbsoluteSensor) s\n"
    )
    ball = load(bodies + "submodel (Spherical) j(angle1=0.9, w1=0.2, w2=-1, w3=3)\nconnect i to j to m, s at j:b")
    # At q2 = q3 = 0 the derivatives of the angles are the angular velocity in frame b.
    cardan = load(
        bodies + "submodel (SphericalCardan) j(q01=0.9, qd01=0.2, qd02=-1, qd03=3)\nconnect i to j to m, s at j:b"
    )
    runs = [model.simulate(stop=2.0, points=101, **ACCURATE) for model in (ball, cardan)]
    for name in ("s.T(1,3)", "s.T(3,3)", "s.T(2,1)", "s.w(2)"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-7)
    assert np.ptp(runs[0]["s.T(3,3)"]) > 0.3


def test_screw_turns_weight_into_rotation(load):
    model = load(
        "submodel (Inertial) i(ng3=-1, g=10)\nsubmodel (Screw) s(n3=1, pitch=0.5)\nsubmodel (Body) m(m=3, I11=1, "
        "I22=1, I33=0.2)\nconnect i to s to m"
    )
    run = model.simulate(stop=1.0, **ACCURATE)
    lead = 0.5 / (2 * np.pi)
    np.testing.assert_allclose(run["s.qdd"], -3 * 10 * lead / (0.2 + 3 * lead**2), rtol=1e-9)


def test_fixed_turns_what_hangs_on_it(load):
    """A bar along axis 1 behind a quarter turn about axis 3 lies along axis 2."""
    model = load(
        "submodel (Inertial) i(ng2=-1, g=10)\nsubmodel (Revolute) r(n3=1)\nsubmodel (Fixed) f(n3=1, "
        "angle=1.5707963267948966, r1=0.4)\n"
        "submodel (Bar) b(r1=2)\nsubmodel (PointMass) m(m=1)\nsubmodel (AbsoluteSensor) s\nconnect i to r to f to b "
        "to m, s at b:b"
    )
    run = model.simulate(stop=0.01)
    np.testing.assert_allclose([run[f"s.r({k})"][0] for k in (1, 2, 3)], [0.4, 2.0, 0.0], atol=1e-12)
    assert run["r.qdd"][0] == pytest.approx(-10 * 0.4 / (0.4**2 + 2**2), rel=1e-12)


@pytest.mark.parametrize(
    ("element", "mass", "moments"),
    [
        ("BodyBox) b(r1=2, w2=1, width=0.3, height=0.5, density=1000", 300.0, (8.5, 106.25, 102.25)),
        ("BodyCylinder) b(r1=2, diameter=0.4, inner=0.2, "
         "density=1000", 60 * np.pi, (1.5 * np.pi, 20.75 * np.pi, 20.75 * np.pi)),
        ("BodyRod) b(r1=2, area=0.01, density=1000", 20.0, (0.0, 20 / 3, 20 / 3)),
    ],
)  # fmt: skip
def test_shapes_have_the_inertia_of_their_form(element, mass, moments):
    text = (
        f"@mbssim\nmodel M\nsubmodel (Inertial) i(ng3=-1, g=10)\nsubmodel (Revolute) r(n2=1)\nsubmodel ({element})\n"
        "connect i to r to b\nend\n"
    )
    translated = translate(text)
    values = translated.values()
    assert values["b.body.m"] == pytest.approx(mass)
    assert [values[f"b.body.I{k}{k}"] for k in (1, 2, 3)] == pytest.approx(moments, abs=1e-12)
    # A rod on a hinge at its end falls with m*g*l/2 over its inertia there.
    expected = mass * 10 * 1.0 / (moments[1] + mass)
    assert translated.rates({"r.q": 0.0, "r.qd": 0.0})["r.qd"] == pytest.approx(expected, rel=1e-9)
