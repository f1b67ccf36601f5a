"""Makes the shapes that collide: sizes, or the vertices of a mesh -> hulls of points in the frame of a link.

Edges are rounded, since contacts need them round: inside the given shape, which keeps its faces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from cutset.compiler.robots.robot import Collider, Pose
from cutset.compiler.robots.rotations import Triple, plus, times

MOST_POINTS = 64  # of a hull in the multibody libraries
_EDGE = 1e-3  # radius of edges in m, if the shape is not thin
_OF_THICKNESS = 0.05
_SIDES = 24  # of a cylinder
_OUTSIDE = 1.017  # the hull of 64 points of a sphere is at its radius on average


def box(link: str, pose: Pose, size: Triple) -> Collider:
    """A box of these lengths."""
    edge = min(_EDGE, _OF_THICKNESS * min(size))
    x, y, z = (each / 2 - edge for each in size)
    corners = [(i * x, j * y, k * z) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return _placed(link, pose, corners, edge)


def capsule(link: str, pose: Pose, radius: float, half: float) -> Collider:
    """A capsule along axis 3, whose ends are spheres around two points, or a sphere if `half` is zero."""
    return _placed(link, pose, [(0, 0, -half), (0, 0, half)] if half else [(0, 0, 0)], radius)


def ellipsoid(link: str, pose: Pose, axes: Triple) -> Collider:
    """An ellipsoid of these half axes: the least radius of its curvature around 64 points inside."""
    radius = min(axes) ** 2 / max(axes)
    points = []
    for k in range(MOST_POINTS):
        z, turn = 1 - (2 * k + 1) / MOST_POINTS, math.pi * (1 + math.sqrt(5)) * k
        r = math.sqrt(1 - z * z)
        on = (r * math.cos(turn), r * math.sin(turn), z)
        across = math.hypot(*(x / a for x, a in zip(on, axes, strict=True)))
        x, y, z = (_OUTSIDE * u * (a - radius / a / across) for u, a in zip(on, axes, strict=True))
        points.append((x, y, z))
    return _placed(link, pose, points if max(axes) > radius else [(0, 0, 0)], radius)


def cylinder(link: str, pose: Pose, radius: float, half: float) -> Collider:
    """A cylinder along axis 3, as a prism with 24 sides that are at its radius on average."""
    edge = min(_EDGE, _OF_THICKNESS * 2 * min(radius, half))
    step = 2 * math.pi / _SIDES
    r = (radius - edge) * 2 / (1 + math.cos(step / 2))
    around = [(r * math.cos(k * step), r * math.sin(k * step)) for k in range(_SIDES)]
    return _placed(link, pose, [(x, y, z) for z in (edge - half, half - edge) for x, y in around], edge)


def plane(link: str, pose: Pose) -> Collider:
    """The plane through the origin of the pose, across its axis 3."""
    return Collider(link, (pose.xyz,), 0.0, times(pose.turned, (0.0, 0.0, 1.0)))


def hull_of_mesh(name: str, link: str, pose: Pose, vertices: Any, notes: list[str]) -> Collider | None:
    """The convex hull of the rows of `vertices`, or None. `notes` get what is lost of the mesh `name`."""
    try:
        found, outside = hull(link, pose, vertices)
    except ValueError as error:
        notes.append(f"collisions of the mesh {name}: {error}")
        return None
    if outside > 0:
        notes.append(f"all vertices of the mesh {name} where it collides: some are {outside:.2g} m outside")
    return found


def hull(link: str, pose: Pose, vertices: Any) -> tuple[Collider, float]:
    """The convex hull, and how far vertices are outside, in m: it has at most 64 points. ValueError if all vertices are
    in a plane."""
    import numpy as np

    points, outside = _fewer(np.unique(np.asarray(vertices, dtype=float), axis=0))
    found = _qhull(points)
    normals = found.equations[:, :3]
    edge = min(_EDGE, _OF_THICKNESS * float(np.ptp(points @ normals.T, axis=0).min()))
    inside = []
    for k in found.vertices:
        # The point that is behind all faces at the vertex, by the radius.
        faces = normals[(found.simplices == k).any(axis=1)]
        inside.append(points[k] - np.linalg.lstsq(faces, np.full(len(faces), edge), rcond=1e-3)[0])
    moved = [(float(x), float(y), float(z)) for x, y, z in inside]
    return _placed(link, pose, moved, edge), outside


def _fewer(points: Any) -> tuple[Any, float]:
    """Those that the hull needs most: the one that is farthest outside is added to the hull of the others."""
    import numpy as np

    points = points[_qhull(points).vertices]
    if len(points) <= MOST_POINTS:
        return points, 0.0
    chosen = sorted({int(f(points[:, i])) for i in range(3) for f in (np.argmin, np.argmax)})
    chosen += [int(np.linalg.svd(points - points.mean(axis=0))[0][:, 2].argmax())]
    while True:
        chosen = sorted(set(chosen))
        equations = _qhull(points[chosen]).equations
        outside = (points @ equations[:, :3].T + equations[:, 3]).max(axis=1)
        if len(chosen) >= MOST_POINTS or outside.max() <= 0:
            return points[chosen], float(max(0.0, outside.max()))
        chosen.append(int(outside.argmax()))


def _qhull(points: Any) -> Any:
    from scipy.spatial import ConvexHull, QhullError

    try:
        return ConvexHull(points)
    except (QhullError, ValueError) as error:
        raise ValueError("its vertices are in a plane") from error


def _placed(link: str, pose: Pose, points: Sequence[Triple], radius: float) -> Collider:
    return Collider(link, tuple(plus(pose.xyz, times(pose.turned, each)) for each in points), radius)
