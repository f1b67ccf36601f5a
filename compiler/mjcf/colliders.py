"""Reads what collides in MuJoCo's compiled model: geoms -> colliders, and the pairs of them that may touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cutset.compiler.mjcf.poses import pose_of, triple
from cutset.compiler.robots import colliders as shapes
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import Collider

_PLANE, _SPHERE, _CAPSULE, _CYLINDER, _BOX, _MESH = 0, 2, 3, 5, 6, 7  # mjtGeom
_OTHERS = {1: "height field", 4: "ellipsoid", 8: "signed distance field"}


class Colliding:
    """The `colliders` of a model, `pairs` of their numbers, and `notes` on geoms that have no counterpart."""

    def __init__(self, model: Any, bodies: Sequence[str], off: frozenset[str]):
        self._model, self._bodies = model, bodies
        self.colliders: list[Collider] = []
        self.notes: list[str] = []
        self._geoms: list[int] = []
        without = dict.fromkeys(_OTHERS.values(), 0)
        for g in range(model.ngeom) if "CONTACT" not in off else ():
            if not (model.geom_contype[g] or model.geom_conaffinity[g]):
                continue
            kind = int(model.geom_type[g])
            if kind in _OTHERS:
                without[_OTHERS[kind]] += 1
            elif (found := self._collider(g, kind)) is not None:
                margin = float(model.geom_margin[g]) - float(model.geom_gap[g])
                self.colliders.append(replace(found, margin=margin))
                self._geoms.append(g)
        self.notes += [f"collisions of {counted(count, name)}" for name, count in without.items() if count]
        self.pairs = list(self._pairs())

    def _collider(self, g: int, kind: int) -> Collider | None:
        model = self._model
        link, friction = self._bodies[int(model.geom_bodyid[g])], float(model.geom_friction[g][0])
        pose, (a, b, c) = pose_of(model.geom_pos[g], model.geom_quat[g]), triple(model.geom_size[g])
        if kind == _PLANE:
            return shapes.plane(link, pose, friction)
        if kind in (_SPHERE, _CAPSULE):
            return shapes.capsule(link, pose, a, b if kind == _CAPSULE else 0.0, friction)
        if kind == _CYLINDER:
            return shapes.cylinder(link, pose, a, b, friction)
        if kind == _BOX:
            return shapes.box(link, pose, (2 * a, 2 * b, 2 * c), friction)
        mesh = int(model.geom_dataid[g])
        first = int(model.mesh_vertadr[mesh])
        vertices = [triple(each) for each in model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])]]
        name = model.mesh(mesh).name
        try:
            found, outside = shapes.hull(link, pose, vertices, friction)
        except ValueError as error:
            self.notes.append(f"collisions of the mesh {name}: {error}")
            return None
        if outside > 0:
            self.notes.append(f"all vertices of the mesh {name} where it collides: some are {outside:.2g} m outside")
        return found

    def _pairs(self) -> Iterator[tuple[int, int]]:
        model, geoms = self._model, self._geoms
        left_out = {int(each) for each in model.exclude_signature}
        for i, g in enumerate(geoms):
            for j, h in enumerate(geoms[:i]):
                first, second = (j, i) if self.colliders[i].normal is None else (i, j)
                if self.colliders[second].normal is None and self._collide(g, h, left_out):
                    yield first, second

    def _collide(self, g: int, h: int, left_out: set[int]) -> bool:
        """MuJoCo's rule: bits that match, and neither one rigid body nor, unless it is the world, parent and child."""
        model = self._model
        bits = model.geom_contype[g] & model.geom_conaffinity[h] | model.geom_contype[h] & model.geom_conaffinity[g]
        bodies = int(model.geom_bodyid[g]), int(model.geom_bodyid[h])
        a, b = (int(model.body_weldid[each]) for each in bodies)
        above = [int(model.body_weldid[model.body_parentid[each]]) for each in (a, b)]
        related = a and b and (above[0] == b or above[1] == a)
        return bool(bits) and a != b and not related and (min(bodies) << 16) + max(bodies) not in left_out
