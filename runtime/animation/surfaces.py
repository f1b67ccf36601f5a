"""Prepares the triangles of mesh files for drawing: fewer of them, shared vertices, normals that keep sharp edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.animation.meshes import Mesh
from cutset.runtime.interface import Vector

# Faces that meet at a smaller angle look like one curved surface.
_SMOOTH = np.cos(np.radians(35.0))
# Corners nearer than this part of the extent are one vertex.
_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles (n, 3, 3) in the unit and the frame of a mesh file; `color` is red, green, blue from 0 to 1 (sRGB), or
    None if the file has none."""

    triangles: Vector
    color: tuple[float, float, float] | None


def smooth(triangles: Vector) -> Mesh:
    """The mesh of triangles (n, 3, 3), without those of zero area. Each corner has the mean normal of the faces at its
    vertex that are nearly parallel to its own face, weighted by their areas."""
    areas = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(areas, axis=1)
    kept = lengths > 1e-12 * lengths.max(initial=0.0)
    triangles, areas, units = triangles[kept], areas[kept], areas[kept] / lengths[kept, None]
    corners = triangles.reshape(-1, 3)
    vertex = _cells(corners, _extent(corners) * _SAME)
    normals = np.zeros((len(corners), 3))
    for first, second in _pairs(vertex):
        near = np.sum(units[first // 3] * units[second // 3], axis=1) > _SMOOTH
        for axis in range(3):
            normals[:, axis] += np.bincount(first[near], areas[second[near] // 3, axis], len(corners))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    # Corners at one place whose normals differ by rounding are one vertex.
    key = vertex * (1 << 33) + np.round(normals * 500.0 + 512.0).astype(np.int64) @ [1, 1 << 11, 1 << 22]
    _, at, numbers = np.unique(key, return_index=True, return_inverse=True)
    triples = numbers.reshape(-1, 3)
    narrow = len(at) <= 65536
    return Mesh(corners[at], normals[at], triples.astype(np.uint16) if narrow else triples.astype(np.uint32))


def simplified(triangles: Vector, most: int) -> Vector:
    """About `most` triangles, or all if there are not more: vertices in one cell of a grid become one, their mean."""
    if len(triangles) <= most:
        return triangles
    points = triangles.reshape(-1, 3)
    extent = _extent(points)
    coarse, fine, found = 4.0, 4096.0, triangles[:0]
    for _ in range(12):
        cells = np.sqrt(coarse * fine)
        candidate = _clustered(points, extent / cells)
        if len(candidate) > most:
            fine = cells
        else:
            coarse, found = cells, candidate
    return found if len(found) else triangles[:: len(triangles) // most + 1]


def _extent(points: Vector) -> float:
    return max(float(np.ptp(points, axis=0).max(initial=0.0)), 1e-12)


def _cells(points: Vector, width: float) -> NDArray[np.int64]:
    """Numbers from 0 for the cells of a grid of this width that contain the points; at most a million along each
    axis."""
    cells = ((points - points.min(axis=0, initial=np.inf)) / width).round().astype(np.int64)
    _, numbers = np.unique(cells @ [1, 1 << 21, 1 << 42], return_inverse=True)
    found: NDArray[np.int64] = numbers.reshape(-1).astype(np.int64)
    return found


def _clustered(points: Vector, width: float) -> Vector:
    numbers = _cells(points, width)
    counts = np.bincount(numbers)
    means = np.stack([np.bincount(numbers, points[:, axis]) / counts for axis in range(3)], axis=1)
    corners = numbers.reshape(-1, 3)
    real = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    # Two sheets that fall together are one.
    _, first = np.unique(np.sort(corners[real], axis=1), axis=0, return_index=True)
    clustered: Vector = means[corners[real][np.sort(first)]]
    return clustered


def _pairs(vertex: NDArray[np.int64]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """All pairs of corners with the same vertex, also of a corner with itself: one array for each distance in the list
    of the vertex's corners. A vertex with very many of them, the center of a fan, has the nearest pairs only."""
    order = np.argsort(vertex, kind="stable")
    sorted_vertex = vertex[order]
    found = [(order, order)]
    for distance in range(1, min(len(order), 64)):
        same = sorted_vertex[distance:] == sorted_vertex[:-distance]
        if not same.any():
            break
        first, second = order[distance:][same], order[:-distance][same]
        found += [(first, second), (second, first)]
    return found
