"""Infers the types of variables that are declared without one.

Such a variable is Real, unless the value in its class is not a number by its form: `true`, a relation, `and`, `or`,
`not`, a value of an enumeration. Only the form counts; nothing is looked up, so that every reader can tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from cutset.compiler.instantiate.instance import BOOLEAN, REAL, TEXT, ValueType
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.syntax import tree

_BOOLEAN_OPERATORS = ("and", "or", "not", "<", "<=", ">", ">=", "==", "<>")
_BOOLEAN_FUNCTIONS = ("edge", "sample", "initial", "terminal", "change")
_OF_THEIR_ARGUMENT = ("noevent", "new", "init")


def infer_types(variables: dict[str, Any], statements: Iterable[tree.ModelStatement], types: Types) -> None:
    """Set the type of each of the `variables` (Declared by name) that has none."""
    open_names = {name for name, declared in variables.items() if declared.type is None}
    found: dict[str, ValueType] = {}
    for name in open_names:
        default = variables[name].default
        if default is not None and (by_form := type_by_form(default, types)) is not None:
            found[name] = by_form
    for equation in (e for e in tree.with_inner(statements) if isinstance(e, tree.Equation)):
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            name = _variable(side)
            by_form = type_by_form(other, types) if name in open_names and name not in found else None
            if by_form not in (None, TEXT):  # an equation with a text is wrong
                found[name] = by_form
    for name in open_names:
        variables[name] = replace(variables[name], type=found.get(name, REAL))


def type_by_form(e: tree.Expression, types: Types) -> ValueType | None:
    """The type of an expression whatever its names mean; None for numbers and if only the names decide."""
    while True:
        match e:
            case tree.Text():
                return TEXT
            case tree.Binary(operator=operator) | tree.Unary(operator=operator):
                return BOOLEAN if operator in _BOOLEAN_OPERATORS else None
            case tree.Conditional(branches=((_, first), *_)):
                e = first
            case tree.Matrix(rows=((first, *_), *_)):
                e = first
            case tree.Reference():
                name, arguments = tree.called(e)
                if name in _OF_THEIR_ARGUMENT and arguments:
                    e = arguments[0]
                    continue
                enumeration = types.enumeration(e.parts[:-1])
                if enumeration is not None and e.parts[-1].name in enumeration.literals:
                    return enumeration
                return BOOLEAN if tree.dotted(e) in ("true", "false") or name in _BOOLEAN_FUNCTIONS else None
            case _:
                return None


def _variable(e: tree.Expression) -> str:
    """The name if the expression is `x`, `x(k)` or `new(x)`; `x(k)` has the form of a call."""
    if not isinstance(e, tree.Reference) or len(e.parts) != 1:
        return ""
    name, arguments = tree.called(e)
    if name in _OF_THEIR_ARGUMENT and arguments:
        inner = arguments[0]
        return inner.parts[0].name if isinstance(inner, tree.Reference) and len(inner.parts) == 1 else ""
    return e.parts[0].name
