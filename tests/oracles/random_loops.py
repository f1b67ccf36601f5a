"""Random mechanisms with one or more loops, planar and in space, closed at a random state: a text for the translator,
and what the oracle of trees makes of them with the conditions of the loops."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from oracles.multibody import INERTIAL, Ball, Tree
from oracles.random_trees import RandomTree, random_tree
from scipy.spatial.transform import Rotation

SIMPLE = ("Revolute", "Revolute", "Prismatic", "Screw", "Cylindrical", "Universal")
ALL = (
    "Revolute", "Prismatic", "Screw", "Cylindrical", "Universal", "Planar", "SphericalCardan", "Spherical", "Free",
    "FreeCardan",
)  # fmt: skip
# What closes a loop in space, and the conditions that it imposes; in a plane all but PlanarCutRevolute are redundant.
CLOSING = {
    "RodSphericalSpherical": 1, "CutSpherical": 3, "CutPlanar": 3, "CutUniversal": 4, "CutCylindrical": 4,
    "CutRevolute": 5, "CutPrismatic": 5,
}  # fmt: skip
IN_A_PLANE = ("PlanarCutRevolute", "PlanarCutRevolute", "CutRevolute", "CutSpherical", "CutCylindrical", "CutUniversal")
_CONDITIONS_IN_A_PLANE = 2
# Joints of trees with the same conditions, of which the compiler chooses one for each loop.
JOINTS = {
    "CutSpherical": "Spherical", "CutPlanar": "Planar", "CutUniversal": "Universal", "CutCylindrical": "Cylindrical",
    "CutRevolute": "Revolute", "CutPrismatic": "Prismatic",
}  # fmt: skip


@dataclass(frozen=True)
class Closing:
    """An element that closes a loop between the frames of two joints of the tree. Its origin on either side, in these
    frames; its axes, in the frame of its cut a, which is turned by `turn` against that of joint `first`."""

    kind: str
    first: int
    first_point: np.ndarray
    second: int
    second_point: np.ndarray
    axis: np.ndarray
    other: np.ndarray
    turn: np.ndarray


@dataclass(frozen=True)
class RandomLoop:
    """`text` declares the object `RandomTree` for mbssim; `q` and `qd` are coordinates and velocities of the tree at
    the start, where the loops are closed."""

    text: str
    tree: RandomTree
    closings: tuple[Closing, ...]
    q: np.ndarray
    qd: np.ndarray

    def accelerations(self) -> np.ndarray:
        """Those at the start, with the multipliers of least norm."""
        matrix, right = self._equations()
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-11)[0][: len(self.qd)])

    @property
    def condition(self) -> float:
        """The ratio of the largest singular value of these equations and the smallest one that is not zero."""
        sizes = np.linalg.svd(self._equations()[0], compute_uv=False)
        return float(sizes[0] / sizes[sizes > 1e-11 * sizes[0]][-1])

    def _equations(self) -> tuple[np.ndarray, np.ndarray]:
        mass, force = self.tree.tree.equations(self.q, self.qd)
        jacobian, bias = conditions(self.tree.tree, self.closings, self.q, self.qd)
        zero = np.zeros((len(jacobian), len(jacobian)))
        return np.block([[mass, jacobian.T], [jacobian, zero]]), np.concatenate([force, -bias])

    def by_joints(self) -> RandomLoop:
        """The same, closed by joints as those of the tree; in a plane by those of CutRevolute."""
        text, closings = self.text, []
        for k, c in enumerate(self.closings):
            kind = c.kind.replace("PlanarCut", "Cut")
            across = f", {_numbers('nx', _across(c.axis)[0])}" if kind == "CutPlanar" else ""
            old, new = f"({c.kind}) closing{k}", f"({JOINTS.get(kind, kind)}) closing{k}"
            text = re.sub(
                rf"{re.escape(old)}(\((.*)\))?\n",
                lambda m, n=new, a=across: f"{n}({m[2]}{a})\n" if m[2] else f"{n}\n",
                text,
            )
            closings.append(replace(c, kind=kind))
        return replace(self, text=text, closings=tuple(closings))

    @property
    def freedom(self) -> int:
        """The degrees of freedom that the loops leave."""
        jacobian, _ = conditions(self.tree.tree, self.closings, self.q, self.qd)
        return len(self.qd) - int(np.linalg.matrix_rank(jacobian, tol=1e-9))

    @property
    def is_redundant(self) -> bool:
        """True if some of the conditions follow from others."""
        jacobian, _ = conditions(self.tree.tree, self.closings, self.q, self.qd)
        return int(np.linalg.matrix_rank(jacobian, tol=1e-9)) < len(jacobian)


def random_loop(seed: int, most: int = 20) -> RandomLoop:
    """Of up to `most` joints: in a plane, of simple joints or of all joints in turns, with one to three loops; some
    start in their home position."""
    rng = np.random.default_rng([19, seed])
    fewest = 3 + seed % 3
    count, planar = int(rng.integers(fewest, max(fewest, most) + 1)), seed % 4 == 0
    axis = (0.0, 0.0, 1.0) if planar else None
    kinds = ("Revolute",) if planar else ALL if seed % 4 == 2 else SIMPLE
    if seed % 4 == 2:
        count = 2 + count // 3
    rotors = bool(rng.integers(2))
    tree = random_tree(5000 + seed, count, kinds=kinds, depth=0.8, axis=axis, rotors=rotors, loads=True)
    starts, q = _starts(tree, rng, 0.0 if seed % 5 == 3 else 0.8)
    wanted = int(rng.choice((1, 1, 1, 2, 3)))
    closings: list[Closing] = []
    for attempt in range(40):  # a rod fits nearly everywhere
        if len(closings) < wanted:
            closing = _closing(tree, q, rng, planar)
            if attempt < 10 and closing.kind == "RodSphericalSpherical":
                continue
            if _fits(tree.tree, [*closings, closing], planar):
                closings.append(closing)
    jacobian, _ = conditions(tree.tree, closings, q, np.zeros(len(tree.velocities)))
    _, sizes, rows = np.linalg.svd(jacobian)
    free = rows[int((sizes > 1e-9).sum()) :]
    qd = free.T @ rng.normal(size=len(free))
    text = _with_starts(tree, starts, qd)
    lines = list(itertools.chain.from_iterable(_lines(tree, c, k, q) for k, c in enumerate(closings)))
    text = text.replace("\nend\n", "\n" + "\n".join(lines) + "\nend\n")
    return RandomLoop(text, tree, tuple(closings), q, qd)


def conditions(tree: Tree, closings: Sequence[Closing], q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The matrix of the conditions on the velocities, and their derivative without that of the velocities."""
    motion = tree.motion(q, qd)
    rows, biases = [np.zeros((0, len(qd)))], [np.zeros(0)]
    for c in closings:
        a, b = tree.point_motion(motion, c.first, c.first_point), tree.point_motion(motion, c.second, c.second_point)
        frame = (np.eye(3) if c.first == INERTIAL else motion.turn[c.first]) @ c.turn
        r, spin = b.place - a.place, b.spin - a.spin
        v = b.velocity - a.velocity
        slip = v - np.cross(a.spin, r)
        for along in _directions(c):
            d = frame @ along
            rows.append((d @ (b.linear - a.linear) + np.cross(r, d) @ -a.angular)[None])
            # d turns with a: d*(v - w x r) = 0
            change = b.slip - a.slip - np.cross(a.twist, r) - np.cross(a.spin, v)
            biases.append(np.array([d @ change + np.cross(a.spin, d) @ slip]))
        if c.kind == "RodSphericalSpherical":
            rows.append((r @ (b.linear - a.linear))[None])
            biases.append(np.array([r @ (b.slip - a.slip) + v @ v]))
        for normal, rate in _normals(c, frame, motion.turn[c.second], a.spin, b.spin):
            rows.append((normal @ (b.angular - a.angular))[None])
            biases.append(np.array([normal @ (b.twist - a.twist) + rate @ spin]))
    return np.concatenate(rows), np.concatenate(biases)


