"""Places the nodes of columns vertically: lines straight where possible, no overlaps, by isotonic regression."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutset.diagram.columns import Columns

_SMOOTH_ROUNDS = 24
_STRAIGHT_ROUNDS = 8
# How much it matters that a line is straight, by the number of its ends that are bends or joints.
_WEIGHTS = (2, 3, 8)


@dataclass(frozen=True)
class _Pull:
    """Node v is best where its top is `shift` below the top of `other`."""

    other: int
    shift: float
    weight: int


@dataclass(frozen=True)
class Heights:
    """What the placement knows of the nodes: `height` of each, `offset` of a port below the top of its node, and the
    smallest `distance` between two nodes in a column, the upper one first."""

    height: Sequence[float]
    offset: Callable[[int, str], float]
    distance: Callable[[int, int], float]


def align(columns: Columns, heights: Heights) -> list[float]:
    """The top of each node, in whole numbers from 0."""
    placed = _Placement(columns, heights)
    for k in range(_SMOOTH_ROUNDS):
        for number in _there_and_back(len(columns.columns), k):
            placed.settle(number, _mean)
    for k in range(_STRAIGHT_ROUNDS):
        for number in _there_and_back(len(columns.columns), k):
            placed.settle(number, _median)
        placed.straighten()
    low = min(placed.top, default=0.0)
    return [float(round(y - low)) for y in placed.top]


def _there_and_back(count: int, k: int) -> range:
    return range(count) if k % 2 == 0 else range(count - 1, -1, -1)


class _Placement:
    def __init__(self, columns: Columns, heights: Heights):
        self._columns = columns.columns
        self._column = columns.column
        self._pulls: list[list[_Pull]] = [[] for _ in columns.nodes]
        for edge in columns.all_edges():
            bends = sum(columns.nodes[v].kind in ("bend", "joint") for v in (edge.left, edge.right))
            a, b = heights.offset(edge.left, edge.left_port), heights.offset(edge.right, edge.right_port)
            self._pulls[edge.left].append(_Pull(edge.right, b - a, _WEIGHTS[bends]))
            self._pulls[edge.right].append(_Pull(edge.left, a - b, _WEIGHTS[bends]))
        # The distance of each node from the top of its column if the nodes are as close as possible.
        self._least = [0.0] * len(columns.nodes)
        self.top = [0.0] * len(columns.nodes)
        for column in columns.columns:
            y = 0.0
            for k, v in enumerate(column):
                if k:
                    y += round(heights.height[column[k - 1]] + heights.distance(column[k - 1], v))
                self._least[v] = y
            middle = (y + heights.height[column[-1]]) / 2 if column else 0.0
            for v in column:
                self.top[v] = round(self._least[v] - middle)

    def settle(self, number: int, middle: Callable[[list[tuple[float, int]]], float]) -> None:
        """Move the nodes of a column to where their neighbors pull them, without overlaps: pools of adjacent nodes at
        their least distances move together (pool adjacent violators)."""
        pools: list[tuple[float, list[tuple[float, int]], int]] = []
        for v in self._columns[number]:
            least = self._least[v]
            wanted = [(self.top[p.other] + p.shift - least, p.weight) for p in self._pulls[v]]
            wanted = wanted or [(self.top[v] - least, 1)]
            pool = (middle(wanted), wanted, 1)
            while pools and pools[-1][0] > pool[0]:
                _, earlier, count = pools.pop()
                wanted = earlier + pool[1]
                pool = (middle(wanted), wanted, count + pool[2])
            pools.append(pool)
        column = iter(self._columns[number])
        for value, _, count in pools:
            for _ in range(count):
                v = next(column)
                self.top[v] = value + self._least[v]

    def straighten(self) -> None:
        """Move nodes that straight lines join together, if that makes further lines straight."""
        for run in self._runs():
            inside = set(run)
            moves: dict[float, int] = {}
            for v in run:
                for p in self._pulls[v]:
                    move = self.top[p.other] + p.shift - self.top[v]
                    if p.other not in inside and move:
                        moves[move] = moves.get(move, 0) + p.weight
            for move in sorted(moves, key=lambda m: (-moves[m], abs(m), m)):
                if self._gain(run, inside, move) > 0 and self._has_room(run, inside, move):
                    for v in run:
                        self.top[v] += move
                    break

    def _runs(self) -> list[list[int]]:
        """The nodes that straight lines join."""
        runs: list[list[int]] = []
        seen = [False] * len(self.top)
        for begin in range(len(self.top)):
            if seen[begin]:
                continue
            seen[begin] = True
            run = [begin]
            for v in run:
                for p in self._pulls[v]:
                    if not seen[p.other] and self.top[p.other] + p.shift == self.top[v]:
                        seen[p.other] = True
                        run.append(p.other)
            runs.append(run)
        return runs

    def _gain(self, run: Sequence[int], inside: set[int], move: float) -> float:
        """How much shorter the vertical lines become."""
        gain = 0.0
        for v in run:
            for p in self._pulls[v]:
                if p.other not in inside:
                    away = self.top[v] - self.top[p.other] - p.shift
                    gain += p.weight * (abs(away) - abs(away + move))
        return gain

    def _has_room(self, run: Sequence[int], inside: set[int], move: float) -> bool:
        for number in {self._column[v] for v in run}:
            column = self._columns[number]
            moved = [self.top[v] - self._least[v] + (move if v in inside else 0.0) for v in column]
            if any(a > b + 1e-9 for a, b in itertools.pairwise(moved)):
                return False
        return True


def _mean(wanted: list[tuple[float, int]]) -> float:
    return sum(y * w for y, w in wanted) / sum(w for _, w in wanted)


def _median(wanted: list[tuple[float, int]]) -> float:
    """The value with half of the weight on either side; between two such values, the mean."""
    wanted = sorted(wanted)
    half = sum(w for _, w in wanted) / 2
    below = 0.0
    for k, (y, weight) in enumerate(wanted):
        below += weight
        if below > half:
            return y
        if below == half:
            return (y + wanted[k + 1][0]) / 2 if wanted[k + 1][0] - y < 1.0 else y
    return wanted[-1][0]
