"""Factors that are zero in a run and not known to be so before: what equations leave open is written with them.

An equation 0*f1 + 0*f2 + ... = 0 stands for a constraint that says nothing new: it counts as an equation for the forces
f of constraints, and a run that meets it takes the shortest solution.
"""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.user_function import Set, UserFunction

_MARK = "left open: "


class LeftOpen:
    """The factors of what is left open together; `text` is what is said of it."""

    def __init__(self, pool: Pool, text: str):
        arguments = (pool.variable("open row"), pool.variable("open column"))
        result = pool.variable("open factor")
        self._pool = pool
        self._function = UserFunction(_MARK + text, arguments, (result,), (Set((result,), (pool.zero,)),))

    def factor(self, row: int, column: int) -> Expr:
        """Zero, one of its own for each row and column."""
        return self._pool.apply(self._function, [self._pool.constant(row), self._pool.constant(column)])[0]


def is_nothing(factor: Expr) -> bool:
    """Is it one of these factors?"""
    return factor.op == "element" and factor.args[0].op == "apply" and factor.args[0].data.name.startswith(_MARK)


def said_of(factor: Expr) -> str:
    """The text of a factor that is one."""
    name: str = factor.args[0].data.name
    return name.removeprefix(_MARK)
