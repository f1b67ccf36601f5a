"""Finds blocks: rows, complete matching -> strongly connected components in evaluation order. Changes no equation.

The blocks are the nodes of the condensation of a directed graph (Tarjan, Depth-first search and linear graph
algorithms, SIAM J. Comput. 1 (1972), pp. 146-160; example: Fig. 3, p. 158). They are the same for every complete
matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx


def strong_blocks(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Blocks of row positions, ascending within each; a block depends only on earlier blocks.

    matching[i] is the column that row i determines; other columns are known. Where the order is free, the block that
    contains the smallest position comes first.
    """
    used = _used_rows(rows, matching)
    try:
        return _in_order(used)
    except CycleError:
        return _condensed(used)


def dependencies(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> nx.DiGraph:
    """The dependencies of rows: an edge from each row to the rows that use the column it determines."""
    return _graph(_used_rows(rows, matching))


def _used_rows(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> list[list[int]]:
    """For each row the rows that determine its other columns."""
    row_of = {column: row for row, column in enumerate(matching)}
    return [[row_of[c] for c in columns if c in row_of and c != matching[row]] for row, columns in enumerate(rows)]


def _in_order(used: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """The blocks if each is a single row. CycleError if not. Needs no networkx, which takes longer to load than to
    translate a small model."""
    sorter = TopologicalSorter(dict(enumerate(used)))
    sorter.prepare()
    ready, order = list(sorter.get_ready()), []
    heapify(ready)
    while ready:
        row = heappop(ready)
        order.append((row,))
        sorter.done(row)
        for each in sorter.get_ready():
            heappush(ready, each)
    return tuple(order)


def _condensed(used: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    import networkx as nx

    blocks = nx.condensation(_graph(used))
    members: dict[Any, tuple[int, ...]] = {b: tuple(sorted(blocks.nodes[b]["members"])) for b in blocks}
    return tuple(members[b] for b in nx.lexicographical_topological_sort(blocks, key=members.__getitem__))


def _graph(used: list[list[int]]) -> nx.DiGraph:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(used)))
    for row, others in enumerate(used):
        graph.add_edges_from([(other, row) for other in others])
    return graph
