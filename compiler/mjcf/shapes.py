"""Reads the shapes of bodies that MuJoCo's viewer draws, as far as animations can draw them: geoms -> shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutset.compiler.mjcf.poses import Quaternion, four, pose_of, triple, turned_back
from cutset.compiler.robots.robot import Pose, Shape
from cutset.compiler.robots.rotations import Triple, of_axis_and_angle, of_quaternion, plus, times

_SPHERE, _CAPSULE, _CYLINDER, _BOX, _MESH = 2, 3, 5, 6, 7  # mjtGeom
_SHOWN_GROUPS = 3  # the groups 0 to 2, as in MuJoCo's viewer


# The positions and quaternions `refpos`, `refquat` of meshes by their numbers, as far as they are given.
References = Mapping[int, tuple[Triple, Quaternion]]


def shapes_of(model: Any, body: int, references: References) -> tuple[Shape, ...]:
    """The shapes of a body, in its frame."""
    first = int(model.body_geomadr[body])
    geoms = range(first, first + int(model.body_geomnum[body]))
    return tuple(shape for g in geoms for shape in _shapes(model, g, references))


def _shapes(model: Any, g: int, references: References) -> list[Shape]:
    color = _color(model, g)
    if int(model.geom_group[g]) >= _SHOWN_GROUPS or color[3] == 0:
        return []
    pose = pose_of(model.geom_pos[g], model.geom_quat[g])
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
    return [_mesh(model, g, rgb, references)] if kind == _MESH else []


def _mesh(model: Any, g: int, rgb: tuple[float, ...], references: References) -> Shape:
    """The file of a mesh with its pose. MuJoCo moves its vertices v to scale*R'*(v - p), with p and R of `refpos` and
    `refquat`, and then into the frame of the geom, whose axes are principal ones: the model tells by which pose."""
    mesh = int(model.geom_dataid[g])
    origin, reference = references.get(mesh, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    scale = triple(model.mesh_scale[mesh])
    turn = turned_back(four(model.geom_quat[g]), four(model.mesh_quat[mesh]))
    moved = of_axis_and_angle(*of_quaternion(turn))
    xyz = plus(triple(model.geom_pos[g]), times(moved, triple(model.mesh_pos[mesh])), -1.0)
    turn = turned_back(turn, reference)
    axis, angle = of_quaternion(turn)
    turned = of_axis_and_angle(axis, angle)
    start = int(model.mesh_pathadr[mesh])
    file = bytes(model.paths[start:]).split(b"\0")[0].decode("utf-8", "replace") if start >= 0 else ""
    if len(set(scale)) > 1 and any(reference[1:]):
        file = ""  # a turned mesh would be sheared
    stretched = (scale[0] * origin[0], scale[1] * origin[1], scale[2] * origin[2])
    pose = Pose(plus(xyz, times(turned, stretched), -1.0), axis, angle, turned)
    return Shape("mesh", pose, (), file, rgb, scale, own_colors=False)


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
