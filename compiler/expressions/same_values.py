"""Makes expressions that are equal for all values one node: those with one value at a random point of a prime field.

Different expressions agree there with a probability of 1e-9 among 100,000 nodes (Schwartz, J. ACM 27 (1980), pp.
701-717). The node that came first stands for all, so who computes a value in the cheapest way must come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from operator import is_
from types import MappingProxyType

from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.walk import postorder

_FORMULAS = ("add", "sub", "mul", "div", "neg", "sin", "cos")


class SameValues:
    """Arithmetic whose results are nodes that are known, or their negatives, where they are equal; it changes only
    rounding. `known` are nodes that count as computed, `given` what variables are equal to."""

    def __init__(self, pool: Pool, known: Iterable[Expr] = (), given: Mapping[Expr, Expr] = MappingProxyType({})):
        self._pool, self._point = pool, FieldPoint(given, on_circle=True)
        self._nodes = {0: pool.zero, 1: pool.one}
        self._done: dict[Expr, Expr] = {}
        for node in known:
            self.merged(node)

    def on_trial(self) -> SameValues:
        """A copy for nodes that may not be used in the end."""
        trial = copy(self)
        trial._nodes, trial._done = dict(self._nodes), {}
        return trial

    def value(self, node: Expr) -> int:
        """The value at the point."""
        return self._point.value(node)

    def size(self, node: Expr) -> int:
        """The value up to its sign."""
        value = self._point.value(node)
        return min(value, PRIME - value)

    def merged(self, node: Expr) -> Expr:
        """The node that stands for this value."""
        value = self._point.value(node)
        same = self._nodes.get(value)
        if same is None:
            opposite = self._nodes.get(PRIME - value)
            same = node if opposite is None else self._pool.neg(opposite)
            if opposite is None:
                self._nodes[value] = node
        return same

    def merge(self, root: Expr) -> Expr:
        """The expression with all its sums and products merged; those in systems of equations and in branches stay."""
        if root.level < TIME:
            return root
        done = self._done
        for node in postorder(root, done, _merging):
            args = [done.get(a, a) for a in node.args] if node.op in _FORMULAS else node.args
            new = node if all(map(is_, args, node.args)) else self._pool.rebuild(node, args)
            done[node] = self.merged(new)
        return done[root]

    def add(self, a: Expr, b: Expr) -> Expr:
        """a + b"""
        return self.merged(self._pool.add(a, b))

    def sub(self, a: Expr, b: Expr) -> Expr:
        """a - b"""
        return self.merged(self._pool.sub(a, b))

    def mul(self, a: Expr, b: Expr) -> Expr:
        """a * b"""
        return self.merged(self._pool.mul(a, b))

    def div(self, a: Expr, b: Expr) -> Expr:
        """a / b; Undefined if b is the constant zero."""
        return self.merged(self._pool.div(a, b))


def _merging(node: Expr) -> list[Expr]:
    """The nodes that are merged before the node."""
    return [a for a in node.args if a.level == TIME] if node.op in _FORMULAS else []
