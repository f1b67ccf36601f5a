"""Draws a description and its trajectories as a `Scene`: chooses a solid, its place and its size for each element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cutset.contract.names import rpartition
from cutset.runtime.animation.drawn_meshes import DrawnMeshes, drawn_meshes
from cutset.runtime.animation.meshes import Mesh
from cutset.runtime.animation.scene import Force, Node, Part, Scene, quaternions, turned_to
from cutset.runtime.description import Description, Element, FrameNames
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.trajectories import Trajectories

# More rows make a page larger without making it smoother.
_MOST_ROWS = 3000
# Pages and glTF store 32-bit numbers.
_LARGEST = 1e12
_BODY_COLORS = (
    *((0.27, 0.48, 0.70), (0.90, 0.60, 0.25), (0.40, 0.66, 0.45), (0.76, 0.40, 0.42)),
    *((0.55, 0.47, 0.72), (0.35, 0.66, 0.72), (0.80, 0.70, 0.30), (0.62, 0.50, 0.42)),
)
_GRAY, _DARK, _WIRE = (0.62, 0.64, 0.67), (0.28, 0.30, 0.34), (0.35, 0.60, 0.35)
_STRAIGHT = np.array([0.0, 0.0, 0.0, 1.0])
# Of a quaternion: its inverse.
_BACK = np.array([-1.0, -1.0, -1.0, 1.0])
_SOLIDS = ("box", "cylinder", "cone", "sphere")


def scene_of(
    description: Description, trajectories: Trajectories, most_rows: int = _MOST_ROWS, with_forces: bool = True
) -> Scene:
    """The scene, with at most `most_rows` rows, and with the cut-forces if wanted. RunError E646 if there is nothing to
    draw: no cut-frame, or none with trajectories."""
    frames = _Frames(description, trajectories, most_rows)
    if not frames.found:
        raise _nothing(description, trajectories)
    wanted = [frames.mesh_of(element) for element in description.elements if frames.of(element)]
    meshes = drawn_meshes(description.meshes, filter(None, wanted))
    parts = _Parts(frames, description.elements, meshes)
    for element in description.elements:
        parts.add(element)
    ground = [e.name for e in description.elements if e.kind == "ground"]
    up = -np.array([frames.number(f"{ground[0]}.ng{k}", 0.0) for k in (1, 2, 3)]) if ground else np.zeros(3)
    up = up / np.linalg.norm(up) if np.linalg.norm(up) > 0.0 else np.array([0.0, 0.0, 1.0])
    nodes = parts.nodes()
    places = np.concatenate([_places(node, meshes.solids) for node in nodes])
    lowest = float((places @ up).min())
    # A mechanism on the ground stands on the floor, any other floats above it.
    floor = 0.0 if lowest > -0.02 * frames.size else lowest - 0.15 * frames.size
    corners = places.min(axis=0), places.max(axis=0)
    forces = tuple(_forces(description, frames)) if with_forces else ()
    return Scene(
        description.model, frames.times, nodes, forces, up, *corners, floor, frames.size,
        meshes.solids, meshes.notes,
    )  # fmt: skip


def _places(node: Node, meshes: Mapping[str, Mesh]) -> Vector:
    """The positions of its origin, the centers of its solids and the corners of the boxes around its meshes, at all
    times."""
    found = [node.place]
    for part in node.parts:
        inside = [part.place]
        if part.solid in meshes:
            ends = np.stack([meshes[part.solid].corners.min(axis=0), meshes[part.solid].corners.max(axis=0)])
            corners = part.size * np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in np.ndindex(2, 2, 2)])
            inside = list(part.place + _turned(part.turn[None, :], corners))
        for place in inside:
            way = np.broadcast_to(node.stretch * place, (len(node.turn), 3))
            found.append(node.place + _turned(node.turn, way))
    return np.concatenate(found)


def _turned(turn: Vector, vectors: Vector) -> Vector:
    """The vectors (n, 3) turned by the quaternions (n, 4) or (1, 4)."""
    q, w = turn[:, :3], turn[:, 3:]
    turned: Vector = vectors + 2.0 * _cross(q, _cross(q, vectors) + w * vectors)
    return turned


def _nothing(description: Description, trajectories: Trajectories) -> RunError:
    if not description.elements:
        return RunError(
            "E646",
            "there is nothing to draw: the model has no cut with the orientation T(3,3) and the position r(3) of a "
            "frame",
            "bodies, bars and joints of the libraries mbs and mbssim have such cuts; plot other results with --plot",
        )
    frame = description.elements[0].frames[0]
    if f"{frame.origin}(1)" in trajectories:
        return RunError("E646", "at no output time do all frames have finite positions")
    return RunError(
        "E646",
        f"the result does not contain the positions of the frames, for example {frame.origin}(1)",
        "write the result without a choice of outputs, or add '*' to them",
    )


def _cross(a: Vector, b: Vector) -> Vector:
    """The products of rows: those of np.cross, which takes five times as long for a hundred rows."""
    (a1, a2, a3), (b1, b2, b3) = a.T, b.T
    return np.stack((a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1), axis=-1)


class _Frames:
    """The frames with trajectories, each once; rows in which one of them is not finite are omitted."""

    def __init__(self, description: Description, trajectories: Trajectories, most_rows: int):
        self._trajectories = trajectories
        self._rows = np.arange(len(trajectories.time))
        self._whole: dict[str, Vector | None] = {}
        wanted = [(element, frame) for element in description.elements for frame in element.frames]
        rows = self._drawable(wanted)
        if len(rows) > most_rows:
            rows = rows[np.unique(np.linspace(0, len(rows) - 1, most_rows).round().astype(int))]
        self._rows = rows
        self.times = np.asarray(trajectories.time)[rows]
        self.found: list[Node] = []
        self._numbers: dict[FrameNames, int] = {}
        by_value: dict[tuple[bytes, bytes], int] = {}
        for element, frame in wanted if len(rows) else []:
            place, turn = self.trajectory(frame.origin, (3,)), self.trajectory(frame.turn, (3, 3))
            if place is None or turn is None:
                continue
            key = place.tobytes(), turn.tobytes()
            name = f"{element.name}:{frame.cut}"
            if key in by_value:
                k = by_value[key]
                self.found[k] = replace(self.found[k], names=(*self.found[k].names, name))
            else:
                by_value[key] = k = len(self.found)
                self.found.append(Node((name,), _still(place), _still(quaternions(turn)), np.ones((1, 3)), ()))
            self._numbers[frame] = k
        places = np.concatenate([node.place for node in self.found] or [np.zeros((1, 3))])
        self._room = float(np.linalg.norm(places.max(axis=0) - places.min(axis=0)))
        self.size = self._size(description.elements)

    def _size(self, elements: Iterable[Element]) -> float:
        """The length that scales thicknesses: some lengths of a typical bar, but no more than the extent of the
        model."""
        bars, bodies = [0.0], [0.0]
        for element in elements:
            numbers = self.of(element)
            if element.kind == "link" and numbers and self.is_rigid(*numbers):
                bars.append(float(np.linalg.norm(self.end(*numbers)[0])))
            elif element.kind in ("body", "solid") and numbers:
                far = float(np.linalg.norm(self.vector(f"{element.name}.r")))
                # The center of mass is in the middle of most bodies.
                (bars if element.kind == "solid" else bodies).append(far if element.kind == "solid" else 2.0 * far)
        lengths = [length for length in (bars if any(bars) else bodies) if length > 0.0]
        usual = 6.0 * float(np.median(lengths or [0.0]))
        return min(usual, max(self._room, 0.5 * usual)) or self._room or 1.0

    def _drawable(self, wanted: Iterable[tuple[Element, FrameNames]]) -> NDArray[np.intp]:
        """The rows in which time does not decrease and all values are finite and not too large to be squared."""
        time = np.asarray(self._trajectories.time, dtype=float)
        good = np.isfinite(time)
        good &= time >= np.maximum.accumulate(np.where(good, time, -np.inf)) if len(time) else good
        for _, frame in wanted:
            for trajectory in (self.trajectory(frame.origin, (3,)), self.trajectory(frame.turn, (3, 3))):
                if trajectory is not None and len(trajectory):
                    good &= (np.abs(trajectory.reshape(len(trajectory), -1)) < _LARGEST).all(axis=1)
        return np.flatnonzero(good)

    def of(self, element: Element) -> list[int]:
        """The numbers of the element's frames; [] if one of them is missing."""
        numbers = [self._numbers[frame] for frame in element.frames if frame in self._numbers]
        return numbers if len(numbers) == len(element.frames) else []

    def trajectory(self, name: str, shape: tuple[int, ...]) -> Vector | None:
        """The rows of a vector or matrix, (n, *shape); None if an element of it is missing."""
        if name not in self._whole:
            self._whole[name] = self._all_rows(name, shape)
        whole = self._whole[name]
        return None if whole is None else whole[self._rows]

    def _all_rows(self, name: str, shape: tuple[int, ...]) -> Vector | None:
        names = [f"{name}({','.join(str(k + 1) for k in place)})" for place in np.ndindex(*shape)]
        if not all(each in self._trajectories for each in names):
            return None
        columns = [np.asarray(self._trajectories[each], dtype=float) for each in names]
        return np.stack(columns, axis=1).reshape(len(columns[0]), *shape)

    def end(self, a: int, b: int) -> Vector:
        """The vector from a to b, resolved in frame a: (n, 3)."""
        first, second = self.found[a], self.found[b]
        return _turned(first.turn * _BACK, second.place - first.place)

    def is_rigid(self, a: int, b: int) -> bool:
        """True if the two never move relative to each other."""
        p, q = self.found[a].turn, self.found[b].turn
        first, second = p * _BACK, np.broadcast_to(q, np.broadcast_shapes(p.shape, q.shape))
        vector = first[:, 3:] * second[:, :3] + second[:, 3:] * first[:, :3] + _cross(first[:, :3], second[:, :3])
        return not _moves(self.end(a, b), self._room) and not _moves(vector, 1.0)

    def mesh_of(self, element: Element) -> int:
        """The number of the element's mesh file, 0 if it is not a mesh."""
        return int(self.number(f"{element.name}.file", 0.0)) if element.kind == "mesh" else 0

    def __contains__(self, name: str) -> bool:
        return name in self._trajectories

    def number(self, name: str, other: float) -> float:
        """A parameter; `other` if it is missing or cannot be drawn."""
        value = (
            float(self._trajectories[name][0])
            if name in self._trajectories and len(self._trajectories[name])
            else other
        )
        return value if abs(value) < _LARGEST else other

    def vector(self, stem: str, other: float = 0.0) -> Vector:
        """The parameters stem1 to stem3."""
        return np.array([self.number(f"{stem}{k}", other) for k in (1, 2, 3)])


