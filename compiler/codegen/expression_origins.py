"""Describes expressions of parameters for messages about values that are not finite.

The description has the text, the equation that it comes from, and its parameters. Computes no values.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from cutset.compiler.codegen.guards import PARTIAL
from cutset.compiler.codegen.statements import Schedule
from cutset.compiler.diagnostics import shown_line
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr
from cutset.compiler.expressions.text import Texts
from cutset.compiler.expressions.walk import always_needed, reachable
from cutset.compiler.flatten.model import EquationSystem, Origin, roots_of
from cutset.contract.metadata import ExpressionOrigin
from cutset.contract.names import rpartition

_LONGEST = 60
_MOST = 6
_TABLE = "a table of interp1, whose xs must ascend,"


class ExpressionOrigins:
    """`values` are the values of the unknowns, each with its equation; `parameters` numbers the leaves."""

    def __init__(self, system: EquationSystem, values: Iterable[tuple[Expr, Origin]], parameters: Mapping[Expr, int]):
        self._system = system
        self._parameters = parameters
        self._texts = Texts()
        aliases = [(a.value, a.origin) for a in system.aliases]
        values_given = [
            (value, Origin(u.span, rpartition(str(u.node.data))[0]))
            for u in system.unknowns
            for value in (u.start, u.nominal)
            if value is not None
        ]
        self._origins = _first_origins([*aliases, *values, *values_given])
        self._partial = _partial_in(system)

    def constants(
        self, roots: Sequence[Expr], constants: Sequence[Expr], schedule: Schedule
    ) -> tuple[ExpressionOrigin | None, ...]:
        """For each place of c that must be finite its origin: first those of `constants`, then the values that their
        `schedule` stores. `roots` is everything that is computed."""
        needed = always_needed(roots)
        place = {e: i for i, e in enumerate(constants)}
        for node in needed:
            stored = schedule.values.get(node)
            if stored is not None and stored.array == "c":
                place[node] = stored.index
        found: list[ExpressionOrigin | None] = [None] * schedule.free
        parts = _parts(place, place)
        for node, i in place.items():
            if node in needed:
                inner = tuple(place[part] for part in parts[node] if part in place)
                found[i] = self._origin(node, self._origins.get(node), parts[node], inner, place)
        for node, points in schedule.tables.items():
            if points.array == "c":
                origin_of_points = self._origin(node, self._origins.get(node), _parts([node], place)[node], ())
                found[points.index : points.index + 2 * points.size] = [origin_of_points] * (2 * points.size)
        return tuple(found)

    def bindings(self) -> tuple[ExpressionOrigin | None, ...]:
        """The origin of each parameter in the order of p, None for one that is a number."""
        found: list[ExpressionOrigin | None] = [None] * len(self._parameters)
        for parameter in self._system.parameters:
            instance = rpartition(parameter.name)[0]
            for leaf, binding in zip(parameter.value.elements, parameter.binding.elements, strict=False):
                if leaf.op == "parameter" and binding.op != "constant":
                    origin = Origin(parameter.written or parameter.span, instance)
                    found[self._parameters[leaf]] = self._origin(binding, origin, _parts([binding], ())[binding], ())
        return tuple(found)

    def _origin(
        self,
        e: Expr,
        origin: Origin | None,
        parts: tuple[Expr, ...],
        constants: tuple[int, ...],
        known: Container[Expr] = (),
    ) -> ExpressionOrigin:
        """The expression or, if it is long, its parameters: what a user can change about it. `known` expressions have
        an origin of their own."""
        leaves = [part for part in parts if part.op == "parameter"]
        numbers = tuple(self._parameters[leaf] for leaf in leaves if leaf in self._parameters)
        written = _TABLE if e.op == "table" else self._texts.text(e)
        if len(written) > _LONGEST:
            written = f"an expression of {', '.join(str(leaf.data) for leaf in leaves)}" + (
                ", ..." if len(leaves) == _MOST else ""
            )
        is_made = self._is_made(e, known)
        if origin is None:
            return ExpressionOrigin(written, numbers, constants, is_made=is_made)
        place, instance = str(origin.span).replace("\n", "\ufffd"), origin.instance or self._system.name
        return ExpressionOrigin(written, numbers, constants, place, *shown_line(origin.span), instance, is_made)

    def _is_made(self, e: Expr, known: Container[Expr]) -> bool:
        """True if only a division or a system that the model does not contain can make it undefined."""
        nodes = [e, *(node for node in reachable(e.args, known) if node not in known)]
        found = [_undefined_by(node) for node in nodes if node.op in PARTIAL]
        return bool(found) and self._partial.isdisjoint(found)


def _parts(roots: Iterable[Expr], known: Container[Expr]) -> dict[Expr, tuple[Expr, ...]]:
    """For each expression of parameters under the roots: its parameters, and the nearest of the `known` expressions
    below it, at most _MOST of each."""
    parts: dict[Expr, tuple[Expr, ...]] = {}
    for node in reachable(roots):
        leaves: dict[Expr, None] = {}
        inner: dict[Expr, None] = {}
        if node.op == "parameter":
            leaves[node] = None
        for a in node.args:
            leaves |= dict.fromkeys(part for part in parts[a] if part.op == "parameter")
            nearest = (a,) if a in known else parts[a]
            inner |= dict.fromkeys(part for part in nearest if part.op != "parameter")
        parts[node] = (*list(leaves)[:_MOST], *list(inner)[:_MOST])
    return parts


def _undefined_by(node: Expr) -> Expr:
    """What decides whether a node has a value: a divisor, or the node."""
    return node.args[1] if node.op == "div" else node


def _partial_in(system: EquationSystem) -> set[Expr]:
    """What decides whether the expressions of the model have values."""
    bindings = [e for parameter in system.parameters for e in parameter.binding.elements]
    values_given = [e for u in system.unknowns for e in (u.start, u.nominal) if e is not None]
    sides = [e for r in system.relations for e in (r.left, r.right)]
    roots = [
        *bindings,
        *values_given,
        *sides,
        *(root for root, _ in roots_of(system)),
        *(a.value for a in system.aliases),
    ]
    return {_undefined_by(node) for node in reachable(roots) if node.op in PARTIAL}


def _first_origins(values: Iterable[tuple[Expr, Origin]]) -> dict[Expr, Origin]:
    """For each expression of parameters the first value that contains it."""
    found: dict[Expr, Origin] = {}
    seen: set[Expr] = set()
    for value, origin in values:
        stack = [value]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if PARAMETER <= node.level < TIME:
                found[node] = origin
            stack += node.args
    return found
