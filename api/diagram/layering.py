"""Assigns the items of a group to columns: few links against their direction, short links (Sugiyama, Eades)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cutset.api.diagram.wiring import LEFT, Group

_ROUNDS = 8
# A column has at most so many parts, or a little more than the root of the number of items.
_TALLEST = 16
# Parts of a column share their nets if there are so many times as many parts as nets.
_SHARED = 3


def assign_layers(group: Group, sides: Mapping[str, str]) -> None:
    """Fill in `layer`: own cuts of the model are in the first or last column, by their sides; the ends of a link are in
    different columns."""
    count = len(group.items)
    arcs = [(link.tail, link.head, link.weight) for link in group.links]
    order = _order(count, arcs)
    edges = [(a, b, w) if order[a] < order[b] else (b, a, w) for a, b, w in arcs]
    before: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    after: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for a, b, weight in edges:
        before[b].append((a, weight))
        after[a].append((b, weight))
    layer = [0] * count
    by_order = sorted(range(count), key=order.__getitem__)
    for v in by_order:
        layer[v] = max((layer[u] + 1 for u, _ in before[v]), default=0)
    top = max(layer, default=0)
    for _ in range(_ROUNDS):
        for v in (*by_order, *reversed(by_order)):
            low = max((layer[u] + 1 for u, _ in before[v]), default=0)
            high = min((layer[u] - 1 for u, _ in after[v]), default=top)
            pulls = [layer[u] + 1 for u, w in before[v] for _ in range(w)]
            pulls += [layer[u] - 1 for u, w in after[v] for _ in range(w)]
            if pulls:
                pulls.sort()
                layer[v] = min(max(pulls[(len(pulls) - 1) // 2], low), high)
    group.layer = _with_own_cuts(group, _spread(group, layer), sides)


def _spread(group: Group, layer: list[int]) -> list[int]:
    """The layers, with each that has too many parts for one column spread over several, in the order of the text. Only
    parts that share most of their nets are spread: those of others would have to pass all these columns."""
    parts: dict[int, list[int]] = {}
    nets: dict[int, set[int]] = {}
    for k, item in enumerate(group.items):
        if item.kind == "part":
            parts.setdefault(layer[k], []).append(k)
    for link in group.links:
        for k in (link.tail, link.head):
            nets.setdefault(layer[k], set()).add(link.net)
    most = max(_TALLEST, math.ceil(1.5 * math.sqrt(len(group.items))))
    within = [0] * len(layer)
    first: list[int] = []
    number = 0
    for n in range(max(layer, default=0) + 1):
        first.append(number)
        inside = parts.get(n, [])
        columns = math.ceil(len(inside) / most) if len(nets.get(n, ())) * _SHARED < len(inside) else 1
        for place, k in enumerate(inside):
            within[k] = place * columns // len(inside)
        number += max(columns, 1)
    return [first[n] + within[k] for k, n in enumerate(layer)]


def _with_own_cuts(group: Group, layer: list[int], sides: Mapping[str, str]) -> list[int]:
    """The layers counted from 0 without gaps, with the own cuts outermost."""
    own = {k for k, item in enumerate(group.items) if item.kind == "cut"}
    used = sorted({n for k, n in enumerate(layer) if k not in own})
    begin = 1 if any(sides[group.items[k].cut] == LEFT for k in own) else 0
    numbers = {n: begin + k for k, n in enumerate(used)}
    last = begin + len(used)
    return [(0 if sides[group.items[k].cut] == LEFT else last) if k in own else numbers[n] for k, n in enumerate(layer)]


def _order(count: int, arcs: list[tuple[int, int, int]]) -> list[int]:
    """The place of each vertex in an order with little weight of arcs against it: sources first, sinks last, and of
    the others the one with the largest surplus of outgoing weight next (Eades, Lin and Smyth)."""
    out: list[dict[int, int]] = [{} for _ in range(count)]
    into: list[dict[int, int]] = [{} for _ in range(count)]
    for a, b, weight in arcs:
        out[a][b] = out[a].get(b, 0) + weight
        into[b][a] = into[b].get(a, 0) + weight
    left = dict.fromkeys(range(count))
    first: list[int] = []
    last: list[int] = []

    def take(v: int, to: list[int]) -> None:
        del left[v]
        to.append(v)
        for u in out[v]:
            del into[u][v]
        for u in into[v]:
            del out[u][v]
        out[v], into[v] = {}, {}

    while left:
        sink = next((v for v in left if not out[v]), None)
        source = next((v for v in left if not into[v]), None)
        if source is None and sink is None:
            # Equations close a loop: what only they lead to comes first.
            source = next((v for v in left if max(into[v].values()) == 1 < max(out[v].values())), None)
        if source is not None:
            take(source, first)
        elif sink is not None:
            take(sink, last)
        else:
            take(max(left, key=lambda v: sum(out[v].values()) - sum(into[v].values())), first)
    place = [0] * count
    for k, v in enumerate((*first, *reversed(last))):
        place[v] = k
    return place
