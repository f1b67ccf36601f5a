"""Finds blocks: rows, complete matching -> strongly connected components in evaluation order. Changes no equation.

The blocks are the nodes of the condensation of a directed graph (Tarjan, Depth-first search and linear graph
algorithms, SIAM J. Comput. 1 (1972), pp. 146-160; example: Fig. 3, p. 158). They are the same for every complete
matching. (networkx has them too, but loading it takes longer than translating a small model.)
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush


def strong_blocks(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Blocks of row positions, ascending within each; a block depends only on earlier blocks.

    matching[i] is the column that row i determines; other columns are known. Where the order is free, the block that
    contains the smallest position comes first.
    """
    needed = dependencies(rows, matching)
    components = _components(needed)
    block_of = {row: block for block, members in enumerate(components) for row in members}
    users: list[list[int]] = [[] for _ in components]
    waits_for = [0] * len(components)
    for block, members in enumerate(components):
        before = {block_of[other] for row in members for other in needed[row]} - {block}
        waits_for[block] = len(before)
        for other in before:
            users[other].append(block)
    ready = [(components[block][0], block) for block, count in enumerate(waits_for) if not count]
    heapify(ready)
    ordered = []
    while ready:
        _, block = heappop(ready)
        ordered.append(components[block])
        for user in users[block]:
            waits_for[user] -= 1
            if not waits_for[user]:
                heappush(ready, (components[user][0], user))
    return tuple(ordered)


def dependencies(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> list[list[int]]:
    """For each row the other rows that determine its columns."""
    row_of = {column: row for row, column in enumerate(matching)}
    return [
        [row_of[c] for c in columns if c in row_of and c != own] for columns, own in zip(rows, matching, strict=True)
    ]


def _components(successors: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The strongly connected components of a graph, each ascending: Tarjan's algorithm, without recursion."""
    found: list[tuple[int, ...]] = []
    number = [0] * len(successors)  # in the order of the search, from 1 on
    lowest = [0] * len(successors)
    is_open = [False] * len(successors)
    stack: list[int] = []
    count = 0
    for root in range(len(successors)):
        if number[root]:
            continue
        path = [(root, iter(successors[root]))]
        while path:
            node, left = path[-1]
            if not number[node]:
                count += 1
                number[node] = lowest[node] = count
                stack.append(node)
                is_open[node] = True
            following = next((other for other in left if not number[other] or is_open[other]), None)
            if following is not None and not number[following]:
                path.append((following, iter(successors[following])))
                continue
            if following is not None:
                lowest[node] = min(lowest[node], number[following])
                continue
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
            if lowest[node] == number[node]:
                found.append(_closed(stack, node, is_open))
    return found


def _closed(stack: list[int], first: int, is_open: list[bool]) -> tuple[int, ...]:
    """Take the component that begins with the node `first` from the stack."""
    members: list[int] = []
    while not members or members[-1] != first:
        members.append(stack.pop())
        is_open[members[-1]] = False
    return tuple(sorted(members))
