"""Reads a model as a circuit: what is connected to ground stands upright below its net, current flows to the right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutset.api.diagram.parts import EQUATIONS, OWN, Part, Port


@dataclass
class Circuit:
    """`ground` has the parts of potential zero of each net that has one; `zero` the cuts of a part that such nets join
    to its symbol, `others` the ports that lines join to the first of them. `posts` are for each net the parts, by
    number and cut, that lead from it to ground only; `roles` say where current enters (-1) and leaves (1) the other
    parts that may turn."""

    ground: dict[int, list[int]] = field(default_factory=dict)
    zero: dict[int, set[str]] = field(default_factory=dict)
    others: dict[int, list[Port]] = field(default_factory=dict)
    posts: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    roles: dict[tuple[int, str], int] = field(default_factory=dict)


def circuit_of(model: Part, left: Mapping[str, bool]) -> Circuit:
    """The circuit of a model; `left` tells for its own cuts whether they are on its left side."""
    found = Circuit()
    at: dict[tuple[int, str], int] = {}
    for number, net in enumerate(model.nets):
        for port in net.ports:
            at[port.part, port.cut] = number
        grounds = [p.part for p in net.ports if p.part != OWN and "ground" in _layout(model.parts[p.part])]
        near = [p for p in net.ports if p.part != OWN and model.parts[p.part].symbol and p.part not in grounds]
        if grounds and near:
            found.ground[number] = grounds
            found.others[number] = [port for port in net.ports if port not in near and port.part not in grounds]
            for port in near:
                found.zero.setdefault(port.part, set()).add(port.cut)
    ends = {k: [(cut, at[k, cut]) for cut in part.cuts if (k, cut) in at] for k, part in enumerate(model.parts)}
    series: dict[int, list[tuple[str, int]]] = {}
    for k, joined in ends.items():
        if "turn" in _layout(model.parts[k]) and len(joined) == 2 == len(model.parts[k].cuts):
            free = [(cut, number) for cut, number in joined if number not in found.ground]
            if len(free) == 1:
                found.posts.setdefault(free[0][1], []).append((k, free[0][0]))
            elif len(free) == 2 and model.nets[free[0][1]].kind == "electrical":
                series[k] = free
    for posts in found.posts.values():
        posts.sort(key=lambda post: "source" not in _layout(model.parts[post[0]]))
    distance = _distances(model, found, series, ends, left)
    for k, ((first, a), (second, b)) in series.items():
        forward = distance.get(a, 0) <= distance.get(b, 0)
        found.roles[k, first], found.roles[k, second] = (-1, 1) if forward else (1, -1)
    return found


def _layout(part: Part) -> frozenset[str]:
    return part.symbol.layout if part.symbol is not None else frozenset()


def _distances(
    model: Part,
    circuit: Circuit,
    series: Mapping[int, list[tuple[str, int]]],
    ends: Mapping[int, list[tuple[str, int]]],
    left: Mapping[str, bool],
) -> dict[int, int]:
    """How many parts are between the sources, or what enters from outside, and each net."""
    near: dict[int, dict[int, None]] = {}
    for k, joined in ends.items():
        numbers = [number for _, number in joined if number not in circuit.ground]
        for a in numbers:
            near.setdefault(a, {}).update(dict.fromkeys(numbers) if k in series or len(numbers) < 4 else {})
    begins = {n for n, net in enumerate(model.nets) if any(p.part == OWN and left.get(p.cut, False) for p in net.ports)}
    # What has a loose end and an equation is driven by it.
    driven = {p.part for net in model.nets if net.kind == EQUATIONS for p in net.ports}
    begins.update(j[0][1] for k, j in ends.items() if k in driven and len(j) == 1 < len(model.parts[k].cuts))
    for number, posts in circuit.posts.items():
        if any("source" in _layout(model.parts[k]) for k, _ in posts):
            begins.add(number)
    distance = dict.fromkeys(sorted(begins) or sorted(circuit.posts)[:1], 0)
    waiting = list(distance)
    for number in waiting:
        for other in near.get(number, ()):
            if other not in distance:
                distance[other] = distance[number] + 1
                waiting.append(other)
    return distance
