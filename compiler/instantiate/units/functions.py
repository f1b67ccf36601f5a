"""Determines the units of arguments and results of functions, declared or inferred, and checks their bodies.

An assignment is read as an equation between its sides. A variable without a unit stays open: it fits any unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names.lookup import Functions
from cutset.compiler.instantiate.types.functions import FunctionVariable, function_variables
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.units.bodies import (
    BodyUnits,
    check_units_of_body,
    constrained_units,
    declared_units,
    infer_units,
)
from cutset.compiler.instantiate.units.constraints import Constraint, Words, value_given
from cutset.compiler.instantiate.units.values import MIXED, Known, Signature, Value
from cutset.compiler.syntax import tree
from cutset.compiler.units.parse import parse_unit


class FunctionUnits:
    """The signatures of the valid functions. A call of a function further down uses the units that it declares.
    Functions of the standard library are read when a model calls them: most call few. These do not call each other in
    long chains."""

    def __init__(self, functions: Functions, types: Types):
        self._functions = functions
        self._meanings_of = functions.meanings
        self._wrong: list[Diagnostic] = []
        self._signatures: dict[int, Signature] = {}
        self._unread: dict[int, tuple[tree.Function, list[FunctionVariable], dict[str, Known]]] = {}
        for function in functions.all():
            variables = list(function_variables(function, types))
            declared = declared_units(variables, f"function {function.name}", self._wrong)
            self._signatures[id(function)] = _signature(function, declared)
            self._unread[id(function)] = function, variables, declared
        for key in [key for key, (function, *_) in self._unread.items() if not function.span.source.is_shipped]:
            unread = self._unread.pop(key)
            self._read(unread[0], self._body(*unread))

    def signature(self, function: tree.Function) -> Signature | None:
        """The units of one function; None if it has errors."""
        unread = self._unread.pop(id(function), None) if function.span.source.is_shipped else None
        if unread is not None:
            self._read(function, self._body(*unread))
        return self._signatures.get(id(function))

    def of_table(self, call: Span) -> Value:
        """The unit in the head of a column; MIXED if it has none."""
        unit = self._functions.table(call).unit
        return parse_unit(unit) if unit else MIXED

    def diagnostics(self) -> list[Diagnostic]:
        """Mismatches in the bodies, and invalid units."""
        return [*dict.fromkeys(self._wrong)]

    def _body(
        self, function: tree.Function, variables: Iterable[FunctionVariable], declared: Mapping[str, Known]
    ) -> BodyUnits:
        words = Words(dict.fromkeys(v.name for v in variables), self._meanings_of(function).of, self)
        return constrained_units(function.name, words, declared, tuple(_constraints(function)))

    def _read(self, function: tree.Function, body: BodyUnits) -> None:
        known = infer_units(body, {})
        self._wrong += check_units_of_body(body, known, f"function {function.name}")
        self._signatures[id(function)] = _signature(function, known)


def _constraints(function: tree.Function) -> Iterator[Constraint]:
    """The assignments of all branches; those of literal numbers give no constraint."""
    for member in tree.with_inner(function.members):
        if isinstance(member, tree.Assignment) and not isinstance(member.value, tree.Number):
            yield from (Constraint(target, value, member.span) for target, value in member.pairs)
        elif isinstance(member, tree.VariableDeclaration):
            for item in member.items:
                yield from value_given(item.name, item.span, item.value)


def _signature(function: tree.Function, known: Mapping[str, Known]) -> Signature:
    def unit(name: str) -> Value:
        return known[name].value if name in known else MIXED

    result = function.result.name if function.result is not None else function.name
    arguments = tuple((argument.name, unit(argument.name)) for argument in function.arguments)
    return Signature(function.name, arguments, unit(result))
