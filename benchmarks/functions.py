"""Compares the functions of `Model.mechanics` with those of Pinocchio: in a loop in C and C++, and called from Python.

    python benchmarks/functions.py [--markdown FILE] [--quick]

Times are CPU time of the measuring thread for one point, the best of repetitions in which the programs take turns. The
results are compared before anything is timed. Needs the packages pin and casadi (for the headers of Eigen).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from mechanisms import Mechanism, robots
from pinocchio_peer import PinocchioFunctions
from sheets import Sheet, report
from sidebyside import per_repetition, times

import cutset
from cutset.api.mechanics.mechanics import Derivatives, Mechanics
from cutset.runtime.targets.toolchain import Compiler

# The number of points in a loop in C, and the largest relative difference of results.
_POINTS, _DIFFERENCE = 1000, 1e-12
_THEIRS = (
    "rnea", "nonLinearEffects", "aba", "crba", "forwardKinematics, updateFramePlacement", "computeFrameJacobian",
    "computeJointJacobiansTimeVariation", "computeRNEADerivatives", "computeABADerivatives",
    "computeJointTorqueRegressor", "centerOfMass", "computeCentroidalMomentum", "computeCentroidalMap",
    "computeKineticEnergy, computePotentialEnergy",
)  # fmt: skip


def ours(m: Mechanics, last: str) -> Mapping[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]]:
    """The functions, each of positions, velocities and accelerations or forces."""
    return {
        "inverse": m.inverse,
        "bias": lambda q, v, a: m.bias(q, v),
        "forward": m.forward,
        "mass_matrix": lambda q, v, a: m.mass_matrix(q),
        "pose": lambda q, v, a: np.concatenate(
            [m.pose(last, q).T.reshape(*q.shape[:-1], 9), m.pose(last, q).r], axis=-1
        ),
        "jacobian": lambda q, v, a: m.jacobian(last, q),
        "jacobian_rate": lambda q, v, a: m.jacobian_rate(last, q, v),
        "inverse_derivatives": lambda q, v, a: _side_by_side(m.derivatives("inverse", q, v, a)),
        "forward_derivatives": lambda q, v, a: _side_by_side(m.derivatives("forward", q, v, a)),
        "regressor": m.regressor,
        "center_of_mass": lambda q, v, a: m.center_of_mass(q),
        "momentum": lambda q, v, a: m.momentum(q, v),
        "momentum_matrix": lambda q, v, a: m.momentum_matrix(q),
        "energy": lambda q, v, a: m.energy(q, v),
    }


def _side_by_side(found: Derivatives) -> np.ndarray:
    return np.concatenate(found, axis=-1)


def in_a_loop(mechanism: Mechanism, rounds: int) -> Sheet:
    """The loops over many points. AssertionError if results differ."""
    m = cutset.load(mechanism.path).mechanics(target="c")
    last, size = f"{m.joints[-1].name}:b", len(m.joints)
    functions = ours(m, last) | {
        "pose": lambda q, v, a: m.pose(last, q).T,
        "inverse_derivatives": lambda q, v, a: m.derivatives("inverse", q, v, a),
        "forward_derivatives": lambda q, v, a: m.derivatives("forward", q, v, a),
    }
    theirs = PinocchioFunctions(replace(mechanism.tree, damping=()))
    points = np.random.default_rng(1).uniform(-1, 1, (_POINTS, 3, size))
    q, v, a = (np.ascontiguousarray(points[:, k]) for k in range(3))
    rows = []
    for name, their_name in zip(PinocchioFunctions.NAMES, _THEIRS, strict=True):
        found, expected = ours(m, last)[name](q[-1], v[-1], a[-1]), theirs.repeat(name, _POINTS, points)
        if name == "regressor":  # the last joint carries masses in frames of their own
            found, expected = found[:, : 10 * (size - 1)], expected[:, : 10 * (size - 1)]
        difference = np.abs(found - expected).max() / np.abs(expected).max()
        assert difference < _DIFFERENCE, f"{name} differs by {difference:.1e}"
        seconds = per_repetition(
            {
                "cutset": times(lambda f=functions[name]: f(q, v, a)),
                "pinocchio": times(lambda name=name: theirs.repeat(name, _POINTS, points)),
            },
            rounds,
        )
        rows.append(_row(name, their_name, seconds["cutset"] / _POINTS, seconds["pinocchio"] / _POINTS))
    note = f"{_POINTS} points in one call; -O1 for Cutset, -O3 for Pinocchio. Results agree to {_DIFFERENCE:g}."
    return Sheet(f"{mechanism.name}: one point in a loop in C", _COLUMNS, rows, note)


def from_python(mechanism: Mechanism, rounds: int) -> Sheet:
    """Calls with arrays of one point."""
    import pinocchio as pin

    m = cutset.load(mechanism.path).mechanics(target="c")
    last = f"{m.joints[-1].name}:b"
    model, frame = _pinocchio_model(pin, mechanism)
    data = model.createData()
    q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, len(m.joints)))

    def pose() -> None:
        pin.forwardKinematics(model, data, q)
        pin.updateFramePlacement(model, data, frame)

    pairs = {
        "inverse": (lambda: m.inverse(q, v, a), lambda: pin.rnea(model, data, q, v, a)),
        "bias": (lambda: m.bias(q, v), lambda: pin.nonLinearEffects(model, data, q, v)),
        "forward": (lambda: m.forward(q, v, a), lambda: pin.aba(model, data, q, v, a)),
        "mass_matrix": (lambda: m.mass_matrix(q), lambda: pin.crba(model, data, q)),
        "pose": (lambda: m.pose(last, q), pose),
        "jacobian": (
            lambda: m.jacobian(last, q),
            lambda: pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL_WORLD_ALIGNED),
        ),
    }
    rows = []
    for (name, (own, peer)), their_name in zip(pairs.items(), _THEIRS, strict=False):
        own()  # translates and compiles
        seconds = per_repetition({"cutset": times(own), "pinocchio": times(peer)}, rounds)
        rows.append(_row(name, their_name, seconds["cutset"], seconds["pinocchio"]))
    return Sheet(f"{mechanism.name}: one call from Python", _COLUMNS, rows)


_COLUMNS = ["function", "cutset", "Pinocchio", "cutset / Pinocchio"]


def _row(name: str, their_name: str, own: float, peer: float) -> list[str]:
    return [f"{name} ({their_name})", f"{own * 1e9:.0f} ns", f"{peer * 1e9:.0f} ns", f"{own / peer:.2f}"]


def _pinocchio_model(pin, mechanism: Mechanism):
    """The chain in Pinocchio's Python, and the number of its last frame."""
    tree, model = mechanism.tree, pin.Model()
    model.gravity.linear = np.array(tree.gravity, float)
    kinds = {(1, 0, 0): pin.JointModelRX, (0, 1, 0): pin.JointModelRY, (0, 0, 1): pin.JointModelRZ}
    for k, joint in enumerate(tree.joints):
        place = pin.SE3(np.eye(3), np.array(joint.offset, float))
        number = model.addJoint(k, kinds[tuple(joint.axis)](), place, f"j{k}")
        for body in (b for b in tree.bodies if b.joint == k):
            inertia = pin.Inertia(body.mass, np.array(body.center, float), body.tensor)
            model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
    last = len(tree.joints)
    return model, model.addFrame(pin.Frame("last", last, 0, pin.SE3.Identity(), pin.FrameType.OP_FRAME))


def measured(options: argparse.Namespace, compiler: Compiler) -> tuple[list[Sheet], list[str]]:
    """The tables of both robots."""
    rounds = 3 if options.quick else 15
    sheets = [
        sheet for mechanism in robots() for sheet in (in_a_loop(mechanism, rounds), from_python(mechanism, rounds))
    ]
    return sheets, []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    raise SystemExit(report(parser, measured))
