"""Creates factors that are zero in a run but unknown at translation, to write equations of undetermined unknowns.

An equation 0*f1 + 0*f2 + ... = 0 replaces a redundant constraint: structurally it determines one of the forces f, and a
run uses the solution of least norm.
"""

from __future__ import annotations

from collections.abc import Iterator

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.user_function import Set, UserFunction

_MARK = "left open: "


class LeftOpen:
    """The factors of forces that are undetermined together; `text` is the remark on them."""

    def __init__(self, pool: Pool, text: str):
        arguments = (pool.variable("open row"), pool.variable("open column"))
        result = pool.variable("open factor")
        self._pool = pool
        self._function = UserFunction(_MARK + text, arguments, (result,), (Set((result,), (pool.zero,)),))

    def factor(self, row: int, column: int) -> Expr:
        """A zero that is unique for each row and column."""
        return self._pool.apply(self._function, [self._pool.constant(row), self._pool.constant(column)])[0]


def is_nothing(factor: Expr) -> bool:
    """True for one of these factors, and for a sum of them, which remains where unknowns are equal."""
    return all(map(_is_one, _terms(factor)))


def message_of(factor: Expr) -> str:
    """The remark of such a factor."""
    name: str = next(_terms(factor)).args[0].data.name
    return name.removeprefix(_MARK)


def _is_one(factor: Expr) -> bool:
    return factor.op == "element" and factor.args[0].op == "apply" and factor.args[0].data.name.startswith(_MARK)


def _terms(total: Expr) -> Iterator[Expr]:
    remaining = [total]
    while remaining:
        term = remaining.pop()
        if term.op in ("add", "sub", "neg"):
            remaining += reversed(term.args)
        elif term.op == "mul" and term.args[0].op == "constant":
            remaining.append(term.args[1])
        else:
            yield term
