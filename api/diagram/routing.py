"""Routes the lines between two columns: horizontal from the ports, vertical on tracks, few crossings, no overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_NEAR = 4.0
_OVERLAP = 1000


@dataclass
class Wire:
    """The lines of one net between two columns: they leave at the heights `lefts` and arrive at `rights`. `track` is
    the number of its vertical line, -1 if it needs none. A second half begins at the vertical line of the first, its
    `source`, which ends there."""

    net: int
    lefts: tuple[float, ...]
    rights: tuple[float, ...]
    track: int = -1
    source: Wire | None = None
    is_first_half: bool = False

    @property
    def low(self) -> float:
        """The height of the uppermost end."""
        return min(*self.lefts, *self.rights)

    @property
    def high(self) -> float:
        """The height of the lowest end."""
        return max(*self.lefts, *self.rights)


def assign_tracks(wires: Sequence[Wire]) -> list[Wire]:
    """The wires with their tracks, numbered from left to right. A wire that would lie on another one is split in two,
    joined by a horizontal line."""
    made = list(wires)
    for _ in range(len(wires)):
        bent = [wire for wire in made if wire.low != wire.high]
        order = _order(bent)
        clash = next(((a, b) for k, a in enumerate(order) for b in order[k + 1 :] if _cost(a, b) >= _OVERLAP), None)
        if clash is None:
            break
        made.append(_split(clash[0], made))
    else:
        order = _order([wire for wire in made if wire.low != wire.high])
    for k, wire in enumerate(order):
        before = [other.track for other in order[:k] if _meet(wire, other)]
        wire.track = max(before, default=-1) + 1
    return made


def _meet(a: Wire, b: Wire) -> bool:
    return a.low <= b.high + _NEAR and b.low <= a.high + _NEAR


def _cost(a: Wire, b: Wire) -> int:
    """The number of crossings if the vertical line of `a` is left of that of `b`; large if lines lie on each other."""
    if not _meet(a, b):
        return 0
    crossed = sum(b.low < y < b.high for y in a.rights) + sum(a.low < y < a.high for y in b.lefts)
    return crossed + _OVERLAP * sum(abs(y - z) < _NEAR for y in a.rights for z in b.lefts)


def _order(wires: list[Wire]) -> list[Wire]:
    """An order from left to right with few crossings: each wire in turn goes where it costs least, then again."""
    order: list[Wire] = []
    for wire in sorted(wires, key=lambda w: (w.low + w.high, w.net)):
        order.insert(_best_place(wire, order), wire)
    for _ in range(2):
        for wire in list(order):
            order.remove(wire)
            order.insert(_best_place(wire, order), wire)
    return order


def _best_place(wire: Wire, order: list[Wire]) -> int:
    cost = sum(_cost(wire, other) for other in order)
    best, least = 0, cost
    for k, other in enumerate(order):
        cost += _cost(other, wire) - _cost(wire, other)
        if cost < least:
            best, least = k + 1, cost
    return best


def _split(wire: Wire, others: Sequence[Wire]) -> Wire:
    """Make the wire its second half, and return the first; they meet at a height where no other line is."""
    taken = [y for other in others for y in (*other.lefts, *other.rights)]
    middle = round((wire.low + wire.high) / 2)
    steps = (middle + sign * k for k in range(100_000) for sign in (1, -1))
    free = float(next(y for y in steps if all(abs(y - z) > _NEAR for z in taken)))
    first = Wire(wire.net, wire.lefts, (free,), source=wire.source, is_first_half=True)
    wire.lefts, wire.source = (free,), first
    return first