class _Parts:
    """Collects the solids by node."""

    def __init__(self, frames: _Frames, elements: Iterable[Element], meshes: DrawnMeshes):
        self._frames, self._size, self._meshes = frames, frames.size, meshes
        masses = [frames.number(f"{element.name}.m", 0.0) for element in elements if element.kind == "body"]
        self._heaviest = max(masses, default=0.0)
        # A shape at a frame replaces the bodies and rods that begin there, a mesh the joint before it, too, and a solid
        # the elements that it consists of.
        self._solids = {element.name for element in elements if element.kind == "solid"}
        meshed = [each for each in elements if frames.mesh_of(each) in meshes.of_file]
        self._meshed = {number for element in meshed for number in frames.of(element)}
        self._shaped = {number for element in elements if element.kind == "shape" for number in frames.of(element)}
        self._shaped |= self._meshed
        self._draw: dict[str, Callable[..., None]] = {
            "ground": self._ground, "body": self._body, "shape": self._shape, "mesh": self._mesh,
            "solid": self._solid,
            "joint": self._joint,
            "line": self._line, "rod": self._thread, "beam": self._beam, "link": self._link,
            "linkage": self._linkage,
        }  # fmt: skip
        self._of: list[list[Part]] = [[] for _ in frames.found]
        self._free: list[Node] = []
        # Frames with the same rotation have one color: they move as one body.
        turns = {node.turn.tobytes(): k for k, node in reversed(list(enumerate(frames.found)))}
        order = {k: i for i, k in enumerate(sorted(set(turns.values())))}
        self._colors = [_BODY_COLORS[order[turns[node.turn.tobytes()]] % len(_BODY_COLORS)] for node in frames.found]

    def add(self, element: Element) -> None:
        """Add the solids of an element, if its frames exist."""
        numbers = self._frames.of(element)
        if numbers and rpartition(element.name)[0] not in self._solids:
            self._draw[element.kind](element, *numbers)

    def nodes(self) -> tuple[Node, ...]:
        """All nodes with their solids."""
        frames = zip(self._frames.found, self._of, strict=True)
        return (*(replace(frame, parts=tuple(parts)) for frame, parts in frames), *self._free)

    def _put(
        self,
        node: int,
        element: Element,
        solid: str,
        size: Iterable[float],
        color: tuple[float, float, float],
        **where: Vector,
    ) -> None:
        place, turn = where.get("place", np.zeros(3)), where.get("turn", _STRAIGHT)
        self._of[node].append(Part(element.name, solid, place, turn, np.array([*size], dtype=float), color))

    def _rod(self, node: int, element: Element, end: Vector, width: float, color: tuple[float, float, float]) -> None:
        """Add a rod from the origin of the node to `end`."""
        length = float(np.linalg.norm(end))
        if length > 1e-3 * self._size:
            self._put(
                node,
                element,
                "cylinder",
                (width, length, width),
                color,
                place=0.5 * end,
                turn=turned_to(end[None, :])[0],
            )

    def _ground(self, element: Element, a: int) -> None:
        up = -self._frames.vector(f"{element.name}.ng")
        self._put(a, element, "box", np.array([0.12, 0.012, 0.12]) * self._size, _DARK, turn=turned_to(up[None, :])[0])

    def _body(self, element: Element, a: int) -> None:
        masses = self._frames
        center, m = masses.vector(f"{element.name}.r"), masses.number(f"{element.name}.m", 0.0)
        if m <= 0.0 or a in self._shaped:
            return
        # Volumes are proportional to masses.
        width = 0.11 * self._size * (m / self._heaviest) ** (1.0 / 3.0)
        self._put(a, element, "sphere", [max(width, 0.022 * self._size)] * 3, self._colors[a], place=center)
        self._rod(a, element, center, 0.012 * self._size, self._colors[a])

    def _shape(self, element: Element, a: int) -> None:
        number, vector = self._frames.number, self._frames.vector
        solid = _SOLIDS[min(max(int(number(f"{element.name}.solid", 1.0)), 1), len(_SOLIDS)) - 1]
        length, width = number(f"{element.name}.length", 0.1), number(f"{element.name}.width", 0.1)
        axis = vector(f"{element.name}.n")
        axis = axis / np.linalg.norm(axis) if np.linalg.norm(axis) > 0.0 else np.array([1.0, 0.0, 0.0])
        place = vector(f"{element.name}.r") + (0.5 * length * axis if solid != "sphere" else 0.0)
        size = (width, length, number(f"{element.name}.height", width))
        turn = _turn_of(axis, vector(f"{element.name}.w"))
        self._put(a, element, solid, size, self._color(element), place=place, turn=turn)

    def _color(self, element: Element) -> tuple[float, float, float]:
        number = self._frames.number
        red, green, blue = (min(max(number(f"{element.name}.{c}", 0.6), 0.0), 1.0) for c in ("red", "green", "blue"))
        return red, green, blue

    def _mesh(self, element: Element, a: int) -> None:
        number, vector = self._frames.number, self._frames.vector
        axis, angle = vector(f"{element.name}.n"), number(f"{element.name}.angle", 0.0)
        axis = axis / np.linalg.norm(axis) if np.linalg.norm(axis) > 0.0 else np.array([0.0, 0.0, 1.0])
        turn = np.array([*(np.sin(0.5 * angle) * axis), np.cos(0.5 * angle)])
        given = self._color(element)
        own = number(f"{element.name}.own_colors", 1.0) != 0.0
        for solid, color in self._meshes.of_file.get(self._frames.mesh_of(element), []):
            scale, place = vector(f"{element.name}.scale", 1.0), vector(f"{element.name}.r")
            self._put(a, element, solid, scale, (own and color) or given, place=place, turn=turn)

    def _solid(self, element: Element, a: int) -> None:
        """Add a bar with mass, with its given cross section."""
        name, number, end = element.name, self._frames.number, self._frames.vector(f"{element.name}.r")
        width = number(f"{name}.diameter", 2.0 * np.sqrt(max(number(f"{name}.area", 0.0), 0.0) / np.pi))
        size = number(f"{name}.width", width), float(np.linalg.norm(end)), number(f"{name}.height", width)
        solid = "cylinder" if f"{name}.height" not in self._frames else "box"
        turn = _turn_of(end, self._frames.vector(f"{name}.w"))
        self._put(a, element, solid, np.maximum(size, 1e-3 * self._size), self._colors[a], place=0.5 * end, turn=turn)

    def _link(self, element: Element, a: int, b: int) -> None:
        """Add a rod if the ends do not move relative to each other, or a ball if they share an origin and turn;
        otherwise nothing."""
        end = self._frames.end(a, b)
        if not self._frames.is_rigid(a, b):
            if np.linalg.norm(end, axis=1).max() < 1e-4 * self._size:
                self._put(a, element, "sphere", [0.05 * self._size] * 3, _GRAY)
        elif a not in self._shaped:
            self._rod(a, element, end[0], 0.026 * self._size, self._colors[a])

    def _thread(self, element: Element, a: int, b: int) -> None:
        self._between(element, *self._ends(a, b), "cylinder", 0.02 * self._size, _GRAY)

    def _ends(self, a: int, b: int) -> tuple[Vector, Vector]:
        return self._frames.found[a].place, self._frames.found[b].place

    def _beam(self, element: Element, a: int, b: int) -> None:
        """Add a rod from each particle to the next."""
        start, end = self._ends(a, b)
        count = int(self._frames.number(f"{element.name}.points", 0.0))
        inside = self._frames.trajectory(f"{element.name}.particles", (3 * count,))
        within = np.split(inside, count, axis=1) if inside is not None and count else []
        way = [start, *(start + _turned(self._frames.found[a].turn, each) for each in within), end]
        for first, second in pairwise(way):
            self._between(element, first, second, "cylinder", 0.026 * self._size, self._colors[a])

    def _linkage(self, element: Element, *numbers: int) -> None:
        """Add a rod from the last frame to each other frame at another place."""
        ends: dict[bytes, int] = {self._frames.found[k].place.tobytes(): k for k in reversed(numbers)}
        for k in ends.values():
            if self._frames.found[k].place.tobytes() != self._frames.found[numbers[-1]].place.tobytes():
                self._thread(element, k, numbers[-1])

    def _line(self, element: Element, a: int, b: int) -> None:
        self._between(element, *self._ends(a, b), "coil", 0.05 * self._size, _WIRE)

    def _joint(self, element: Element, a: int, b: int) -> None:
        """Add a housing on one side and an axle on the other; if the ends move apart, a rail and a carriage."""
        if any(self._frames.is_rigid(b, number) for number in self._meshed):
            return
        axis, end, size = self._frames.trajectory(f"{element.name}.n", (3,)), self._frames.end(a, b), self._size
        if axis is None or not len(axis):
            self._link(element, a, b)
            return
        turn = turned_to(axis[:1])[0]
        along = end @ axis[0]
        if not _moves(end, size):
            self._put(a, element, "cylinder", (0.055 * size, 0.045 * size, 0.055 * size), _GRAY, turn=turn)
            self._put(b, element, "cylinder", (0.034 * size, 0.075 * size, 0.034 * size), _DARK, turn=turn)
            return
        low, high = min(float(along.min()), 0.0), max(float(along.max()), 0.0)
        self._put(
            a,
            element,
            "box",
            (0.02 * size, high - low, 0.02 * size),
            _GRAY,
            turn=turn,
            place=0.5 * (low + high) * axis[0],
        )
        self._put(b, element, "box", (0.05 * size, 0.07 * size, 0.05 * size), _DARK, turn=turn)

    def _between(
        self,
        element: Element,
        first: Vector,
        second: Vector,
        solid: str,
        width: float,
        color: tuple[float, float, float],
    ) -> None:
        """Add a node between two points that stretches to their distance."""
        way = second - first
        length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6 * self._size)
        stretch = np.concatenate([np.ones_like(length), length, np.ones_like(length)], axis=1)
        turn = turned_to(way)
        flipped = np.cumsum(np.sum(turn[1:] * turn[:-1], axis=1) < 0.0) % 2 == 1
        turn[1:][flipped] *= -1.0
        part = Part(element.name, solid, np.zeros(3), _STRAIGHT, np.array([width, 1.0, width]), color)
        self._free.append(Node((), 0.5 * (first + second), turn, stretch, (part,)))


