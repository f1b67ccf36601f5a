"""Relations -> tapes of those that depend on time alone, by which the run bounds their sides over spans of time.

A tape holds the sides as a list of operations; floor(u) of what follows from time alone is put in the place of the
discrete variable that stands for it. Must not decide where anything changes: that is for the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.program import Read, TableRef
from cutset.compiler.expressions.pool import CONSTANT, Expr
from cutset.compiler.expressions.walk import reachable
from cutset.contract.functions import FUNCTIONS, RELATIONS
from cutset.contract.metadata import TimeCrossing

# What the run knows bounds of (runtime/enclosure.py).
OPERATORS = frozenset(
    (*FUNCTIONS, *RELATIONS, "add", "sub", "mul", "div", "neg", "and", "or", "not", "if", "interp1", "interp1_slope")
)
# Longer ones are watched like relations of states.
_LONGEST = 500


class Tapes:
    """`sides` are those of each relation, `steps` what discrete variables stand for, by their leaf; `known` says where
    leaves and expressions of parameters lie."""

    def __init__(
        self,
        sides: Sequence[tuple[Expr, Expr]],
        steps: Mapping[Expr, Expr],
        known: Mapping[Expr, Read | TableRef],
    ):
        self._sides, self._steps, self._known = sides, steps, known
        self._timed: dict[Expr, bool] = {}
        roots = [e for pair in sides for e in pair] + [e.args[0] for e in steps.values()]
        for node in reachable(roots, known):
            self._timed[node] = self._is_timed(node)

    def tape(self, relation: int) -> TimeCrossing | None:
        """That of a relation; None where it depends on more than time and what is held, or is very long."""
        left, right = self._sides[relation]
        if not (self._timed[left] and self._timed[right]):
            return None
        nodes = _Nodes()
        of_left, of_right = (self._place(side, left, nodes) for side in (left, right))
        if len(nodes.tape) > _LONGEST or ("time",) not in nodes.tape or of_left is None or of_right is None:
            return None
        return TimeCrossing(relation, of_left, of_right, tuple(nodes.tape))

    def _is_timed(self, node: Expr) -> bool:
        place = self._known.get(node)
        if place is not None:
            return place.array in ("c", "m", "tables")
        if node.op in ("constant", "time", "mode"):
            return True
        if node.op == "table":
            return node.level == CONSTANT
        return node.op in OPERATORS and all(self._timed[a] for a in node.args)

    def _place(self, root: Expr, own: Expr, nodes: _Nodes) -> int | None:
        """Where the root is on the tape; `own` is the left side of the relation, whose step is held: it changes by this
        very relation. None where the tape grows too long."""
        stack = [root]
        while stack and len(nodes.tape) <= _LONGEST:
            node = stack[-1]
            below = self._below(node, own)
            waiting = [e for e in below if e not in nodes.place]
            if waiting:
                stack += waiting
            else:
                nodes.write(stack.pop(), self._entry(node, below, nodes))
        return nodes.place.get(root)

    def _below(self, node: Expr, own: Expr) -> tuple[Expr, ...]:
        """What stands below a node on the tape."""
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
    """A tape as it is written, and where each expression is."""

    def __init__(self) -> None:
        self.tape: list[tuple[object, ...]] = []
        self.place: dict[Expr, int] = {}

    def write(self, node: Expr, entry: tuple[object, ...]) -> None:
        """Behind what it is made of."""
        if node not in self.place:
            self.place[node] = len(self.tape)
            self.tape.append(entry)


def step_of(after: Expr) -> Expr | None:
    """floor(u), where this is the value after an event of a variable that stands for it (flatten/steps.py); else
    None."""
    higher = after.args[1] if after.op == "if" else after
    whole = higher.args[1] if higher.op == "if" else higher
    return whole if whole.op == "floor" and whole.data == "noevent" else None
