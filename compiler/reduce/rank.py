"""Decides whether rows of a sparse matrix over a prime field are independent. Finds no dependent sets.

The column that the fewest rows contain is eliminated first, by its shortest row (Markowitz, Management Science 3
(1957), pp. 255-269), so that rows of a ladder or of a tree stay short.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from cutset.compiler.expressions.dependent_rows import TooLong
from cutset.compiler.expressions.finite_field_evaluation import PRIME, inverse

# The limit on entries that one elimination may visit: some seconds.
_MOST_WORK = 3_000_000


def are_independent(rows: Sequence[dict[int, int]]) -> bool:
    """True if the rows are independent; the rows are consumed. Raises TooLong."""
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for column in row:
            users.setdefault(column, set()).add(i)
    if any(not row for row in rows):
        return False
    order = [(len(own), column) for column, own in users.items()]
    heapify(order)
    work = 0
    while order:
        count, column = heappop(order)
        own = users[column]
        if len(own) != count or not own:  # it is in the queue again with its new length
            continue
        pivot = min(own, key=lambda i: (len(rows[i]), i))
        pivot_row = rows[pivot]
        scale = inverse(pivot_row.pop(column))
        own.discard(pivot)
        for other in pivot_row:
            users[other].discard(pivot)
        for i in sorted(own):
            row = rows[i]
            factor = row.pop(column) * scale % PRIME
            work += len(pivot_row)
            for other, value in pivot_row.items():
                before = row.get(other)
                after = ((before or 0) - factor * value) % PRIME
                if after:
                    row[other] = after
                    if before is None:
                        users[other].add(i)
                elif before is not None:
                    del row[other]
                    users[other].discard(i)
            if not row:
                return False
        own.clear()
        if work > _MOST_WORK:
            raise TooLong
        for other in pivot_row:
            heappush(order, (len(users[other]), other))
    return True
