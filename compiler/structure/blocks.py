"""Blocks: rows, complete matching -> strongly connected components in evaluation order. Changes no equation.

Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972), pp. 146-160 (example: Fig. 3,
p. 158), in networkx's form without recursion. The components are the same for every complete matching.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def strong_blocks(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Blocks of row positions, ascending within; each needs only what earlier blocks and itself determine.

    matching[i] is the column that row i determines; other columns are known. Where the order is free, the
    block that holds the smallest position comes first.
    """
    import networkx  # late: costs more to import than to run

    row_of = {column: row for row, column in enumerate(matching)}
    needs = [[row_of[c] for c in columns if c in row_of] for columns in rows]
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(rows)))
    graph.add_edges_from((row, needed) for row, others in enumerate(needs) for needed in others)
    blocks = sorted(tuple(sorted(component)) for component in networkx.strongly_connected_components(graph))
    return tuple(blocks[b] for b in _evaluation_order(blocks, needs))


def _evaluation_order(blocks: Sequence[Sequence[int]], needs: Sequence[Sequence[int]]) -> list[int]:
    """Topological order of the blocks (Kahn, CACM 5 (1962), pp. 558-562); of those that are ready, the first."""
    block_of = {row: b for b, block in enumerate(blocks) for row in block}
    users: list[list[int]] = [[] for _ in blocks]
    waiting_for = [0] * len(blocks)
    for b, block in enumerate(blocks):
        for needed in {block_of[n] for row in block for n in needs[row]} - {b}:
            users[needed].append(b)
            waiting_for[b] += 1
    ready = [b for b, count in enumerate(waiting_for) if count == 0]  # ascending, hence a heap
    order = []
    while ready:
        b = heapq.heappop(ready)
        order.append(b)
        for user in users[b]:
            waiting_for[user] -= 1
            if waiting_for[user] == 0:
                heapq.heappush(ready, user)
    return order