def _forces(description: Description, frames: _Frames) -> Iterable[Force]:
    """The force and torque that each joint transmits to its cut b: minus the force into the joint there."""
    for element in description.elements:
        numbers = frames.of(element)
        if element.kind not in ("joint", "link") or not numbers or frames.is_rigid(*numbers):
            continue
        into = _cut_force(element.frames[1], frames)
        if into is not None and (np.abs(into) < 1e30).all():
            turn = frames.trajectory(element.frames[1].turn, (3, 3))
            assert turn is not None  # a drawn frame has it
            torque, force = (np.einsum("nij,nj->ni", turn, -part) for part in (into[:, :3], into[:, 3:]))
            # The rounding of a zero torque.
            torque[np.abs(torque) < 1e-12 * frames.size * np.abs(force).max(initial=0.0)] = 0.0
            yield Force(element.name, frames.found[numbers[1]].place, force, torque)


def _cut_force(frame: FrameNames, frames: _Frames) -> Vector | None:
    """The cut-force, (n, 6), resolved in the frame; None if it is unknown."""
    if len(frame.force) == 1:
        return frames.trajectory(frame.force[0], (6,))
    if len(frame.force) == 3:
        factor = frames.trajectory(frame.force[0], (6, 6))
        motion, rest = (frames.trajectory(name, (6,)) for name in frame.force[1:])
        if factor is not None and motion is not None and rest is not None:
            force: Vector = np.einsum("nij,nj->ni", factor, motion) + rest
            return force
    return None


def _still(trajectory: Vector) -> Vector:
    """A single row if all rows are equal."""
    return trajectory[:1] if (trajectory == trajectory[:1]).all() else trajectory


def _turn_of(axis: Vector, width: Vector) -> Vector:
    """The quaternion that turns the y axis along `axis`, and the x axis towards `width` unless that is parallel to
    it."""
    along = axis / np.linalg.norm(axis)
    across = np.cross(width, along)
    if np.linalg.norm(across) < 1e-9:
        (turn,) = turned_to(axis[None, :])
    else:
        across = across / np.linalg.norm(across)
        (turn,) = quaternions(np.stack([np.cross(along, across), along, across], axis=1)[None, :, :])
    return np.asarray(turn)


def _moves(trajectory: Vector, size: float) -> bool:
    return bool((np.abs(trajectory - trajectory[:1]) > 1e-4 * size).any())
