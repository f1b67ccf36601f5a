"""Separates the results of functions: `(q, qd) = f(x)` -> an equation and a function for each result.

Computes nothing twice: the functions for all results of one are generated as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree_expressions import RESULT


def single_results(function: tree.Function) -> tuple[tuple[str, tree.Function], ...]:
    """A function for each result, with the name in calls: in each the other results are local variables."""
    if not function.more or function.result is None:
        return ((function.name, function),)
    results = (function.result, *function.more)
    found = []
    for number, result in enumerate(results, 1):
        own = tuple(_local(other) for other in results if other is not result)
        name = function.name if number == 1 else f"{function.name}{RESULT}{number}"
        single = replace(function, result=result, members=(*own, *function.members), more=(), all_results=results)
        found.append((name, single))
    return tuple(found)


def _local(result: tree.Argument) -> tree.VariableDeclaration:
    item = tree.VariableItem(result.span, result.name, result.dimensions, result.attributes)
    return tree.VariableDeclaration(result.span, "local", (item,), result.type_reference)


def separate(members: Iterable[Any]) -> tuple[Any, ...]:
    """The statements with an equation for each result of `(q, qd) = f(x)`."""
    found: list[Any] = []
    for member in members:
        match member:
            case tree.Equation() if member.others:
                lefts = enumerate((member.left, *member.others), 1)
                found += (tree.Equation(member.span, each, tree.of_result(member.right, k)) for k, each in lefts)
            case tree.For() | tree.Initial():
                found.append(replace(member, members=separate(member.members)))
            case tree.If() | tree.When():
                branches = tuple(replace(branch, members=separate(branch.members)) for branch in member.branches)
                found.append(replace(member, branches=branches))
            case _:
                found.append(member)
    return tuple(found)
