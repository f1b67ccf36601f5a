"""models/r3/paper.mo: the robot of the paper with its own controller and arm. It has no published curves, so it is held
against the motion that is wanted, the balance of energy, the torques of gravity by another formulation, and the
transfer function of its controller."""

from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from oracles.manutec_r3 import r3mbs

import cutset

R3 = Path(__file__).parents[2] / "models" / "r3"
AXES = range(1, 7)


@pytest.fixture(scope="module")
def model():
    return cutset.load(R3 / "paper.mo")


@pytest.fixture(scope="module")
def run(model):
    return model.simulate(2.0, points=2001, rtol=1e-7, atol=1e-8)


def test_every_axis_follows_its_way(run):
    """The controller has no part for the error of the position, but its integrator is behind that of the speed: at rest
    the motor stands where it is wanted, but for what its friction bears."""
    for k in AXES:
        ratio, wanted = run[f"d{k}.ratio"], run[f"way.q({k})"]
        assert np.abs(run[f"robot.r{k}.q"] - wanted).max() < 0.04, k
        assert abs(run[f"m{k}.rotor.q"][-1] / ratio[-1] - wanted[-1]) < 2e-4, k
        assert np.ptp(wanted) > 0.5, k


def test_energy(run):
    """What the motors give is in the arm (by another formulation), rotors and shafts, or lost in friction and
    dampers."""
    power, stored = np.zeros_like(run.time), np.zeros_like(run.time)
    for k in AXES:
        power += (
            run[f"m{k}.emf.k"] * run[f"m{k}.La.i"] * run[f"m{k}.rotor.qd"]
            - run[f"d{k}.friction.f"] * run[f"d{k}.friction.qd"]
        )
        stored += run[f"m{k}.rotor.J"] * run[f"m{k}.rotor.qd"] ** 2 / 2
        if k <= 3:
            power -= run[f"d{k}.d"] * run[f"d{k}.spring.rate"] ** 2
            stored += run[f"d{k}.c"] * run[f"d{k}.spring.twist"] ** 2 / 2
    work = np.concatenate([[0.0], np.cumsum(np.diff(run.time) * (power[1:] + power[:-1]) / 2)])
    arm = r3mbs()
    rows = range(0, len(run.time), 50)
    q, qd = (np.array([run[f"robot.r{k}.{name}"] for k in AXES]).T for name in ("q", "qd"))
    total = np.array([arm.energy(q[row], qd[row]) + stored[row] for row in rows])
    assert np.ptp(total) > 500.0
    np.testing.assert_allclose(total - total[0], work[rows], atol=5e-4 * np.ptp(total))


def test_currents_at_the_start_hold_the_arm(run):
    """Torques of gravity from the energy of the oracle; friction bears nothing at the start."""
    arm, at = r3mbs(), np.array([run[f"robot.r{k}.q"][0] for k in AXES])
    still, step = np.zeros(6), 1e-5
    for k, unit in zip(AXES, np.eye(6), strict=True):
        torque = (arm.energy(at + step * unit, still) - arm.energy(at - step * unit, still)) / (2 * step)
        current = run[f"m{k}.La.i"][0]
        assert current * run[f"m{k}.emf.k"][0] * run[f"d{k}.ratio"][0] == pytest.approx(torque, abs=1e-5), k


def test_sizes(model, tmp_path):
    """The circuits alone have systems of equations, solved once; with mbs the arm is eliminated, too, or one of 6."""
    folder = tmp_path / "r3"
    copytree(R3, folder)
    line = folder / "multibody.mo"
    line.write_text(line.read_text().replace("\n@mbssim as mbs", "\n@mbs as mbs"))
    arm = folder / "paper.mo"
    ways = (model, 0), (cutset.load(arm), 1), (cutset.load(arm, without=["factors"]), 6)
    for sizes, torn in ((each.inspect(), torn) for each, torn in ways):
        assert sizes["states"] == 66 and sizes["nonlinear_systems"] == []
        assert max(system["torn"] for system in sizes["linear_systems"]) == torn


def test_controller_has_its_transfer_functions(tmp_path):
    """From wanted and measured motion to the current, at several frequencies."""
    (tmp_path / "alone.mo").write_text(
        f'@"{R3 / "paper_control.mo"}"\nmodel class Motor\n  main cut c (q, qd, Vd)\n  input a, w\n  output i\n  q = '
        "a\n  qd = w\n  i = Vd\nend\n"
        "model Alone\n  submodel (R3control) c\n  submodel (Motor) m\n  input rq, rqd\n  output i\n  connect c to m\n"
        "  m.a = 0\n  c.rq = rq\n  c.rqd = rqd\n  i = m.Vd\n  input w\n  m.w = w\nend\n"
    )
    linear = (
        cutset.load(tmp_path / "alone.mo", library_path=[R3]).simulate(0.0, initial={"c.rate3.y": 0.0}).linearize(["i"])
    )
    names = list(linear.inputs)
    for w in (1.0, 30.0, 500.0, 3000.0):
        s = 1j * w
        response = linear.C @ np.linalg.solve(s * np.eye(len(linear.states)) - linear.A, linear.B) + linear.D
        forward = (1 + 0.00995 * s) / (1 + 0.00056 * s) * 340.8 / s
        tachometer = (
            0.03 / (1 + 8.475e-4 * s) / ((s / 2014) ** 2 + 2 * 0.294 * s / 2014 + 1) * (1 + 0.04 * s) / (1 + 0.0202 * s)
        )
        for name, wanted in (("rq", 0.3), ("rqd", 0.03), ("w", -tachometer)):
            assert response[0, names.index(name)] == pytest.approx(wanted * forward, rel=1e-6), (name, w)
