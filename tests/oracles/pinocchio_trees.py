"""The same trees in Pinocchio, where it is installed; a test that asks for it is skipped elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.multibody import INERTIAL, Tree


def pinocchio_accelerations(tree: Tree, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Featherstone's recursion as Pinocchio has it; its joints may be numbered otherwise."""
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.gravity.linear = np.array(tree.gravity)
    for k, joint in enumerate(tree.joints):
        kind = pin.JointModelPrismaticUnaligned if joint.prismatic else pin.JointModelRevoluteUnaligned
        axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
        parent = 0 if joint.parent == INERTIAL else model.getJointId(f"j{joint.parent}")
        placement = pin.SE3(np.eye(3), np.array(joint.offset, float))
        model.addJoint(parent, kind(axis), placement, f"j{k}")
    for body in tree.bodies:
        inertia = pin.Inertia(body.mass, np.array(body.centre, float), body.tensor)
        model.appendBodyToJoint(model.getJointId(f"j{body.joint}"), inertia, pin.SE3.Identity())
    order = [model.joints[model.getJointId(f"j{k}")].idx_v for k in range(len(tree.joints))]
    arranged = [np.empty(len(order)) for _ in range(3)]
    for target, source in zip(arranged, (q, qd, tau), strict=True):
        target[order] = source
    return np.array(pin.aba(model, model.createData(), *arranged))[order]
