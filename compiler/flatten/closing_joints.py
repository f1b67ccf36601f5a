"""Chooses joints that close the loops of a mechanism (stage 2b): a function that instantiates it -> Instance.

A joint passes the motion of one frame on to the other, from the inertial system outward. In a loop the motion would
arrive twice, so one joint of each loop gets `closing = true`, with which its class has conditions instead. Elements are
classified by the structure of their own equations: those of a bar or a joint leave some that contain the motion of
frames only after each other variable has been matched with one; those of a body, a spring or a cut joint leave few.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from cutset.compiler.diagnostics import Label, ModelError
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.scalarize import scalar_sides
from cutset.compiler.instantiate.instance import Cut, Instance, Parameter, Strength, leaves_of
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching
from cutset.compiler.structure.union_find import UnionFind
from cutset.contract.abridged import abridged
from cutset.contract.names import rpartition

Key = tuple[str, str]

# The parameter of joints, and the cuts that these connect.
_CLOSING, _ENDS = "closing", ("a", "b")
# A joint that closes a loop imposes at most six conditions.
_MOST_CONDITIONS = 6
_MOST_NAMED = 6


class Link(NamedTuple):
    """An element between two nodes, in the order of its cuts. A `joint` has the parameter, other links None."""

    instance: Instance
    first: Key
    second: Key
    joint: Parameter | None


class Passed(NamedTuple):
    """A link of a loop, and whether its cuts follow each other in the direction of the loop."""

    link: Link
    is_forward: bool


def with_loops_closed(
    instantiated: Callable[[Mapping[str, float | str]], Instance],
    given: Mapping[str, float | str] = MappingProxyType({}),
) -> Instance:
    """The instance, with a note for each joint that was chosen. The function takes values of parameters, which replace
    those of the model; `given` are those of the run."""
    root = instantiated(given)
    try:
        chosen = _Mechanism(root, given).closing_joints()
    except ModelError:  # of the equations of an element, which the next stage reports
        return root
    if not chosen:
        return root
    closed = instantiated({**given, **{link.joint.name: 1.0 for link, _ in chosen if link.joint is not None}})
    return replace(closed, notes=(*closed.notes, *(note for _, note in chosen)))


class _Mechanism:
    """The nodes and links of a mechanism."""

    def __init__(self, root: Instance, given: Collection[str]):
        self._given = given
        self._by_path = {each.path: each for each in root.walk()}
        self._order = {path: k for k, path in enumerate(self._by_path)}
        self._nodes = UnionFind[Key]()
        self._conditions: dict[str, int] = {}
        self._joints = {p: parameter for p, each in self._by_path.items() if (parameter := _closing(each)) is not None}

    def closing_joints(self) -> list[tuple[Link, Label]]:
        """A joint for each loop that has one to choose."""
        found: list[tuple[Link, Label]] = []
        if not self._joints:
            return found
        self._connect()
        links, bases = self._links()
        while loop := _first_loop(links, bases):
            k = min(range(len(loop)), key=lambda k: self._rank(loop, k))
            link, _ = loop[k]
            # Between two frames of one rigid part no joint moves.
            if self._may_close(link) and sum(each.link.joint is not None for each in loop) > 1:
                found.append((link, self._note(link, [each.link for each in loop])))
            links.remove(link)
        return found

    # --- the graph --------------------------------------------------------------------------------------

    def _connect(self) -> None:
        """Unite the cuts that are connected, and those of one element that have the same motion."""
        for each in self._by_path.values():
            for join in each.joins:
                self._nodes.unite((join.first.instance, join.first.name), (join.second.instance, join.second.name))
            motions: dict[tuple[object, ...], Key] = {}
            for cut in _frames(each):
                key = each.path, cut.name
                self._nodes.unite(motions.setdefault(_motion(cut), key), key)

    def _links(self) -> tuple[list[Link], list[Key]]:
        """The links, and the nodes whose motion is given."""
        links: list[Link] = []
        bases: list[Key] = []
        inside = ""
        for path, each in self._by_path.items():
            if inside and path.startswith(inside):
                continue
            inside = ""
            if path in self._joints:
                inside, parameter = f"{path}.", self._joints[path]
                if not _is_true(parameter):
                    first, second = (self._nodes.root((path, name)) for name in _ENDS)
                    links.append(Link(each, first, second, parameter))
                continue
            nodes = [self._nodes.root((path, cut.name)) for cut in _frames(each)]
            count = self._conditions_of(each) if nodes else 0
            if count > _MOST_CONDITIONS and len(nodes) == 1:
                bases += nodes
            elif count > _MOST_CONDITIONS:
                # As many of the last frames as these conditions determine follow the first one.
                size = len(_motion(_frames(each)[-1]))
                links += [Link(each, nodes[0], node, None) for node in nodes[max(1, len(nodes) - ceil(count / size)) :]]
        return links, list(dict.fromkeys(bases))

    def _conditions_of(self, element: Instance) -> int:
        """The number of its equations that remain; elements of one class have the same."""
        if element.class_name not in self._conditions:
            motion = {leaf for cut in _frames(element) for leaf in _motion(cut)}
            number: dict[object, int] = {}
            rows = [
                [
                    number.setdefault(v, len(number))
                    for v in dict.fromkeys((*variables_of(s.left), *variables_of(s.right))) if v not in motion
                ]
                for sides in scalar_sides(element.equations) for s in sides
            ]  # fmt: skip
            unmatched = maximum_matching(rows, len(number)).count(UNMATCHED)
            self._conditions[element.class_name] = len(rows) - len(number) + unmatched
        return self._conditions[element.class_name]

    # --- the choice -------------------------------------------------------------------------------------

    def _rank(self, loop: Sequence[Passed], k: int) -> tuple[bool, bool, int, bool, bool, int]:
        """The joint with the smallest rank closes the loop: one whose start value nobody gave, that leaves the fewest
        elements reversed, at whose coordinate nothing acts, that turns freely, and that is last in the text."""
        (link, _), kept = loop[k], not self._may_close(loop[k].link)
        against = sum(not each.is_forward for each in loop[:k]) + sum(each.is_forward for each in loop[k + 1 :])
        driven = any(each.equations for each in self._drives(link))
        turns_freely = len(link.instance.cuts) == len(_ENDS)
        started, order = _is_started(link.instance), self._order[link.instance.path]
        return kept, started, against, driven, not turns_freely, -order

    def _may_close(self, link: Link) -> bool:
        """True for a joint of the user that is not kept by its parameter, nor by the preference of an element at it."""
        if link.joint is None or link.instance.span.source.is_shipped:
            return False
        is_written = link.joint.written is not None and not link.joint.written.source.is_shipped
        if is_written or link.joint.name in self._given:
            return False
        return not any(v.preference > 0 for each in self._drives(link) for v in each.variables)

    def _drives(self, link: Link) -> Iterator[Instance]:
        """The elements at the other cuts of a joint."""
        path = link.instance.path
        nodes = {self._nodes.root((path, cut.name)) for cut in link.instance.cuts if cut.name not in _ENDS}
        for instance, name in list(self._nodes):
            within = instance == path or instance.startswith(f"{path}.")
            if not within and instance in self._by_path and self._nodes.root((instance, name)) in nodes:
                yield self._by_path[instance]

    def _note(self, link: Link, loop: Collection[Link]) -> Label:
        paths = [self._written(each.instance.path) for each in loop if each is not link]
        inward = paths[1:] and self._order[paths[0]] > self._order[paths[-1]]
        names = dict.fromkeys(f"'{path}'" for path in (reversed(paths) if inward else paths))
        name = link.instance.path
        others = f"the loop of {abridged([*names], _MOST_NAMED)}" if names else "its loop"
        guess = ", and its start value is a guess" if _is_started(link.instance) else ""
        text = (
            f"'{name}' closes {others}: its motion follows from that of its two cuts{guess}; to choose another joint, "
            f"give it closing=true, or '{name}' closing=false"
        )
        return Label(link.instance.span, text)

    def _written(self, path: str) -> str:
        """The element as the user knows it."""
        while self._by_path[path].span.source.is_shipped:
            path = rpartition(path)[0]
        return path


def _first_loop(links: Sequence[Link], bases: Sequence[Key]) -> list[Passed]:
    """The first loop that a search from the bases outward meets, or way from a base to another; empty if none is left.
    It begins where it is nearest to a base."""
    at: dict[Key, list[Link]] = {}
    for link in links:
        for node in dict.fromkeys((link.first, link.second)):
            at.setdefault(node, []).append(link)
    before: dict[Key, tuple[Key, Link] | None] = dict.fromkeys(bases)
    queue = list(bases)
    for node in queue:  # grows during the loop
        came = before[node]
        for link in at.get(node, ()):
            if came is not None and came[1] is link:
                continue
            other = link.second if link.first == node else link.first
            if other in before:
                return _loop(_way(before, node), Passed(link, link.first == node), _way(before, other))
            before[other] = node, link
            queue.append(other)
    return []


def _way(before: Mapping[Key, tuple[Key, Link] | None], node: Key) -> list[Passed]:
    """From a base to the node."""
    way = []
    while (came := before[node]) is not None:
        node, link = came
        way.append(Passed(link, link.first == node))
    return way[::-1]


def _loop(there: list[Passed], closing: Passed, back: list[Passed]) -> list[Passed]:
    """Of two ways from bases, without what they share."""
    shared = 0
    while shared < min(len(there), len(back)) and there[shared] == back[shared]:
        shared += 1
    return [*there[shared:], closing, *(Passed(each, not forward) for each, forward in reversed(back[shared:]))]


def _closing(instance: Instance) -> Parameter | None:
    """Its parameter, if it is a joint."""
    found = [p for p in instance.parameters if p.name == f"{instance.path}.{_CLOSING}" and p.type.kind == "Boolean"]
    return found[0] if found and {cut.name for cut in instance.cuts}.issuperset(_ENDS) else None


def _is_true(parameter: Parameter) -> bool:
    value = parameter.value.elements[0]
    return value.op == "constant" and bool(value.data)


def _is_started(joint: Instance) -> bool:
    """True if the model gives a start value of the joint."""
    return any(s >= Strength.MODEL for each in joint.walk() for v in each.variables for s in v.strengths)


def _frames(instance: Instance) -> list[Cut]:
    return [cut for cut in instance.cuts if cut.is_frame]


def _motion(cut: Cut) -> tuple[object, ...]:
    return tuple(leaves_of(cut.across))
