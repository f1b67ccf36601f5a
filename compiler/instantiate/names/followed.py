"""Finds which variables that follow from others (attribute `follows`) the equations of a class state themselves.

An equation states a variable that is alone on one side, an element of it, or an entry of a matrix there; if both sides
are such, that on the left one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

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
    stated = {name: e.span.source.is_shipped for e in equations for name in names_of(stating_side(e, attributes))}
    held, claimed = list[tree.Equation](), list[tree.Equation]()
    for name, attribute in found.items():
        if attribute.value is not None:
            left = tree.Reference(attribute.span, (tree.Part(attribute.span, name),))
            if not stated.get(name):
                (claimed if name in stated else held).append(tree.Equation(attribute.span, left, attribute.value))
    return held, claimed


def stating_side(equation: tree.Equation, variables: Container[str]) -> tree.Expression:
    """The side on which variables are alone: the left one, unless that is true of the right one only."""
    left, right = (_is_alone(side, variables) for side in (equation.left, equation.right))
    return equation.right if right and not left else equation.left


def _is_alone(side: tree.Expression, variables: Container[str]) -> bool:
    return all(
        isinstance(entry, tree.Reference) and (len(entry.parts) != 1 or entry.parts[0].name in variables)
        for entry in _entries(side)
    )


def names_of(side: tree.Expression) -> set[str]:
    """Of the variables that are alone on the side, or entries of a matrix."""
    entries = [entry for entry in _entries(side) if isinstance(entry, tree.Reference)]
    return {entry.parts[0].name for entry in entries if len(entry.parts) == 1}


def _entries(side: tree.Expression) -> list[tree.Expression]:
    return [entry for row in side.rows for entry in row] if isinstance(side, tree.Matrix) else [side]
