"""Finds which variables that follow from others (attribute `follows`) the equations of a class state themselves.

An equation states a variable that is alone on its left side, an element of it, or an entry of a matrix there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutset.compiler.syntax import tree


def followed(
    attributes: Mapping[str, Iterable[tree.Attribute]], statements: Sequence[tree.ModelStatement]
) -> tuple[list[tree.Equation], list[tree.Equation]]:
    """The equations of variables that no statement states, and those that the statements of others must fulfil, if they
    do not come from a library of ours."""
    found = {name: a for name, given in attributes.items() for a in given if a.name == "follows"}
    if not found:
        return [], []
    equations = [
        member for member in tree.with_inner(statements) if isinstance(member, tree.Equation) and not member.is_closed
    ]
    stated = {name: e.span.source.is_shipped for e in equations for name in _given(e.left)}
    held, claimed = list[tree.Equation](), list[tree.Equation]()
    for name, attribute in found.items():
        if attribute.value is not None:
            left = tree.Reference(attribute.span, (tree.Part(attribute.span, name),))
            if not stated.get(name):
                (claimed if name in stated else held).append(tree.Equation(attribute.span, left, attribute.value))
    return held, claimed


def _given(left: tree.Expression) -> set[str]:
    entries = [entry for row in left.rows for entry in row] if isinstance(left, tree.Matrix) else [left]
    return {entry.parts[0].name for entry in entries if isinstance(entry, tree.Reference) and len(entry.parts) == 1}
