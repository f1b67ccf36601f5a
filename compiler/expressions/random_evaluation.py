"""Evaluates expressions numerically at one random point, to decide whether they are equal.

Every leaf, and every unknown of a system that a run solves in each step, has a value derived from its id, so that a
translation is reproducible. Different formulas agree only if the point is a root of their difference: practically
never.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import mul
from types import MappingProxyType

from cutset.compiler.expressions.dense import solved
from cutset.compiler.expressions.interpret import evaluated, value_of
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.sparse import right_of, rows_of
from cutset.contract.interpolation import INTERPOLATIONS

_64_BITS = (1 << 64) - 1
# Most nodes.
_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg", "constant"})


class RandomPoint:
    """A point with cached values, so each node is evaluated once; `known` sets the values of leaves. A `number` chooses
    another point, with values from -1.5 to 1.5 and a random branch of each `if` that varies."""

    def __init__(self, known: Mapping[Expr, float] = MappingProxyType({}), number: int = 0) -> None:
        self._number = number
        self._values: dict[Expr, float] = dict(known)
        self._solutions: dict[Expr, list[float]] = {}  # of systems that are solved once per run

    def know(self, leaf: Expr, value: float) -> None:
        """Set the value of a leaf before expressions of it are evaluated."""
        self._values[leaf] = value

    def equal(self, a: Expr, b: Expr) -> bool:
        """True if a and b agree to nine digits."""
        if a is b:
            return True
        x, y = self.value(a), self.value(b)
        return x == y or abs(x - y) <= 1e-9 * (1.0 + abs(x) + abs(y))

    def value(self, root: Expr) -> float:
        """The value of `root` at the point; nan outside a function's domain."""
        values = self._values
        found = values.get(root)
        if found is not None:
            return found
        stack = [root]
        while stack:
            node = stack[-1]
            if node in values:
                stack.pop()
                continue
            plain = node.op in _ARITHMETIC
            waiting = [a for a in (node.args if plain else _needed(node)) if a not in values]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if plain:
                values[node] = value_of(node, [values[a] for a in node.args])
            elif node.op == "if" and node.args[0].level == TIME and self._number:
                is_taken = _scattered(node.args[0].id + (self._number << 40)) < 1.0
                values[node] = values[node.args[1 if is_taken else 2]]
            elif _is_given(node):
                scattered = _scattered(node.id + (self._number << 40))
                values[node] = 3.0 * (scattered - 1.0) if self._number else scattered
            elif node.op == "element" and node.args[0].op == "solve":
                values[node] = self._solution(node.args[0])[node.data]
            elif node.op in INTERPOLATIONS:
                values[node] = _interpolated(node, values)
            else:
                values[node] = evaluated(node, [values[a] for a in node.args])  # type: ignore[assignment]
        return values[root]

    def _solution(self, whole: Expr) -> list[float]:
        if whole not in self._solutions:
            values, n = self._values, len(whole.data)
            matrix = [[values[row[k]] if k in row else 0.0 for k in range(n)] for row in rows_of(whole)]
            found = solved(matrix, [[values[b]] for b in right_of(whole)])
            self._solutions[whole] = [math.nan] * n if found is None else [x for (x,) in found]
        return self._solutions[whole]


def from_rotation(rows: Sequence[Sequence[float]]) -> float:
    """The largest element of a matrix times its transpose, less the identity; nan if an element is."""
    n = range(len(rows))
    return max(abs(math.fsum(map(mul, rows[i], rows[k])) - (i == k)) for i in n for k in n[: i + 1])


def are_rotation(points: Sequence[RandomPoint], rows: Sequence[Sequence[Expr]]) -> bool:
    """True if a matrix times its transpose is the identity at all points."""
    return all(from_rotation([[point.value(e) for e in row] for row in rows]) < 1e-9 for point in points)


def _of_a_system(node: Expr) -> bool:
    """True for a solution of a system that is solved in each step: it has a random value, like a leaf."""
    return node.op == "element" and (node.args[0].op == "newton" or (node.args[0].op == "solve" and node.level == TIME))


def _is_given(node: Expr) -> bool:
    """True for what is no function of the values of other nodes at this instant."""
    leaf = not node.args and node.op not in ("constant", "fault", "apply")
    return leaf or node.op in ("edge", "sample", "delay", "table") or _of_a_system(node)


def _needed(node: Expr) -> tuple[Expr, ...]:
    """The nodes from which the value follows."""
    if _of_a_system(node):
        return ()
    return node.args[0].args if node.op == "element" and node.args[0].op == "solve" else node.args


def _interpolated(node: Expr, values: Mapping[Expr, float]) -> float:
    *place, table = node.args
    points = [values[a] for a in table.args]
    try:
        return INTERPOLATIONS[node.op](*[values[e] for e in place], table.data, points, 0)
    except ArithmeticError:
        return math.nan


def _scattered(number: int) -> float:
    """A value from 0.5 to 1.5 that is independent of those of other numbers: the mixing function of SplitMix64 (Steele,
    Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014, figure 14)."""
    z = (number + 1) * 0x9E3779B97F4A7C15 & _64_BITS
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _64_BITS
    return 0.5 + (z ^ z >> 31) / 2.0**64
