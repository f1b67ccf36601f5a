"""Defines solids of size 1 as triangle meshes, which parts of a scene stretch to their size. Knows no scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector

_AROUND = 32
_TURNS = 8


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (n, 3) with their normals (n, 3), and triangles (m, 3) of vertex numbers, counter-clockwise seen from
    outside."""

    corners: Vector
    normals: Vector
    triangles: NDArray[np.uint16] | NDArray[np.uint32]


def box() -> Mesh:
    """A cube from -1/2 to 1/2 along each axis."""
    corners: list[Vector] = []
    normals: list[Vector] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            first, second = np.roll(np.eye(3), 1, axis=0)[axis], np.roll(np.eye(3), 2, axis=0)[axis]
            first, second = (first, second) if np.dot(np.cross(first, second), normal) > 0 else (second, first)
            base = len(corners)
            corners += [0.5 * (normal + a * first + b * second) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
            triangles += [(base, base + 1, base + 2), (base, base + 2, base + 3)]
    return Mesh(np.array(corners), np.array(normals), np.array(triangles, dtype=np.uint16))


def cylinder() -> Mesh:
    """A cylinder of diameter 1 about the y axis, from y = -1/2 to 1/2."""
    radii, heights = [0.0, 0.5, 0.5, 0.5, 0.5, 0.0], [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]
    normals = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])[[0, 0, 1, 1, 2, 2]]
    return _turned(np.array(radii), np.array(heights), normals)


def cone() -> Mesh:
    """A cone of diameter 1 at y = -1/2, with its tip at y = 1/2."""
    slope = np.array([2.0, 1.0]) / np.sqrt(5.0)
    normals = np.array([[0.0, -1.0], [0.0, -1.0], slope, slope])
    return _turned(np.array([0.0, 0.5, 0.5, 0.0]), np.array([-0.5, -0.5, -0.5, 0.5]), normals)


def sphere() -> Mesh:
    """A sphere of diameter 1."""
    angles = np.linspace(-np.pi / 2.0, np.pi / 2.0, _AROUND // 2 + 1)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    normals[[0, -1], 0] = 0.0
    return _turned(0.5 * normals[:, 0], 0.5 * normals[:, 1], normals)


def coil() -> Mesh:
    """A helix of wire about the y axis, of diameter 1 and from y = -1/2 to 1/2, with straight ends on the axis."""
    along = np.linspace(0.0, 1.0, 16 * _TURNS + 1)
    swell = np.clip(np.minimum(along, 1.0 - along) / 0.1 - 0.3, 0.0, 1.0)
    angle = 2.0 * np.pi * _TURNS * along
    path = np.stack([0.43 * swell * np.cos(angle), along - 0.5, 0.43 * swell * np.sin(angle)], axis=1)
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    radial = np.stack([np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=1)
    radial -= np.sum(radial * tangent, axis=1, keepdims=True) * tangent
    radial /= np.linalg.norm(radial, axis=1, keepdims=True)
    side = np.cross(tangent, radial)
    around = 2.0 * np.pi * np.arange(8) / 8
    normals = radial[:, None, :] * np.cos(around)[None, :, None] + side[:, None, :] * np.sin(around)[None, :, None]
    # The wire is round if the coil is stretched to about three diameters.
    corners = path[:, None, :] + normals * np.array([0.07, 0.025, 0.07])
    return Mesh(corners.reshape(-1, 3), normals.reshape(-1, 3), _tube(len(path), 8))


SOLIDS: dict[str, Callable[[], Mesh]] = {"box": box, "cylinder": cylinder, "cone": cone, "sphere": sphere, "coil": coil}


def _turned(radii: Vector, heights: Vector, normals: Vector) -> Mesh:
    """The outline rotated about the y axis; one normal (away from the axis, along it) for each of its points."""
    angles = 2.0 * np.pi * np.arange(_AROUND + 1) / _AROUND
    c, s = np.cos(angles), np.sin(angles)

    def around(out: Vector, up: Vector) -> Vector:
        return np.stack([np.outer(out, c), np.repeat(up[:, None], _AROUND + 1, 1), np.outer(out, s)], axis=2).reshape(
            -1, 3
        )

    return Mesh(around(radii, heights), around(normals[:, 0], normals[:, 1]), _between(radii, heights))


def _between(radii: Vector, heights: Vector) -> NDArray[np.uint16]:
    """The triangles of a rotated outline, without those of zero area: on the axis, and where an edge has two
    normals."""
    width = _AROUND + 1
    triangles = []
    for row in range(len(radii) - 1):
        if radii[row] == radii[row + 1] and heights[row] == heights[row + 1]:
            continue
        for column in range(_AROUND):
            a, b = row * width + column, (row + 1) * width + column
            if radii[row + 1] > 0.0:
                triangles.append((a, b, b + 1))
            if radii[row] > 0.0:
                triangles.append((a, b + 1, a + 1))
    return np.array(triangles, dtype=np.uint16)


def _tube(rows: int, columns: int) -> NDArray[np.uint16]:
    triangles = []
    for row in range(rows - 1):
        for column in range(columns):
            a, b = row * columns + column, row * columns + (column + 1) % columns
            triangles += [(a, b, b + columns), (a, b + columns, a + columns)]
    return np.array(triangles, dtype=np.uint16)
