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

    def moved(self, x: float, y: float) -> Segment:
        """The same line, `x` to the right and `y` down."""
        return Segment(self.x1 + x, self.y1 + y, self.x2 + x, self.y2 + y)


class Pin(NamedTuple):
    """The place of a cut on a part, and the direction in which its line leaves."""

    x: float
    y: float
    dx: float
    dy: float


class Label(NamedTuple):
    """A text beside a part: its place, where it is anchored ('start', 'middle' or 'end'), and its style."""

    x: float
    y: float
    anchor: str
    style: str
    words: str


@dataclass(frozen=True)
class Segments:
    """The lines of a net, and the points where they branch."""

    net: Net
    lines: tuple[Segment, ...]
    dots: tuple[tuple[float, float], ...]

    def moved(self, x: float, y: float) -> Segments:
        """The same lines, `x` to the right and `y` down."""
        return Segments(self.net, tuple(s.moved(x, y) for s in self.lines), tuple((a + x, b + y) for a, b in self.dots))

    def joined(self, other: Segments | None) -> Segments:
        """These lines and others of the same net."""
        return self if other is None else Segments(self.net, other.lines + self.lines, other.dots + self.dots)


@dataclass
class Placed:
    """A part with its size; `inner` are the parts inside with their places, `lines` those of the nets inside, all
    relative to its upper left corner. `ports` are where lines reach its border; `stubs` lead from there to the `pins`.
    A symbol fills the `frame` (x, y, width, height) and is turned by `turn` (a, b, c, d of a matrix). `marks` are the
    places of further symbols of the potential zero of the `ground`."""

    part: Part
    width: float
    height: float
    ports: Ports
    inner: list[tuple[float, float, Placed]] = field(default_factory=list)
    lines: list[Segments] = field(default_factory=list)
    pins: dict[str, Pin] = field(default_factory=dict)
    stubs: dict[str, tuple[Segment, ...]] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    frame: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    turn: tuple[int, int, int, int] = (1, 0, 0, 1)
    marks: list[tuple[float, float]] = field(default_factory=list)
    ground: Part | None = None

    def walk(self) -> Iterator[tuple[float, float, int, Placed]]:
        """This part and all inside, outer ones first: the place of its upper left corner, its depth, and itself."""
        waiting: list[tuple[float, float, int, Placed]] = [(0.0, 0.0, 0, self)]
        while waiting:
            x, y, depth, placed = waiting.pop()
            yield x, y, depth, placed
            waiting += [(x + dx, y + dy, depth + 1, inner) for dx, dy, inner in reversed(placed.inner)]
