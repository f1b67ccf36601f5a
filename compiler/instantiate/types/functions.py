"""Determines the types of arguments and results of functions, and checks the types in their bodies.

Each function is read once, whatever it is called with. Evaluates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.instantiate.instance import OPEN, REAL, TEXT, ValueType
from cutset.compiler.instantiate.names.lookup import Functions
from cutset.compiler.instantiate.names.meanings import Meanings
from cutset.compiler.instantiate.types.expressions import Found, Names, Signature, Signatures, TypeReader
from cutset.compiler.instantiate.types.inferred import type_by_form
from cutset.compiler.instantiate.types.messages import bad_declaration
from cutset.compiler.instantiate.types.value_types import DeclaredType, Types
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FunctionVariable:
    """An argument, the result or a local variable; `type` is None if it is not declared, `attributes` include those of
    its type."""

    name: str
    span: Span
    type: ValueType | None
    attributes: tuple[tree.Attribute, ...]
    value: tree.Expression | None = None


def argument_type(argument: tree.Argument, function: str, types: Types) -> DeclaredType:
    """The declared type of an argument or a result; Real by default."""
    if argument.type_reference is None:
        return DeclaredType(REAL)
    return types.find(argument.type_reference, f"function {function}")


def is_real(argument: tree.Argument, types: Types) -> bool:
    """True if the argument is Real, so that it has a derivative."""
    return argument_type(argument, "", types).value_type in (REAL, OPEN)


def function_variables(function: tree.Function, types: Types) -> Iterator[FunctionVariable]:
    """The arguments, then the result, then local variables."""
    results = [] if function.result is None else [function.result]
    for argument in (*function.arguments, *results):
        declared = argument_type(argument, function.name, types)
        is_open = argument is function.result and argument.type_reference is None
        value_type = None if is_open else declared.value_type
        yield FunctionVariable(argument.name, argument.span, value_type, declared.attributes + argument.attributes)
    for member in function.members:
        if isinstance(member, tree.VariableDeclaration):
            reference, value_type = member.type_reference, None
            inherited: tuple[tree.Attribute, ...] = ()
            if reference is not None:
                found = types.find(reference, f"function {function.name}")
                value_type, inherited = found.value_type, found.attributes
            for item in member.items:
                yield FunctionVariable(item.name, item.span, value_type, inherited + item.attributes, item.value)


class FunctionTypes:
    """The signatures of all declared functions."""

    def __init__(self, functions: Functions, types: Types):
        self._wrong: list[Diagnostic] = []
        self._signatures: dict[int, Signature] = {}
        variables = {id(f): (f, _with_forms(f, types)) for f in functions.declared()}
        for key, (function, own) in variables.items():
            arguments = tuple((a.name, own[a.name].type, own[a.name].span) for a in function.arguments)
            result = own[function.result.name].type if function.result is not None else REAL
            of_texts = [v for v in own.values() if v.type == TEXT]
            hint = 'give it numbers; a comparison of texts is a Boolean: mode == "fast"'
            self._wrong += [bad_declaration(f"a function has no texts: '{v.name}'", v.span, hint) for v in of_texts]
            self._signatures[key] = Signature(function.name, arguments, result)
        for function, own in variables.values():
            names = _Names(function, own, functions.meanings(function))
            self._wrong += _Body(function, own, names, self.signature).diagnostics()

    def signature(self, function: tree.Function) -> Signature | None:
        """The types of one function."""
        return self._signatures.get(id(function))

    def diagnostics(self) -> list[Diagnostic]:
        """The errors in the bodies."""
        return [*dict.fromkeys(self._wrong)]


def _with_forms(function: tree.Function, types: Types) -> dict[str, FunctionVariable]:
    """All variables; those without a type have that of their value, as in a model."""
    variables = {v.name: v for v in function_variables(function, types)}
    given = [(v.name, v.value) for v in variables.values() if v.value is not None]
    assignments = (a for a in tree.with_inner(function.members) if isinstance(a, tree.Assignment))
    given += [(target.parts[0].name, value) for a in assignments for target, value in a.pairs]
    for name, value in given:
        if name in variables and variables[name].type is None:
            variables[name] = replace(variables[name], type=type_by_form(value, types))
    return {name: v if v.type is not None else replace(v, type=REAL) for name, v in variables.items()}


class _Names(Names):
    """The names of a function."""

    def __init__(self, function: tree.Function, variables: Mapping[str, FunctionVariable], known: Meanings):
        super().__init__(known, function.members)
        self._variables = variables

    def variable(self, e: tree.Reference) -> Found:
        """The declared type and place; a function has no submodels."""
        found = self._variables.get(e.parts[0].name) if len(e.parts) == 1 else None
        return (None, None) if found is None or found.type == OPEN else (found.type, found.span)


class _Body:
    """Checks one function."""

    def __init__(
        self,
        function: tree.Function,
        variables: dict[str, FunctionVariable],
        names: _Names,
        signatures: Signatures,
    ):
        self._function = function
        self._variables = variables
        self._reader = TypeReader(names, f"function {function.name}", signatures)

    def diagnostics(self) -> list[Diagnostic]:
        for variable in self._variables.values():
            if variable.value is not None:
                self._given(variable, variable.value)
        self._reader.conditions(self._function.members)
        for statement in tree.with_inner(self._function.members):
            if isinstance(statement, tree.For):
                self._reader.type_of(statement.index.range)
            elif isinstance(statement, tree.Assignment):
                self._assignment(statement)
        return self._reader.complaints

    def _assignment(self, assignment: tree.Assignment) -> None:
        for target, value in assignment.pairs:
            part = target.parts[0]
            for index in part.arguments or ():
                self._reader.index(index)
            if part.name in self._variables:
                self._given(self._variables[part.name], value)

    def _given(self, variable: FunctionVariable, value: tree.Expression) -> None:
        label = Label(variable.span, f"{variable.type}, declared here")
        self._reader.value(f"'{variable.name}'", variable.type, value, () if variable.value is value else (label,))
