"""The oracles against each other, against Pinocchio and against conservation of energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles import circuits, double_pendulum, manutec_r3
from oracles.error_growth import error_growth
from oracles.multibody import Ball
from oracles.pinocchio_trees import pinocchio_accelerations
from oracles.random_trees import ALL, random_tree
from oracles.translated import random_state

SEEDS = range(12)


def _random_state(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return rng.uniform(-3, 3, n), rng.uniform(-3, 3, n), rng.uniform(-20, 20, n)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_agree_with_pinocchio(seed):
    tree = replace(random_tree(seed).tree, springs=(), damping=())
    rng = np.random.default_rng(1000 + seed)
    for _ in range(5):
        q, qd, tau = _random_state(rng, len(tree.joints))
        expected = pinocchio_accelerations(tree, q, qd, tau)
        np.testing.assert_allclose(tree.accelerations(q, qd, tau), expected, rtol=1e-9, atol=1e-9)


def test_both_robots_agree_with_pinocchio():
    rng = np.random.default_rng(3)
    for tree in (manutec_r3.r3mbs(), manutec_r3.r3_arm(damping=())):
        for _ in range(20):
            q, qd, tau = _random_state(rng, 6)
            expected = pinocchio_accelerations(tree, q, qd, tau)
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
        for joint, place in zip(bare.joints, bare.velocities, strict=False):
            if not isinstance(joint, Ball):
                tau[place] = rng.uniform(-20, 20)
        expected = pinocchio_accelerations(bare, q, qd, tau)
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


def test_growth_of_errors_of_linear_equations():
    # x' = cos(t)*x and z = 5*x: z grows most from x at 3/2*pi to 5/2*pi.
    def coefficients(t: np.ndarray) -> np.ndarray:
        found = np.zeros((len(t), 2, 2, 3))
        found[:, 0, 0, 0], found[:, 0, 0, 1] = -np.cos(t), 1.0
        found[:, 1, 0, 0], found[:, 1, 1, 0] = -5.0, 1.0
        return found

    sigma, c, d = np.array([[1, -1], [0, 0]]), np.array([0, 0]), np.array([1, 0])
    assert error_growth(coefficients, sigma, c, d, 2.5 * np.pi) == pytest.approx(np.hypot(1, 5) * np.exp(2), rel=1e-3)
    # x' + y'/2 = 2*x with y = 2*x, which is differentiated: both grow as exp(t).
    sigma, c, d = np.array([[1, 1], [0, 0]]), np.array([0, 1]), np.array([1, 1])

    def bound(t: np.ndarray) -> np.ndarray:
        found = np.zeros((len(t), 2, 2, 3))
        found[:, 0, 0, 0], found[:, 0, 0, 1], found[:, 0, 1, 1] = -2.0, 1.0, 0.5
        found[:, 1, 0, 0], found[:, 1, 1, 0] = -2.0, 1.0
        return found

    assert error_growth(bound, sigma, c, d, 1.0) == pytest.approx(np.e, rel=1e-6)
