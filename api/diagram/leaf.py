"""Places what belongs to a part whose inside is not shown: its symbol or box, cuts, names and values."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

from cutset.api.diagram.parts import EQUATIONS, Part
from cutset.api.diagram.placed import Label, Pin, Placed, Segment
from cutset.api.diagram.sizes import (
    CLASS_SIZE,
    CUT_SIZE,
    Ports,
    hidden_words,
    label_of,
    name_width,
    short,
    width_of,
)
from cutset.api.diagram.symbols import Symbol
from cutset.api.diagram.wiring import LEFT, RIGHT, THROUGH

_PORT_STEP = 16.0
_LEAST_WIDTH, _LEAST_HEIGHT, _JUNCTION = 44.0, 38.0, 20.0
_LINE = 13.0
# The distance of a line that goes around a symbol, and of two such lines.
_AROUND, _TRACK = 8.0, 8.0
# Where the symbol of the potential zero hangs below a cut, and its height.
DROP, MARK = 4.0, 12.0
_TURNS = ((1, 0, 0, 1), (-1, 0, 0, 1), (1, 0, 0, -1), (-1, 0, 0, -1))
_UPRIGHT = ((0, 1, -1, 0), (0, -1, 1, 0), (0, 1, 1, 0), (0, -1, -1, 0))
# What it costs that a line leaves at the side where it goes, above or below, or at the opposite side.
_COSTS = {0: 0.0, 1: 1.0, 2: 3.5}


def box(part: Part, lefts: Sequence[str], rights: Sequence[str]) -> Placed:
    """A part as a box, with these cuts on its sides from top to bottom."""
    shown = (lefts, rights) if not part.style else ()
    widest = [max((width_of(label_of(cut), CUT_SIZE) for cut in side), default=0.0) for side in shown] or [0.0]
    texts = [(part.class_name, "class"), *((value, "label") for value in part.values)]
    texts = [("", "name"), *((short(t), s) for t, s in texts if t), (hidden_words(part), "label")]
    texts = [(words or part.name, style) for words, style in texts if words or style == "name"]
    widths = [name_width(part), *(width_of(words, CLASS_SIZE) for words, _ in texts[1:])]
    least, lowest = (_LEAST_WIDTH, _LEAST_HEIGHT) if not part.style else (_JUNCTION, _JUNCTION)
    margin = 12.0 + 2 * (max(widest) + 6.0 if max(widest) else 2.0)
    width = float(round(max(max(widths) + margin, least))) if part.style != "junction" else least
    most = max(len(lefts), len(rights))
    height = float(round(max(most * _PORT_STEP + 8.0, _LINE * len(texts) + 10.0, lowest)))
    placed = Placed(part, width, height, Ports(), frame=(0.0, 0.0, width, height))
    for side, cuts in ((LEFT, lefts), (RIGHT, rights)):
        for k, cut in enumerate(cuts):
            placed.ports.side[cut] = side
            y = placed.ports.height[cut] = float(round(height / 2 + (k - (len(cuts) - 1) / 2) * _PORT_STEP))
            placed.pins[cut] = Pin(0.0, y, -1.0, 0.0) if side == LEFT else Pin(width, y, 1.0, 0.0)
    for k, (words, style) in enumerate(texts):
        y = height / 2 + _LINE * (k - (len(texts) - 1) / 2) + 4.0
        placed.labels.append(Label(width / 2, y, "middle", style, short(words)))
    return placed


def symbolic(
    part: Part, sides: Mapping[str, str], keys: Mapping[str, tuple[float, int]], zero: Collection[str]
) -> Placed:
    """A part as its symbol, turned so that its lines are short. `sides` are those to which the lines of its ports go,
    in the order of the `keys` from top to bottom; the cuts in `zero` have the symbol of the potential zero."""
    symbol = part.symbol
    assert symbol is not None
    layout = symbol.layout
    possible = _TURNS[:1] if "ground" in layout else _TURNS + (_UPRIGHT if "turn" in layout else ())
    found = [_Turned(symbol, turn, part.cuts, sides, zero) for turn in possible]
    best = min(range(len(found)), key=lambda k: found[k].cost(keys) + 0.01 * k)
    return found[best].placed(part, zero)


class _Turned:
    """A symbol in one position, with the lines from its cuts to the sides where they go."""

    def __init__(
        self,
        symbol: Symbol,
        turn: tuple[int, int, int, int],
        cuts: Sequence[str],
        sides: Mapping[str, str],
        zero: Collection[str],
    ):
        self._turn, self._sides, self._zero = turn, sides, zero
        a, b, c, d = turn
        # An upright part between a net and the potential zero hangs below the line of its net.
        self._is_post = "turn" in symbol.layout and len(cuts) == 2 and len(zero) == 1
        self._width, self._height = (symbol.width, symbol.height) if a else (symbol.height, symbol.width)
        left, top = min(0.0, a * symbol.width + c * symbol.height), min(0.0, b * symbol.width + d * symbol.height)
        self.pins: dict[str, Pin] = {}
        for name, (x, y) in symbol.cuts.items():
            if name in cuts or name in sides:
                dx, dy = _outwards(x, y, symbol)
                self.pins[name] = Pin(a * x + c * y - left, b * x + d * y - top, a * dx + c * dy, b * dx + d * dy)
        # Equations above the symbol, cuts that it has no place for below it.
        others = [p for p in sides if p.removesuffix(THROUGH) not in self.pins]
        for k, name in enumerate(others):
            x = self._width / 2 + 6.0 * (k - (len(others) - 1) / 2)
            above = name.startswith(EQUATIONS)
            self.pins[name] = Pin(x, 0.0 if above else self._height, 0.0, -1.0 if above else 1.0)

    def cost(self, keys: Mapping[str, tuple[float, int]]) -> float:
        """How far the lines have to go around the symbol, and how often they cross."""
        total = 0.0
        for port, side in self._sides.items():
            pin = self.pins[port.removesuffix(THROUGH)]
            wanted = -1.0 if side == LEFT else 1.0
            total += 9.0 * (pin.dy > -1) if self._hangs(port) else _COSTS[int(1 - pin.dx * wanted)]
        low = {port: pin.y for port, pin in self.pins.items() if port in self._sides and not pin.dy}
        total += sum(y > self.pins[cut].y and not self.pins[cut].dy for cut in self._zero for y in low.values())
        total += any(self.pins[cut].dx for cut in self._zero) * sum(
            pin.dy > 0 for p, pin in self.pins.items() if p in self._sides
        )
        total += sum(3.0 * (self.pins[cut].dy < 0) + 0.5 * (self.pins[cut].dy == 0) for cut in self._zero)
        heights = {port: (self.pins[port].dy, self.pins[port].y) for port in self._sides if port in self.pins}
        for side in (LEFT, RIGHT):
            order = sorted((p for p in heights if self._sides[p] == side), key=lambda p: keys.get(p, (0.0, 0)))
            total += 0.4 * sum(heights[p] > heights[q] for k, p in enumerate(order) for q in order[k + 1 :])
        return total

    def placed(self, part: Part, zero: Collection[str]) -> Placed:
        """The part with its lines and labels, all within its border."""
        paths = dict(self._paths())
        for cut in zero:
            paths[cut] = self._to_zero(self.pins[cut])
        points = [point for path in paths.values() for point in path]
        points += [(pin.x + 4 * pin.dx, pin.y + 4 * pin.dy) for port, pin in self.pins.items() if port not in paths]
        low = min([0.0, *(y for _, y in points)])
        bottoms = [y + (MARK if port in zero else 0.0) for port, path in paths.items() for _, y in path]
        high = max([self._height, *bottoms, *(y for _, y in points)])
        xs = [x for x, _ in points]
        xs += [
            x + s for port, path in paths.items() for x, _ in path for s in ((-8.0, 8.0) if port in zero else (0.0,))
        ]
        left, right = min([0.0, *xs]), max([self._width, *xs])
        texts = [Label(0, 0, "", "name", short(part.name)), *(Label(0, 0, "", "label", v) for v in part.values)]
        widths = [name_width(part), *(width_of(t.words, CUT_SIZE) for t in texts[1:])]
        if all(pin.dy for port, pin in self.pins.items() if not port.startswith(EQUATIONS)):
            x, y = right + 5.0, self._height / 2 - _LINE * (len(texts) - 1) / 2 + 4.0
            labels = [t._replace(x=x, y=y + _LINE * k, anchor="start") for k, t in enumerate(texts)]
            right = x + max(widths)
            low, high = min(low, y - 10.0), max(high, y + _LINE * len(texts) - 9.0)
        else:
            # The name is above, the values are below, or all where no line leaves.
            above, below = (any(pin.dy == way and port in paths for port, pin in self.pins.items()) for way in (-1, 1))
            count = len(texts) if below else 0 if above else 1
            places = [low - 5.0 - _LINE * (count - 1 - k) for k in range(count)]
            places += [high + 11.0 + _LINE * k for k in range(len(texts) - count)]
            labels = [t._replace(x=self._width / 2, y=y, anchor="middle") for t, y in zip(texts, places, strict=True)]
            low, high = min(low, places[0] - 11.0), max(high, places[-1] + 4.0)
            half = max(widths) / 2
            left, right = min(left, self._width / 2 - half), max(right, self._width / 2 + half)
        left, right, low, high = (float(round(v)) for v in (left - 1, right + 1, low, high))
        result = Placed(part, right - left, high - low, Ports(), turn=self._turn)
        result.frame = (-left, -low, self._width, self._height)
        result.labels = [t._replace(x=t.x - left, y=t.y - low) for t in labels]
        result.pins = {name: pin._replace(x=pin.x - left, y=pin.y - low) for name, pin in self.pins.items()}
        for port, path in paths.items():
            if port in self._sides:
                path = [*path, (left if self._sides[port] == LEFT else right, path[-1][1])]
                result.ports.side[port], result.ports.height[port] = self._sides[port], path[-1][1] - low
            moved = [(x - left, y - low) for x, y in path]
            result.stubs[port] = tuple(Segment(*p, *q) for p, q in itertools.pairwise(moved) if p != q)
        for cut, pin in result.pins.items():
            if cut not in result.ports.side:
                result.ports.side[cut], result.ports.height[cut] = LEFT if pin.dx < 0 else RIGHT, pin.y
        return result

    def _hangs(self, port: str) -> bool:
        """True for the port of a part that hangs below the line of its net."""
        return self._is_post and port.removesuffix(THROUGH) not in self._zero

    def _paths(self) -> Iterator[tuple[str, list[tuple[float, float]]]]:
        """The way of each line from its cut to where it leaves straight to its side."""
        used = {-1.0: 0, 1.0: 0}
        for port in sorted(self._sides, key=self._nearness):
            pin, wanted = self.pins[port.removesuffix(THROUGH)], -1.0 if self._sides[port] == LEFT else 1.0
            if pin.dx == wanted:
                yield port, [(pin.x, pin.y)]
                continue
            way = pin.dy or (-1.0 if pin.y < self._height / 2 else 1.0)
            free = _AROUND if pin.dx or port.startswith(EQUATIONS) else 0.0
            away = 0.0 if self._hangs(port) else used[way] * _TRACK + free
            used[way] += 1
            x = pin.x + pin.dx * _AROUND
            edge = 0.0 if way < 0 else self._height
            yield port, [(pin.x, pin.y), (x, pin.y), (x, edge + way * away)]

    def _nearness(self, port: str) -> tuple[float, float]:
        """What is nearer to the side where it goes comes first, and nearer to the symbol."""
        pin = self.pins[port.removesuffix(THROUGH)]
        x = pin.x if self._sides[port] == LEFT else self._width - pin.x
        return abs(pin.dx), x

    def _to_zero(self, pin: Pin) -> list[tuple[float, float]]:
        """The way from a cut to the symbol of the potential zero."""
        if pin.dy > 0:
            return [(pin.x, pin.y), (pin.x, pin.y + DROP)]
        x = pin.x + (pin.dx or 1.0) * 10.0
        y = pin.y + 10.0 * min(pin.dy, 0.0)
        return [(pin.x, pin.y), (pin.x, y), (x, y), (x, y + 8.0)]


def _outwards(x: float, y: float, symbol: Symbol) -> tuple[float, float]:
    """The direction from a cut away from its symbol."""
    away = (x, -1.0, 0.0), (symbol.width - x, 1.0, 0.0), (y, 0.0, -1.0), (symbol.height - y, 0.0, 1.0)
    _, dx, dy = min(away, key=lambda each: each[0])
    return dx, dy
