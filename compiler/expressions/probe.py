"""Numerical values of expressions at one random point: two expressions that agree there are taken as equal.

Every leaf gets its value from its id, so that a translation is repeatable. The chance of a false
agreement of different formulas is that of hitting a root of their difference: nil in practice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from types import MappingProxyType

from cutset.compiler.expressions.interpolation import interpolated, interpolated_slope
from cutset.compiler.expressions.interpret import evaluated
from cutset.compiler.expressions.pool import Expr


_TABLES = {"interp1": interpolated, "interp1_slope": interpolated_slope}


class Probe:
    """Values are kept, so each node is evaluated once; `known` gives leaves values of their own."""

    def __init__(self, known: Mapping[Expr, float] = MappingProxyType({})) -> None:
        self._values: dict[Expr, float] = dict(known)

    def equal(self, a: Expr, b: Expr) -> bool:
        """Do a and b agree to nine digits?"""
        if a is b:
            return True
        x, y = self.value(a), self.value(b)
        return x == y or abs(x - y) <= 1e-9 * (1.0 + abs(x) + abs(y))

    def value(self, root: Expr) -> float:
        """The value of `root` at the point; nan outside a function's domain."""
        values, stack = self._values, [root]
        while stack:
            node = stack[-1]
            waiting = [a for a in node.args if a not in values]
            if waiting and node not in values:
                stack += waiting
                continue
            stack.pop()
            if node in values:
                continue
            if node.op in _TABLES:
                values[node] = _looked_up(node, values)
            else:
                values[node] = _evaluate(node, [values[a] for a in node.args])
        return values[root]


def _looked_up(node: Expr, values: Mapping[Expr, float]) -> float:
    x, table = node.args
    points, n = [values[a] for a in table.args], table.data
    try:
        return _TABLES[node.op](values[x], points[:n], points[n:])
    except ArithmeticError:
        return math.nan


def _evaluate(node: Expr, args: list[float]) -> float:
    leaf = not node.args and node.op not in ("constant", "fault", "apply")
    if leaf or node.op in ("edge", "sample", "delay", "table"):  # no functions of the values at this instant
        return random.Random(node.id).uniform(0.5, 1.5)
    return evaluated(node, args)  # type: ignore[return-value]
