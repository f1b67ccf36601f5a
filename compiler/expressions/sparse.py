"""The matrix of a node 'solve': its arguments are the elements that are not zero, row by row, and behind them the right
sides; its data are the columns of each row."""

from __future__ import annotations

from collections.abc import Iterator

from cutset.compiler.expressions.nodes import Expr


class Rows(tuple[tuple[int, ...], ...]):
    """The columns of each row. Where the equations may leave something open, `when_open` says what in words; it is
    empty elsewhere."""

    when_open: str = ""


def open_of(node: Expr) -> str:
    """What the equations may leave open."""
    said: str = node.data.when_open
    return said


def rows_of(node: Expr) -> list[dict[int, Expr]]:
    """The elements of each row by their columns. Those that have become zero since are among them."""
    elements = iter(node.args)
    return [dict(zip(columns, elements, strict=False)) for columns in node.data]


def right_of(node: Expr) -> tuple[Expr, ...]:
    """The right sides."""
    return node.args[len(node.args) - len(node.data) :]


def nonzeros_of(node: Expr) -> Iterator[tuple[int, int, Expr]]:
    """(row, column, element), row by row, of those that are not zero."""
    for i, row in enumerate(rows_of(node)):
        for k, a in row.items():
            if not (a.op == "constant" and a.data == 0.0):
                yield i, k, a


def band_of(node: Expr) -> tuple[int, int]:
    """How far the nonzeros lie below and above the diagonal."""
    places = [(i, k) for i, k, _ in nonzeros_of(node)]
    return max((i - k for i, k in places if i > k), default=0), max((k - i for i, k in places if k > i), default=0)
