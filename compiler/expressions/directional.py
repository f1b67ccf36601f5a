"""Differentiates expressions along a direction, by forward mode over the DAG: parameters may vary as time does.

Does not decide what the derivatives of leaves are: the caller provides them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.expressions.differentiate import is_result, slope_of, slope_of_result
from cutset.compiler.expressions.jacobian import slope_of_iteration, slope_of_linear
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import postorder

_OF_TABLES = "interp1", "interp1_slope"
_SYSTEMS = {"solve": slope_of_linear, "newton": slope_of_iteration}


class Direction:
    """Gives the derivative of an expression along the direction in which leaves change as `leaves` tell; the others
    stay. NotDifferentiable for a function without a derivative, a table whose points change, and a delayed value."""

    def __init__(self, pool: Pool, leaves: Mapping[Expr, Expr]):
        self._pool, self._done = pool, dict(leaves)
        self._systems: dict[Expr, tuple[Expr, ...]] = {}

    def __call__(self, root: Expr) -> Expr:
        for node in postorder(root, self._done, _below):
            self._done[node] = self._slope(node)
        return self._done[root]

    def _slope(self, node: Expr) -> Expr:
        pool, zero = self._pool, self._pool.zero
        if node.op == "element" and (system := node.args[0]).op in _SYSTEMS:
            if system not in self._systems:
                self._systems[system] = _SYSTEMS[system.op](pool, system, self._done.__getitem__)
            return self._systems[system][int(node.data)]
        slopes = [self._done[a] for a in _below(node)]
        if all(slope is zero for slope in slopes):
            return zero
        if node.op in _OF_TABLES:
            return self._along_table(node, slopes)
        if is_result(node):
            return slope_of_result(pool, node, slopes)
        return slope_of(pool, node, slopes)

    def _along_table(self, node: Expr, slopes: Sequence[Expr]) -> Expr:
        """A value of a table is linear in the values at its points."""
        pool, (at, table) = self._pool, node.args
        n = table.data
        if any(slope is not pool.zero for slope in slopes[1 : 1 + n]):
            raise NotDifferentiable("the place of a point of a table")
        of_points = pool.interpolate(node.op, at, pool.table(table.args[:n], slopes[1 + n :]))
        return pool.add(slope_of(pool, node, [slopes[0], pool.zero]), of_points)


def _below(node: Expr) -> Sequence[Expr]:
    """The nodes whose derivatives that of a node needs: not the Jacobian of an iteration."""
    if node.op in _OF_TABLES:
        return (node.args[0], *node.args[1].args)
    whole = node.args[0] if node.op == "element" else node
    return whole.args[: len(whole.data.unknowns)] if whole.op == "newton" else whole.args
