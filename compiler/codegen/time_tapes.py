"""Writes tapes of relations and functions that depend on time only, with which the run bounds them over spans of time.

A tape holds the sides as a list of operations; floor(u) of a function of time replaces the discrete variable that
represents it. Does not locate events: the run does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.code import Read, TableRef
from cutset.compiler.expressions.pool import CONSTANT, Expr
from cutset.compiler.expressions.walk import reachable
from cutset.contract.functions import FUNCTIONS, RELATIONS, SCATTERED
from cutset.contract.metadata import TimeCrossing

# Operators that the run can bound (runtime/c/point/isolate.h).
OPERATORS = frozenset(
    (*FUNCTIONS, *RELATIONS, "add", "sub", "mul", "div", "neg", "and", "or", "not", "if", "interp1", "interp1_slope")
) - frozenset(SCATTERED)
# Longer ones are located like relations of states.
_LONGEST = 500


class Tapes:
    """`sides` are those of each relation, `steps` the functions that discrete variables represent, by their leaf;
    `known` holds the places of leaves and expressions of parameters. `others` may contain functions of time."""

    def __init__(
        self,
        sides: Sequence[tuple[Expr, Expr]],
        steps: Mapping[Expr, Expr],
        known: Mapping[Expr, Read | TableRef],
        others: Sequence[Expr] = (),
    ):
        self._sides, self._steps, self._known = sides, steps, known
        self._timed: dict[Expr, bool] = {}
        self._moving: set[Expr] = set()
        roots = [e for pair in sides for e in pair] + [e.args[0] for e in steps.values()] + [*others]
        for node in reachable(roots, known):
            self._timed[node] = self._is_timed(node)
            if self._timed[node] and (node.op == "time" or not self._moving.isdisjoint(node.args)):
                self._moving.add(node)

    def tape(self, relation: int) -> TimeCrossing | None:
        """The tape of a relation; None if it depends on more than time and held values, or is too long."""
        left, right = self._sides[relation]
        if not (self._timed[left] and self._timed[right]):
            return None
        nodes = _Nodes()
        of_left, of_right = (self._place(side, left, nodes) for side in (left, right))
        if len(nodes.tape) > _LONGEST or ("time",) not in nodes.tape or of_left is None or of_right is None:
            return None
        return TimeCrossing(relation, of_left, of_right, tuple(nodes.tape))

    def is_timed(self, node: Expr) -> bool:
        """True if a node depends on time, held values and parameters only."""
        return self._timed[node]

    def moves(self, node: Expr) -> bool:
        """True if it also depends on time."""
        return node in self._moving

    def is_opaque(self, node: Expr) -> bool:
        """True for a function of time that has no tape."""
        return (
            not self._timed[node]
            and node.op not in OPERATORS
            and all(map(self._timed.__getitem__, node.args))
            and not self._moving.isdisjoint(node.args)
        )

    def function(self, root: Expr, phase: Expr) -> TimeCrossing | None:
        """The tape of a function of time and of its phase; None if it is too long."""
        nodes = _Nodes()
        of_root, of_phase = (self._place(e, root, nodes) for e in (root, phase))
        if len(nodes.tape) > _LONGEST or of_root is None or of_phase is None:
            return None
        return TimeCrossing(-1, of_root, of_phase, tuple(nodes.tape))

    def wave(self, terms: Sequence[Expr], factor: float) -> TimeCrossing | None:
        """The tape of the sine of the sum of terms, times a factor."""
        nodes = _Nodes()
        places = [self._place(e, e, nodes) for e in terms]
        if len(nodes.tape) > _LONGEST or None in places:
            return None
        phase = places[0]
        for each in places[1:]:
            phase = nodes.append("add", phase, each)
        phase = nodes.append("mul", phase, nodes.append("number", factor))
        return TimeCrossing(-1, nodes.append("sin", phase), phase, tuple(nodes.tape))

    def _is_timed(self, node: Expr) -> bool:
        place = self._known.get(node)
        if place is not None:
            return place.array in ("c", "m", "tables", "held", "since")
        if node.op in ("constant", "time", "mode"):
            return True
        if node.op == "table":
            return node.level == CONSTANT
        return node.op in OPERATORS and all(self._timed[a] for a in node.args)

    def _place(self, root: Expr, own: Expr, nodes: _Nodes) -> int | None:
        """The position of the root on the tape; `own` is the left side of the relation, whose step is held, since this
        relation changes it. None if the tape becomes too long, or floor(u) stands for a variable that u contains."""
        stack, begun = [root], set[Expr]()
        while stack and len(nodes.tape) <= _LONGEST:
            node = stack[-1]
            below = self._below(node, own)
            waiting = [e for e in below if e not in nodes.place]
            if not begun.isdisjoint(waiting):
                return None
            if waiting:
                begun.add(node)
                stack += waiting
            else:
                nodes.write(stack.pop(), self._entry(node, below, nodes))
        return nodes.place.get(root)

    def _below(self, node: Expr, own: Expr) -> tuple[Expr, ...]:
        """The operands of a node on the tape."""
        step = self._steps.get(node)
        if step is not None:
            (u,) = step.args
            return (u,) if self._timed[u] and u is not own else ()
        return () if node in self._known or node.op == "table" else node.args

    def _entry(self, node: Expr, below: tuple[Expr, ...], nodes: _Nodes) -> tuple[object, ...]:
        at = [nodes.place[e] for e in below]
        if node.op == "mode":
            return ("m", node.data)
        if node in self._steps and at:
            return ("floor", *at)
        if node.op == "constant":
            return ("number", node.data)
        if node.op == "table" and node.level == CONSTANT:
            numbers = tuple(a.data for a in node.args)
            return ("points", numbers[: node.data], numbers[node.data :])
        place = self._known.get(node)
        if isinstance(place, TableRef):
            return ("points of c", place.index, place.size)
        return (place.array, place.index) if place is not None else (node.op, *at)


class _Nodes:
    """A tape that is being written, and the position of each expression."""

    def __init__(self) -> None:
        self.tape: list[tuple[object, ...]] = []
        self.place: dict[Expr, int] = {}

    def write(self, node: Expr, entry: tuple[object, ...]) -> None:
        """Append a node after its operands."""
        if node not in self.place:
            self.place[node] = self.append(*entry)

    def append(self, *entry: object) -> int:
        """Append an entry: its place."""
        self.tape.append(entry)
        return len(self.tape) - 1


def step_of(after: Expr) -> Expr | None:
    """floor(u), if this is the value after an event of a variable that represents it (flatten/steps.py); else None."""
    higher = after.args[1] if after.op == "if" else after
    whole = higher.args[1] if higher.op == "if" else higher
    return whole if whole.op == "floor" and whole.data == "noevent" else None
