"""models/double_pendulum.mo, the text of Otter, Elmqvist and Cellier, section 3, against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import double_pendulum
from oracles.multibody import trajectory
from oracles.translated import joint_accelerations
from shipped_models import shipped

START = {"r1.q": 0.5, "r2.q": 0.3}


@pytest.fixture(scope="module")
def model():
    return shipped("double_pendulum.mo")


@pytest.fixture(scope="module")
def swing(model):
    return model.simulate(stop=20.0, interval=0.2, rtol=1e-9, atol=1e-9, method="dopri5", initial=START)


def test_accelerations_are_those_of_lagrange(model):
    lagrange = double_pendulum.lagrange()
    rng = np.random.default_rng(5)
    for _ in range(20):
        q, qd = rng.uniform(-3, 3, 2), rng.uniform(-5, 5, 2)
        found = joint_accelerations(model, ("r1", "r2"), q, qd)
        np.testing.assert_allclose(found, lagrange(q, qd), rtol=1e-9, atol=1e-9)


def test_it_hangs_at_rest_in_the_home_position(model):
    run = model.simulate(stop=5.0)
    np.testing.assert_array_equal(run["r1.q"], 0.0)
    np.testing.assert_array_equal(run["r2.q"], 0.0)
    np.testing.assert_allclose(run["s.s"], 0.4)


def test_start_angles_are_parameters(model):
    run = model.simulate(stop=0.1, parameters={"r1.q0": 0.5, "r2.q0": 0.3})
    assert (run["r1.q"][0], run["r2.q"][0]) == (0.5, 0.3)


def test_energy_is_kept(swing):
    tree = double_pendulum.tree()
    states = zip(swing["r1.q"], swing["r2.q"], swing["r1.qd"], swing["r2.qd"], strict=True)
    energies = np.array([tree.energy(np.array([a, b]), np.array([c, d])) for a, b, c, d in states])
    assert np.max(np.abs(energies - energies[0])) <= 1e-7 * abs(energies[0])


def test_trajectory_is_that_of_the_oracle(swing):
    times = swing.time[swing.time <= 10.0]
    q, qd = trajectory(double_pendulum.lagrange(), np.array([0.5, 0.3]), np.zeros(2), times)
    for k, name in enumerate(("r1", "r2")):
        np.testing.assert_allclose(swing[f"{name}.q"][: len(times)], q[:, k], atol=1e-6)
        np.testing.assert_allclose(swing[f"{name}.qd"][: len(times)], qd[:, k], atol=1e-5)


def test_no_loop_but_scalar_equations(model):
    assert model.inspect()["linear_systems"] == [] == model.inspect()["nonlinear_systems"]
