"""Blocks: rows, complete matching -> strongly connected components in evaluation order. Changes no equation.

Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972), pp. 146-160 (example: Fig. 3,
p. 158). The components are the same for every complete matching.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

_UNSEEN = -1


def strong_blocks(rows: Sequence[Sequence[int]], matching: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Blocks of row positions, ascending within; each needs only what earlier blocks and itself determine.

    matching[i] is the column that row i determines; other columns are known. Where the order is free, the
    block that holds the smallest position comes first.
    """
    row_of = {column: row for row, column in enumerate(matching)}
    needs = [[row_of[c] for c in columns if c in row_of] for columns in rows]
    blocks = sorted(tuple(sorted(component)) for component in _components(needs))
    return tuple(blocks[b] for b in _evaluation_order(blocks, needs))


def _components(needs: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Tarjan's search without recursion. `number` says when a row was met, `lowest` the earliest of the rows that can be
    reached from it and are not in a component yet."""
    number, lowest = [_UNSEEN] * len(needs), [0] * len(needs)
    is_waiting = bytearray(len(needs))
    waiting: list[int] = []
    met = 0
    for start in range(len(needs)):
        path, untried = [start] if number[start] == _UNSEEN else [], [iter(needs[start])]
        while path:
            row = path[-1]
            if number[row] == _UNSEEN:
                number[row] = lowest[row] = met
                met += 1
                waiting.append(row)
                is_waiting[row] = True
            for needed in untried[-1]:
                if number[needed] == _UNSEEN:
                    path.append(needed)
                    untried.append(iter(needs[needed]))
                    break
                if is_waiting[needed] and number[needed] < lowest[row]:
                    lowest[row] = number[needed]
            else:
                path.pop()
                untried.pop()
                if path and lowest[row] < lowest[path[-1]]:
                    lowest[path[-1]] = lowest[row]
                if lowest[row] == number[row]:
                    first = len(waiting) - 1
                    while waiting[first] != row:
                        first -= 1
                    component = waiting[first:]
                    del waiting[first:]
                    for member in component:
                        is_waiting[member] = False
                    yield component


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
