"""Turns a connect statement into joins of ends: chains, parallels and rings are traversed, lists matched.

Precedence, from the tightest: reversed, par, to, loop; `at` is the loosest. A link of several points has two ends:
those of a chain are the left end of its first and the right end of its last link, those of a parallel or of a ring the
ends of its first link. Connections to an absent submodel vanish; a parallel holds without it. Does not compare shapes:
cuts without body have none until everything is connected.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Shape, size_of
from cutset.compiler.instantiate.instance import Join
from cutset.compiler.instantiate.tree import connection_messages
from cutset.compiler.instantiate.tree.connection_points import (
    ABSENT,
    ConnectionPoint,
    Ends,
    connection_point,
    shape_of,
)
from cutset.compiler.instantiate.tree.control_flow import iterations
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import Evaluator
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import Node
from cutset.contract.names import split

# What one connection of a statement says.
Connected = tree.Link | tree.Placement
RangeIndex = tree.Range | tree.Everything


def joins_of(here: Within, connect: tree.Connect) -> list[Join]:
    """The joins of a connect statement; errors are reported to the node."""
    joins: list[Join] = []
    for connection in connect.connections:
        indices: tuple[tree.ForIndex, ...] = ()
        wanted = connection
        if isinstance(wanted, tree.Repeated):
            indices, wanted = wanted.indices, wanted.connection
        ranges = _with_ranges(wanted)
        for scope in _all_iterations(here, indices):
            try:
                for each in _of_ranges(scope, wanted, ranges) if ranges else [wanted]:
                    joins += _Connection(scope, connection.span).joins_of(each)
            except ModelError as error:
                here.report(*error.diagnostics)
    return joins


def _with_ranges(connection: Connected) -> list[tree.PointReference]:
    """The points of a connection with an index that is a range."""
    found: list[tree.PointReference] = []

    def noted(node: Node) -> Node:
        if isinstance(node, tree.PointReference) and any(map(_ranges_of, node.parts)):
            found.append(node)
        return node

    tree.mapped(connection, noted)
    return found


def _ranges_of(part: tree.Part) -> list[RangeIndex]:
    return [index for index in part.arguments or () if isinstance(index, tree.Range | tree.Everything)]


def _of_ranges(here: Within, connection: Connected, points: list[tree.PointReference]) -> list[Connected]:
    """`a(1..3) to b(2..4)` as the connections of a(1) to b(2), a(2) to b(3) and a(3) to b(4). `points` have ranges; of
    several in a point the last varies fastest."""
    selected = [(point, found) for point in points if (found := _selected(here, point))]
    if not selected:
        return [connection]
    numbers: dict[RangeIndex, Sequence[int]] = {}
    (first, ranges), *_ = selected
    for point, found in selected:
        texts = (first.span.text, _lengths(ranges)), (point.span.text, _lengths(found))
        counts = [[n for n in lengths if n != 1] for _, lengths in texts]
        if counts[0] != counts[1] and not all(0 in each for each in counts):
            raise ModelError([connection_messages.ranges_differ(*texts, point.span, here.instance)])
        numbers |= zip(found, zip(*itertools.product(*found.values()), strict=True), strict=False)

    def of_round(k: int) -> Connected:
        def change(node: Node) -> Node:
            is_range = isinstance(node, tree.Range | tree.Everything)
            return tree.Number(node.span, numbers[node][k]) if is_range and node in numbers else node

        changed: Connected = tree.mapped(connection, change)
        return changed

    return [of_round(k) for k in range(size_of(_lengths(ranges)))]


def _lengths(ranges: dict[RangeIndex, range]) -> Shape:
    return tuple(map(len, ranges.values()))


def _selected(here: Within, point: tree.PointReference) -> dict[RangeIndex, range]:
    """The numbers that each range of a point selects; none for what is no array. A range of cuts behind one of
    submodels is that of the first of them."""
    found: dict[RangeIndex, range] = {}
    owner = here.node
    for k, part in enumerate(point.parts):
        shape = shape_of(here, owner, part.name, is_cut=k > 0 and part is point.parts[-1])
        first, evaluator = part, Evaluator(here)
        if shape and _ranges_of(part):
            arguments = evaluator.arguments_of(part, shape, "elements")
            indices = evaluator.indices(part, shape)
            ranges = {a: range(i.start + 1, i.stop + 1, i.step)
                      for a, i in zip(arguments, indices, strict=True) if isinstance(i, range)}  # fmt: skip
            found |= ranges  # type: ignore[arg-type]
            if not all(found.values()):
                break
            first = replace(part, arguments=tuple(
                tree.Number(a.span, ranges[a][0]) if a in ranges else a for a in arguments
            ))  # fmt: skip
        if part is not point.parts[-1]:
            owner = here.child(owner, first)
    return found


def _all_iterations(here: Within, indices: tuple[tree.ForIndex, ...]) -> Iterator[Within]:
    """The rounds of nested loops, with the last index varying fastest."""
    # The active loops, each within the one before.
    begun: list[Iterator[Within]] = [iter((here,))]
    while begun:
        scope = next(begun[-1], None)
        if scope is None:
            begun.pop()
        elif len(begun) <= len(indices):
            begun.append(iterations(scope, indices[len(begun) - 1]))
        else:
            yield scope


class _Connection:
    """One connection while it is read: the joins so far, all of one place. Recursion is over the nesting of
    parentheses, which the parser limits."""

    def __init__(self, here: Within, span: Span):
        self._here = here
        self._span = span
        self._joins: list[Join] = []

    def joins_of(self, connection: tree.Link | tree.Placement) -> list[Join]:
        if isinstance(connection, tree.Placement):
            self._place(connection)
            return self._joins
        point = self._point(connection)
        if isinstance(connection, tree.PointReference | tree.Reversed) and not self._joins and not point.is_absent:
            raise ModelError(
                [connection_messages.connected_with_nothing(point.name, connection.span, self._here.instance)]
            )
        return self._joins

    def _place(self, placement: tree.Placement) -> None:
        point = self._point(placement.link)
        targets = [connection_point(self._here, t) for t in placement.targets]
        if len(targets) == 1:
            self._join(point.name, point.whole, targets[0].name, targets[0].whole)
            return
        if point.is_absent:
            return
        if len(point.parts) != len(targets):
            counts = f"'{point.name}'", len(point.parts), "the list", len(targets)
            raise ModelError([connection_messages.part_counts(*counts, self._span, self._here.instance)])
        if len({t.whole for t in targets}) == 1:  # some ends may share a point, as two-ports over one ground do
            raise ModelError([connection_messages.joined_with_itself(point.name, self._span, self._here.instance)])
        for part, target in zip(point.parts, targets, strict=False):
            self._join(point.name, part, target.name, target.whole)

    def _point(self, link: tree.Link) -> ConnectionPoint:
        """The ends of a link, after the joins inside it."""
        match link:
            case tree.PointReference():
                return connection_point(self._here, link)
            case tree.Reversed():
                return self._turned(self._point(link.link), link.span)
            case tree.Chain():
                return self._chain([self._point(part) for part in link.links])
            case tree.Parallel():
                return self._parallel([self._point(part) for part in link.links])
            case tree.Loop():
                return self._loop(self._point(link.first), self._point(link.second))

    def _chain(self, points: list[ConnectionPoint]) -> ConnectionPoint:
        for a, b in itertools.pairwise(points):
            if a.name == b.name:
                raise ModelError([connection_messages.joined_with_itself(a.name, self._span, self._here.instance)])
            self._join(a.name, a.right, b.name, b.left)
        return _between(_words(points, "to"), points[0].left, points[-1].right)

    def _parallel(self, points: list[ConnectionPoint]) -> ConnectionPoint:
        points = [point for point in points if not point.is_absent] or points[:1]
        for a, b in itertools.pairwise(points):
            self._join(a.name, a.left, b.name, b.left)
            if a.left != a.right or b.left != b.right:
                self._join(a.name, a.right, b.name, b.right)
        return _between(_words(points, "par"), points[0].left, points[0].right)

    def _loop(self, a: ConnectionPoint, b: ConnectionPoint) -> ConnectionPoint:
        self._join(a.name, a.right, b.name, b.left)
        self._join(b.name, b.right, a.name, a.left)
        return _between(_words([a, b], "loop"), a.left, a.right)

    def _turned(self, point: ConnectionPoint, span: Span) -> ConnectionPoint:
        if point.is_absent:
            return point
        if point.left == point.right:
            raise ModelError([connection_messages.one_end(point.name, span, self._here.instance)])
        other = {point.left: point.right, point.right: point.left}
        return ConnectionPoint(
            point.name, tuple(other.get(part, part) for part in point.parts), point.right, point.left
        )

    def _join(self, first: str, a: Ends, second: str, b: Ends) -> None:
        if ABSENT in (end.side for end in (*a, *b)) and 1 in (len(a), len(b)) and len(a) != len(b):
            return  # the number of ends of an absent part is not known
        if len(a) != len(b):
            counts = f"'{first}'", len(a), f"'{second}'", len(b)
            wholes = [name for name, ends in ((first, a), (second, b)) if ends[0].name == f"{split(name, ':')[-1]}(1)"]
            at = self._span, self._here.instance, next(iter(wholes), "")
            raise ModelError([connection_messages.part_counts(*counts, *at)])
        if any(x == y for x, y in zip(a, b, strict=False)):
            raise ModelError([connection_messages.joined_with_itself(first, self._span, self._here.instance)])
        self._joins += [
            Join(x, y, self._span, self._here.node.path)
            for x, y in zip(a, b, strict=False)
            if ABSENT not in (x.side, y.side)
        ]


def _between(name: str, left: Ends, right: Ends) -> ConnectionPoint:
    return ConnectionPoint(name, (left,) if left == right else (left, right), left, right)


def _words(points: list[ConnectionPoint], word: str) -> str:
    """The name of a link of several points in messages."""
    return f" {word} ".join([points[0].name, *(["..."] if len(points) > 2 else []), points[-1].name])
