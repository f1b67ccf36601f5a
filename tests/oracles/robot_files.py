"""Compares imported robots with Pinocchio, which reads the same URDF files: accelerations, mass matrix, frames.

    python -m tests.oracles.robot_files [--states 20] [--frames 3] [--floating] FILE.urdf ...

With --floating, the root link floats, and planar joints are allowed (Pinocchio's are perpendicular to axis 3, whatever
axis the file gives): the accelerations of all coordinates are compared.

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


class FloatingRobot:
    """A robot whose root link floats, in both programs. Pinocchio resolves the velocities of its floating and planar
    joints in the moving frame, Cutset the linear ones in the fixed frame."""

    def __init__(self, path: Path, floating: bool = True):
        robot = read_robot(Source(str(path), read_text(path)))
        names = Names()
        names.add(robot.name, "_robot")
        joints = names.all([joint.name for joint in robot.joints])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cutset.NotImported)
            text = cutset.import_robot(path, floating=floating, stops=False)
        self.own = cutset.loads(text)
        free = [pin.JointModelFreeFlyer()] if floating else []
        self.pin = pin.buildModelFromUrdf(str(path), *free)
        self.data = self.pin.createData()
        roots = [name.removesuffix(".p(1)") for name in self.own.states if name.endswith(".p(1)")]
        self.names = ["", *(joints.get(name, roots[0] if roots else "") for name in list(self.pin.names)[1:])]
        if floating:
            self.names[1] = roots[0]
        self.damping, self.friction = np.zeros(self.pin.nv), np.zeros(self.pin.nv)
        for joint in robot.joints:
            if self.pin.existJointName(joint.name) and joint.is_driven:
                at = self.pin.joints[self.pin.getJointId(joint.name)].idx_v
                self.damping[at], self.friction[at] = joint.damping, joint.friction

    def difference(self, states: int) -> float:
        """The largest difference of accelerations over random states, relative to the largest of each."""
        rng = np.random.default_rng(1)
        worst, n = 0.0, self.pin.nv
        for _ in range(states):
            x, v = rng.uniform(-1.5, 1.5, n), rng.uniform(-1, 1, n)
            q = np.asarray(pin.integrate(self.pin, pin.neutral(self.pin), x))
            forces = -self.damping * v - self.friction * np.sign(v)
            a = np.asarray(pin.aba(self.pin, self.data, q, v, forces))
            given, expected = self._translated(x, q, v, a)
            found = self.own.evaluate(
                0.0, [given[name] for name in self.own.states], inputs=np.zeros(len(self.own.inputs))
            )
            by_name = dict(zip(self.own.states, found, strict=True))
            largest = max(abs(value) for value in expected.values())
            worst = max(worst, max(abs(by_name[name] - value) for name, value in expected.items()) / largest)
        return worst

    def _translated(self, x: Vector, q: Vector, v: Vector, a: Vector) -> tuple[dict[str, float], dict[str, float]]:
        """The states, and the derivatives of the velocities, by their names in Cutset."""
        given: dict[str, float] = {}
        expected: dict[str, float] = {}
        for k in range(1, self.pin.njoints):
            name, joint = self.names[k], self.pin.joints[k]
            at, dof, kind = joint.idx_q, joint.idx_v, joint.shortname()
            if kind == "JointModelFreeFlyer":
                turn = np.asarray(pin.Quaternion(q[at + 3 : at + 7]).matrix())
                linear = turn @ v[dof : dof + 3]
                rate = turn @ (a[dof : dof + 3] + np.cross(v[dof + 3 : dof + 6], v[dof : dof + 3]))
                for i in range(3):
                    given |= {f"{name}.x({i + 1})": q[at + i], f"{name}.v({i + 1})": linear[i]}
                    given[f"{name}.w({i + 1})"] = v[dof + 3 + i]
                    expected |= {f"{name}.v({i + 1})": rate[i], f"{name}.w({i + 1})": a[dof + 3 + i]}
                given |= {f"{name}.p({i + 1})": q[at + 3 + i] for i in range(4)}
            elif kind == "JointModelPlanar":
                c, s = q[at + 2], q[at + 3]
                turn = np.array([[c, -s], [s, c]])
                linear = turn @ v[dof : dof + 2]
                rate = turn @ (a[dof : dof + 2] + v[dof + 2] * np.array([-v[dof + 1], v[dof]]))
                for axis, place, speed, change in zip("xy", q[at : at + 2], linear, rate, strict=True):
                    given |= {f"{name}.{axis}.q": place, f"{name}.{axis}.qd": speed}
                    expected[f"{name}.{axis}.qd"] = change
                given |= {f"{name}.turn.q": np.arctan2(s, c), f"{name}.turn.qd": v[dof + 2]}
                expected[f"{name}.turn.qd"] = a[dof + 2]
            else:
                given |= {f"{name}.q": x[dof], f"{name}.qd": v[dof]}
                expected[f"{name}.qd"] = a[dof]
        return given, expected


def relative(found: Vector, expected: Vector) -> float:
    """The largest difference over the largest value."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def main() -> int:
    """Compare the files of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--states", type=int, default=20)
    parser.add_argument("--frames", type=int, default=3)
    parser.add_argument("--floating", action="store_true")
    code = 0
    arguments = parser.parse_args()
    for path in arguments.files:
        try:
            robot: Robot | FloatingRobot
            if arguments.floating:
                robot = FloatingRobot(path)
                found = {"acceleration": robot.difference(arguments.states)}
            else:
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
