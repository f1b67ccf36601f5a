"""Finds values that change at events only: discrete variables, and choices among parameters."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from cutset.compiler.expressions.pool import TIME, Expr


def switched_values(roots: Iterable[Expr], discrete: Container[Expr] = ()) -> Iterator[Expr]:
    """The largest of them in these expressions, outside of conditions; `discrete` are the discrete variables."""
    waiting, seen = list(roots), set[Expr]()
    while waiting:
        node = waiting.pop()
        if node.level < TIME or node in seen:
            continue
        seen.add(node)
        if is_switched(node, discrete):
            yield node
        else:
            waiting += node.args[1:] if node.op == "if" else node.args


def is_switched(node: Expr, discrete: Container[Expr] = ()) -> bool:
    """True for a discrete variable, and for an `if` with a condition that varies between values that do not."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.op == "if" and each.args[0].level == TIME:
            waiting += each.args[1:]
        elif each not in discrete and (each is node or each.level == TIME):
            return False
    return True
