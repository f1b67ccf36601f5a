"""Differentiates residuals that contain few leaves each: which derivatives are zero, and the others as expressions.

Reverse mode, one residual at a time: the cost is that of the residual, however many leaves it contains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.expressions.differentiate import slopes_by_argument
from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import variables_of, varying

# Operators whose derivatives are systems of equations or values of the past.
_OTHERS = frozenset({"solve", "newton", "delay"})


class LocalJacobian:
    """The Jacobian of `roots` by `leaves`. `pattern[i]` holds the numbers of the leaves in root i, ascending."""

    def __init__(self, pool: Pool, roots: Sequence[Expr], leaves: Sequence[Expr]):
        self._pool, self._roots, self._leaves = pool, roots, leaves
        number = {leaf: k for k, leaf in enumerate(leaves)}
        self.pattern = tuple(tuple(sorted(number[v] for v in variables_of(root) if v in number)) for root in roots)

    def entries(self) -> list[list[Expr]] | None:
        """The derivatives in the shape of `pattern`; None if a function or an undefined value prevents
        differentiation."""
        rows = []
        try:
            for root, row in zip(self._roots, self.pattern, strict=True):
                slopes = _slopes(self._pool, root)
                if slopes is None:
                    return None
                rows.append([slopes.get(self._leaves[k], self._pool.zero) for k in row])
        except (Undefined, NotDifferentiable):
            return None
        return rows


def _slopes(pool: Pool, root: Expr) -> Mapping[Expr, Expr] | None:
    """The derivative of the root by each node below it; None if an operator is in the way. A branch of a condition that
    is not taken may have no value: its derivatives are chosen last, instead of being multiplied by zero."""
    found, taken = {root: pool.one}, {root: pool.one}  # `taken` is the condition under which the node counts
    for node in reversed(varying([root])):
        if node.op in _OTHERS:
            return None
        above = found.get(node)
        if above is None or not node.args:
            continue
        for argument, slope, condition in _terms(pool, node):
            if argument.level == TIME and slope is not pool.zero:
                when, term = pool.logical("and", taken[node], condition), pool.mul(above, slope)
                if argument in found:
                    before = pool.choose(taken[argument], found[argument], pool.zero)
                    term, when = (
                        pool.add(before, pool.choose(when, term, pool.zero)),
                        pool.logical("or", taken[argument], when),
                    )
                found[argument], taken[argument] = term, when
    return {node: pool.choose(taken[node], slope, pool.zero) for node, slope in found.items()}


def _terms(pool: Pool, node: Expr) -> list[tuple[Expr, Expr, Expr]]:
    """Each argument with the derivative of the node by it, and the condition under which the node depends on it."""
    if node.op == "if":
        condition, a, b = node.args
        return [(a, pool.one, condition), (b, pool.one, pool.logical("not", condition))]
    return [(argument, slope, pool.one) for argument, slope in slopes_by_argument(pool, node)]
