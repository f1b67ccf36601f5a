"""Draws the potential zero of a circuit: one line below the parts where it crosses nothing, else symbols below cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.api.diagram.leaf import symbolic
from cutset.api.diagram.parts import OWN, Net, Part
from cutset.api.diagram.placed import Placed, Segment, Segments

_BELOW = 14.0
# Where a part may be above the line.
_ROOM = 9.0


def add_ground(result: Placed, net: Net, grounds: Sequence[Part], bottom: float) -> float:
    """Draw a net that is joined to parts of potential zero into a model whose other parts are placed. Return the lowest
    height that this takes; `bottom` is that of all other parts."""
    pins = list(_pins(result, net))
    ends = [(x, y, is_below) for x, y, is_below, _ in pins]
    free = [(x, y) for x, y, is_below in ends if is_below and _is_free(result, x, y, bottom)]
    rail = bottom + _BELOW - 8.0
    lines: list[Segment] = []
    dots: list[tuple[float, float]] = []
    places = [(x, y) for x, y, _ in ends if len(free) < 2 or (x, y) not in free]
    if len(free) > 1:
        free.sort()
        places.insert(0, (free[0][0], rail))
        lines = [Segment(x, y, x, rail) for x, y in free] + [Segment(free[0][0], rail, free[-1][0], rail)]
        dots = [(x, rail) for x, _ in free[:-1]]
    lowest = bottom
    for (x, y), part in zip(places, grounds, strict=False):
        placed = symbolic(part, {}, {}, ())
        cut, pin = next(iter(placed.pins.items()))
        placed.stubs[cut] = ()
        result.inner.append((x - pin.x, y - pin.y, placed))
        lowest = max(lowest, y - pin.y + placed.height)
    result.marks += places[len(grounds) :]
    result.ground = next(part for part in result.part.parts if part.symbol and "ground" in part.symbol.layout)
    for _, _, _, stubs in pins:
        lines += stubs
    before = next((segments for segments in result.lines if segments.net is net), None)
    result.lines = [segments for segments in result.lines if segments is not before]
    result.lines.append(Segments(net, tuple(lines), tuple(dots)).joined(before))
    return lowest


def _pins(result: Placed, net: Net) -> Iterator[tuple[float, float, bool, list[Segment]]]:
    """For each cut of a net the end of the line from it, whether this is straight below it, and the line."""
    ports = {(result.part.parts[port.part].path, port.cut) for port in net.ports if port.part != OWN}
    for dx, dy, inner in result.inner:
        if inner.part.symbol is None or "ground" in inner.part.symbol.layout:
            continue
        for cut, stubs in inner.stubs.items():
            if (inner.part.path, cut) in ports and stubs:
                moved = [s.moved(dx, dy) for s in stubs]
                yield moved[-1].x2, moved[-1].y2, inner.pins[cut].dy > 0, moved


def _is_free(result: Placed, x: float, y: float, bottom: float) -> bool:
    """True if a line straight down from a point to the height `bottom` meets no part and no line."""
    for dx, dy, inner in result.inner:
        if dx - _ROOM < x < dx + inner.width + _ROOM and y + 1.0 < dy + inner.height and dy < bottom and dy + 1.0 > y:
            return False
    near = (s for segments in result.lines for s in segments.lines)
    return not any(min(s.x1, s.x2) - 2 <= x <= max(s.x1, s.x2) + 2 and max(s.y1, s.y2) > y for s in near)
