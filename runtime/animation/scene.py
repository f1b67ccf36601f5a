"""Defines the contents of an animation: moving nodes, the solids on them, and forces. `drawing` creates them.

Lengths in m; directions and positions of nodes are resolved in the inertial frame. A constant has one row instead of
one for each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cutset.runtime.animation.meshes import SOLIDS, Mesh
from cutset.runtime.interface import Vector


@dataclass(frozen=True, eq=False)
class Part:
    """A solid of the scene on a node: stretched to `size` along its own axes, turned by the quaternion `turn` (x, y, z,
    w), moved to `place`; `color` is red, green, blue from 0 to 1 (sRGB), and `name` is the submodel that it shows."""

    name: str
    solid: str
    place: Vector
    turn: Vector
    size: Vector
    color: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Node:
    """A rigid frame: `place` (n, 3), `turn` (n, 4) quaternions (x, y, z, w) with continuous signs, and `stretch` (n,
    3), factors along its axes. `names` are the cuts that have this frame; () if there are none."""

    names: tuple[str, ...]
    place: Vector
    turn: Vector
    stretch: Vector
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Force:
    """A cut-force: the point of action (n, 3), force (n, 3) in N and torque (n, 3) in N.m, resolved in the inertial
    frame."""

    name: str
    place: Vector
    force: Vector
    torque: Vector


@dataclass(frozen=True, eq=False)
class Scene:
    """All nodes and forces. `times` (n,) are ascending and may repeat at events. `up` is the direction against gravity;
    `low` and `high` (3,) are the corners of the box that contains the centers of all solids; `floor` is the height
    along `up` of a plane below everything; `size` is a length that scales thicknesses. `surfaces` are the solids from
    mesh files by their names; `notes` says what of these is not drawn, or simplified."""

    title: str
    times: Vector
    nodes: tuple[Node, ...]
    forces: tuple[Force, ...]
    up: Vector
    low: Vector
    high: Vector
    floor: float
    size: float
    surfaces: Mapping[str, Mesh] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def solids(self) -> dict[str, Mesh]:
        """The meshes of all solids that its parts use, by name."""
        used = {part.solid: None for node in self.nodes for part in node.parts}
        own = [name for name in SOLIDS if name in used]
        return {name: SOLIDS[name]() for name in own} | {name: self.surfaces[name] for name in used if name not in own}


def quaternions(turns: Vector) -> Vector:
    """(n, 3, 3) matrices T, where T*v turns v into the inertial frame, as (n, 4) quaternions (x, y, z, w), each near to
    the one before.

    Of the four formulas the one with the largest divisor is used: S. W. Shepperd, Quaternion from rotation matrix, J.
    Guidance and Control 1 (1978) 223-224.
    """
    t = turns
    trace = np.trace(t, axis1=1, axis2=2)
    squares = np.stack([*(1.0 + 2.0 * t[:, i, i] - trace for i in range(3)), 1.0 + trace], axis=1)  # 4*q**2
    skew = np.stack([t[:, 2, 1] - t[:, 1, 2], t[:, 0, 2] - t[:, 2, 0], t[:, 1, 0] - t[:, 0, 1]], axis=1)
    products = np.empty((len(t), 4, 4))  # 4*q*q'
    for i in range(3):
        products[:, i, :3] = t[:, i, :] + t[:, :, i]
        products[:, i, 3] = products[:, 3, i] = skew[:, i]
    for i in range(4):
        products[:, i, i] = squares[:, i]
    q: Vector = products[np.arange(len(t)), np.argmax(squares, axis=1)]
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    turned = np.sum(q[1:] * q[:-1], axis=1) < 0.0
    q[1:][np.cumsum(turned) % 2 == 1] *= -1.0
    return q


def turned_to(direction: Vector) -> Vector:
    """(n, 3) directions of any length -> (n, 4) quaternions that turn the y axis there by the shortest rotation."""
    d = direction / np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-300)
    q = np.stack([d[:, 2], np.zeros(len(d)), -d[:, 0], 1.0 + d[:, 1]], axis=1)
    q[1.0 + d[:, 1] < 1e-9] = [1.0, 0.0, 0.0, 0.0]
    unit: Vector = q / np.linalg.norm(q, axis=1, keepdims=True)
    return unit
