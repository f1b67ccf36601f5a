"""Long chains: the torques that belong to the accelerations that we compute are those that act."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import chain
from oracles.multibody import Tree
from oracles.translated import joint_accelerations

import cutset

Vector = np.ndarray
LINKS = 30


def torques(tree: Tree, q: Vector, qd: Vector, qdd: Vector) -> Vector:
    """The inverse problem of a chain by Newton's and Euler's equations, outwards and back, in inertial axes and with
    all digits that numpy has (J. Y. S. Luh, M. W. Walker, R. P. C. Paul: On-Line Computational Scheme for Mechanical
    Manipulators, 1980)."""
    n = len(q)
    turn, gravity = exact(np.eye(3)), exact(tree.gravity)
    omega = alpha = exact(np.zeros(3))
    a = -gravity
    axes, arms, forces, moments = [], [], [], []
    for k in range(n):
        joint, (body,) = tree.joints[k], [b for b in tree.bodies if b.joint == k]
        arm, axis = turn @ exact(joint.offset), turn @ exact(joint.axis)
        a = a + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
        alpha = alpha + axis * qdd[k] + np.cross(omega, axis * qd[k])
        omega = omega + axis * qd[k]
        turn = turn @ rotation(exact(joint.axis), q[k])
        center, inertia = turn @ exact(body.center), turn @ exact(body.tensor) @ turn.T
        force = exact(body.mass) * (a + np.cross(alpha, center) + np.cross(omega, np.cross(omega, center)))
        axes.append(axis)
        arms.append(arm)
        forces.append(force)
        moments.append(inertia @ alpha + np.cross(omega, inertia @ omega) + np.cross(center, force))
    force = moment = arm = exact(np.zeros(3))
    result = exact(np.zeros(n))
    for k in reversed(range(n)):
        moment = moments[k] + moment + np.cross(arm, force)
        force, arm = forces[k] + force, arms[k]
        result[k] = axes[k] @ moment
    return result


def exact(values) -> Vector:
    return np.array(values, np.longdouble)


def rotation(axis: Vector, angle: np.longdouble) -> Vector:
    x, y, z = axis
    skew = exact([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return exact(np.eye(3)) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


@pytest.fixture(scope="module")
def translated():
    with chain(LINKS) as mechanism:
        yield cutset.load(mechanism.path), mechanism.tree


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="torques with more digits need longer numbers")
@pytest.mark.parametrize("seed", range(3))
def test_the_inverse_problem_gives_back_the_torques(translated, seed):
    model, tree = translated
    rng = np.random.default_rng(seed)
    q, qd = rng.uniform(-3, 3, LINKS), rng.uniform(-3, 3, LINKS)
    qdd = joint_accelerations(model, [f"r{k + 1}" for k in range(LINKS)], q, qd)
    left = torques(tree, exact(q), exact(qd), exact(qdd))
    without = torques(tree, exact(q), exact(qd), exact(np.zeros(LINKS)))
    assert np.max(np.abs(left)) < 1e-12 * np.max(np.abs(without))
    assert np.max(np.abs(torques(tree, exact(q), exact(qd), exact(qdd * (1 + 1e-10))))) > 1e-12 * np.max(
        np.abs(without)
    )
