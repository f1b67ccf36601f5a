"""Defines Columns: the items of a group in columns, with a bend in each column that a long link passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from cutset.api.diagram.wiring import Group, Item


def is_bare(item: Item) -> bool:
    """True for an item that is only a point of a line: a bend, a joint, or the 'fold' where a line leaves a row."""
    return item.kind not in ("part", "cut")


class Edge(NamedTuple):
    """A line of a net between a node and one in the next column; the ports are empty for bends and joints."""

    net: int
    left: int
    left_port: str
    right: int
    right_port: str


@dataclass
class Columns:
    """Nodes, which are items and bends, by column from top to bottom. `edges[k]` run from column k to column k + 1;
    `column` is that of each node."""

    nodes: list[Item] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    columns: list[list[int]] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)

    def all_edges(self) -> Iterable[Edge]:
        """The edges from left to right."""
        for edges in self.edges:
            yield from edges


def columns_of(group: Group) -> Columns:
    """The columns in the order of the text. The links of a joint share their bends, so that a net of many parts is one
    line with branches."""
    made = Columns(list(group.items), list(group.layer))
    edges: dict[Edge, None] = {}
    bends: dict[tuple[int, int], int] = {}

    def bend(net: int, column: int) -> int:
        if (net, column) not in bends:
            bends[net, column] = len(made.nodes)
            made.nodes.append(Item("bend", net))
            made.column.append(column)
        return bends[net, column]

    for link in group.links:
        a, b = (link.tail, link.tail_port), (link.head, link.head_port)
        (left, left_port), (right, right_port) = (a, b) if group.layer[a[0]] < group.layer[b[0]] else (b, a)
        first, last = group.layer[left], group.layer[right]
        chain = [left, *(bend(link.net, k) for k in range(first + 1, last)), right]
        for k in range(len(chain) - 1):
            ports = left_port if k == 0 else "", right_port if k == len(chain) - 2 else ""
            edges[Edge(link.net, chain[k], ports[0], chain[k + 1], ports[1])] = None
    _without_dead_ends(made.nodes, edges)
    count = max(made.column, default=0) + 1
    made.columns = [[] for _ in range(count)]
    for node, column in enumerate(made.column):
        made.columns[column].append(node)
    made.edges = [[] for _ in range(count - 1)]
    for edge in edges:
        made.edges[made.column[edge.left]].append(edge)
    return made


def _without_dead_ends(nodes: list[Item], edges: dict[Edge, None]) -> None:
    """Move a joint with one edge along it, where the lines of its net part."""
    at: dict[int, list[Edge]] = {}
    for edge in edges:
        for v in (edge.left, edge.right):
            if nodes[v].kind in ("joint", "bend"):
                at.setdefault(v, []).append(edge)
    for joint in [v for v, item in enumerate(nodes) if item.kind == "joint"]:
        v = joint
        while len(at.get(v, ())) == 1:
            (edge,) = at[v]
            other = edge.right if edge.left == v else edge.left
            del edges[edge]
            at[v] = []
            at[other].remove(edge)
            nodes[other] = Item("joint", edge.net)
            v = other
