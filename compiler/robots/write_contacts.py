"""Writes the contacts of a robot: colliders -> points, and an element for each pair that may touch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from cutset.compiler.robots.names import Names
from cutset.compiler.robots.numbers import number, vector
from cutset.compiler.robots.robot import Collider, Robot

# A point with the whole weight sinks by this, in m; an impact with 1/_DISSIPATION in m/s loses most of its energy.
_SINKS = 1e-4
_DISSIPATION = 50
_SLOW = 1e-4  # in m/s


class ContactWriter:
    """The `declarations` of a model, `submodels` (class, name, values), and their `connections`."""

    def __init__(self, robot: Robot, contacts: str, frames: Mapping[str, str], names: Names):
        self._colliders, self._names, self._frames = robot.colliders, names, frames
        self.pairs = [
            each for each in robot.touching if contacts == "all" or robot.colliders[each.first].normal is not None
        ]
        self.declarations: list[str] = []
        self.submodels: list[tuple[str, str, str]] = []
        self.connections: list[str] = []
        self._points: dict[int, str] = {}
        self._planes: dict[int, str] = {}
        if self.pairs:
            self._write(robot)

    def _write(self, robot: Robot) -> None:
        weight = sum(link.inertial.mass for link in robot.links.values() if link.inertial) * math.hypot(*robot.gravity)
        stiffness = float(f"{(weight or 1.0) / _SINKS**1.5:.3g}")
        self._c, self._d, self._v = (self._names.add(f"contact_{key}") for key in "cdv")
        self.declarations += [
            f'parameter {self._c} (unit="N") = {number(stiffness)} "of contacts: force at a penetration of 1 m"',
            f'parameter {self._d} (unit="s/m") = {_DISSIPATION} "of contacts: dissipation"',
            f'parameter {self._v} (unit="m/s") = {_SLOW:g} "of contacts: velocity with 71 % of the friction"',
        ]
        for order, pair in enumerate(self.pairs, 1):
            first, second, margin = pair.first, pair.second, pair.margin
            law = f"c={self._c}, d={self._d}, mu={number(pair.friction)}, v_small={self._v}"
            name = self._names.add(f"contact{order}")
            if normal := self._colliders[first].normal:
                values = ", ".join(f"n{k}={number(x)}" for k, x in enumerate(normal, 1) if abs(x) > 1e-12)
                shape = self._shape(second, "b", margin)
                self.submodels.append(("PlaneCollision", name, f"{values}, {shape}, {law}"))
                at = self._plane(first)
            else:
                shapes = f"{self._shape(first, 'a', 0.0)}, {self._shape(second, 'b', margin)}"
                self.submodels.append(("Collision", name, f"{shapes}, {law}"))
                at = self._frames[self._colliders[first].link]
            self.connections.append(f"{name} at ({at}, {self._frames[self._colliders[second].link]})")

    def _shape(self, k: int, side: str, margin: float) -> str:
        collider = self._colliders[k]
        if k not in self._points:
            self._points[k] = self._names.add(f"points{len(self._points) + 1}")
            self.declarations += _lines(self._points[k], collider)
        count = len(collider.points)
        return (
            f"corners_{side}={count}, points_{side}={self._points[k]}, radius_{side}={number(collider.radius + margin)}"
        )

    def _plane(self, k: int) -> str:
        """A frame whose origin is in the plane."""
        plane = self._colliders[k]
        frame = self._frames[plane.link]
        if k not in self._planes and any(plane.points[0]):
            name = self._names.add(f"plane{len(self._planes) + 1}")
            self.submodels.append(("Bar", name, f"r={vector(plane.points[0])}"))
            self._planes[k] = f"{name}:b"
            self.connections.append(f"{name}:a at {frame}")
        return self._planes.get(k, frame)


def _lines(name: str, collider: Collider) -> Iterator[str]:
    """The points, some in a line."""
    rows = [", ".join(f"{x:.9g}" if abs(x) > 1e-12 else "0" for x in point) for point in collider.points]
    end = "]'" if len(rows) == 1 else "]"  # a single row is a vector
    for k in range(0, len(rows), 3):
        start = "  " if k else f'parameter {name}({len(rows)}, 3) (unit="m") = ['
        yield start + "; ".join(rows[k : k + 3]) + (end if k + 3 >= len(rows) else ";")
