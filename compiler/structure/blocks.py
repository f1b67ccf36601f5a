"""Finds blocks: rows, complete matching -> strongly connected components in evaluation order. Changes no equation.

The blocks are the nodes of the condensation of a directed graph (Tarjan, Depth-first search and linear graph
algorithms, SIAM J. Comput. 1 (1972), pp. 146-160; example: Fig. 3, p. 158). They are the same for every complete
matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx


def strong_blocks(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Blocks of row positions, ascending within each; a block depends only on earlier blocks.

    matching[i] is the column that row i determines; other columns are known. Where the order is free, the block that
    contains the smallest position comes first.
    """
    graph = dependencies(rows, matching)
    components = list(nx.strongly_connected_components(graph))
    if len(components) == len(rows):  # the condensation is the graph itself
        return tuple((row,) for row in nx.lexicographical_topological_sort(graph))
    blocks = nx.condensation(graph, components)
    members: dict[Any, tuple[int, ...]] = {b: tuple(sorted(blocks.nodes[b]["members"])) for b in blocks}
    return tuple(members[b] for b in nx.lexicographical_topological_sort(blocks, key=members.__getitem__))


def dependencies(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> nx.DiGraph:
    """The dependencies of rows: an edge from each row to the rows that use the column it determines."""
    row_of = {column: row for row, column in enumerate(matching)}
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(rows)))
    for row, columns in enumerate(rows):
        own = matching[row]
        graph.add_edges_from([(row_of[c], row) for c in columns if c in row_of and c != own])
    return graph
