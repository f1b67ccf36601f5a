"""Puts parts where the text places them, and draws their lines around everything else.

The layout places all other parts as if nobody had moved any; those that would be covered go below what covers them.
"""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import NamedTuple

from cutset.api.diagram.parts import OWN, Net
from cutset.api.diagram.placed import Pin, Placed, Segment, Segments
from cutset.api.diagram.sizes import HEADER
from cutset.api.diagram.wiring import LEFT

# The distance of lines from parts; that of parts which make room.
_AWAY, _ROOM = 8.0, 24.0
_SIDE = 16.0
# What a bend costs, and a place that another line has, in pixels.
_BEND, _SHARED = 24.0, 90.0
# Around a net more points than these are not searched.
_MOST_POINTS = 1_500


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        """True if they have an area in common."""
        apart = self.left >= other.right or other.left >= self.right
        return not (apart or self.top >= other.bottom or other.top >= self.bottom)


def place_by_hand(model: Placed) -> None:
    """Move the parts of a model that have a place, and draw the lines that this concerns again."""
    places = [inner.part.place for _, _, inner in model.inner]
    before = list(model.inner)
    for k, place in enumerate(places):
        if place is not None:
            inner = model.inner[k][2]
            left, top, width, height = inner.frame if inner.frame[2] else (0.0, 0.0, inner.width, inner.height)
            x, y = max(place[0] - left - width / 2, _SIDE), max(place[1] - top - height / 2, HEADER + _AWAY)
            model.inner[k] = x, y, inner
    placed = [_box(inner) for inner, place in zip(model.inner, places, strict=True) if place is not None]
    covered = {k for k, p in enumerate(places) if p is None and any(b.meets(_box(model.inner[k])) for b in placed)}
    fixed = [_box(inner) for k, inner in enumerate(model.inner) if k not in covered]
    for k in covered:
        x, y, inner = model.inner[k]
        while above := [b for b in fixed if b.meets(_Box(x, y, x + inner.width, y + inner.height))]:
            y = max(box.bottom for box in above) + _ROOM
        model.inner[k] = x, y, inner
        fixed.append(_box(model.inner[k]))
    moved = {k for k in range(len(before)) if before[k] != model.inner[k]}
    if moved:
        model.width = max(model.width, *(box.right + _SIDE for box in fixed))
        _draw_lines(model, moved)


def _around(line: Segment) -> _Box:
    """A box of some width around a line."""
    x1, x2, y1, y2 = *sorted((line.x1, line.x2)), *sorted((line.y1, line.y2))
    return _Box(x1 - 1, y1 - 1, x2 + 1, y2 + 1)


def _box(inner: tuple[float, float, Placed]) -> _Box:
    x, y, part = inner
    return _Box(x, y, x + part.width, y + part.height)


def _draw_lines(model: Placed, moved: Collection[int]) -> None:
    """The lines of nets that have a port at a moved part, or that one of those covers, and of the potential zero."""
    paths = {id(inner.part): k for k, (_, _, inner) in enumerate(model.inner)}
    number = [paths.get(id(part), -1) for part in model.part.parts]
    grounds = {number[k] for k, p in enumerate(model.part.parts) if p.symbol and "ground" in p.symbol.layout}
    covered = [_box(model.inner[k]) for k in moved]

    def is_touched(segments: Segments) -> bool:
        at = {number[port.part] for port in segments.net.ports if port.part != OWN}
        lines = map(_around, segments.lines)
        return bool(at & {*moved}) or any(box.meets(line) for line in lines for box in covered)

    again = {id(segments): is_touched(segments) for segments in model.lines}
    has_zero = {id(s): any(p.part != OWN and number[p.part] in grounds for p in s.net.ports) for s in model.lines}
    if any(again[key] and has_zero[key] for key in again):
        model.marks.clear()
        again = {key: again[key] or has_zero[key] for key in again}
    boxes = [_box(inner) for inner in model.inner]
    kept = [segments for segments in model.lines if not again[id(segments)]]
    for segments in [segments for segments in model.lines if again[id(segments)]]:
        ends = [end for end in (_end(model, segments.net, k, number) for k in range(len(segments.net.ports))) if end]
        kept.append(_Router(boxes, [s for each in kept for s in each.lines], ends).drawn(segments.net))
    model.lines = kept


def _end(model: Placed, net: Net, k: int, number: list[int]) -> tuple[Pin, int] | None:
    """The place of a port of a net, and the part that it belongs to (-1: the model); None if it is not drawn."""
    port = net.ports[k]
    if port.part == OWN:
        is_left = model.ports.side[port.cut] == LEFT
        return Pin(0.0 if is_left else model.width, model.ports.height[port.cut], 1.0 if is_left else -1.0, 0.0), -1
    at = number[port.part]
    if at < 0:
        return None
    x, y, inner = model.inner[at]
    if port.cut in inner.pins:
        pin = inner.pins[port.cut]
        return Pin(x + pin.x, y + pin.y, pin.dx, pin.dy), at
    is_left = inner.ports.side[port.cut] == LEFT
    return Pin(x if is_left else x + inner.width, y + inner.ports.height[port.cut], -1.0 if is_left else 1.0, 0.0), at


