"""The same trees in Pinocchio, where it is installed; a test that asks for it is skipped elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from oracles.multibody import INERTIAL, Ball, Joint, Tree, Weld
from oracles.random_trees import Place


def pinocchio_accelerations(tree: Tree, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Featherstone's recursion as Pinocchio has it; its joints may be numbered otherwise."""
    return _Pinocchio(tree, q, qd).accelerations(tau)


def pinocchio_motion(
    tree: Tree, q: np.ndarray, qd: np.ndarray, places: Sequence[Place]
) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """The accelerations with springs and damping; force and torque that each joint passes to what hangs on it, about
    the point where it is attached, resolved in the inertial frame."""
    theirs = _Pinocchio(tree, q, qd)
    found = theirs.accelerations(-np.array(tree.damping or np.zeros(len(qd))) * qd)
    return found, theirs.cut_forces(places)


class _Pinocchio:
    """The tree in Pinocchio at a state. Welds are part of the frames before and behind them."""

    def __init__(self, tree: Tree, q: np.ndarray, qd: np.ndarray):
        self._pin = pin = pytest.importorskip("pinocchio")
        self._tree, self._q, self._model = tree, q, pin.Model()
        self._model.gravity.linear = np.array(tree.gravity)
        self._frames = {INERTIAL: (0, pin.SE3.Identity())}
        for k, joint in enumerate(tree.joints):
            parent, frame = self._frames[joint.parent]
            if isinstance(joint, Weld):
                turn = joint.motion(np.eye(3), np.zeros(0)).turn
                self._frames[k] = parent, frame * pin.SE3(turn, np.array(joint.offset, float))
                continue
            place = frame * pin.SE3(np.eye(3), np.array(joint.offset, float))
            number = self._model.addJoint(parent, _pinocchio_joint(pin, joint), place, f"j{k}")
            self._frames[k] = number, pin.SE3.Identity()
        for body in tree.bodies:
            number, frame = self._frames[body.joint]
            inertia = pin.Inertia(body.mass, np.array(body.center, float), body.tensor)
            self._model.appendBodyToJoint(number, inertia, frame)
        self._data = self._model.createData()
        model = self._model
        self._armature, self._positions, self._rates = np.zeros(model.nv), np.zeros(model.nq), np.zeros(model.nv)
        for k, joint in enumerate(tree.joints):
            if isinstance(joint, Weld):
                continue
            theirs, own = model.joints[self._frames[k][0]], q[tree.coordinates[k]]
            self._armature[self._place(k)] = joint.inertia
            self._positions[theirs.idx_q : theirs.idx_q + theirs.nq] = _their_position(joint, own)
            self._rates[self._place(k)] = _their_velocity(joint, own, qd[tree.velocities[k]])
        model.armature = self._armature
        pin.forwardKinematics(model, self._data, self._positions)
        self._springs = self._spring_forces()
        self._found = np.zeros(model.nv)

    def accelerations(self, tau: np.ndarray) -> np.ndarray:
        """In the order of the tree."""
        tree, forces, found = self._tree, np.zeros(self._model.nv), np.zeros(len(tau))
        moving = [(k, joint) for k, joint in enumerate(tree.joints) if not isinstance(joint, Weld)]
        for k, _ in moving:
            forces[self._place(k)] = tau[tree.velocities[k]]
        self._found = np.array(
            self._pin.aba(self._model, self._data, self._positions, self._rates, forces, self._springs)
        )
        for k, joint in moving:
            place = self._place(k)
            own = self._q[tree.coordinates[k]]
            found[tree.velocities[k]] = _our_acceleration(joint, own, self._rates[place], self._found[place])
        return found

    def cut_forces(self, places: Sequence[Place]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By the names of the joints, for those accelerations; without welds, whose forces Pinocchio does not have."""
        pin, found = self._pin, {}
        pin.rnea(self._model, self._data, self._positions, self._rates, self._found, self._springs)
        for place in places:
            if isinstance(self._tree.joints[place.joint], Weld):
                continue
            number, _ = self._frames[place.joint]
            force = self._data.oMi[number].act(self._data.f[number])
            point = self._point(place.parent, place.point)
            found[place.name] = force.linear, force.angular - np.cross(point, force.linear)
        return found

    def _place(self, k: int) -> slice:
        theirs = self._model.joints[self._frames[k][0]]
        return slice(theirs.idx_v, theirs.idx_v + theirs.nv)

    def _point(self, joint: int, local: Sequence[float]) -> np.ndarray:
        number, frame = self._frames[joint]
        return np.array((self._data.oMi[number] * frame).act(np.array(local, float)))

    def _spring_forces(self) -> list[object]:
        """The forces on each joint in its frame."""
        pin, total = self._pin, [self._pin.Force.Zero() for _ in range(self._model.njoints)]
        for spring in self._tree.springs:
            first = self._point(spring.first, spring.first_point)
            second = self._point(spring.second, spring.second_point)
            length = np.linalg.norm(second - first)
            pull = spring.c * (length - spring.s0) * (second - first) / length
            for joint, point, force in ((spring.first, first, pull), (spring.second, second, -pull)):
                number = self._frames[joint][0]
                total[number] += self._data.oMi[number].actInv(pin.Force(force, np.cross(point, force)))
        return total


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
