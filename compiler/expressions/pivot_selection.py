"""Provides functions of the pool that choose the columns of a matrix to solve for, by elimination and exchange.

From J (k rows, n columns) k columns B are chosen such that no element of inverse(B)*J is larger than 1: then no
exchange of one column for another gives a larger determinant (Goreinov, Oseledets, Savostyanov, Tyrtyshnikov and
Zamarashkin, How to find a good submatrix, in: Matrix Methods, World Scientific 2010, pp. 247-256). The tableau
inverse(B)*J is that of Gauss-Jordan elimination, without its unit columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.user_function import Supplied, UserFunction
from cutset.contract import pivot_selection as columns_of

QUALITY = "quality"


def exchange(pool: Pool, rows: int, columns: int) -> UserFunction:
    """A function of J row by row, then for each column whether it is chosen now (1 or 0). Results: the quality of that
    choice, from 0 (singular, or not k columns) to 1 (no element is larger than 1), as 1/(largest element), with the
    sign of the determinant of the chosen columns; then for each column whether it is chosen. A matrix without rank k
    has k arbitrary columns."""
    return _supplied(pool, rows, columns, "exchange", columns_of.exchange, columns + 1)


def quality(pool: Pool, rows: int, columns: int) -> UserFunction:
    """A function of the same arguments with the quality of the present choice; then for each row the largest element of
    inverse(B) in the column that it meets, infinite if B is singular."""
    return _supplied(pool, rows, columns, QUALITY, columns_of.quality, rows + 1)


def _supplied(
    pool: Pool,
    rows: int,
    columns: int,
    name: str,
    values: Callable[[int, int, Sequence[float]], Sequence[float]],
    results: int,
) -> UserFunction:
    def leaves(what: str, count: int) -> tuple[Expr, ...]:
        return tuple(pool.variable(f"{name} {what}{k}") for k in range(count))

    body = Supplied(name, (rows, columns), lambda given: tuple(values(rows, columns, given)))
    return UserFunction(
        "choice of states", leaves("given", (rows + 1) * columns), leaves("found", results), supplied=body
    )
