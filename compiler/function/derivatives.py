"""Differentiates the outputs of a function, and solves the derivatives of forces for those of accelerations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.jacobian import Jacobian
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.function.equations import FunctionModel

_Matrix = list[list[Expr]]


def derivatives(pool: Pool, outputs: Sequence[Expr], model: FunctionModel, rates: Mapping[Expr, Expr]) -> list[Expr]:
    """Those of the function, row by row, see `Function.by` and `Function.change`; `rates` are the derivatives of the
    positions by time. Undefined, NotDifferentiable as in differentiation."""
    if model.change in ("tangents", "solved"):
        rows = _along_motion(pool, outputs, model.by, rates)
        return [e for row in (_solved(pool, rows) if model.change == "solved" else rows) for e in row]
    found = [e for row in Jacobian(pool, outputs, model.by).dense() for e in row]
    if model.change == "rates":
        return [differentiate(pool, e, lambda v: rates.get(v, pool.zero)) for e in found]
    return list(map(Substitution(pool, model.values), found)) if model.values else found


def _along_motion(pool: Pool, outputs: Sequence[Expr], by: Sequence[Expr], rates: Mapping[Expr, Expr]) -> _Matrix:
    """The derivatives along the motion of the positions that each velocity causes, the first of `by`, then by these."""
    n, p = len(outputs), len(rates)
    motion = Jacobian(pool, list(rates.values()), by[:n]).dense()
    rows = Jacobian(pool, outputs, [*rates, *by]).dense()
    return [[*(_sum_of_products(pool, row[:p], [m[k] for m in motion]) for k in range(n)), *row[p:]] for row in rows]


def _solved(pool: Pool, rows: _Matrix) -> _Matrix:
    """The derivatives of the accelerations from those of the forces [A, B, M]: -inv(M)*[A, B], and inv(M)."""
    n = len(rows)
    lower, diagonal = _factors(pool, [row[2 * n :] for row in rows])
    units = [[pool.one if i == k else pool.zero for i in range(n)] for k in range(n)]
    right = [*([pool.neg(row[k]) for row in rows] for k in range(2 * n)), *units]
    columns = [_solution(pool, lower, diagonal, column) for column in right]
    return [[column[i] for column in columns] for i in range(n)]


def _factors(pool: Pool, mass: _Matrix) -> tuple[_Matrix, list[Expr]]:
    """The factors of M = L'*D*L, where L has no other elements than M for joints from the base to the tips: R.
    Featherstone, Efficient factorization of the joint-space inertia matrix for branched kinematic trees, Int. J.
    Robotics Research 24 (2005) 487-500, section 4."""
    left = [list(row[: k + 1]) for k, row in enumerate(mass)]
    for k in reversed(range(len(left))):
        for i in reversed(range(k)):
            if left[k][i] is not pool.zero:
                part = pool.div(left[k][i], left[k][k])
                for j in range(i + 1):
                    left[i][j] = pool.sub(left[i][j], pool.mul(part, left[k][j]))
                left[k][i] = part
    return left, [row[k] for k, row in enumerate(left)]


def _solution(pool: Pool, lower: _Matrix, diagonal: Sequence[Expr], right: Sequence[Expr]) -> list[Expr]:
    n, x = len(right), list(right)
    for k in reversed(range(n)):
        x[k] = pool.sub(x[k], _sum_of_products(pool, [lower[i][k] for i in range(k + 1, n)], x[k + 1 :]))
    x = [pool.div(e, d) for e, d in zip(x, diagonal, strict=True)]
    for k in range(n):
        x[k] = pool.sub(x[k], _sum_of_products(pool, lower[k][:k], x[:k]))
    return x


def _sum_of_products(pool: Pool, a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return reduce(pool.add, map(pool.mul, a, b), pool.zero)
