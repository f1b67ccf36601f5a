"""Describes what linear systems may leave undetermined in some modes, if their coefficients change at events.

Two brakes that hold one shaft both require that it stands still, and no equation determines how they share the torque.
Whether that happens is known only during a run, which then uses the solution of least norm. Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import varying
from cutset.compiler.flatten.model import EquationSystem

# Larger systems are assumed to be regular in all modes: the work memory for others grows with the square of their size.
_MOST_UNKNOWNS = 100
_MOST_NAMED = 6
# The limit on the conditions of a divisor; all combinations of them are tried.
_MOST_CONDITIONS = 4


class Switching:
    """Finds expressions that depend on values that change only at events. `point` is a random point for evaluation."""

    def __init__(self, system: EquationSystem, point: FieldPoint):
        self._discrete = {d.node for d in system.discrete}
        self._is_any = bool(system.relations or system.discrete)
        self._known: dict[Expr, bool] = {}
        self._point, self._pool = point, system.pool
        # Quantities whose sign is asked for, such as a flow that may reverse.
        self._compared = {system.pool.sub(r.left, r.right) for r in system.relations if r.kind == "state"}
        self._points: dict[frozenset[tuple[Expr, bool]], FieldPoint] = {}  # points with branches taken

    def when_open(self, matrix: Sequence[Mapping[int, Expr]], unknowns: Sequence[Expr]) -> str:
        """The message for a system with this matrix that leaves unknowns undetermined; empty if no mode can cause
        that."""
        if not self._is_any or len(matrix) > _MOST_UNKNOWNS:
            return ""
        columns = {k for row in matrix for k, a in row.items() if self.of(a)}
        return shared([str(unknowns[k].data) for k in sorted(columns)]) if columns else ""

    def when_zero(self, divisor: Expr, unknown: Expr) -> str:
        """The message for a divisor that is zero together with its dividend; empty if no mode can cause that. The
        divisor is not identically zero."""
        if not self._is_any or not self.of(divisor) or not self._may_vanish(divisor):
            return ""
        return f"the equations leave '{unknown.data}' undetermined: the run uses zero, the smallest value"

    def when_reversing(self, factor: Expr, unknown: Expr) -> str:
        """The same for the factor of an unknown as the model writes it, if it is a flow whose sign matters: where that
        is zero, its enthalpy is neither determined nor needed."""
        whole = factor.args[0] if factor.op == "neg" else factor
        flows = {whole: {True}} if self._is_compared(whole) else _flows_of(factor)
        if len(flows) == 1:
            ((flow, sides),) = flows.items()
            matters = True in sides or self._is_compared(flow)
        else:  # each term is zero only where its flow is
            matters = 0 < len(flows) <= _MOST_NAMED and all(sides == {True} for sides in flows.values())
        if not matters:
            return ""
        names = f"{' and '.join(map(text, flows))} {'are' if len(flows) > 1 else 'is'}"
        return f"where {names} zero, the equations leave '{unknown.data}' undetermined: the run uses zero"

    def _is_compared(self, flow: Expr) -> bool:
        return flow in self._compared or self._pool.neg(flow) in self._compared

    def _may_vanish(self, root: Expr) -> bool:
        """True if it is zero for all states in some combination of branches that change only at events."""
        nodes = _values_of(root)
        choices = [node.args[0] for node in nodes if node.op == "if" and self.of(node.args[0])]
        conditions = list(dict.fromkeys(choices))[:_MOST_CONDITIONS]
        if not conditions:
            return False
        chosen = set(conditions)
        changing: dict[Expr, None] = {}  # expressions that contain the branches
        for node in nodes:
            if (node.op == "if" and node.args[0] in chosen) or any(a in changing for a in node.args):
                changing[node] = None
        for number in range(2 ** len(conditions)):
            taken = {condition: bool(number >> k & 1) for k, condition in enumerate(conditions)}
            if self._value(root, changing, taken) == 0:
                return True
        return False

    def _value(self, root: Expr, changing: Mapping[Expr, None], taken: Mapping[Expr, bool]) -> int:
        """The value at a random point of a prime field with these branches taken; values that are not `changing` are
        computed once."""
        point = self._points.setdefault(frozenset(taken.items()), FieldPoint({}))
        for node in changing:
            is_taken = node.op == "if" and node.args[0] in taken
            for a in node.args[1:] if is_taken else node.args:
                if a not in changing:
                    point.know(a, self._point.value(a))
            if is_taken:
                point.know(node, point.value(node.args[1] if taken[node.args[0]] else node.args[2]))
        return point.value(root)

    def of(self, root: Expr) -> bool:
        """True if it depends on a mode or on a discrete variable."""
        known = self._known
        for node in varying([root], known):
            known[node] = node.op == "mode" or node in self._discrete or any(known.get(a, False) for a in node.args)
        return known.get(root, False)


def _flows_of(factor: Expr) -> dict[Expr, set[bool]]:
    """The quantities of which the terms of the factor are multiples, each with whether these depend on its sign, as in
    max(m, 0) + max(-m, 0); none if a term is a constant."""
    found: dict[Expr, set[bool]] = {}
    stack = [(factor, False)]
    while stack:
        node, has_side = stack.pop()
        own = [a for a in node.args if a.level == TIME]
        if (
            node.op in ("neg", "add", "sub")
            or (node.op == "mul" and len(own) == 1)
            or (node.op == "div" and own == [node.args[0]])
        ):
            stack += [(a, has_side) for a in (own if node.op in ("mul", "div") else node.args)]
        elif node.op in ("if", "max", "min", "fabs"):
            stack += [(a, True) for a in (node.args[1:] if node.op == "if" else node.args)]
        elif node.level < TIME and not (node.op == "constant" and node.data == 0.0):
            return {}
        elif node.level == TIME:
            found.setdefault(node, set()).add(has_side)
    return found


def _values_of(root: Expr) -> list[Expr]:
    """The nodes that determine the value of `root`, without conditions; operands come before their node."""
    order: list[Expr] = []
    done: set[Expr] = set()
    stack = [(root, False)]
    while stack:
        node, is_open = stack.pop()
        if is_open:
            order.append(node)
        elif node not in done:
            done.add(node)
            stack.append((node, True))
            stack += [(a, False) for a in (node.args[1:] if node.op == "if" else node.args)]
    return order


def shared(names: Sequence[str]) -> str:
    """The message for unknowns of which the equations determine only some combination."""
    return (
        f"the equations determine {listed(names)} only together: the run takes the smallest of all "
        "solutions (least sum of squares)"
    )


def listed(names: Iterable[str]) -> str:
    """The names in words, only the first of many."""
    words = [f"'{name}'" for name in names]
    words = [*words[:_MOST_NAMED], f"{len(words) - _MOST_NAMED} more"] if len(words) > _MOST_NAMED else words
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
