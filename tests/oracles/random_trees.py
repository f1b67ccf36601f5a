"""Random trees of joints, bars, bodies, springs, dampers and rotors: as a text for the translator and as a Tree for the
oracle."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from oracles.multibody import INERTIAL, Ball, Body, Joint, LineSpring, Tree, Weld

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1))
SIMPLE = ("Revolute", "Prismatic")
# Joints of several degrees of freedom count as several here: a tree of them has as many states as one of 30 bodies.
ALL = (
    "Revolute", "Prismatic", "Screw", "Cylindrical", "Universal", "Planar", "SphericalCardan", "Spherical", "Free",
    "FreeCardan", "Fixed",
)  # fmt: skip


@dataclass(frozen=True)
class RandomTree:
    """`text` declares the object `RandomTree`; `joints` are the names of its joints of one degree of freedom in the
    order of `tree`; `positions` and `velocities` the names of its states in the order of the oracle's q and qd."""

    text: str
    tree: Tree
    joints: tuple[str, ...]
    positions: tuple[str, ...]
    velocities: tuple[str, ...]
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where the joint `name` is attached: at a point of the frame of the joint `parent` of the tree, of which it is
    `joint` (the first one if it stands for several)."""

    name: str
    joint: int
    parent: int
    point: tuple[float, float, float]


def random_tree(
    seed: int,
    joints: int | None = None,
    library: str = "mbssim",
    forces: bool = True,
    kinds: tuple[str, ...] = SIMPLE,
    rotors: bool = False,
    depth: float = 0.0,
    axis: tuple[float, float, float] | None = None,
    loads: bool = False,
) -> RandomTree:
    """So many joints, one to seven where none is given, of `kinds`; which of them, the axes, offsets, bodies and, with
    `forces`, springs and dampers, the seed decides. With `rotors` some coordinates have an inertia of their own.
    `depth` is the chance of a joint to be attached to the one before: 1 makes a chain. `axis` is that of all joints.
    With `loads` a sensor `lj0` measures the cut force of joint `j0`, and so on."""
    return _Builder(np.random.default_rng(seed), kinds, forces, rotors, depth, axis, loads).build(library, joints)


def one_joint(kind: str, seed: int, library: str = "mbssim", loads: bool = False) -> RandomTree:
    """A joint of that kind between two revolute joints and bodies, so that both of its sides move."""
    builder = _Builder(np.random.default_rng(seed), (kind,), True, False, loads=loads)
    return builder.sandwich(library, kind)


class _Builder:
    """Grows the text and the tree side by side. `_points` are cuts where something can be attached."""

    def __init__(
        self,
        rng: np.random.Generator,
        kinds: tuple[str, ...],
        forces: bool,
        rotors: bool,
        depth: float = 0.0,
        axis: tuple[float, float, float] | None = None,
        loads: bool = False,
    ):
        self._rng, self._kinds, self._forces, self._rotors = rng, kinds, forces, rotors
        self._depth, self._one_axis, self._loads = depth, axis, loads
        self._places: list[Place] = []
        self._submodels: list[str] = []
        self._connections: list[str] = []
        self._joints: list[Joint | Ball | Weld] = []
        self._names: list[str] = []
        self._bodies: list[Body] = []
        self._springs: list[LineSpring] = []
        self._damping: list[float] = []
        self._points: list[tuple[str, int, np.ndarray]] = [("i:a", INERTIAL, np.zeros(3))]
        self._count = 0

    def build(self, library: str, joints: int | None) -> RandomTree:
        direction = self._inertial()
        for _ in range(self._rng.integers(1, 8) if joints is None else joints):
            self._joint(self._kinds[self._rng.integers(len(self._kinds))])
        if all(joint.freedom == 0 for joint in self._joints):
            self._joint("Revolute")
        for _ in range(self._rng.integers(0, 3) if self._forces else 0):
            self._spring()
        return self._finished(library, direction)

    def sandwich(self, library: str, kind: str) -> RandomTree:
        direction = self._inertial()
        for each in ("Revolute", kind, "Revolute"):
            self._points = self._points[-1:]
            self._joint(each)
        return self._finished(library, direction)

    def _inertial(self) -> np.ndarray:
        direction = self._rng.normal(size=3)
        self._add("Inertial", "i", ng1=direction[0], ng2=direction[1], ng3=direction[2], g=9.81)
        return direction

    def _finished(self, library: str, direction: np.ndarray) -> RandomTree:
        gravity = 9.81 * direction / np.linalg.norm(direction)
        parts = tuple(self._joints), tuple(self._bodies), tuple(map(float, gravity)), tuple(self._springs)
        lines = [f"@{library}", "", "model RandomTree", *self._submodels, *self._connections, "end", ""]
        positions, velocities = [], []
        for name, joint in zip(self._names, self._joints, strict=True):
            if isinstance(joint, Joint):
                positions.append(f"{name}.q")
                velocities.append(f"{name}.qd")
            elif isinstance(joint, Ball):
                positions += [f"{name}.p({k})" for k in range(1, 5)] + [
                    f"{name}.x({k})" for k in range(1, 4) if joint.moves
                ]
                velocities += [f"{name}.w({k})" for k in range(1, 4)] + [
                    f"{name}.v({k})" for k in range(1, 4) if joint.moves
                ]
        tree = Tree(*parts, damping=tuple(self._damping))
        simple = tuple(name for name, joint in zip(self._names, self._joints, strict=True) if isinstance(joint, Joint))
        return RandomTree("\n".join(lines), tree, simple, tuple(positions), tuple(velocities), tuple(self._places))

    def _add(self, class_name: str, name: str, **bindings: float) -> None:
        given = ", ".join(f"{key}={float(value)!r}" for key, value in bindings.items() if value != 0)
        self._submodels.append(f"  submodel ({class_name}) {name}" + (f"({given})" if given else ""))

    def _connect(self, connection: str) -> None:
        self._connections.append(f"  connect {connection}")

    # --- joints ---

    def _axis(self) -> np.ndarray:
        if self._one_axis:
            return np.array(self._one_axis, float)
        coordinate = self._rng.random() < 0.6
        return np.array(AXES[self._rng.integers(len(AXES))] if coordinate else self._rng.normal(size=3), float)

    def _chain(self, name: str, *joints: Joint | Ball | Weld) -> None:
        """Joints one behind the other; those that stand for one element have no parent of their own but the first."""
        names = name.split()
        for own, joint in zip(names, joints, strict=True):
            parent = joint.parent if joint is joints[0] else len(self._joints) - 1
            self._joints.append(replace(joint, parent=parent))
            self._names.append(own)
            self._damping += [0.0] * joint.freedom

    def _place(self) -> tuple[str, int, np.ndarray]:
        """Where the next joint is attached."""
        if self._depth and self._rng.random() < self._depth:
            return self._points[-1]
        return self._points[self._rng.integers(len(self._points))]

    def _joint(self, kind: str) -> None:
        """A joint at a random point, its body, sometimes a bar with a second body, sometimes a damper or rotor."""
        rng, name = self._rng, f"j{self._count}"
        self._count += 1
        cut, parent, local = self._place()
        first = len(self._joints)
        self._element(kind, name, parent, _triple(local))
        self._places.append(Place(name, first, parent, _triple(local)))
        if self._loads:
            self._add("CutForce", f"l{name}")
            self._connect(f"l{name} at ({cut}, {name}:a)")
        else:
            self._connect(f"{name}:a at {cut}")
        k = len(self._joints) - 1
        self._points.append((f"{name}:b", k, np.zeros(3)))
        self._body(f"m{name}", f"{name}:b", k, np.zeros(3))
        if rng.random() < 0.7:
            self._bar(name, k)
        ext = {"Revolute": "ext", "Prismatic": "ext", "Screw": "ext", "Cylindrical": "ext1", "Universal": "ext1"}.get(
            kind
        )
        if ext and self._forces and rng.random() < 0.3:
            dof = sum(joint.freedom for joint in self._joints[:first])
            self._damping[dof] = float(rng.uniform(0, 2))
            self._add("JointDamper", f"d{name}", d=self._damping[dof])
            self._connect(f"d{name} at {name}:{ext}")
        if ext and self._rotors and rng.random() < 0.5:
            inertia = float(rng.uniform(0.1, 2))
            self._joints[first] = replace(self._joints[first], inertia=inertia)
            self._add("Rotor", f"g{name}", J=inertia)
            self._connect(f"g{name} at {name}:{ext}")

    def _element(self, kind: str, name: str, parent: int, local: tuple[float, float, float]) -> None:
        rng, axis = self._rng, self._axis()
        n = dict(zip(("n1", "n2", "n3"), axis, strict=False))
        turn, slide = Joint(parent, _triple(axis), local), Joint(parent, _triple(axis), local, prismatic=True)
        if kind in ("Revolute", "Prismatic"):
            self._add(kind, name, **n)
            self._chain(name, turn if kind == "Revolute" else slide)
        elif kind == "Screw":
            pitch = float(rng.normal())
            self._add(kind, name, **n, pitch=pitch)
            self._chain(name, replace(turn, lead=pitch / (2 * np.pi)))
        elif kind == "Cylindrical":
            self._add(kind, name, **n)
            self._chain(f"{name}.slide {name}.turn", slide, Joint(0, _triple(axis)))
        elif kind == "Universal":
            other = self._axis()
            while np.linalg.norm(np.cross(axis, other)) < 0.1:
                other = self._axis()
            self._add(kind, name, na1=axis[0], na2=axis[1], na3=axis[2], nb1=other[0], nb2=other[1], nb3=other[2])
            self._chain(f"{name}.first {name}.second", turn, Joint(0, _triple(other)))
        elif kind == "Planar":
            x = np.cross(axis, rng.normal(size=3))
            self._add(kind, name, **n, nx1=x[0], nx2=x[1], nx3=x[2])
            y = Joint(0, _triple(np.cross(axis, x)), prismatic=True)
            first = Joint(parent, _triple(x), local, prismatic=True)
            self._chain(f"{name}.x {name}.y {name}.turn", first, y, Joint(0, _triple(axis)))
        elif kind in ("Spherical", "Free"):
            self._add(kind, name)
            self._chain(name, Ball(parent, local, moves=kind == "Free"))
        elif kind == "Fixed":
            angle, r = float(rng.normal()), rng.normal(size=3)
            self._add(kind, name, n1=axis[0], n2=axis[1], n3=axis[2] or 1e-300, angle=angle, r1=r[0], r2=r[1], r3=r[2])
            self._chain(name, Weld(parent, _triple(axis), angle, _triple(np.array(local) + r)))
        else:
            self._cardan(kind, name, parent, local)

    def _cardan(self, kind: str, name: str, parent: int, local: tuple[float, float, float]) -> None:
        self._add(kind, name)
        unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        moves = kind == "FreeCardan"
        slides = (
            [Joint(parent, e, local if k == 0 else (0.0, 0.0, 0.0), prismatic=True) for k, e in enumerate(unit)]
            if moves
            else []
        )
        turns = [Joint(parent, e, local if k == 0 and not moves else (0.0, 0.0, 0.0)) for k, e in enumerate(unit)]
        inner = f"{name}.turn" if moves else name
        names = [f"{name}.{x}" for x in "xyz" if moves] + [f"{inner}.{x}" for x in "xyz"]
        self._chain(" ".join(names), *slides, *turns)

    # --- what hangs on them ---

    def _bar(self, name: str, k: int) -> None:
        r = self._rng.normal(size=3) * (self._rng.random(3) < 0.6)
        self._add("Bar", f"b{name}", r1=r[0], r2=r[1], r3=r[2])
        self._connect(f"b{name}:a at {name}:b")
        self._points.append((f"b{name}:b", k, r))
        if self._rng.random() < 0.5:
            self._body(f"e{name}", f"b{name}:b", k, r)

    def _body(self, name: str, cut: str, joint: int, origin: np.ndarray) -> None:
        """Four random point masses make an inertia that a rigid body can have."""
        masses = self._rng.uniform(0.1, 1.0, 4)
        places = self._rng.normal(scale=0.3, size=(4, 3))
        center = masses @ places / masses.sum()
        arms = places - center
        tensor = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, arms, strict=False))
        inertia = tuple(float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)))
        names = ("I11", "I22", "I33", "I21", "I31", "I32")
        mass, place = float(masses.sum()), dict(zip(("r1", "r2", "r3"), center, strict=False))
        self._bodies.append(Body(joint, mass, _triple(origin + center), inertia))
        self._add("Body", name, m=mass, **place, **dict(zip(names, inertia, strict=False)))
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
        tree = Tree(tuple(self._joints), ())
        home = np.zeros(tree.coordinates[-1].stop)
        for place, each in zip(tree.coordinates, self._joints, strict=True):
            if isinstance(each, Ball):
                home[place.start + 3] = 1.0
        return tree.point(home, joint, local)


def _triple(v: np.ndarray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
