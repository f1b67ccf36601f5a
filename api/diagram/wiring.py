"""Turns the nets of one model into links between its parts, directed as the model reads, by connected group."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cutset.api.diagram.circuit import Circuit
from cutset.api.diagram.parts import EQUATIONS, OWN, Net, Part, Port, signal_role
from cutset.compiler.structure.union_find import UnionFind

LEFT, RIGHT = "left", "right"
# Ends the name of a port where the line of an upright part goes on to the right.
THROUGH = "+"


class Item(NamedTuple):
    """Something to place: a 'part' by its number, an own 'cut' of the model by its name, or the 'joint' of a net."""

    kind: str
    number: int
    cut: str = ""


class Link(NamedTuple):
    """A line of a net, from the port of one item to that of another; the first should stand left of the second, the
    more so the larger the weight."""

    net: int
    tail: int
    tail_port: str
    head: int
    head_port: str
    weight: int


@dataclass
class Group:
    """Items that are linked with each other, and their links; `layer` is the column of each item."""

    items: list[Item] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    layer: list[int] = field(default_factory=list)

    def sides(self) -> dict[tuple[int, str], str]:
        """The side of each linked port, by item and name: the side of the other end of its link."""
        found: dict[tuple[int, str], str] = {}
        for link in self.links:
            forward = self.layer[link.tail] < self.layer[link.head]
            found[link.tail, link.tail_port] = RIGHT if forward else LEFT
            found[link.head, link.head_port] = LEFT if forward else RIGHT
        return found


def role_of(part: Part, cut: str) -> int:
    """1 if a cut is where something comes out of a part, -1 if it goes in there, 0 if neither is known."""
    return role_among(part.cuts, cut)


def role_among(names: Sequence[str], cut: str) -> int:
    """The same for one of the names of all cuts of a part."""
    if role := signal_role(cut):
        return role
    if len(names) == 2 or tuple(name.lower() for name in names[:2]) == ("a", "b"):
        return -1 if cut == names[0] else 1 if cut == names[1] else 0
    return 0


def groups_of(model: Part, sides: Mapping[str, str], circuit: Circuit) -> list[Group]:
    """The groups of linked items in the order of the text; `sides` are those of the model's own cuts, all of which are
    in the first group. The parts of potential zero of a circuit are in none."""
    items = [Item("part", k) for k in range(len(model.parts))]
    own = {cut: len(items) + k for k, cut in enumerate(model.cuts)}
    items += [Item("cut", OWN, cut) for cut in model.cuts]
    links: list[Link] = []
    for number, net in enumerate(model.nets):
        if others := circuit.others.get(number, []):
            ground = next(port for port in net.ports if port.part in circuit.ground[number])
            net = replace(net, ports=(*others, ground))
        if len(net.ports) > 1 and (others or number not in circuit.ground):
            links += _links(model, number, net, own, items, sides, circuit)
    without = {k for n, grounds in circuit.ground.items() for k in grounds[1 if circuit.others[n] else 0 :]}
    return _grouped(items, links, without)


def _links(
    model: Part,
    number: int,
    net: Net,
    own: Mapping[str, int],
    items: list[Item],
    sides: Mapping[str, str],
    circuit: Circuit,
) -> list[Link]:
    """The links of a net: from its one port to the other, from each to a joint, or along its upright parts."""
    posts = circuit.posts.get(number, [])
    ends = [
        (own[p.cut] if p.part == OWN else p.part, p.cut, _role(model, p, sides, circuit))
        for p in net.ports
        if (p.part, p.cut) not in posts
    ]
    if posts:
        return list(_along(number, posts, ends))
    (first, first_port, first_role), (second, second_port, second_role) = ends[:2]
    if len(ends) == 2 and first != second and not all(port.part == OWN for port in net.ports):
        weight = 1 + 2 * abs(first_role - second_role) if net.kind != EQUATIONS else 1
        if first_role >= second_role:
            return [Link(number, first, first_port, second, second_port, weight)]
        return [Link(number, second, second_port, first, first_port, weight)]
    joint = len(items)
    items.append(Item("joint", number))
    links = []
    for k, (item, port, role) in enumerate(ends):
        # What has one cut only ends the net, unless the text begins with it.
        if role > 0 or (role == 0 and k == 0):
            links.append(Link(number, item, port, joint, "", 1 + 2 * abs(role)))
        else:
            links.append(Link(number, joint, "", item, port, 1 + 2 * abs(role)))
    return links


def _along(number: int, posts: Sequence[tuple[int, str]], ends: Sequence[tuple[int, str, int]]) -> Iterator[Link]:
    """The links of a net from what gives current to its upright parts, from each to the next, and on to the rest."""
    for (part, port), (other, entry) in itertools.pairwise(posts):
        yield Link(number, part, port + THROUGH, other, entry, 9)
    for item, port, role in ends:
        if role > 0:
            yield Link(number, item, port, *posts[0], 1 + 2 * abs(role))
        else:
            yield Link(number, posts[-1][0], posts[-1][1] + THROUGH, item, port, 1 + 2 * abs(role))


def _role(model: Part, port: Port, sides: Mapping[str, str], circuit: Circuit) -> int:
    if port.part == OWN:
        return 3 if sides[port.cut] == LEFT else -3
    if (port.part, port.cut) in circuit.roles:
        return circuit.roles[port.part, port.cut]
    return role_of(model.parts[port.part], port.cut)


def _grouped(items: list[Item], links: list[Link], without: Collection[int]) -> list[Group]:
    """The connected groups; those with own cuts are one. Some items are in none."""
    connected = UnionFind[int]()
    pairs = [(link.tail, link.head) for link in links]
    own = [k for k, item in enumerate(items) if item.kind == "cut"]
    for a, b in (*pairs, *itertools.pairwise(own)):
        connected.unite(a, b)
    first = [connected.root(own[0])] if own else []
    groups: dict[int, Group] = {root: Group() for root in first}
    numbers: list[int] = []
    for k, item in enumerate(items):
        if k in without:
            numbers.append(-1)
            continue
        group = groups.setdefault(connected.root(k), Group())
        numbers.append(len(group.items))
        group.items.append(item)
    for link in links:
        moved = link._replace(tail=numbers[link.tail], head=numbers[link.head])
        groups[connected.root(link.tail)].links.append(moved)
    return list(groups.values())
