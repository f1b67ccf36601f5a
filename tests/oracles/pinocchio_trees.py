"""The same trees in Pinocchio, where it is installed; a test that asks for it is skipped elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.multibody import INERTIAL, Ball, Joint, Tree


def pinocchio_accelerations(tree: Tree, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Featherstone's recursion as Pinocchio has it; its joints may be numbered otherwise."""
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.gravity.linear = np.array(tree.gravity)
    for k, joint in enumerate(tree.joints):
        parent = 0 if joint.parent == INERTIAL else model.getJointId(f"j{joint.parent}")
        model.addJoint(parent, _pinocchio_joint(pin, joint), pin.SE3(np.eye(3), np.array(joint.offset, float)), f"j{k}")
    for body in tree.bodies:
        inertia = pin.Inertia(body.mass, np.array(body.center, float), body.tensor)
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
    return np.concatenate(
        [
            _our_acceleration(joint, q[c], rates[p], found[p])
            for joint, c, p in zip(tree.joints, tree.coordinates, places, strict=False)
        ]
    )


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
