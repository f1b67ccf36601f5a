"""Folds a group that is much wider than high into rows, which lines at their ends join."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from cutset.api.diagram.columns import Columns, Edge
from cutset.api.diagram.group_layout import GroupLayout, Scene
from cutset.api.diagram.placed import Placed, Segment, Segments
from cutset.api.diagram.wiring import Item

# A group is folded if it is wider than this, and than this times its height.
_WIDEST, _FLATTEST = 2000.0, 3.5
_ASPECT = 1.8
_TRACK = 10.0
# A fold may be this part of a row away from its best place, to cut fewer lines.
_PLAY = 0.2


class FoldedLayout:
    """A laid out group in one or more rows."""

    def __init__(self, columns: Columns, scene: Scene):
        self._scene = scene
        single = GroupLayout(columns, scene)
        self._rows = [single]
        if single.width > _WIDEST and single.width > _FLATTEST * single.height:
            self._rows = _rows(columns, single, scene)
        folds = [row.folds(last=True) for row in self._rows[:-1]]
        margin = _TRACK * (max(map(len, folds)) + 1) if folds else 0.0
        self._places: list[tuple[float, float]] = []
        y = 0.0
        for number, row in enumerate(self._rows):
            self._places.append((margin if number else 0.0, y))
            y += row.height + (_TRACK * (len(folds[number]) + 2) if number < len(folds) else 0.0)
        self._right = max(x + row.width for row, (x, _) in zip(self._rows, self._places, strict=True))
        self.width, self.height = self._right + margin, y

    def parts(self) -> Iterator[tuple[float, float, Placed]]:
        """The parts with their places."""
        for row, (x, y) in zip(self._rows, self._places, strict=True):
            for dx, dy, placed in row.parts():
                yield x + dx, y + dy, placed

    def own_heights(self) -> dict[str, float]:
        """The heights of the own cuts of the model."""
        places = zip(self._rows, self._places, strict=True)
        return {cut: y + height for row, (_, y) in places for cut, height in row.own_heights().items()}

    def lines(self, border: float) -> list[Segments]:
        """The lines, net by net; those to own cuts on the right side end at `border`."""
        found: dict[int, Segments] = {}
        for number, (row, (x, y)) in enumerate(zip(self._rows, self._places, strict=True)):
            end = border - x if number == len(self._rows) - 1 else row.width
            for net, segments in row.lines(end):
                found[net] = segments.moved(x, y).joined(found.get(net))
        for number in range(1, len(self._rows)):
            for net, segments in self._turns(number):
                found[net] = segments.joined(found[net])
        return [found[net] for net in sorted(found)]

    def _turns(self, number: int) -> Iterator[tuple[int, Segments]]:
        """The lines from the right end of the row before to the left end of a row: the uppermost is outermost at the
        right and innermost at the left, so that none cross."""
        before, row = self._rows[number - 1], self._rows[number]
        (x, y), (next_x, next_y) = self._places[number - 1], self._places[number]
        leaving, entering = before.folds(last=True), row.folds(last=False)
        for k, ((net, from_height), (_, to_height)) in enumerate(zip(leaving, entering, strict=True)):
            right = self._right + _TRACK * (len(leaving) - k)
            between = y + before.height + _TRACK * (len(leaving) - k + 0.5)
            left = next_x - _TRACK * (k + 1)
            points = [
                (x + before.width, y + from_height),
                (right, y + from_height),
                (right, between),
                (left, between),
                (left, next_y + to_height),
                (next_x, next_y + to_height),
            ]
            lines = tuple(Segment(*a, *b) for a, b in itertools.pairwise(points))
            yield net, Segments(self._scene.model.nets[net], lines, ())


def _rows(columns: Columns, single: GroupLayout, scene: Scene) -> list[GroupLayout]:
    """The rows of a group. The lines enter a row in the order in which they leave the row before."""
    count = max(2, math.ceil(math.sqrt(single.width / ((single.height + 60.0) * _ASPECT))))
    rows: list[GroupLayout] = []
    first = 0
    for last in (*_folds(columns, single, count), len(columns.columns)):
        entering = [net for net, _ in rows[-1].folds(last=True)] if rows else []
        rows.append(GroupLayout(_row(columns, first, last, entering), scene, keep_first=bool(rows)))
        first = last
    return rows


def _folds(columns: Columns, single: GroupLayout, count: int) -> list[int]:
    """The columns that begin the second and further rows: near equal widths, where few nets pass."""
    places = single.column_places()
    width = single.width / count
    found: list[int] = []
    for number in range(1, count):
        near = [
            k
            for k in range((found[-1] if found else 0) + 1, len(places))
            if abs(places[k] - number * width) <= _PLAY * width
        ]
        if near:
            nets = {k: len({edge.net for edge in columns.edges[k - 1]}) for k in near}
            found.append(min(near, key=lambda k: (nets[k], abs(places[k] - number * width))))
    return found


def _row(columns: Columns, first: int, last: int, entering: list[int]) -> Columns:
    """The columns from `first` to before `last`, with a column of folds where lines enter and where they leave."""
    begin = 1 if first else 0
    row = Columns()
    numbers: dict[int, int] = {}

    def add(item: Item, column: int) -> int:
        row.nodes.append(item)
        row.column.append(column)
        return len(row.nodes) - 1

    entries = {net: add(Item("fold", net), 0) for net in entering}
    for k in range(first, last):
        for v in columns.columns[k]:
            numbers[v] = add(columns.nodes[v], k - first + begin)
    end = last - first + begin
    leaving = dict.fromkeys(edge.net for edge in columns.edges[last - 1]) if last < len(columns.columns) else {}
    exits = {net: add(Item("fold", net), end) for net in leaving}
    row.columns = [[] for _ in range(end + (1 if leaving else 0))]
    for v, column in enumerate(row.column):
        row.columns[column].append(v)
    row.edges = [[] for _ in range(len(row.columns) - 1)]
    made: dict[Edge, int] = {}
    for k in range(max(first - 1, 0), min(last, len(columns.columns) - 1)):
        for edge in columns.edges[k]:
            if edge.left not in numbers:
                made[edge._replace(left=entries[edge.net], left_port="", right=numbers[edge.right])] = 0
            elif edge.right not in numbers:
                made[edge._replace(left=numbers[edge.left], right=exits[edge.net], right_port="")] = end - 1
            else:
                made[edge._replace(left=numbers[edge.left], right=numbers[edge.right])] = k - first + begin
    for edge, column in made.items():
        row.edges[column].append(edge)
    return row
