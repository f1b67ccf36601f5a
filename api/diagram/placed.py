"""Defines Placed, a part of a diagram with its place, and Segments, the lines of a net."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cutset.api.diagram.parts import Net, Part
from cutset.api.diagram.sizes import Ports


class Segment(NamedTuple):
    """A horizontal or vertical line."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class Segments:
    """The lines of a net, and the points where they branch."""

    net: Net
    lines: tuple[Segment, ...]
    dots: tuple[tuple[float, float], ...]

    def moved(self, x: float, y: float) -> Segments:
        """The same lines, `x` to the right and `y` down."""
        lines = tuple(Segment(s.x1 + x, s.y1 + y, s.x2 + x, s.y2 + y) for s in self.lines)
        return Segments(self.net, lines, tuple((a + x, b + y) for a, b in self.dots))

    def joined(self, other: Segments | None) -> Segments:
        """These lines and others of the same net."""
        return self if other is None else Segments(self.net, other.lines + self.lines, other.dots + self.dots)


@dataclass
class Placed:
    """A part with its size; `inner` are the parts inside with their places, `lines` those of the nets inside, all
    relative to its upper left corner."""

    part: Part
    width: float
    height: float
    ports: Ports
    inner: list[tuple[float, float, Placed]] = field(default_factory=list)
    lines: list[Segments] = field(default_factory=list)

    def walk(self) -> Iterator[tuple[float, float, int, Placed]]:
        """This part and all inside, outer ones first: the place of its upper left corner, its depth, and itself."""
        waiting: list[tuple[float, float, int, Placed]] = [(0.0, 0.0, 0, self)]
        while waiting:
            x, y, depth, placed = waiting.pop()
            yield x, y, depth, placed
            waiting += [(x + dx, y + dy, depth + 1, inner) for dx, dy, inner in reversed(placed.inner)]
