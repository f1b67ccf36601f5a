"""Routes the lines between two columns: horizontal from the ports, vertical on tracks, few crossings, no overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Lines that are nearer to each other than this look like one.
_NEAR = 2.5


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
    order = _Order(wires)
    for k, wire in enumerate(order.placed):
        wire.track = 1 + max((other.track for other in order.placed[:k] if _meet(wire, other)), default=-1)
    return order.wires


def _meet(a: Wire, b: Wire) -> bool:
    return a.low <= b.high + _NEAR and b.low <= a.high + _NEAR


def _crossings(a: Wire, b: Wire) -> int:
    """The number of crossings if the vertical line of `a` is left of that of `b`."""
    return sum(b.low < y < b.high for y in a.rights) + sum(a.low < y < a.high for y in b.lefts)


def _must_follow(a: Wire, b: Wire) -> bool:
    """True if the vertical line of `a` must be right of that of `b`, so that lines do not lie on each other."""
    return a.net != b.net and any(abs(y - z) < _NEAR for y in a.rights for z in b.lefts)


class _Order:
    """The order of the vertical lines from left to right, as `placed`. `wires` are all wires, with halves."""

    def __init__(self, wires: Sequence[Wire]):
        self.wires = list(wires)
        self.placed: list[Wire] = []
        self._waiting = [wire for wire in wires if wire.low != wire.high]
        # For each waiting wire how many crossings more there are if it comes first than if it comes last, and how many
        # others have to be placed before it; by identity, because the ends of wires change.
        self._surplus: dict[int, int] = {}
        self._before: dict[int, int] = {}
        for wire in self._waiting:
            self._count(wire)
        while self._waiting:
            free = [wire for wire in self._waiting if not self._before[id(wire)]]
            if free:
                self._place(min(free, key=lambda wire: self._surplus[id(wire)]))
            else:
                self._split(self._in_cycle())
        self._exchange()

    def _count(self, wire: Wire) -> None:
        others = [other for other in self._waiting if other is not wire and _meet(wire, other)]
        self._surplus[id(wire)] = sum(_crossings(wire, other) - _crossings(other, wire) for other in others)
        self._before[id(wire)] = sum(_must_follow(wire, other) for other in others)

    def _place(self, wire: Wire) -> None:
        self.placed.append(wire)
        self._waiting = [other for other in self._waiting if other is not wire]
        self._weigh(wire, -1)

    def _weigh(self, wire: Wire, sign: int) -> None:
        """Add what a wire means for the others that wait, or take it away."""
        for other in self._waiting:
            if other is not wire and _meet(wire, other):
                self._surplus[id(other)] += sign * (_crossings(other, wire) - _crossings(wire, other))
                self._before[id(other)] += sign * _must_follow(other, wire)

    def _in_cycle(self) -> Wire:
        """A wire of several that all wait for the next one."""
        wire, seen = self._waiting[0], set[int]()
        while id(wire) not in seen:
            seen.add(id(wire))
            wire = next(o for o in self._waiting if o is not wire and _meet(wire, o) and _must_follow(wire, o))
        return wire

    def _split(self, wire: Wire) -> None:
        """Make the wire its second half, and add the first; they meet at a height where no other line is. Nothing has
        to be placed before the first half, and nothing waits for the second, so that each wire is split once."""
        taken = {y for other in self.wires for y in (*other.lefts, *other.rights)}
        middle = round((wire.low + wire.high) / 2)
        steps = (middle + sign * k for k in range(100_000) for sign in (1, -1))
        free = float(next(y for y in steps if all(abs(y - z) > _NEAR for z in taken)))
        self._weigh(wire, -1)
        first = Wire(wire.net, wire.lefts, (free,), is_first_half=True)
        wire.lefts, wire.source = (free,), first
        self.wires.append(first)
        self._weigh(wire, 1)
        self._weigh(first, 1)
        self._waiting.append(first)
        self._count(first)
        self._count(wire)

    def _exchange(self) -> None:
        """Exchange neighbors as long as that saves crossings."""
        for _ in range(len(self.placed)):
            improved = False
            for k in range(len(self.placed) - 1):
                a, b = self.placed[k], self.placed[k + 1]
                if _meet(a, b) and not _must_follow(b, a) and _crossings(b, a) < _crossings(a, b):
                    self.placed[k], self.placed[k + 1] = b, a
                    improved = True
            if not improved:
                break
