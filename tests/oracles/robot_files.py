"""Compares imported robots with Pinocchio, which reads the same URDF files: accelerations, mass matrix, frames.

    python -m tests.oracles.robot_files [--states 20] [--frames 3] FILE.urdf ...

Needs `pip install pin`; the robots of `pip download example-robot-data` are a good choice. Prints for each file the
largest differences, relative to the largest value, and the number of joints; the exit code is 1 if one exceeds 1e-10.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

import cutset
from cutset.compiler.diagnostics import Source
from cutset.compiler.robots.names import Names
from cutset.compiler.syntax.read import read_text
from cutset.compiler.urdf.read_robot import read_robot

Vector = NDArray[np.float64]


class Robot:
    """A robot in both programs; `take` maps the coordinates of Pinocchio's order to those of Cutset."""

    def __init__(self, path: Path):
        robot = read_robot(Source(str(path), read_text(path)))
        names = Names()
        names.add(robot.name, "_robot")
        joints = names.all([joint.name for joint in robot.joints])
        self.frames = {joint.child: f"{joints[joint.name]}:b" for joint in robot.joints}
        self.leaves = [
            link for link in robot.links if all(joint.parent != link for joint in robot.joints) and link in self.frames
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cutset.NotImported)
            text = cutset.import_robot(path)
        self.mechanics = cutset.loads(text).mechanics()
        self.pin = pin.buildModelFromUrdf(str(path))
        self.data = self.pin.createData()
        order = [each.removesuffix(".qd") for each in self.mechanics.velocities]
        moving = [self.pin.joints[k].idx_v for k in range(1, self.pin.njoints)]
        found = [joints[self.pin.names[k]] for k in range(1, self.pin.njoints)]
        at = dict(zip(found, moving, strict=True))
        self.at = [at[name] for name in order]

    def state(self, rng: np.random.Generator) -> tuple[Vector, Vector, Vector]:
        """A random state: the coordinates and velocities in the tangent space of Pinocchio, and forces."""
        n = self.pin.nv
        return rng.uniform(-2, 2, n), rng.uniform(-1, 1, n), rng.uniform(-5, 5, n)

    def configuration(self, x: Vector) -> Vector:
        """The coordinates of Pinocchio: angles of continuous joints are cosine and sine."""
        return np.asarray(pin.integrate(self.pin, pin.neutral(self.pin), x))

    def differences(self, states: int, frames: int) -> dict[str, float]:
        """The largest differences over random states, relative to the largest value of each."""
        rng = np.random.default_rng(1)
        worst = {"acceleration": 0.0, "mass": 0.0, "frame": 0.0}
        for _ in range(states):
            x, v, tau = self.state(rng)
            q = self.configuration(x)
            own = np.array([x[k] for k in self.at])
            inertia = pin.crba(self.pin, self.data, q).copy()
            full = np.triu(inertia) + np.triu(inertia, 1).T
            found = self.mechanics.mass_matrix(own)
            worst["mass"] = max(worst["mass"], relative(found, full[np.ix_(self.at, self.at)]))
            expected = pin.aba(self.pin, self.data, q, v, tau)[self.at]
            found = self.mechanics.forward(own, v[self.at], tau[self.at])
            worst["acceleration"] = max(worst["acceleration"], relative(found, expected))
            pin.framesForwardKinematics(self.pin, self.data, q)
            for link in self.leaves[-frames:]:
                pose = self.mechanics.pose(self.frames[link], own)
                placed = self.data.oMf[self.pin.getFrameId(link, pin.FrameType.BODY)]
                worst["frame"] = max(worst["frame"], relative(pose.T, placed.rotation))
                scale = max(1.0, float(np.abs(placed.translation).max()))
                worst["frame"] = max(worst["frame"], float(np.abs(pose.r - placed.translation).max()) / scale)
        return worst


def relative(found: Vector, expected: Vector) -> float:
    """The largest difference over the largest value."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def main() -> int:
    """Compare the files of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--states", type=int, default=20)
    parser.add_argument("--frames", type=int, default=3)
    code = 0
    arguments = parser.parse_args()
    for path in arguments.files:
        try:
            robot = Robot(path)
            found = robot.differences(arguments.states, arguments.frames)
        except cutset.ModelError as error:
            print(f"{path.name:36} {str(error).splitlines()[0]}", flush=True)
            code = 1
            continue
        agrees = max(found.values()) < 1e-10
        code = code if agrees else 1
        numbers = "  ".join(f"{name} {value:.1e}" for name, value in found.items())
        print(f"{path.name:36} {robot.pin.nv:3} joints  {numbers}  {'' if agrees else 'DIFFERS'}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
