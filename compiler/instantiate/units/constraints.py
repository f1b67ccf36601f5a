"""Defines what the units of a class have to fulfill: constraints, and the words in which they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cutset.compiler.diagnostics import Span
from cutset.compiler.instantiate.names.meanings import Meaning
from cutset.compiler.instantiate.units.values import Signatures
from cutset.compiler.syntax import tree
from cutset.contract.names import split
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Constraint:
    """left = right in units. `what` is the parameter if this is its value, and empty otherwise."""

    left: tree.Expression
    right: tree.Expression
    span: Span
    what: str = ""


def value_given(name: str, at: Span, value: tree.Expression | None, what: str = "") -> list[Constraint]:
    """The constraint that a value has the unit of the variable `name` (or `sub.name`), to which it is given at a place;
    a literal number gives none. `what` is the name in messages, if it is another one."""
    if value is None or isinstance(value, tree.Number):
        return []
    reference = tree.Reference(at, tuple(tree.Part(at, part) for part in split(name)))
    return [Constraint(reference, value, value.span, f"'{what or name}'")]


@dataclass(frozen=True, slots=True)
class Words:
    """The references in the constraints of a class or function: variables and those of submodels (`a.x`) by name, the
    meaning of each reference, the units of user functions. `fixed` are the names of parameters and constants."""

    names: Mapping[str, object]
    meaning: Callable[[tree.Reference], Meaning]
    signatures: Signatures
    fixed: frozenset[str] = frozenset()
