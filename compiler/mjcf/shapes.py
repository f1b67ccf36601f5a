"""Reads the shapes of bodies that MuJoCo's viewer draws, as far as animations can draw them."""

from __future__ import annotations

from typing import Any, cast

from cutset.compiler.robots.robot import Pose, Shape
from cutset.compiler.robots.rotations import Triple, of_axis_and_angle, of_quaternion, plus

_SPHERE, _CAPSULE, _CYLINDER, _BOX = 2, 3, 5, 6  # mjtGeom
_SHOWN_GROUPS = 3  # the groups 0 to 2, as in MuJoCo's viewer


def shapes_of(model: Any, body: int) -> tuple[Shape, ...]:
    """The shapes of a body, in its frame."""
    first = int(model.body_geomadr[body])
    return tuple(shape for g in range(first, first + int(model.body_geomnum[body])) for shape in _shapes(model, g))


def _shapes(model: Any, g: int) -> list[Shape]:
    color = _color(model, g)
    if int(model.geom_group[g]) >= _SHOWN_GROUPS or color[3] == 0:
        return []
    axis, angle = of_quaternion(cast("tuple[float, float, float, float]", tuple(map(float, model.geom_quat[g]))))
    x, y, z = (float(value) for value in model.geom_pos[g])
    pose = Pose((x, y, z), axis, angle, of_axis_and_angle(axis, angle))
    a, b, c = (float(value) for value in model.geom_size[g])
    rgb, kind = color[:3], int(model.geom_type[g])
    if kind == _SPHERE:
        return [Shape("sphere", pose, (a,), "", rgb)]
    if kind == _BOX:
        return [Shape("box", pose, (2 * a, 2 * b, 2 * c), "", rgb)]
    if kind in (_CYLINDER, _CAPSULE):
        found = [Shape("cylinder", pose, (a, 2 * b), "", rgb)]
        ends = (b, -b) if kind == _CAPSULE else ()
        return found + [Shape("sphere", _moved(pose, end), (a,), "", rgb) for end in ends]
    return []


def _moved(pose: Pose, along: float) -> Pose:
    direction: Triple = (pose.turned[0][2], pose.turned[1][2], pose.turned[2][2])
    return Pose(plus(pose.xyz, direction, along), pose.axis, pose.angle, pose.turned)


def _color(model: Any, g: int) -> tuple[float, ...]:
    """Red, green, blue, alpha: of the material, unless the geom has its own."""
    own = tuple(float(x) for x in model.geom_rgba[g])
    material = int(model.geom_matid[g])
    if material >= 0 and all(abs(x - y) < 1e-6 for x, y in zip(own, (0.5, 0.5, 0.5, 1.0), strict=True)):
        return tuple(float(x) for x in model.mat_rgba[material])
    return own
