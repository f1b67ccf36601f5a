"""Random trees of joints, bars, bodies, springs and dampers: as a text for the translator and as a Tree for the oracle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from oracles.multibody import INERTIAL, Body, Joint, LineSpring, Tree

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1))


@dataclass(frozen=True)
class RandomTree:
    """`text` declares the object `RandomTree`; `joints` are the names of its joints in the order of `tree`."""

    text: str
    tree: Tree
    joints: tuple[str, ...]


def random_tree(seed: int, joints: int | None = None, library: str = "mbssim", forces: bool = True) -> RandomTree:
    """So many joints, one to seven where none is given; which kinds, axes, offsets, bodies and force elements, the seed decides."""
    return _Builder(np.random.default_rng(seed), library, forces).build(joints)


class _Builder:
    """Grows the text and the tree side by side. `_points` are cuts where something can be attached."""

    def __init__(self, rng: np.random.Generator, library: str, forces: bool):
        self._rng, self._library, self._forces = rng, library, forces
        self._submodels: list[str] = []
        self._connections: list[str] = []
        self._joints: list[Joint] = []
        self._bodies: list[Body] = []
        self._springs: list[LineSpring] = []
        self._damping: list[float] = []
        self._points: list[tuple[str, int, np.ndarray]] = [("i:a", INERTIAL, np.zeros(3))]

    def build(self, joints: int | None) -> RandomTree:
        direction = self._rng.normal(size=3)
        self._add("Inertial", "i", ng1=direction[0], ng2=direction[1], ng3=direction[2], g=9.81)
        for _ in range(self._rng.integers(1, 8) if joints is None else joints):
            self._joint()
        for _ in range(self._rng.integers(0, 3) if self._forces else 0):
            self._spring()
        gravity = 9.81 * direction / np.linalg.norm(direction)
        names = tuple(f"j{k}" for k in range(len(self._joints)))
        parts = tuple(self._joints), tuple(self._bodies), tuple(map(float, gravity)), tuple(self._springs)
        lines = [f"@{self._library}", "", "model RandomTree", *self._submodels, *self._connections, "end", ""]
        return RandomTree("\n".join(lines), Tree(*parts, damping=tuple(self._damping)), names)

    def _add(self, class_name: str, name: str, **bindings: float) -> None:
        given = ", ".join(f"{key}={float(value)!r}" for key, value in bindings.items() if value != 0)
        self._submodels.append(f"  submodel ({class_name}) {name}" + (f"({given})" if given else ""))

    def _connect(self, connection: str) -> None:
        self._connections.append(f"  connect {connection}")

    def _joint(self) -> None:
        """A joint at a random point, its body, sometimes a bar with a second body, sometimes a damper."""
        rng, k = self._rng, len(self._joints)
        cut, parent, local = self._points[rng.integers(len(self._points))]
        coordinate = rng.random() < 0.6
        axis = np.array(AXES[rng.integers(len(AXES))] if coordinate else rng.normal(size=3), float)
        prismatic = bool(rng.random() < 0.3)
        self._joints.append(Joint(parent, _triple(axis), _triple(local), prismatic))
        self._add("Prismatic" if prismatic else "Revolute", f"j{k}", n1=axis[0], n2=axis[1], n3=axis[2])
        self._connect(f"j{k}:a at {cut}")
        self._points.append((f"j{k}:b", k, np.zeros(3)))
        self._body(f"m{k}", f"j{k}:b", k, np.zeros(3))
        if rng.random() < 0.7:
            self._bar(k)
        self._damping.append(0.0)
        if rng.random() < 0.3 and self._forces:
            self._damping[k] = float(rng.uniform(0, 2))
            self._add("JointDamper", f"d{k}", d=self._damping[k])
            self._connect(f"d{k} at j{k}:ext")

    def _bar(self, k: int) -> None:
        r = self._rng.normal(size=3) * (self._rng.random(3) < 0.6)
        self._add("Bar", f"b{k}", r1=r[0], r2=r[1], r3=r[2])
        self._connect(f"b{k}:a at j{k}:b")
        self._points.append((f"b{k}:b", k, r))
        if self._rng.random() < 0.5:
            self._body(f"e{k}", f"b{k}:b", k, r)

    def _body(self, name: str, cut: str, joint: int, origin: np.ndarray) -> None:
        """Four random point masses make an inertia that a rigid body can have."""
        masses = self._rng.uniform(0.1, 1.0, 4)
        places = self._rng.normal(scale=0.3, size=(4, 3))
        centre = masses @ places / masses.sum()
        arms = places - centre
        tensor = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, arms))
        inertia = tuple(float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)))
        names = ("I11", "I22", "I33", "I21", "I31", "I32")
        mass, place = float(masses.sum()), dict(zip(("r1", "r2", "r3"), centre))
        self._bodies.append(Body(joint, mass, _triple(origin + centre), inertia))
        self._add("Body", name, m=mass, **place, **dict(zip(names, inertia)))
        self._connect(f"{name} at {cut}")

    def _spring(self) -> None:
        first, second = self._rng.choice(len(self._points), 2, replace=False)
        (cut_a, a, point_a), (cut_b, b, point_b) = self._points[first], self._points[second]
        if a == b or np.linalg.norm(self._home(a, point_a) - self._home(b, point_b)) < 0.1:
            return  # no motion between the ends, or the line between them has no direction
        c, s0 = float(self._rng.uniform(1, 50)), float(self._rng.uniform(0, 1))
        name = f"s{len(self._springs)}"
        self._springs.append(LineSpring(a, _triple(point_a), b, _triple(point_b), c, s0))
        self._add("Spring", name, c=c, s0=s0)
        self._connect(f"{name} at ({cut_a}, {cut_b})")

    def _home(self, joint: int, local: np.ndarray) -> np.ndarray:
        """Inertial position of a point in the home position."""
        return Tree(tuple(self._joints), ()).point(np.zeros(len(self._joints)), joint, local)


def _triple(v: np.ndarray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