def _directions(c: Closing) -> list[np.ndarray]:
    """Along which the origins stay together, in the frame of cut a."""
    u, v = _across(c.axis)
    if c.kind in ("CutSpherical", "CutRevolute", "CutUniversal"):
        return list(np.eye(3))
    return {
        "CutCylindrical": [u, v], "CutPrismatic": [u, v], "PlanarCutRevolute": [u, v], "CutPlanar": [c.axis],
        "RodSphericalSpherical": [],
    }[c.kind]  # fmt: skip


def _normals(
    c: Closing, frame: np.ndarray, other: np.ndarray, spin_a: np.ndarray, spin_b: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """About which there is no relative rotation, and their derivatives; `other` is the frame of cut b."""
    if c.kind == "CutUniversal":
        one, two = frame @ c.axis, other @ c.other
        yield np.cross(one, two), np.cross(np.cross(spin_a, one), two) + np.cross(one, np.cross(spin_b, two))
    if c.kind in ("CutRevolute", "CutCylindrical", "CutPlanar", "CutPrismatic"):
        for across in (*_across(c.axis), *([c.axis] if c.kind == "CutPrismatic" else [])):
            yield frame @ across, np.cross(spin_a, frame @ across)


def _across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    u = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return u, np.cross(axis, u)


# --- what closes a loop ---------------------------------------------------------------------------


def _closing(tree: RandomTree, q: np.ndarray, rng: np.random.Generator, planar: bool) -> Closing:
    """Between the frame of a joint and that of another one or the inertial one."""
    ends = _ends(tree)
    second = int(rng.choice(ends[1:]))
    first = int(rng.choice([end for end in ends if end != second]))
    motion = tree.tree.motion(q, np.zeros(len(tree.velocities)))
    kind = str(rng.choice(IN_A_PLANE if planar else list(CLOSING)))
    away = rng.normal(size=3) if kind == "RodSphericalSpherical" else np.zeros(3)
    tip = rng.normal(size=3)
    turns = {INERTIAL: np.eye(3), **dict(enumerate(motion.turn))}
    a, b = (tree.tree.point_motion(motion, k, p).place for k, p in ((first, np.zeros(3)), (second, tip)))
    axis = np.array([0.0, 0.0, 1.0]) if planar else rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    turn = turns[first].T @ turns[second]
    return Closing(kind, first, turns[first].T @ (b + away - a), second, tip, axis, _across(axis)[0], turn)


def _ends(tree: RandomTree) -> list[int]:
    """The last joint of each element, after the inertial frame."""
    return [INERTIAL, *(p.joint - 1 for p in tree.places[1:]), len(tree.tree.joints) - 1]


def _fits(tree: Tree, closings: Sequence[Closing], planar: bool) -> bool:
    """True if each set of loops has more freedoms than conditions."""

    def above(k: int) -> set[int]:
        found = set()
        while k != INERTIAL:
            found.add(k)
            k = tree.joints[k].parent
        return found

    on_the_way = [above(c.first) ^ above(c.second) for c in closings]
    for size in range(1, len(closings) + 1):
        for some in itertools.combinations(range(len(closings)), size):
            freedom = sum(tree.joints[k].freedom for k in set().union(*(on_the_way[i] for i in some)))
            asked = sum(_CONDITIONS_IN_A_PLANE if planar else CLOSING[closings[i].kind] for i in some)
            if asked >= freedom:
                return False
    return True


def _lines(tree: RandomTree, c: Closing, number: int, q: np.ndarray) -> Iterator[str]:
    ends = dict(zip(_ends(tree), ["i:a", *(f"{p.name}:b" for p in tree.places)], strict=True))
    turned = Rotation.from_matrix(c.turn).as_rotvec()
    angle = float(np.linalg.norm(turned))
    axis = f"{_numbers('n', turned / angle)}, angle={angle!r}, " if angle > 1e-12 else ""
    given = {
        "RodSphericalSpherical": f"length={_length(tree.tree, c, q)!r}",
        "CutUniversal": f"{_numbers('na', c.axis)}, {_numbers('nb', c.other)}",
        "CutSpherical": "",
    }.get(c.kind, _numbers("n", c.axis))
    yield f"  submodel (Fixed) ground{number}({axis}{_numbers('r', c.first_point)})"
    yield f"  submodel (Bar) tip{number}({_numbers('r', c.second_point)})"
    yield f"  submodel (CutForce) load{number}"
    yield f"  submodel ({c.kind}) closing{number}" + (f"({given})" if given else "")
    yield f"  connect {ends[c.first]} to ground{number} to load{number}, {ends[c.second]} to tip{number}"
    yield f"  connect closing{number} at (load{number}:b, tip{number}:b)"


def _length(tree: Tree, c: Closing, q: np.ndarray) -> float:
    motion = tree.motion(q, np.zeros(tree.velocities[-1].stop))
    a, b = tree.point_motion(motion, c.first, c.first_point), tree.point_motion(motion, c.second, c.second_point)
    return float(np.linalg.norm(b.place - a.place))


def _numbers(name: str, vector: np.ndarray) -> str:
    return ", ".join(f"{name}{k}={float(x)!r}" for k, x in enumerate(vector, 1))


# --- the start ------------------------------------------------------------------------------------


def _starts(tree: RandomTree, rng: np.random.Generator, most: float) -> tuple[list[np.ndarray], np.ndarray]:
    """For each joint of the tree the values of its parameters of the position at the start, up to `most`, and the
    coordinates."""
    starts, q = [], np.zeros(len(tree.positions))
    for joint, place in zip(tree.tree.joints, tree.tree.coordinates, strict=True):
        given = most * rng.uniform(-1, 1, joint.freedom)
        starts.append(given)
        if isinstance(joint, Ball):
            q[place] = [*Rotation.from_euler("XYZ", given[:3]).as_quat(), *given[3:]]
        else:
            q[place] = given
    return starts, q


def _with_starts(tree: RandomTree, starts: Sequence[np.ndarray], qd: np.ndarray) -> str:
    text, last = tree.text, [*(p.joint for p in tree.places[1:]), len(tree.tree.joints)]
    for place, end in zip(tree.places, last, strict=True):
        numbers = range(place.joint, end)
        values = np.concatenate([starts[k] for k in numbers])
        rates = np.concatenate([qd[tree.tree.velocities[k]] for k in numbers])
        if isinstance(tree.tree.joints[place.joint], Ball):
            names = [f"angle{k}" for k in (1, 2, 3)] + [f"x{k}" for k in (1, 2, 3)]
            speeds = [f"w{k}" for k in (1, 2, 3)] + [f"v{k}" for k in (1, 2, 3)]
        elif len(values) == 1:
            names, speeds = ["q0"], ["qd0"]
        else:
            names, speeds = ([f"{word}{k}" for k in range(1, len(values) + 1)] for word in ("q0", "qd0"))
        pairs = (*zip(names, values, strict=False), *zip(speeds, rates, strict=False))
        given = ", ".join(f"{name}={float(x)!r}" for name, x in pairs)
        old = re.search(rf"  submodel \(\w+\) {place.name}(\((.*)\))?\n", text)
        assert old is not None
        new = f"{old[0][: old[0].index(place.name)]}{place.name}({f'{old[2]}, ' if old[2] else ''}{given})\n"
        text = text.replace(old[0], new)
    return text
