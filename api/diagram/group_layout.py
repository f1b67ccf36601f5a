"""Lays out one group of linked parts: order, heights and places of its columns, and the lines between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from cutset.api.diagram.alignment import Heights, align
from cutset.api.diagram.columns import Columns, is_bare
from cutset.api.diagram.leaf import box, symbolic
from cutset.api.diagram.ordering import order_columns
from cutset.api.diagram.parts import Part
from cutset.api.diagram.placed import Placed, Segment, Segments
from cutset.api.diagram.routing import Wire, assign_tracks
from cutset.api.diagram.sizes import CUT_SIZE, label_of, width_of
from cutset.api.diagram.wiring import LEFT, RIGHT, THROUGH

_CUT_HEIGHT = 14.0
_TRACK = 9.0
_MARGIN = 13.0
# The smallest distances in a column: of two parts, of a part and a line that passes, of two lines.
_DISTANCES = (18.0, 12.0, 10.0)


@dataclass(frozen=True)
class Scene:
    """A model whose parts are placed: `sides` returns the side of each port of a part, `done` has the parts that
    contain others, by their full names, `zero` the cuts of a part with the symbol of the potential zero."""

    model: Part
    sides: Callable[[int], dict[str, str]]
    done: Mapping[str, Placed]
    zero: Mapping[int, Collection[str]]


class GroupLayout:
    """A laid out group of a model, or a row of one. The first column keeps its order if `keep_first`."""

    def __init__(self, columns: Columns, scene: Scene, keep_first: bool = False):
        self._scene = scene
        self._columns = columns
        shown = {
            v: scene.done[scene.model.parts[item.number].path]
            for v, item in enumerate(columns.nodes)
            if item.kind == "part" and scene.model.parts[item.number].parts
        }
        fractions = {
            (v, port): height / placed.height
            for v, placed in shown.items()
            for port, height in placed.ports.height.items()
        } | dict(_symbol_fractions(columns, scene.model))
        order_columns(columns, fractions, keep_first)
        self._placed = shown | self._leaves(fractions)
        self._width = [self._node_width(v) for v in range(len(columns.nodes))]
        height = [self._node_height(v) for v in range(len(columns.nodes))]
        self._top = align(columns, Heights(height, self._offset, self._distance))
        self.height = max((top + h for top, h in zip(self._top, height, strict=True)), default=0.0)
        self._wires = [self._wires_after(number) for number in range(len(columns.edges))]
        self._x, self.width = self._places()

    def _leaves(self, fractions: Mapping[tuple[int, str], float]) -> dict[int, Placed]:
        """The parts whose inside is not shown, with their ports in the order of the parts that they are linked to."""
        place = {v: k for column in self._columns.columns for k, v in enumerate(column)}
        keys: dict[int, dict[str, tuple[float, int]]] = {}
        for edge in self._columns.all_edges():
            for v, port, other, other_port in (
                (edge.left, edge.left_port, edge.right, edge.right_port),
                (edge.right, edge.right_port, edge.left, edge.left_port),
            ):
                keys.setdefault(v, {})[port] = place[other] + fractions.get((other, other_port), 0.5), edge.net
        made: dict[int, Placed] = {}
        for v, item in enumerate(self._columns.nodes):
            part = self._scene.model.parts[item.number] if item.kind == "part" else None
            if part is not None and not part.parts:
                side, linked = self._scene.sides(item.number), keys.get(v, {})
                if part.symbol is not None:
                    sides = {port: side[port] for port in linked}
                    made[v] = symbolic(part, sides, linked, self._scene.zero.get(item.number, ()))
                    continue
                ordered = [*sorted(linked, key=linked.__getitem__), *(c for c in part.cuts if c not in linked)]
                lefts, rights = ([port for port in ordered if side[port] == which] for which in (LEFT, RIGHT))
                made[v] = box(part, lefts, rights)
        return made

    def _node_width(self, v: int) -> float:
        item = self._columns.nodes[v]
        if item.kind == "part":
            return self._placed[v].width
        return float(round(width_of(label_of(item.cut), CUT_SIZE) + 8.0)) if item.kind == "cut" else 0.0

    def _node_height(self, v: int) -> float:
        kind = self._columns.nodes[v].kind
        return self._placed[v].height if kind == "part" else _CUT_HEIGHT if kind == "cut" else 0.0

    def _offset(self, v: int, port: str) -> float:
        kind = self._columns.nodes[v].kind
        return self._placed[v].ports.height[port] if kind == "part" else _CUT_HEIGHT / 2 if kind == "cut" else 0.0

    def _distance(self, upper: int, lower: int) -> float:
        return _DISTANCES[sum(is_bare(self._columns.nodes[v]) for v in (upper, lower))]

    def _wires_after(self, number: int) -> list[Wire]:
        """The lines between a column and the next one, with their tracks."""
        lefts: dict[int, dict[float, None]] = {}
        rights: dict[int, dict[float, None]] = {}
        for edge in self._columns.edges[number]:
            ends = ((edge.left, edge.left_port, lefts, number - 1), (edge.right, edge.right_port, rights, number + 1))
            for v, port, heights, beyond in ends:
                found = heights.setdefault(edge.net, {})
                if self._columns.nodes[v].kind != "joint" or self._continues(v, beyond):
                    found[self._top[v] + self._offset(v, port)] = None
        return assign_tracks([Wire(net, tuple(lefts[net]), tuple(rights[net])) for net in lefts])

    def _continues(self, joint: int, number: int) -> bool:
        """True if a joint has lines between the columns `number` and `number` + 1."""
        edges = self._columns.edges[number] if 0 <= number < len(self._columns.edges) else []
        return any(joint in (edge.left, edge.right) for edge in edges)

    def _places(self) -> tuple[list[float], float]:
        """The left side of each column, and the width of all."""
        x, places = 0.0, []
        for number, column in enumerate(self._columns.columns):
            places.append(x)
            x += max((self._width[v] for v in column), default=0.0)
            if number < len(self._wires):
                tracks = max((wire.track for wire in self._wires[number]), default=-1) + 1
                x += 2 * _MARGIN + max(tracks - 1, 0) * _TRACK
        return places, x

    def _column_width(self, number: int) -> float:
        return max(self._width[v] for v in self._columns.columns[number])

    def _left_of(self, v: int) -> float:
        """The left side of a node, which is in the middle of its column."""
        number = self._columns.column[v]
        return self._x[number] + float(round((self._column_width(number) - self._width[v]) / 2))

    def parts(self) -> Iterator[tuple[float, float, Placed]]:
        """The parts with their places."""
        for v, placed in self._placed.items():
            yield self._left_of(v), self._top[v], placed

    def own_heights(self) -> dict[str, float]:
        """The heights of the own cuts of the model."""
        nodes = enumerate(self._columns.nodes)
        return {item.cut: self._top[v] + _CUT_HEIGHT / 2 for v, item in nodes if item.kind == "cut"}

    def folds(self, last: bool) -> list[tuple[int, float]]:
        """The nets that leave the row at the right side, or enter it at the left side, from top to bottom, with their
        heights."""
        column = self._columns.columns[-1 if last else 0]
        nodes = self._columns.nodes
        return [(nodes[v].number, self._top[v]) for v in column if nodes[v].kind == "fold"]

    def column_places(self) -> list[float]:
        """The left side of each column."""
        return self._x

    def lines(self, border: float) -> Iterator[tuple[int, Segments]]:
        """The lines, net by net, with the number of the net; those to own cuts on the right side end at `border`."""
        lines: dict[int, list[Segment]] = {}
        dots: dict[int, list[tuple[float, float]]] = {}
        ends: dict[int, dict[tuple[int, str], None]] = {}
        for number, column in enumerate(self._columns.edges):
            for edge in column:
                ends.setdefault(edge.left, {})[edge.net, edge.left_port] = None
                ends.setdefault(edge.right, {})[edge.net, edge.right_port] = None
                lines.setdefault(edge.net, [])
                dots.setdefault(edge.net, [])
            for wire in self._wires[number]:
                xs = self._track(number, wire), self._track(number, wire.source or wire)
                lines[wire.net] += _drawn(wire, xs, *self._ends(number, wire.net, border))
                dots[wire.net] += _branches(wire, xs[0])
        for v, placed in self._placed.items():
            x, y = self._left_of(v), self._top[v]
            for net, port in ends.get(v, ()):
                lines[net] += [s.moved(x, y) for s in placed.stubs.get(port, ())]
                if port.endswith(THROUGH) and port[:-1] in placed.stubs:
                    dots[net].append((x + placed.pins[port[:-1]].x, y + placed.ports.height[port]))
        for number in sorted(lines):
            found = dict.fromkeys(s for s in lines[number] if (s.x1, s.y1) != (s.x2, s.y2))
            yield number, Segments(self._scene.model.nets[number], tuple(found), tuple(dict.fromkeys(dots[number])))

    def _track(self, number: int, wire: Wire) -> float:
        return self._x[number] + self._column_width(number) + _MARGIN + max(wire.track, 0) * _TRACK

    def _ends(self, number: int, net: int, border: float) -> tuple[dict[float, float], dict[float, float]]:
        """Where the lines of a net begin and end between two columns: x by height, on the left and on the right."""
        left: dict[float, float] = {}
        right: dict[float, float] = {}
        for edge in self._columns.edges[number]:
            if edge.net == net:
                begin, end = self._left_of(edge.left), self._left_of(edge.right)
                if self._columns.nodes[edge.left].kind == "part":
                    begin += self._width[edge.left]
                if self._columns.nodes[edge.right].kind == "cut":
                    end = border
                left[self._top[edge.left] + self._offset(edge.left, edge.left_port)] = begin
                right[self._top[edge.right] + self._offset(edge.right, edge.right_port)] = end
        return left, right


def _drawn(
    wire: Wire, xs: tuple[float, float], lefts: Mapping[float, float], rights: Mapping[float, float]
) -> Iterator[Segment]:
    """The lines of a wire; `xs` are the places of its vertical line and of that of its first half, `lefts` and `rights`
    the places of its ends by height."""
    x, source = xs
    if wire.low == wire.high:
        if wire.lefts and wire.rights:
            yield Segment(lefts[wire.low], wire.low, rights[wire.low], wire.low)
        return
    yield Segment(x, wire.low, x, wire.high)
    for y in wire.lefts:
        yield Segment(lefts[y] if wire.source is None else source, y, x, y)
    for y in () if wire.is_first_half else wire.rights:
        yield Segment(x, y, rights[y], y)


def _branches(wire: Wire, x: float) -> Iterator[tuple[float, float]]:
    """The points where three or four lines of a wire meet."""
    for y in dict.fromkeys((*wire.lefts, *wire.rights)):
        if (y in wire.lefts) + (y in wire.rights) + (y > wire.low) + (y < wire.high) > 2:
            yield x, y


def _symbol_fractions(columns: Columns, model: Part) -> Iterator[tuple[tuple[int, str], float]]:
    """The heights of the cuts of symbols that do not stand upright, as they are in their files. Where cuts are above
    and none below, they may be below, which brings what follows to the right down, not up."""
    for v, item in enumerate(columns.nodes):
        symbol = model.parts[item.number].symbol if item.kind == "part" else None
        if symbol is not None and "turn" not in symbol.layout:
            has_below = any(y == symbol.height for _, y in symbol.cuts.values())
            for cut, (_, y) in symbol.cuts.items():
                yield (v, cut), y / (symbol.height or 1.0) if y or has_below else 1.0
