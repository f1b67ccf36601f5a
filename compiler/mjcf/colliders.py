"""Reads what collides in MuJoCo's compiled model: geoms -> colliders, and the pairs of them that may touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cutset.compiler.mjcf.poses import pose_of, triple
from cutset.compiler.robots import colliders as shapes
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import Collider, Touching

_PLANE, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = 0, 2, 3, 4, 5, 6, 7  # mjtGeom
_OTHERS = {1: "height field", 8: "signed distance field"}


class Colliding:
    """The `colliders` of a model, the `pairs` that may touch, and `notes` on geoms that have no counterpart."""

    def __init__(self, model: Any, bodies: Sequence[str], off: frozenset[str]):
        self._model, self._bodies = model, bodies
        self.colliders: list[Collider] = []
        self.notes: list[str] = []
        self._geoms: list[int] = []
        without = dict.fromkeys(_OTHERS.values(), 0)
        first, second = model.pair_geom1, model.pair_geom2
        self._given = {frozenset((int(first[k]), int(second[k]))): k for k in range(model.npair)}
        paired = frozenset[int]().union(*self._given)
        for g in range(model.ngeom) if "CONTACT" not in off else ():
            if not (model.geom_contype[g] or model.geom_conaffinity[g] or g in paired):
                continue
            kind = int(model.geom_type[g])
            if kind in _OTHERS:
                without[_OTHERS[kind]] += 1
            elif (found := self._collider(g, kind)) is not None:
                self.colliders.append(found)
                self._geoms.append(g)
        self.notes += [f"collisions of {counted(count, name)}" for name, count in without.items() if count]
        self.pairs = list(self._pairs())

    def _collider(self, g: int, kind: int) -> Collider | None:
        model = self._model
        link = self._bodies[int(model.geom_bodyid[g])]
        pose, (a, b, c) = pose_of(model.geom_pos[g], model.geom_quat[g]), triple(model.geom_size[g])
        if kind == _PLANE:
            return shapes.plane(link, pose)
        if kind in (_SPHERE, _CAPSULE):
            return shapes.capsule(link, pose, a, b if kind == _CAPSULE else 0.0)
        if kind == _ELLIPSOID:
            return shapes.ellipsoid(link, pose, (a, b, c))
        if kind == _CYLINDER:
            return shapes.cylinder(link, pose, a, b)
        if kind == _BOX:
            return shapes.box(link, pose, (2 * a, 2 * b, 2 * c))
        mesh = int(model.geom_dataid[g])
        first = int(model.mesh_vertadr[mesh])
        vertices = [triple(each) for each in model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])]]
        return shapes.hull_of_mesh(model.mesh(mesh).name, link, pose, vertices, self.notes)

    def _pairs(self) -> Iterator[Touching]:
        geoms = self._geoms
        left_out = {int(each) for each in self._model.exclude_signature}
        for i, g in enumerate(geoms):
            for j, h in enumerate(geoms[:i]):
                first, second = (j, i) if self.colliders[i].normal is None else (i, j)
                given = self._given.get(frozenset((g, h)))
                if self.colliders[second].normal is None and (given is not None or self._collide(g, h, left_out)):
                    yield Touching(first, second, *self._law(g, h, given))

    def _law(self, g: int, h: int, given: int | None) -> tuple[float, float]:
        """Friction and margin: those of a given pair, of the geom with the higher priority, or the larger ones."""
        model = self._model
        if given is not None:
            return float(model.pair_friction[given][0]), float(model.pair_margin[given] - model.pair_gap[given])
        highest = max(model.geom_priority[g], model.geom_priority[h])
        friction = max(float(model.geom_friction[k][0]) for k in (g, h) if model.geom_priority[k] == highest)
        return friction, max(float(model.geom_margin[k] - model.geom_gap[k]) for k in (g, h))

    def _collide(self, g: int, h: int, left_out: set[int]) -> bool:
        """MuJoCo's rule: bits that match, and neither one rigid body nor, unless it is the world, parent and child."""
        model = self._model
        bits = model.geom_contype[g] & model.geom_conaffinity[h] | model.geom_contype[h] & model.geom_conaffinity[g]
        bodies = int(model.geom_bodyid[g]), int(model.geom_bodyid[h])
        a, b = (int(model.body_weldid[each]) for each in bodies)
        above = [int(model.body_weldid[model.body_parentid[each]]) for each in (a, b)]
        related = a and b and (above[0] == b or above[1] == a)
        return bool(bits) and a != b and not related and (min(bodies) << 16) + max(bodies) not in left_out
