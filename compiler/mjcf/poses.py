"""Reads positions and quaternions of MuJoCo's model: arrays -> poses."""

from __future__ import annotations

from typing import Any

from cutset.compiler.robots.robot import Pose
from cutset.compiler.robots.rotations import Triple, of_axis_and_angle, of_quaternion

Quaternion = tuple[float, float, float, float]  # the scalar first


def pose_of(position: Any, quaternion: Any) -> Pose:
    """A pose by a position and a quaternion with the scalar first."""
    axis, angle = of_quaternion(four(quaternion))
    return Pose(triple(position), axis, angle, of_axis_and_angle(axis, angle))


def triple(x: Any) -> Triple:
    """Three numbers of an array."""
    return float(x[0]), float(x[1]), float(x[2])


def four(x: Any) -> Quaternion:
    """Four numbers of an array."""
    return float(x[0]), float(x[1]), float(x[2]), float(x[3])


def turned_back(p: Quaternion, q: Quaternion) -> Quaternion:
    """The rotation p after the inverse of q, both of length 1."""
    (a, b, c, d), (w, x, y, z) = p, (q[0], -q[1], -q[2], -q[3])
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
