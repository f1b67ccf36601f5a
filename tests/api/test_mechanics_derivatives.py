"""Derivatives of the dynamics, and sums over all masses, against independent equations of the same trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from oracles.multibody import Tree
from oracles.random_trees import SIMPLE
from oracles.ur5 import ur5

import cutset
from cutset.api.mechanics.constraint_forces import forces_of_constraints
from cutset.api.mechanics.mechanics import Mechanics
from tests.api.test_mechanics import Case, moving_four_bar

MODELS = Path(__file__).parents[2] / "models"
STEP = 1e-5


def moved(m: Mechanics, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The derivatives of the positions: those of Euler parameters from the angular velocity in frame b."""
    rates = dict.fromkeys(m.positions, 0.0)
    place, speed = dict(zip(m.positions, q, strict=True)), dict(zip(m.velocities, v, strict=True))
    for joint in m.joints:
        turning = [name for name in joint.positions if ".p(" in name]
        others = [name for name in joint.positions if name not in turning]
        rates |= {name: speed[by] for name, by in zip(others, joint.velocities, strict=False)}
        if turning:
            *e, p4 = (place[name] for name in turning)
            w = np.array([speed[name] for name in joint.velocities[len(others) :]])
            rates |= dict(zip(turning, [*(p4 * w + np.cross(e, w)) / 2, -np.dot(e, w) / 2], strict=True))
    return np.array(list(rates.values()))


def difference(function: Callable[[float], np.ndarray]) -> np.ndarray:
    return (function(STEP) - function(-STEP)) / (2 * STEP)


