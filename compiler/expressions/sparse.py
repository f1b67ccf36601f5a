"""Reads the matrix of a node 'solve'.

Its arguments are the nonzero elements, row by row, followed by the right sides; its data are the columns of each row.
"""

from __future__ import annotations

from collections.abc import Iterator

from cutset.compiler.expressions.nodes import Expr


class Rows(tuple[tuple[int, ...], ...]):
    """The columns of each row. `when_open` is the message if the equations may leave unknowns undetermined, else
    empty."""

    when_open: str = ""


def open_of(node: Expr) -> str:
    """The message for undetermined unknowns; empty if there cannot be any."""
    message: str = node.data.when_open
    return message


def rows_of(node: Expr) -> list[dict[int, Expr]]:
    """The elements of each row by column. They include elements that have become zero since."""
    elements = iter(node.args)
    return [dict(zip(columns, elements, strict=False)) for columns in node.data]


def right_of(node: Expr) -> tuple[Expr, ...]:
    """The right sides."""
    return node.args[len(node.args) - len(node.data) :]


def nonzeros_of(node: Expr) -> Iterator[tuple[int, int, Expr]]:
    """(row, column, element) of the nonzero elements, row by row."""
    for i, row in enumerate(rows_of(node)):
        for k, a in row.items():
            if not (a.op == "constant" and a.data == 0.0):
                yield i, k, a


def band_of(node: Expr) -> tuple[int, int]:
    """The largest distances of nonzeros below and above the diagonal."""
    places = [(i, k) for i, k, _ in nonzeros_of(node)]
    return max((i - k for i, k in places if i > k), default=0), max((k - i for i, k in places if k > i), default=0)
