"""Places the nodes of columns vertically: lines straight where possible, no overlaps, by isotonic regression."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from cutset.api.diagram.columns import Columns, is_bare

_SMOOTH_ROUNDS = 24
_STRAIGHT_ROUNDS = 8
_LAST_ROUNDS = 4
# How much it matters that a line is straight, by the number of its ends that are bends or joints.
_WEIGHTS = (2, 3, 8)
# A line with a step costs as much as one that is longer by this, too.
_STEP = 20.0
# To have straight lines, a picture may be higher than its highest column by this factor, and at least as high as this,
# also for each column.
_HIGHER, _ALLOWED, _ALLOWED_IN_COLUMN = 1.2, 400.0, 25.0


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
    for _ in range(_LAST_ROUNDS):
        placed.straighten()
    low = min(placed.top, default=0.0)
    return [float(round(y - low)) for y in placed.top]


def _there_and_back(count: int, k: int) -> range:
    return range(count) if k % 2 == 0 else range(count - 1, -1, -1)


class _Placement:
    def __init__(self, columns: Columns, heights: Heights):
        self._columns = columns.columns
        self._column = columns.column
        self._height = heights.height
        self._place = {v: k for column in columns.columns for k, v in enumerate(column)}
        self._pulls: list[list[_Pull]] = [[] for _ in columns.nodes]
        for edge in columns.all_edges():
            bends = sum(is_bare(columns.nodes[v]) for v in (edge.left, edge.right))
            a, b = heights.offset(edge.left, edge.left_port), heights.offset(edge.right, edge.right_port)
            self._pulls[edge.left].append(_Pull(edge.right, b - a, _WEIGHTS[bends]))
            self._pulls[edge.right].append(_Pull(edge.left, a - b, _WEIGHTS[bends]))
        # The distance of each node from the top of its column if the nodes are as close as possible.
        self._least = [0.0] * len(columns.nodes)
        self.top = [0.0] * len(columns.nodes)
        # All nodes are at most so far from the middle.
        self._window = max(_ALLOWED, _ALLOWED_IN_COLUMN * len(columns.columns)) / 2
        for column in columns.columns:
            y = 0.0
            for k, v in enumerate(column):
                if k:
                    y += round(heights.height[column[k - 1]] + heights.distance(column[k - 1], v))
                self._least[v] = y
            height = y + heights.height[column[-1]] if column else 0.0
            self._window = max(self._window, _HIGHER * height / 2)
            middle = height / 2
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
        column = self._columns[number]
        lowest = self._least[column[-1]] + self._height[column[-1]] if column else 0.0
        nodes = iter(column)
        for value, _, count in pools:
            for _ in range(count):
                v = next(nodes)
                self.top[v] = self._least[v] + min(max(value, -self._window), self._window - lowest)

    def straighten(self) -> None:
        """Move nodes that straight lines join together, and all columns to the right of a gap, if that makes further
        lines straight."""
        for run in self._runs():
            inside = set(run)
            moves: dict[float, int] = {}
            for v in run:
                for p in self._pulls[v]:
                    move = self.top[p.other] + p.shift - self.top[v]
                    if p.other not in inside and abs(move) > 1e-9:
                        moves[move] = moves.get(move, 0) + p.weight
            for move in sorted(moves, key=lambda m: (-moves[m], abs(m), m)):
                pushed = self._pushed(run, move)
                if self._gain(pushed, move) > 1e-9 and self._within(move, pushed) == move:
                    for v in pushed:
                        self.top[v] += move
                    break
        for number in range(1, len(self._columns)):
            self._shift_from(number)

    def _shift_from(self, number: int) -> None:
        """Move a column and all to the right of it together to where the lines from the left are best."""
        away = [
            (self.top[v] - self.top[p.other] - p.shift, p.weight)
            for v in self._columns[number]
            for p in self._pulls[v]
            if self._column[p.other] < number
        ]
        moves = sorted({-d for d, _ in away}, key=lambda move: (abs(move), move))
        best = min([0.0, *moves], key=lambda move: sum(w * _cost(d + move) for d, w in away))
        best = self._within(best, [v for column in self._columns[number:] for v in column])
        for column in self._columns[number:] if best else ():
            for v in column:
                self.top[v] += best

    def _within(self, move: float, moved: Iterable[int]) -> float:
        """As much of the move as keeps these nodes within the height of the picture."""
        for v in moved:
            move = max(move, -self._window - self.top[v])
            move = min(move, self._window - self._height[v] - self.top[v])
        return move

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
                    if not seen[p.other] and abs(self.top[p.other] + p.shift - self.top[v]) < 1e-9:
                        seen[p.other] = True
                        run.append(p.other)
            runs.append(run)
        return runs

    def _pushed(self, run: Sequence[int], move: float) -> dict[int, None]:
        """The nodes of a run, and those that have to move as far to make room for it."""
        pushed = dict.fromkeys(run)
        waiting = list(run)
        step = 1 if move > 0 else -1
        for v in waiting:
            column, k = self._columns[self._column[v]], self._place[v] + step
            if 0 <= k < len(column) and column[k] not in pushed:
                room = abs(self.top[column[k]] - self._least[column[k]] - self.top[v] + self._least[v])
                if room < abs(move) - 1e-9:
                    pushed[column[k]] = None
                    waiting.append(column[k])
        return pushed

    def _gain(self, moved: Collection[int], move: float) -> float:
        """How much less the lines cost if these nodes move."""
        gain = 0.0
        for v in moved:
            for p in self._pulls[v]:
                if p.other not in moved:
                    away = self.top[v] - self.top[p.other] - p.shift
                    gain += p.weight * (_cost(away) - _cost(away + move))
        return gain


def _cost(away: float) -> float:
    """The cost of a line whose ends are not at one height."""
    return abs(away) + _STEP if abs(away) > 1e-9 else 0.0


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
