"""Finds the values that must be finite besides the derivatives. Changes nothing.

An undefined value makes the derivatives undefined that use it, and ends the run. A value that they do not use, or use
only in a comparison or condition, must be checked separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import Texts
from cutset.compiler.expressions.walk import always_needed, inside_iterations, reachable
from cutset.contract.functions import FUNCTIONS, RELATIONS

# Operators that may be undefined for finite arguments.
PARTIAL = frozenset(row.op for row in FUNCTIONS.values() if row.partial) | {"div", "solve", "newton", "apply", "fault"}
_LOGICAL = frozenset({*RELATIONS, "and", "or", "not"})
# Operators whose result may be defined for an undefined argument.
_STOPS = frozenset({*_LOGICAL, "if", "newton", "apply"})


def guards_of(rates: Sequence[Expr], results: Sequence[Expr]) -> list[Expr]:
    """Of `results` (numbers and truth values) and of the conditions that decide them or the `rates`: the numbers that
    may be undefined while the rates are finite, in order and each once. Iterations check their own contents."""
    handed_on = _handed_on(rates)
    required = dict.fromkeys(number for e in (*results, *_conditions([*rates, *results])) for number in _numbers(e))
    candidates = [e for e in required if e.level == TIME]
    partial = _partial(candidates, handed_on)
    return [e for e in candidates if e in partial]


def _conditions(roots: Sequence[Expr]) -> list[Expr]:
    """The conditions of the branches that are always evaluated, outside of iterations."""
    nodes = reachable(roots)
    branches = [n for n in nodes if n.op == "if" and n.level == TIME]
    if not branches:
        return []
    needed, inside = always_needed(roots), inside_iterations(nodes)
    return [n.args[0] for n in branches if n in needed and n not in inside]


def named_guards(guards: Sequence[Expr], variables: Sequence[Expr]) -> tuple[tuple[int, str], ...]:
    """For each guard the first variable that contains it, by its position (-1: none), and its text."""
    waiting = set(guards)
    found: dict[Expr, int] = {}
    seen: set[Expr] = set()
    for k, variable in enumerate(variables) if waiting else ():
        for node in reachable([variable], seen):
            seen.add(node)
            if node in waiting:
                found.setdefault(node, k)
    texts = Texts()
    return tuple((found.get(guard, -1), texts.text(guard)) for guard in guards)


def _handed_on(rates: Sequence[Expr]) -> set[Expr]:
    """Nodes that make a rate undefined if they are."""
    handed_on = set(rates)
    stack = list(handed_on)
    while stack:
        node = stack.pop()
        for a in () if node.op in _STOPS else node.args:
            if a.level == TIME and a not in handed_on:
                handed_on.add(a)
                stack.append(a)
    return handed_on


def _numbers(e: Expr) -> Iterable[Expr]:
    """The numbers that a condition compares; a number itself."""
    stack = [e]
    while stack:
        node = stack.pop()
        if node.op in _LOGICAL:
            stack += reversed(node.args)
        else:
            yield node


def _partial(roots: Sequence[Expr], handed_on: set[Expr]) -> set[Expr]:
    """The nodes under the roots that may be undefined although those of `told` are finite."""
    found: set[Expr] = set()
    for node in reachable(roots, handed_on):
        if node not in handed_on and (_is_partial(node) or any(a in found for a in node.args)):
            found.add(node)
    return found


def _is_partial(node: Expr) -> bool:
    # What follows from parameters is constant: if it is undefined, the start fails, so steps need no check.
    return node.op in PARTIAL and node.level == TIME and not (node.op == "div" and node.args[1].level < TIME)
