"""Shows a mechanism as a tree of bodies: instance tree and connections -> `Topology`.

Frames that rigid elements or connections join are one body. An assembly of joints that has only two frames outside is
one joint. Knows no equations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import networkx as nx
import numpy as np
from networkx.utils import UnionFind
from numpy.typing import NDArray

from cutset.api.mechanics.frame_elements import Frame, FrameElement, elements_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Instance, around


@dataclass(frozen=True)
class Joint:
    """A joint between two bodies. `coordinates` are the names of its positions, `freedom` the number of its
    velocities."""

    name: str
    class_name: str
    coordinates: tuple[str, ...]
    freedom: int


@dataclass(frozen=True)
class Body:
    """A body: `number` from 1, `inboard` is the number of the body that carries it (0 is the inertial system), `joint`
    connects both. `masses` are the elements with a mass, `links` the other rigid elements that move with it."""

    number: int
    inboard: int
    joint: Joint
    masses: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True)
class Loop:
    """A loop: the element that closes it, the bodies that it connects, and the joints between these in the tree, from
    the first body to the second."""

    name: str
    class_name: str
    bodies: tuple[int, int]
    joints: tuple[str, ...]


@dataclass(frozen=True)
class Topology:
    """The bodies of a mechanism, in an order in which each follows the body that carries it, and its loops."""

    model: str
    bodies: tuple[Body, ...]
    loops: tuple[Loop, ...]

    @cached_property
    def path_matrix(self) -> NDArray[np.int64]:
        """1 in row i and column j if body j is between the inertial system and body i, or is body i; else 0. Lower
        triangular."""
        matrix = np.eye(len(self.bodies), dtype=np.int64)
        for body in self.bodies:
            if body.inboard:
                matrix[body.number - 1] += matrix[body.inboard - 1]
        return matrix

    @property
    def freedom(self) -> int:
        """The velocities of all joints of the tree."""
        return sum(body.joint.freedom for body in self.bodies)

    def graph(self) -> nx.MultiDiGraph:
        """Nodes: bodies by number, 0 is the inertial system (masses, links). Edges: joints, from the inboard body to
        the body (joint, class_name, coordinates, freedom), and loops (joint, class_name; closes is True).
        graph['topology'] is the Topology."""
        graph = nx.MultiDiGraph(name=self.model, topology=self)
        graph.add_node(0, masses=(), links=())
        for body in self.bodies:
            graph.add_node(body.number, masses=body.masses, links=body.links)
        for body in self.bodies:
            joint = body.joint
            attributes = {"class_name": joint.class_name, "coordinates": joint.coordinates, "freedom": joint.freedom}
            graph.add_edge(body.inboard, body.number, joint=joint.name, closes=False, **attributes)
        for loop in self.loops:
            graph.add_edge(*loop.bodies, joint=loop.name, class_name=loop.class_name, closes=True)
        return graph


def topology_of(root: Instance, flat: FlatModel) -> Topology:
    """The topology of the mechanism; it has no bodies if the model has no joints between cut-frames."""
    elements = list(elements_of(root))
    return _Tree(root, elements, _merged(elements, flat)).topology(flat.name)


# --- bodies ---------------------------------------------------------------------------------------


def _merged(elements: list[FrameElement], flat: FlatModel) -> UnionFind:
    """Frames that coincide or move as one body, as those on the side of the second frame of an assembly. The inertial
    system is the group of 0."""
    groups = UnionFind()
    for connection in flat.sets:
        groups.union(*(Frame(end.instance, end.name) for end in connection.ends))
    for element in elements:
        if element.kind == "rigid":
            groups.union(*element.frames)
        elif element.kind == "assembly" and _sides(element)[1]:
            groups.union(*_sides(element)[1])
    groups.union(0, *(frame for element in elements if element.kind == "base" for frame in element.frames))
    return groups


def _sides(assembly: FrameElement) -> tuple[Sequence[Frame], Sequence[Frame]]:
    """The frames of the parts of an assembly on the side of its first and of its second frame. The first side has one
    part, `ia`, or none: then the next frame is `ib`."""
    inner = assembly.frames[2:]
    first = 0 if inner[0].cut == "ib" else 1
    return inner[:first], inner[first:]


class _Edge(NamedTuple):
    """A joint between two bodies, which are groups of frames."""

    joint: Joint
    first: object
    second: object


def _edges(root: Instance, elements: list[FrameElement], groups: UnionFind) -> list[_Edge]:
    """The joints in the order of the text; those inside an assembly of joints are one."""
    owners = _owners(elements)
    members: dict[str, list[_Edge]] = {}
    for element in elements:
        if element.kind == "joint":
            path = element.instance.path
            joint = Joint(path, element.instance.class_name, element.coordinates, element.freedom)
            members.setdefault(owners[path], []).append(_Edge(joint, *map(groups.__getitem__, element.frames)))
    touched = Counter(group for element in elements for group in {*map(groups.__getitem__, element.frames)})
    classes = {instance.path: instance.class_name for instance in root.walk()}
    edges: list[_Edge] = []
    for path, own in members.items():
        chain = _chain(own, touched)
        if len(chain) < 2:
            edges += own
            continue
        coordinates = tuple(name for edge in chain for name in edge.joint.coordinates)
        joint = Joint(path, classes[path], coordinates, sum(edge.joint.freedom for edge in chain))
        edges.append(_Edge(joint, chain[0].first, chain[-1].second))
    return edges


def _owners(elements: list[FrameElement]) -> dict[str, str]:
    """For each joint the outermost submodel around it that has no other elements, or the joint itself."""
    kinds: dict[str, set[str]] = {}
    for element in elements:
        for path in around(element.instance.path):
            kinds.setdefault(path, set()).add(element.kind)
    return {
        element.instance.path: next(p for p in around(element.instance.path) if kinds[p] == {"joint"})
        for element in elements
        if element.kind == "joint"
    }


def _chain(own: list[_Edge], touched: Counter[object]) -> list[_Edge]:
    """The joints one after the other, if nothing else is connected between them; else none."""
    after = {edge.first: edge for edge in own}
    inner = {edge.second for edge in own} & after.keys()
    starts = [edge for edge in own if edge.first not in inner]
    if len(after) < len(own) or len(starts) != 1 or any(touched[group] != 2 for group in inner):
        return []
    chain = starts
    while len(chain) <= len(own) and chain[-1].second in after:
        chain.append(after[chain[-1].second])
    return chain if len(chain) == len(own) else []


class _Tree:
    """Numbers the bodies from the inertial system outward."""

    def __init__(self, root: Instance, elements: list[FrameElement], groups: UnionFind):
        self._elements, self._groups = elements, groups
        self._at: dict[object, list[_Edge]] = {}
        for edge in _edges(root, elements, groups):
            self._at.setdefault(edge.first, []).append(edge)
            self._at.setdefault(edge.second, []).append(edge)
        self._parts: dict[object, list[FrameElement]] = {}
        for element in elements:
            if element.kind in ("mass", "rigid"):
                self._parts.setdefault(groups[element.frames[0]], []).append(element)
        self._numbers: dict[object, int] = {}
        self._carried: list[tuple[int, Joint, object]] = []
        self._closed: list[tuple[str, str, object, object]] = []

    def topology(self, name: str) -> Topology:
        """The bodies and loops that the inertial system carries."""
        base = self._groups[0]
        self._numbers[base] = 0
        self._follow(base)
        waiting = [element for element in self._elements if element.kind == "assembly"]
        while ready := next((e for e in waiting if self._is_carried(e)), None):
            waiting.remove(ready)
            self._enter(ready)
        closing = [element for element in self._elements if element.kind == "closing" and self._is_carried(element)]
        for element in closing:
            first, second = map(self._groups.__getitem__, element.frames)
            self._closed.append((element.instance.path, element.instance.class_name, first, second))
        bodies = tuple(self._body(k, *carried) for k, carried in enumerate(self._carried, start=1))
        return Topology(name, bodies, tuple(self._loop(bodies, *closed) for closed in self._closed))

    def _is_carried(self, element: FrameElement) -> bool:
        """True if both of its first frames belong to bodies."""
        return all(self._groups[frame] in self._numbers for frame in element.frames[:2])

    def _follow(self, group: object) -> None:
        """Number everything that joints connect with a body, each branch to its end before the next."""
        waiting = [(edge, group) for edge in reversed(self._at.get(group, []))]
        used: set[str] = set()
        while waiting:
            edge, inboard = waiting.pop()
            if edge.joint.name in used:
                continue
            used.add(edge.joint.name)
            outer = edge.second if edge.first == inboard else edge.first
            if outer in self._numbers:
                self._closed.append((edge.joint.name, edge.joint.class_name, inboard, outer))
                continue
            self._carry(inboard, edge.joint, outer)
            waiting += [(other, outer) for other in reversed(self._at.get(outer, []))]

    def _carry(self, inboard: object, joint: Joint, group: object) -> None:
        self._carried.append((self._numbers[inboard], joint, group))
        self._numbers[group] = len(self._carried)

    def _enter(self, assembly: FrameElement) -> None:
        """Number the bodies inside an assembly in closed form: the first turns on its first frame, the others on its
        second one."""
        path, class_name = assembly.instance.path, assembly.instance.class_name
        first, second = map(self._groups.__getitem__, assembly.frames[:2])
        self._closed.append((path, class_name, first, second))
        before, after = _sides(assembly)
        for inboard, frame in [*((first, frame) for frame in before), *((second, frame) for frame in after[-1:])]:
            group = self._groups[frame]
            if group not in self._numbers:
                self._carry(inboard, Joint(f"{path}:{frame.cut}", class_name, (), 0), group)
                self._follow(group)

    def _body(self, number: int, inboard: int, joint: Joint, group: object) -> Body:
        own = self._parts.get(group, [])
        masses = tuple(e.instance.path for e in own if e.kind == "mass")
        return Body(number, inboard, joint, masses, tuple(e.instance.path for e in own if e.kind == "rigid"))

    def _loop(self, bodies: tuple[Body, ...], name: str, class_name: str, first: object, second: object) -> Loop:
        ends = self._numbers[first], self._numbers[second]
        left, right = (list(_way(bodies, number)) for number in ends)
        joints = [*(b for b in left if b not in right), *(b for b in reversed(right) if b not in left)]
        return Loop(name, class_name, ends, tuple(body.joint.name for body in joints))


def _way(bodies: tuple[Body, ...], number: int) -> Iterator[Body]:
    """The bodies from this one to the inertial system."""
    while number:
        yield bodies[number - 1]
        number = bodies[number - 1].inboard
