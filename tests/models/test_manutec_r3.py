"""models/r3mbs.mo and r3_inverse.mo (Otter, Elmqvist and Cellier, section 7) and models/r3_arm.mo against the oracle
and given numbers."""

from __future__ import annotations

import numpy as np
import pytest
from models_from_text import translate
from oracles import manutec_r3
from oracles.translated import joint_accelerations, relative_error
from shipped_models import MODELS, shipped

ARM_JOINTS = tuple(f"r{k}" for k in range(1, 7))
ROBOT_JOINTS = tuple(f"robot.{name}" for name in ARM_JOINTS)


@pytest.fixture(scope="module")
def direct():
    return shipped("r3mbs.mo")


@pytest.fixture(scope="module")
def arm():
    return shipped("r3_arm.mo")


def test_direct_problem_equals_the_oracle(direct):
    assert direct.inputs == tuple(f"tau{k}" for k in range(1, 7))
    tree = manutec_r3.r3mbs()
    rng = np.random.default_rng(6)
    for _ in range(100):
        q, qd, tau = rng.uniform(-3, 3, 6), rng.uniform(-3, 3, 6), rng.uniform(-500, 500, 6)
        found = joint_accelerations(direct, ROBOT_JOINTS, q, qd, tau)
        assert relative_error(found, tree.accelerations(q, qd, tau)) < 1e-9


def test_load_is_a_parameter_of_the_run(direct):
    tree = manutec_r3.r3mbs(load=3.0, arm=(0.1, 0.1, -0.2))
    q, qd, tau = np.array([0.3, -1.0, 0.7, 2.0, -0.4, 1.0]), np.arange(6) / 5, np.full(6, 40.0)
    changed = {"robot.mL": 3.0, "robot.rL3": -0.2}
    found = joint_accelerations(direct, ROBOT_JOINTS, q, qd, tau, parameters=changed)
    assert relative_error(found, tree.accelerations(q, qd, tau)) < 1e-9


def test_direct_problem_costs_no_more_than_in_the_paper(direct):
    sizes = direct.inspect()
    assert sizes["linear_systems"] == [] == sizes["nonlinear_systems"]
    assert sizes["operations"]["mul_div"] <= 727
    assert sizes["operations"]["add_sub"] <= 493


def test_arm_equals_the_oracle(arm):
    tree = manutec_r3.r3_arm()
    rng = np.random.default_rng(7)
    for _ in range(100):
        q, qd = rng.uniform(-3, 3, 6), rng.uniform(-3, 3, 6)
        assert relative_error(joint_accelerations(arm, ARM_JOINTS, q, qd), tree.accelerations(q, qd)) < 1e-9


def test_arm_starts_with_the_given_accelerations(arm):
    run = arm.simulate(stop=0.01)
    expected = (0.41156083, 4.12254634, 9.08921883, -0.2771298, -16.65149986, -0.26124684)
    np.testing.assert_allclose([run[f"{name}.qdd"][0] for name in ARM_JOINTS], expected, atol=1e-7)


def test_arm_reaches_the_given_angles(arm):
    run = arm.simulate(stop=2.0, rtol=1e-8, atol=1e-8)
    expected = (
        1.011502172757, 3.03422890889786, 1.17802233290939, 5.23306215310299, -6.62721943726257, 5.52265144141806,
    )  # fmt: skip
    np.testing.assert_allclose([run[f"{name}.q"][-1] for name in ARM_JOINTS], expected, atol=1e-5)


@pytest.fixture(scope="module")
def inverse():
    return shipped("r3_inverse.mo", "R3inverse")


def test_inverse_problem_is_solved_one_by_one_with_fewer_operations_than_in_the_paper(inverse):
    sizes = inverse.inspect()
    assert sizes["linear_systems"] == [] == sizes["nonlinear_systems"]
    assert sizes["operations"]["mul_div"] <= 250
    assert sizes["operations"]["add_sub"] <= 178


def test_torques_of_the_inverse_problem_give_the_accelerations_that_were_asked_for():
    model = translate((MODELS / "r3_inverse.mo").read_text(encoding="utf-8"), "R3inverse")
    tree, rng = manutec_r3.r3mbs(), np.random.default_rng(8)
    for _ in range(20):
        q, qd, qdd = rng.uniform(-3, 3, 6), rng.uniform(-3, 3, 6), rng.uniform(-5, 5, 6)
        inputs = {f"q{k + 1}": q[k] for k in range(6)} | {f"der(q{k + 1})": qd[k] for k in range(6)}
        values = model.values(inputs=inputs | {f"der(q{k + 1},2)": qdd[k] for k in range(6)})
        tau = np.array([values[f"tau{k}"] for k in range(1, 7)])
        assert relative_error(tree.accelerations(q, qd, tau), qdd) < 1e-9


def test_direct_problem_with_forces_in_the_cuts_is_one_system_of_six(direct):
    forces = shipped("r3_inverse.mo", "R3direct", without=["factors"])
    (system,) = forces.inspect()["linear_systems"]
    assert system["torn"] == 6
    assert forces.inspect()["operations"]["mul_div"] <= 727
    assert forces.inspect()["operations"]["add_sub"] <= 493
    rng = np.random.default_rng(9)
    for _ in range(20):
        q, qd, tau = rng.uniform(-3, 3, 6), rng.uniform(-3, 3, 6), rng.uniform(-500, 500, 6)
        expected = joint_accelerations(direct, ROBOT_JOINTS, q, qd, tau)
        assert relative_error(joint_accelerations(forces, ROBOT_JOINTS, q, qd, tau), expected) < 1e-9
