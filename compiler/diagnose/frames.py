"""Builds the skeleton of a mechanism: which cut-frames coincide, and which elements are between them.

A cut-frame is a cut with a 3*3 matrix, its direction cosines, among the across variables. Elements are classified by
their own equations: one that relates the motion of two frames is a link (a bar, a joint); one that determines the
motion of one frame is a base (the inertial system); force elements and bodies do neither. A joint that closes a loop
imposes only a few conditions and determines the motion of no frame: it is not a link. An assembly of several joints is
one link for each frame that it moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from cutset.compiler.diagnose.matrix import WRITTEN, Matrix
from cutset.compiler.expressions.dependent_rows import dependent_rows
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import leaves_of

CutKey = tuple[str, str]

# A link determines twelve quantities of one frame from the other and its coordinates, on each level; a joint that
# closes a loop imposes at most six conditions.
_MOST_CONDITIONS = 6
_OF_A_FRAME = 24


@dataclass(frozen=True)
class Link:
    """An element between frame `first` and frame `second`, in the order in which its class declares the cuts."""

    instance: str
    first: int
    second: int
    cuts: tuple[str, str]


@dataclass
class Part:
    """Frames that are connected by links. `distance` of a frame counts links from the nearest base, `parent` is the
    link towards it; `closing` are links that close a loop or connect two bases. `cut_joints` are elements that close a
    loop correctly."""

    frames: list[int]
    bases: list[tuple[str, int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    others: list[tuple[str, int]] = field(default_factory=list)
    distance: dict[int, int] = field(default_factory=dict)
    parent: dict[int, Link] = field(default_factory=dict)
    closing: list[Link] = field(default_factory=list)
    cut_joints: list[Link] = field(default_factory=list)

    @property
    def instances(self) -> list[str]:
        """All elements of the part."""
        named = [*(i for i, _ in self.bases), *(link.instance for link in self.links), *(i for i, _ in self.others)]
        return list(dict.fromkeys(named))

    @property
    def reversed_links(self) -> list[Link]:
        """Links whose second cut is nearer to the base than their first."""
        return [k for k in self.links if self.distance.get(k.second, 0) < self.distance.get(k.first, 0)]

    def loop_of(self, closing: Link) -> list[str]:
        """The elements of the loop that a link closes; if it joins two bases, from base to base."""
        ways = [list(self._way(frame)) for frame in (closing.first, closing.second)]
        shared = set(ways[0]) & set(ways[1])
        left, right = ([k.instance for k in way if k not in shared] for way in ways)
        return [*reversed(left), closing.instance, *right]

    def _way(self, frame: int) -> Iterator[Link]:
        """The links from a frame to its base."""
        while frame in self.parent:
            link = self.parent[frame]
            yield link
            frame = link.first if link.second == frame else link.second

    @property
    def closers(self) -> set[str]:
        """Elements that close loops: joints made for it, and assemblies of several joints."""
        several = Counter(link.instance for link in self.links)
        return {k.instance for k in self.cut_joints} | {instance for instance, count in several.items() if count > 1}

    def behind(self, link: Link) -> list[str]:
        """Everything that moves with the far end of a link, up to elements that close loops."""
        far = link.second if self.distance[link.second] > self.distance[link.first] else link.first
        moved, closers = {far}, self.closers
        found: list[str] = []
        for other in sorted(self.links, key=lambda k: max(self.distance[k.first], self.distance[k.second])):
            ends = sorted((other.first, other.second), key=self.distance.__getitem__)
            if ends[0] in moved and other is not link:
                if other.instance not in closers:
                    moved.add(ends[1])
                found.append(other.instance)
        return list(dict.fromkeys(found)) + [instance for instance, frame in self.others if frame in moved]


def parts_of(matrix: Matrix) -> list[Part]:
    """The parts of the mechanism, with their bases and links; empty for a model without frames."""
    model = matrix.model
    frame_of = _frames(model)
    if not frame_of:
        return []
    parts: list[Part] = []
    kinds = _kinds(matrix, frame_of)
    pairs = [
        (Link(instance, frame_of[instance, cuts[0]], frame_of[instance, moved], (cuts[0], moved)), count)
        for instance, (cuts, count) in kinds.items() for moved in _moved(cuts, count)
    ]  # fmt: skip
    links = [link for link, count in pairs if count > _MOST_CONDITIONS]
    owner: dict[int, Part] = {}
    for frame in dict.fromkeys(frame_of.values()):
        if frame not in owner:
            part = Part(_reached(frame, links))
            parts.append(part)
            owner.update((f, part) for f in part.frames)
    for link in links:
        owner[link.first].links.append(link)
    for link, count in pairs:
        if count <= _MOST_CONDITIONS:
            owner[link.first].cut_joints.append(link)
    for instance, (cuts, count) in kinds.items():
        if not (count > _MOST_CONDITIONS and len(cuts) > 1):
            for cut in cuts:
                part, frame = owner[frame_of[instance, cut]], frame_of[instance, cut]
                (part.bases if count and len(cuts) == 1 else part.others).append((instance, frame))
    for part in parts:
        _measure(part)
    return parts


def conditional_elements(matrix: Matrix) -> list[str]:
    """Elements that impose only a few conditions on the motion of their frames."""
    kinds = _kinds(matrix, _frames(matrix.model))
    return [instance for instance, (_, count) in kinds.items() if 0 < count <= _MOST_CONDITIONS]


def _moved(cuts: list[str], count: int) -> list[str]:
    """The frame cuts whose motion an element determines from its first one, judged by the number of its equations of
    motion: the last ones. For a joint that closes a loop, the other end."""
    given = max(1, len(cuts) - ceil(count / _OF_A_FRAME))
    return cuts[given:] if count and len(cuts) > 1 else []


def _frames(model: FlatModel) -> dict[CutKey, int]:
    """The frame number of each cut that is a frame; connected cuts share it, and cuts with the same variables, such as
    those of a sensor between two elements."""
    keys = [key for key, cut in model.cuts.items() if cut.is_frame]
    first: dict[tuple[Expr, ...], int] = {}
    number = {key: first.setdefault(tuple(leaves_of(model.cuts[key].across)), k) for k, key in enumerate(keys)}
    for connection in model.sets:
        met = {number[end.instance, end.name] for end in connection.ends if (end.instance, end.name) in number}
        if len(met) > 1:
            number = {key: min(met) if n in met else n for key, n in number.items()}
    return number


def _kinds(matrix: Matrix, frame_of: dict[CutKey, int]) -> dict[str, tuple[list[str], int]]:
    """The frame cuts of each element with equations, and the number of its equations that contain motion only."""
    cuts: dict[str, list[str]] = {}
    for instance, name in frame_of:
        cuts.setdefault(instance, []).append(name)
    rows: dict[str, list[int]] = {}
    for i, e in enumerate(matrix.equation):
        instance = matrix.model.equations[e].instance
        if matrix.kind[i] == WRITTEN and instance in cuts:
            rows.setdefault(instance, []).append(i)
    found, place = {}, {v: j for j, v in enumerate(matrix.columns)}
    for instance, own in rows.items():
        motion = {
            leaf for name in cuts[instance]
            for entry in matrix.model.cuts[instance, name].across or () if entry.value
            for leaf in entry.value.elements
        }  # fmt: skip
        found[instance] = cuts[instance], _conditions(matrix, own, {place[v] for v in motion if v in place})
    return found


def _conditions(matrix: Matrix, own: list[int], motion: set[int]) -> int:
    """The number of equations left after everything except the motion of the frames is eliminated from them."""
    without = [{j: v for j, v in matrix.rows[i].items() if j not in motion} for i in own]
    return len(dependent_rows(without, range(len(without))))


def _reached(frame: int, links: list[Link]) -> list[int]:
    found = [frame]
    for at in found:  # grows during the loop
        for link in links:
            if at in (link.first, link.second):
                found += [f for f in (link.first, link.second) if f not in found]
    return found


def _measure(part: Part) -> None:
    """Measure distances from the bases outward."""
    queue = list(dict.fromkeys(frame for _, frame in part.bases)) or part.frames[:1]
    part.distance.update((frame, 0) for frame in queue)
    used: set[Link] = set()
    for frame in queue:  # grows during the loop
        for link in part.links:
            if frame not in (link.first, link.second) or link in used:
                continue
            used.add(link)
            other = link.second if link.first == frame else link.first
            if other in part.distance:
                part.closing.append(link)
                continue
            part.distance[other], part.parent[other] = part.distance[frame] + 1, link
            queue.append(other)
