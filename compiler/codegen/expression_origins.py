"""Expressions of parameters -> what a message says of one that has no finite value: its text, the equation that it comes
from, its parameters. Computes no values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutset.compiler.codegen.program import ExpressionText
from cutset.compiler.codegen.schedule import Schedule
from cutset.compiler.diagnostics import shown_line
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import always_needed, reachable
from cutset.compiler.flatten.model import EquationSystem, Origin

_LONGEST = 60
_MOST_NAMES = 6
_TABLE = "a table of interp1, whose xs have to ascend,"


class ExpressionOrigins:
    """`values` are what the unknowns are assigned, each with the equation that does it; `parameters` numbers the leaves."""

    def __init__(self, system: EquationSystem, values: Iterable[tuple[Expr, Origin]], parameters: Mapping[Expr, int]):
        self._system = system
        self._parameters = parameters
        aliases = [(a.value, a.origin) for a in system.aliases]
        said = [
            (value, Origin(u.span, str(u.node.data).rpartition(".")[0]))
            for u in system.unknowns
            for value in (u.start, u.nominal)
            if value is not None
        ]
        self._origins = _first_origins([*aliases, *values, *said])

    def constants(
        self, roots: Sequence[Expr], constants: Sequence[Expr], schedule: Schedule
    ) -> tuple[ExpressionText | None, ...]:
        """For each place of c that has to be finite, what stands there: first those of `constants`, then what their `schedule`
        keeps. `roots` is all that is computed."""
        needed = always_needed(roots)
        scratch: list[ExpressionText | None] = [None] * (schedule.free - len(constants))
        for node in needed:
            place = schedule.place(node)
            if place is not None and place.array == "c":
                scratch[place.index - len(constants)] = self._said(node, self._origins.get(node))
        for node, points in schedule.points.items():
            if points.array == "c":
                first = points.index - len(constants)
                scratch[first : first + 2 * points.size] = [self._said(node, self._origins.get(node))] * (2 * points.size)
        return (*(self._said(e, self._origins.get(e)) if e in needed else None for e in constants), *scratch)

    def bindings(self) -> tuple[ExpressionText | None, ...]:
        """What each parameter is computed from, None for one that is a number, in the order of their places in p."""
        found: list[ExpressionText | None] = [None] * len(self._parameters)
        for parameter in self._system.parameters:
            instance = parameter.name.rpartition(".")[0]
            for leaf, binding in zip(parameter.value.elements, parameter.binding.elements):
                if leaf.op == "parameter" and binding.args:
                    origin = Origin(parameter.written or parameter.span, instance)
                    found[self._parameters[leaf]] = self._said(binding, origin)
        return tuple(found)

    def _said(self, e: Expr, origin: Origin | None) -> ExpressionText:
        """The expression, or where that is long the parameters it is made of: what a user can change about it."""
        leaves = [n for n in reachable([e]) if n.op == "parameter"]
        numbers = tuple(self._parameters[leaf] for leaf in leaves[:_MOST_NAMES] if leaf in self._parameters)
        written = _TABLE if e.op == "table" else text(e)
        if len(written) > _LONGEST:
            names = [str(leaf.data) for leaf in leaves]
            written = f"an expression of {', '.join(names[:_MOST_NAMES])}" + (", ..." if len(names) > _MOST_NAMES else "")
        if origin is None:
            return ExpressionText(written, numbers, "", "", 0, 0, "")
        place = str(origin.span).replace("\n", "\ufffd")
        return ExpressionText(written, numbers, place, *shown_line(origin.span), origin.instance or self._system.name)


def _first_origins(values: Iterable[tuple[Expr, Origin]]) -> dict[Expr, Origin]:
    """For each expression of parameters the first of the values that it is a part of."""
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
