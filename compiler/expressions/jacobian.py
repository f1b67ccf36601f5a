"""Differentiates many expressions by many leaves: which derivatives are zero, and the others as expressions.

Forward mode over the DAG, at each node only along the leaves on which it depends, so that local dependences stay cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from cutset.compiler.expressions.differentiate import slope_of
from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.sparse import open_of, right_of, rows_of
from cutset.compiler.expressions.walk import Substitution, varying

# Leaves on which a node depends: the number of the first one, and a bit for each from there on, so that local
# dependences stay short. The limit on bits of one translation: beyond it, everything may depend on everything.
_Mask = tuple[int, int]
_NONE: _Mask = (0, 0)
_MOST_BITS = 400_000_000
# Derivatives are written out if they need no more expressions than this, and this many times those of the roots.
_FEW, _TIMES = 2000, 2


class Jacobian:
    """The Jacobian of `roots` by `leaves`. `pattern[i]` holds the numbers of the leaves on which root i may depend,
    ascending."""

    def __init__(self, pool: Pool, roots: Sequence[Expr], leaves: Sequence[Expr]):
        self._pool, self._roots, self._leaves = pool, roots, leaves
        self._nodes = varying(roots)
        self._masks = masks = dict[Expr, _Mask]()
        bit, left = {leaf: (k, 1) for k, leaf in enumerate(leaves)}, _MOST_BITS
        whole, every = tuple(range(len(leaves))), (0, (1 << len(leaves)) - 1)
        for node in self._nodes:
            mask = bit.get(node, _NONE)
            for a in node.args:
                if a.level == TIME:
                    mask = _joined(mask, masks[a])
            masks[node] = mask
            left -= mask[1].bit_length()
            if left < 0:
                masks.clear()
                self.pattern = (whole,) * len(roots)
                return
        dependent = [masks.get(root, _NONE) for root in roots]
        self.pattern = tuple(whole if mask == every else tuple(_bits(mask)) for mask in dependent)

    def entries(self) -> list[list[Expr]] | None:
        """The derivatives in the shape of `pattern`; None if they would need many times the code of the roots, or if a
        call of a function or an undefined value prevents differentiation. Then differences are as good."""
        if not self._masks and self._nodes:
            return None
        cost = sum(self._masks[n][1].bit_count() * max(1, len(n.args) - 1) for n in self._nodes)
        if cost > _FEW + _TIMES * len(self._nodes) or any(n.op in ("apply", "delay") for n in self._nodes):
            return None
        try:
            slopes = self._slopes()
        except Undefined:
            return None
        zero = self._pool.zero
        return [
            [slopes.get((root, k), zero) for k in row] for root, row in zip(self._roots, self.pattern, strict=False)
        ]

    def dense(self) -> list[list[Expr]]:
        """The derivatives of each root by all leaves, whatever they cost. Undefined as in differentiation."""
        slopes, zero = self._slopes(), self._pool.zero
        return [[slopes.get((root, k), zero) for k in range(len(self._leaves))] for root in self._roots]

    def _slopes(self) -> dict[tuple[Expr, int], Expr]:
        """(node, leaf) -> derivative, if it is not zero."""
        pool, zero = self._pool, self._pool.zero
        slopes: dict[tuple[Expr, int], Expr] = {(leaf, k): pool.one for k, leaf in enumerate(self._leaves)}
        solved: dict[tuple[Expr, int], tuple[Expr, ...]] = {}
        for node in self._nodes:
            if not node.args:
                continue
            for k in _bits(self._masks[node]):
                along = partial(_slope_along, slopes, zero, k)
                if node.op == "solve":
                    solved[node, k] = slope_of_linear(pool, node, along)
                elif node.op == "newton":
                    solved[node, k] = slope_of_iteration(pool, node, along)
                elif node.op == "element":
                    slopes[node, k] = solved[node.args[0], k][node.data]
                else:
                    slope = slope_of(pool, node, [along(a) for a in node.args])
                    if slope is not zero:
                        slopes[node, k] = slope
        return slopes


def slope_of_linear(pool: Pool, node: Expr, along: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """The derivatives of A*z = b: A*dz = db - dA*z."""
    rows = rows_of(node)
    right = []
    for row, b in zip(rows, right_of(node), strict=False):
        total = along(b)
        for k, a in row.items():
            total = pool.sub(total, pool.mul(along(a), pool.element(node, k)))
        right.append(total)
    return pool.solve(rows, right, open_of(node))


def slope_of_iteration(pool: Pool, node: Expr, along: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """The derivatives of r(z, x) = 0: r_z*dz = -r_x, at the solution."""
    n = len(node.data.unknowns)
    solution = {leaf: pool.element(node, k) for k, leaf in enumerate(node.data.unknowns)}
    at_solution = Substitution(pool, solution | ({node.data.has_held: pool.one} if node.data.has_held else {}))
    rows = [{k: at_solution(node.args[n + i * n + k]) for k in range(n)} for i in range(n)]
    return pool.solve(rows, [pool.neg(at_solution(along(r))) for r in node.args[:n]])


def _slope_along(slopes: Mapping[tuple[Expr, int], Expr], zero: Expr, direction: int, node: Expr) -> Expr:
    return slopes.get((node, direction), zero)


def _joined(one: _Mask, other: _Mask) -> _Mask:
    if one == other or not other[1]:
        return one
    if not one[1]:
        return other
    first = min(one[0], other[0])
    return first, one[1] << one[0] - first | other[1] << other[0] - first


def _bits(mask: _Mask) -> list[int]:
    (first, bits), found = mask, []
    while bits:
        low = bits & -bits
        found.append(first + low.bit_length() - 1)
        bits ^= low
    return found