class _Router:
    """Finds short lines with few bends between the ends of a net, on the lines beside parts and through ends."""

    def __init__(self, boxes: list[_Box], others: list[Segment], ends: list[tuple[Pin, int]]):
        self._begins = [(pin, *_out(pin, boxes, k)) for pin, k in ends]
        xs, ys = [x for _, x, _ in self._begins], [y for _, _, y in self._begins]
        around = _Box(min(xs) - 60, min(ys) - 60, max(xs) + 60, max(ys) + 60) if xs else _Box(0, 0, 0, 0)
        self._boxes = [box for box in boxes if box.meets(around)]
        self._others = [s for s in others if around.meets(_around(s))]
        xs += [x for b in self._boxes for x in (b.left - _AWAY, b.right + _AWAY)]
        ys += [y for b in self._boxes for y in (b.top - _AWAY, b.bottom + _AWAY)]
        self._xs, self._ys = sorted({x for x in xs if x >= 0}), sorted({y for y in ys if y >= 0})

    def drawn(self, net: Net) -> Segments:
        """The lines of the net, with a dot where three meet."""
        lines: dict[Segment, None] = {}
        tree: set[tuple[int, int]] = set()
        degree: dict[tuple[int, int], int] = {}
        for pin, x, y in self._begins:
            begin = bisect_left(self._xs, x), bisect_left(self._ys, y)
            path = self._path(begin, tree) if tree else [begin]
            for (i, j), (k, m) in itertools.pairwise(path):
                lines[Segment(self._xs[i], self._ys[j], self._xs[k], self._ys[m])] = None
                degree[i, j], degree[k, m] = degree.get((i, j), 0) + 1, degree.get((k, m), 0) + 1
            if (pin.x, pin.y) != (x, y):
                lines[Segment(pin.x, pin.y, x, y)] = None
                degree[begin] = degree.get(begin, 0) + 1
            tree.update(path)
        dots = tuple((self._xs[i], self._ys[j]) for (i, j), n in degree.items() if n > 2)
        return Segments(net, tuple(lines), dots)

    def _path(self, begin: tuple[int, int], goals: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
        """From a point to the nearest of the goals; straight corners if there are too many points."""
        if len(self._xs) * len(self._ys) > _MOST_POINTS:
            (i, j), (k, m) = begin, next(iter(goals))
            return list(dict.fromkeys([(i, j), (k, j), (k, m)]))
        before: dict[tuple[int, int, int], tuple[int, int, int] | None] = {}
        waiting: list[tuple[float, tuple[int, int, int], tuple[int, int, int] | None]] = [(0.0, (*begin, -1), None)]
        while waiting:
            cost, here, last = heapq.heappop(waiting)
            if here in before:
                continue
            before[here] = last
            if here[:2] in goals:
                return list(self._back(here, before))
            for step, (i, j, way) in self._steps(here):
                if (i, j, way) not in before:
                    heapq.heappush(waiting, (cost + step, (i, j, way), here))
        return [begin, next(iter(goals))]

    def _steps(self, here: tuple[int, int, int]) -> Iterator[tuple[float, tuple[int, int, int]]]:
        """The neighbors of a point with what the way there costs: `here` has the direction of the way to it."""
        i, j, way = here
        for to, (k, m) in enumerate(((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1))):
            if not (0 <= k < len(self._xs) and 0 <= m < len(self._ys)):
                continue
            x1, x2 = sorted((self._xs[i], self._xs[k]))
            y1, y2 = sorted((self._ys[j], self._ys[m]))
            line = _Box(x1 - 1, y1 - 1, x2 + 1, y2 + 1)
            crossing = sum(line.meets(box) for box in self._boxes)
            shared = any(_is_along(line, other) for other in self._others)
            length = x2 - x1 + y2 - y1
            bend = _BEND if way >= 0 and way // 2 != to // 2 else 0.0
            yield length + bend + 400.0 * crossing + (_SHARED if shared else 0.0), (k, m, to)

    def _back(
        self, here: tuple[int, int, int], before: dict[tuple[int, int, int], tuple[int, int, int] | None]
    ) -> Iterator[tuple[int, int]]:
        at: tuple[int, int, int] | None = here
        while at is not None:
            yield at[:2]
            at = before[at]


def _out(pin: Pin, boxes: list[_Box], k: int) -> tuple[float, float]:
    """Where the line from a cut has left its part, the box `k`: at its border if another part is close."""
    if k < 0:
        return pin.x + _AWAY * pin.dx, pin.y
    for away in (_AWAY, 0.0):
        x = {0.0: pin.x, -1.0: boxes[k].left - away, 1.0: boxes[k].right + away}[pin.dx]
        y = {0.0: pin.y, -1.0: boxes[k].top - away, 1.0: boxes[k].bottom + away}[pin.dy]
        if not any(box.meets(_Box(x - 1, y - 1, x + 1, y + 1)) for box in boxes if box is not boxes[k]):
            break
    return x, y


def _is_along(line: _Box, other: Segment) -> bool:
    """True if another line has more than a crossing in common with this one."""
    x1, x2, y1, y2 = *sorted((other.x1, other.x2)), *sorted((other.y1, other.y2))
    is_level = line.right - line.left > line.bottom - line.top
    if is_level != (x2 - x1 > y2 - y1):
        return False
    return line.meets(_Box(x1 - 1, y1 - 1, x2 + 1, y2 + 1))
