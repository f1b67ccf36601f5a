"""The oracles against each other, against Pinocchio and against conservation of energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles import circuits, double_pendulum, manutec_r3
from oracles.multibody import INERTIAL, Ball, Joint, Tree
from oracles.random_trees import ALL, random_tree
from oracles.translated import random_state

SEEDS = range(12)


def _pinocchio_accelerations(tree: Tree, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Featherstone's recursion as Pinocchio has it; its joints may be numbered otherwise."""
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.gravity.linear = np.array(tree.gravity)
    for k, joint in enumerate(tree.joints):
        parent = 0 if joint.parent == INERTIAL else model.getJointId(f"j{joint.parent}")
        model.addJoint(parent, _pinocchio_joint(pin, joint), pin.SE3(np.eye(3), np.array(joint.offset, float)), f"j{k}")
    for body in tree.bodies:
        inertia = pin.Inertia(body.mass, np.array(body.centre, float), body.tensor)
        model.appendBodyToJoint(model.getJointId(f"j{body.joint}"), inertia, pin.SE3.Identity())
    armature, positions, rates, forces = np.zeros(model.nv), np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
    places = []
    for k, joint in enumerate(tree.joints):
        theirs = model.joints[model.getJointId(f"j{k}")]
        places.append(slice(theirs.idx_v, theirs.idx_v + theirs.nv))
        own, velocities = q[tree.coordinates[k]], qd[tree.velocities[k]]
        armature[places[-1]] = joint.inertia
        positions[theirs.idx_q : theirs.idx_q + theirs.nq] = _their_position(joint, own)
        rates[places[-1]] = _their_velocity(joint, own, velocities)
        forces[places[-1]] = tau[tree.velocities[k]]
    model.armature = armature
    found = np.array(pin.aba(model, model.createData(), positions, rates, forces))
    return np.concatenate([_our_acceleration(joint, q[c], rates[p], found[p]) for joint, c, p in zip(tree.joints, tree.coordinates, places)])


def _pinocchio_joint(pin, joint: Joint | Ball):
    if isinstance(joint, Ball):
        return pin.JointModelFreeFlyer() if joint.moves else pin.JointModelSpherical()
    axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
    if joint.lead:
        return pin.JointModelHelicalUnaligned(axis, joint.lead)
    return (pin.JointModelPrismaticUnaligned if joint.prismatic else pin.JointModelRevoluteUnaligned)(axis)


def _their_position(joint: Joint | Ball, q: np.ndarray) -> np.ndarray:
    """The position comes before the Euler parameters, which are of length 1."""
    return np.concatenate([q[4:], q[:4] / np.linalg.norm(q[:4])]) if isinstance(joint, Ball) else q


def _their_velocity(joint: Joint | Ball, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """That of a free joint is the spatial one of its own frame, linear first."""
    if not isinstance(joint, Ball) or not joint.moves:
        return qd
    return np.concatenate([joint.motion(np.eye(3), q).turn.T @ qd[3:], qd[:3]])


def _our_acceleration(joint: Joint | Ball, q: np.ndarray, rates: np.ndarray, found: np.ndarray) -> np.ndarray:
    if not isinstance(joint, Ball) or not joint.moves:
        return found
    turn = joint.motion(np.eye(3), q).turn
    return np.concatenate([found[3:], turn @ (found[:3] + np.cross(rates[3:], rates[:3]))])


def _random_state(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return rng.uniform(-3, 3, n), rng.uniform(-3, 3, n), rng.uniform(-20, 20, n)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_agree_with_pinocchio(seed):
    tree = replace(random_tree(seed).tree, springs=(), damping=())
    rng = np.random.default_rng(1000 + seed)
    for _ in range(5):
        q, qd, tau = _random_state(rng, len(tree.joints))
        expected = _pinocchio_accelerations(tree, q, qd, tau)
        np.testing.assert_allclose(tree.accelerations(q, qd, tau), expected, rtol=1e-9, atol=1e-9)


def test_both_robots_agree_with_pinocchio():
    rng = np.random.default_rng(3)
    for tree in (manutec_r3.r3mbs(), manutec_r3.r3_arm(damping=())):
        for _ in range(20):
            q, qd, tau = _random_state(rng, 6)
            expected = _pinocchio_accelerations(tree, q, qd, tau)
            np.testing.assert_allclose(tree.accelerations(q, qd, tau), expected, rtol=1e-9, atol=1e-9)


MOVING = tuple(kind for kind in ALL if kind != "Fixed")


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_of_all_joints_agree_with_pinocchio(seed):
    tree = random_tree(seed, kinds=MOVING, rotors=True)
    bare = replace(tree.tree, springs=(), damping=())
    rng = np.random.default_rng(3000 + seed)
    for _ in range(3):
        q, qd = random_state(tree, rng)
        tau = np.zeros(len(qd))
        for joint, place in zip(bare.joints, bare.velocities):
            if not isinstance(joint, Ball):
                tau[place] = rng.uniform(-20, 20)
        expected = _pinocchio_accelerations(bare, q, qd, tau)
        np.testing.assert_allclose(bare.accelerations(q, qd, tau), expected, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_power_of_the_joint_forces_is_the_rate_of_the_energy(seed):
    tree = replace(random_tree(seed).tree, damping=())
    rng = np.random.default_rng(2000 + seed)
    q, qd, tau = _random_state(rng, len(tree.joints))
    qdd = tree.accelerations(q, qd, tau)
    h = 1e-4

    def energy(t: float) -> float:
        return tree.energy(q + qd * t + 0.5 * qdd * t * t, qd + qdd * t)

    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    assert rate == pytest.approx(tau @ qd, rel=1e-7, abs=1e-7 * max(1.0, abs(energy(0.0))))


def test_double_pendulum_of_lagrange_agrees_with_the_tree():
    lagrange, tree = double_pendulum.lagrange(), double_pendulum.tree()
    rng = np.random.default_rng(4)
    for _ in range(20):
        q, qd, _ = _random_state(rng, 2)
        np.testing.assert_allclose(tree.accelerations(q, qd), lagrange(q, qd), rtol=1e-9, atol=1e-9)


def test_cauer_response_starts_at_rest_and_ends_at_half_the_voltage():
    response = circuits.step_response(np.array([0.5, 1.0, 400.0]))
    np.testing.assert_array_equal(response[:2], 0.0)
    np.testing.assert_allclose(response[2], 0.5, atol=1e-12)