@pytest.mark.parametrize(("seed", "kinds"), [(3, SIMPLE), (5, ("Spherical", "Revolute")), (7, ("Free", "Prismatic"))])
def test_derivatives(seed: int, kinds: tuple[str, ...], tmp_path: Path) -> None:
    case = Case(seed, tmp_path, joints=2, kinds=kinds)
    (q, v), m, a = case.point, case.mechanics, case.ours(case.a)
    units = np.eye(len(v))
    back = [m.positions.index(name) for name in case._made.positions]

    def tau(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        case.q, case.v = q[back], v[np.argsort(case.ours(np.arange(len(v))))]
        mass, bias = case.expected()
        return mass @ a + bias

    forces = tau(q, v)
    by_q = np.stack([difference(lambda t, e=e: tau(q + t * moved(m, q, e), v)) for e in units], axis=1)
    by_v = np.stack([difference(lambda t, e=e: tau(q, v + t * e)) for e in units], axis=1)
    tau(q, v)
    mass, _ = case.expected()
    found, size = m.derivatives("inverse", q, v, a), abs(by_q).max() + abs(by_v).max() + abs(mass).max()
    assert np.allclose(found.q, by_q, atol=1e-7 * size) and np.allclose(found.v, by_v, atol=1e-7 * size)
    assert np.allclose(found.third, mass, atol=1e-12 * size)
    accelerations = m.derivatives("forward", q, v, forces)
    for one, other in zip(accelerations, (-by_q, -by_v, units), strict=True):
        assert np.allclose(mass @ one, other, atol=1e-6 * size)


@pytest.fixture(scope="module")
def arm() -> tuple[cutset.Model, Mechanics, Tree]:
    model = cutset.load(MODELS / "ur5.mo")
    return model, model.mechanics(target="python"), replace(ur5(), damping=())


def test_sums_over_masses(arm: tuple[cutset.Model, Mechanics, Tree]) -> None:
    _, m, tree = arm
    q, v = np.random.default_rng(2).uniform(-2, 2, (2, 6))
    motion = tree.motion(q, v)
    masses = [body.mass for body in tree.bodies]
    points = [tree.point_motion(motion, body.joint, body.center) for body in tree.bodies]
    center = np.average([point.place for point in points], axis=0, weights=masses)
    angular, linear = np.zeros(3), np.zeros(3)
    for body, point in zip(tree.bodies, points, strict=True):
        turn = motion.turn[body.joint]
        angular += turn @ body.tensor @ turn.T @ motion.omega[body.joint]
        angular += body.mass * np.cross(point.place - center, point.velocity)
        linear += body.mass * point.velocity
    assert np.allclose(m.center_of_mass(q), center, atol=1e-13)
    assert np.allclose(m.momentum(q, v), [*angular, *linear], atol=1e-12)
    assert np.allclose(m.momentum_matrix(q) @ v, [*angular, *linear], atol=1e-12)
    changes = [m.energy(each, w).sum() - tree.energy(each, w) for each, w in ((q, v), (-q, 2 * v))]
    assert changes[0] == pytest.approx(changes[1], abs=1e-10)
    mass, right = tree.equations(q, 0 * v)
    assert m.energy(q, v)[0] == pytest.approx(v @ mass @ v / 2, rel=1e-12)
    assert np.allclose(m.gravity(q), -right, atol=1e-11)
    assert np.allclose(m.gravity(np.stack([q, q])), -right, atol=1e-11)


def test_regressor(arm: tuple[cutset.Model, Mechanics, Tree]) -> None:
    """With the values of the text it gives the forces; the inertia is that about the origin of the frame."""
    _, m, tree = arm
    q, v, a = np.random.default_rng(3).uniform(-2, 2, (3, 6))
    mass, right = tree.equations(q, v)
    values = []
    for body in tree.bodies:
        c = np.array(body.center)
        inertia = body.tensor + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        values += [body.mass, *(body.mass * c), *np.diag(inertia), inertia[1, 0], inertia[2, 0], inertia[2, 1]]
    found = m.regressor(q, v, a)
    assert found.shape == (6, len(m.inertial)) == (6, 60) and m.inertial[9:11] == ("m1.body.I32", "m2.body.m")
    assert np.allclose(found @ values, mass @ a - right, atol=1e-11)


def test_rates_of_jacobians_and_several_frames() -> None:
    m = cutset.load(MODELS / "double_pendulum.mo").mechanics(target="python")
    q, v = np.random.default_rng(4).uniform(-2, 2, (2, 2))
    names = m.frames[-4:-1]
    together = m.pose(names, q), m.jacobian(names, q), m.jacobian_rate(names, np.stack([q, q]), np.stack([v, v]))
    assert [each.shape for each in (*together[0], *together[1:])] == [(3, 3, 3), (3, 3), (3, 6, 2), (2, 3, 6, 2)]
    for k, name in enumerate(names):
        assert np.array_equal(together[0].T[k], m.pose(name, q).T)
        assert np.array_equal(together[1][k], m.jacobian(name, q))
        rate = difference(lambda t, name=name: m.jacobian(name, q + t * v))
        assert np.allclose(together[2][0, k], rate, atol=1e-8)


def test_accelerations_in_loops(tmp_path: Path) -> None:
    m, q, v, a = moving_four_bar(tmp_path)
    assert np.allclose(m.forward(q, v, 0 * v), a, atol=1e-6 * abs(a).max())
    forces = m.constraint_forces(q, v, 0 * v)
    assert np.allclose(
        forces, np.einsum("kij,kj->ki", m.mass_matrix(q), a) + m.bias(q, v), atol=1e-6 * abs(forces).max()
    )
    with pytest.raises(cutset.RunError, match="depend on the forces in these"):
        m.derivatives("forward", q, v, 0 * v)


def test_refused(arm: tuple[cutset.Model, Mechanics, Tree]) -> None:
    _, m, _ = arm
    with pytest.raises(cutset.RunError, match="'bias' has no derivatives"):
        m.derivatives("bias", *np.zeros((3, 6)))
    with pytest.raises(cutset.RunError, match="no cut-frame 'tool'"):
        m.pose(["tool"], np.zeros(6))


def test_singular_mass_matrices_give_nan_where_they_are() -> None:
    across, free, none = np.array([[[1.0, 0.0]]] * 3), np.ones((3, 2)), np.zeros((3, 1))
    mass = np.stack([np.diag(each) for each in ([2.0, 4.0], [2.0, 0.0], [np.nan, 1.0])])
    found = forces_of_constraints(mass, free, across, none)
    assert np.array_equal(found[0], [-1.0, 0.0]) and np.isnan(found[1:]).all()


WEIGHED = """
@mbssim
model Weighed
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) joint(n2=1)
  submodel (PointMass) ball(m=2)
  submodel (Bar) bar(r1=0.5)
  submodel ({element}) other({values})
  connect i to joint to bar to ball{ends}
end
"""


def test_gravity_of_a_mass_is_no_mass() -> None:
    text = WEIGHED.format(element="PointGravity", values="mu=3, m=2", ends=", other at bar:b")
    m = cutset.loads(text).mechanics(target="python")
    assert m.inertial == ("ball.m",) and m.bodies == (("ball",),)
    assert m.energy([0.3], [2.0])[0] == pytest.approx(m.mass_matrix([0.3])[0, 0] * 2)


def test_energy_needs_one_gravity() -> None:
    text = WEIGHED.format(element="Inertial", values="ng3=1", ends="")
    with pytest.raises(cutset.RunError, match="'i' and 'other' may differ"):
        cutset.loads(text).mechanics(target="python").energy([0.3], [2.0])


@pytest.mark.parametrize(
    ("element", "values", "ends", "name"),
    [
        ("SpringWithMass", "c=10, m=3", ", other at (i, bar:b)", "other"),
        ("ModalBeam", "r1=1, w2=1, area=1e-4, I=1e-9, modes=1, planar=true", ", other:a at bar:b", "other.body"),
    ],
)
def test_masses_that_sums_lack(element: str, values: str, ends: str, name: str) -> None:
    text = WEIGHED.format(element=element, values=values, ends=ends)
    m = cutset.loads(text).mechanics(target="python")
    q = np.zeros(len(m.positions))
    for lacking in (lambda: m.energy(q, q), lambda: m.center_of_mass(q), lambda: m.regressor(q, q, q)):
        with pytest.raises(cutset.RunError, match=rf"lack that of '{name}'"):
            lacking()
