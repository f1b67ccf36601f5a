"""Orders the nodes of each column so that few lines cross: barycenters and exchanges of neighbors (Sugiyama)."""

from __future__ import annotations

import itertools
import random
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence

from cutset.api.diagram.columns import Columns, is_bare

_SWEEPS = 6
_STARTS = 6
_MANY_NODES = 400
# The order of the ports of a node from top to bottom, where it is fixed: a fraction between 0 and 1 for each.
Fractions = Mapping[tuple[int, str], float]


def order_columns(columns: Columns, fractions: Fractions, keep_first: bool = False) -> None:
    """Reorder the columns, except for the first one if it is to be kept. Of several attempts, which start from random
    but fixed orders, the best one counts."""
    lines = _Lines(columns, fractions, 1 if keep_first else 0)
    best, fewest = lines.columns, lines.crossings()
    for start in range(_STARTS if len(columns.nodes) <= _MANY_NODES else 1):
        lines.columns = [list(column) for column in columns.columns]
        if start:
            chance = random.Random(start)
            for column in lines.columns[lines.kept :]:
                chance.shuffle(column)
        for sweep in range(_SWEEPS):
            lines.sweep(forward=sweep % 2 == 0)
            lines.exchange()
            found = lines.crossings()
            if found < fewest:
                best, fewest = [list(column) for column in lines.columns], found
            if fewest == 0:
                break
    lines.columns = [list(column) for column in best]
    for column in lines.columns[lines.kept :]:
        column.reverse()
    against, reverse = (_against_text(columns, order) for order in (best, lines.columns))
    better = not keep_first and against > reverse and lines.crossings() <= fewest
    columns.columns = lines.columns if better else best


def _against_text(columns: Columns, order: Sequence[Sequence[int]]) -> int:
    """The number of neighbors in columns, of parts and cuts, that are not in the order of the text."""
    shown = ([v for v in column if not is_bare(columns.nodes[v])] for column in order)
    return sum(a > b for column in shown for a, b in itertools.pairwise(column))


class _Lines:
    """The lines between neighboring columns, with the order of the nodes; that of the first `kept` columns stays."""

    def __init__(self, columns: Columns, fractions: Fractions, kept: int):
        self.kept = kept
        self.columns = [list(column) for column in columns.columns]
        self._between: list[list[tuple[int, float, int, float]]] = []
        count = len(columns.nodes)
        # For each node its neighbors in the column to the left and to the right: (own fraction, node, its fraction).
        self._near: tuple[list[list[tuple[float, int, float]]], ...] = (
            [[] for _ in range(count)],
            [[] for _ in range(count)],
        )
        for edges in columns.edges:
            lines = []
            for edge in edges:
                a = fractions.get((edge.left, edge.left_port), 0.5)
                b = fractions.get((edge.right, edge.right_port), 0.5)
                lines.append((edge.left, a, edge.right, b))
                self._near[0][edge.right].append((b, edge.left, a))
                self._near[1][edge.left].append((a, edge.right, b))
            self._between.append(lines)

    def crossings(self) -> int:
        """The number of pairs of lines that cross."""
        place = self._places()
        found = 0
        for lines in self._between:
            ends = sorted((place[u] + a, place[v] + b) for u, a, v, b in lines)
            seen: list[float] = []
            waiting: list[float] = []
            last = None
            for left, right in ends:
                if left != last:
                    for each in waiting:
                        insort(seen, each)
                    waiting, last = [], left
                found += len(seen) - bisect_right(seen, right)
                waiting.append(right)
        return found

    def _places(self) -> list[int]:
        place = [0] * len(self._near[0])
        for column in self.columns:
            for k, node in enumerate(column):
                place[node] = k
        return place

    def sweep(self, forward: bool) -> None:
        """Sort each column by the mean place of the neighbors in the column before it."""
        place = self._places()
        near = self._near[0 if forward else 1]
        numbers = range(1, len(self.columns)) if forward else range(len(self.columns) - 2, self.kept - 1, -1)
        for number in numbers:
            column = self.columns[number]
            means = {
                v: sum(place[u] + f - own + 0.5 for own, u, f in near[v]) / len(near[v]) for v in column if near[v]
            }
            moved = iter(sorted(means, key=lambda v: means[v]))
            self.columns[number] = [next(moved) if v in means else v for v in column]
            for k, v in enumerate(self.columns[number]):
                place[v] = k

    def exchange(self) -> None:
        """Exchange neighbors in a column as long as that saves crossings."""
        place = self._places()
        for column in self.columns[self.kept :]:
            improved = True
            while improved:
                improved = False
                for k in range(len(column) - 1):
                    u, v = column[k], column[k + 1]
                    if self._saved(u, v, place) > 0:
                        column[k], column[k + 1] = v, u
                        place[u], place[v] = k + 1, k
                        improved = True

    def _saved(self, u: int, v: int, place: Sequence[int]) -> int:
        """The number of crossings fewer if u, which is just above v, is below it."""
        saved = 0
        for near in self._near:
            for _own, a, f in near[u]:
                for _other, b, g in near[v]:
                    x, y = place[a] + f, place[b] + g
                    saved += (x > y) - (x < y)
        return saved
