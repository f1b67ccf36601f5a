"""Resolves names: decides what each reference in a class or a function means, for all readers of expressions.

Reference -> Meaning. Evaluation, the checks of types and of units and the checks of functions have one case for each
meaning, and none of them looks a name up. The first row of the table that fits decides:

=============================  ====================================================================================
``k``, ``k(1)``                an index of a surrounding `for`, a variable of the class or function
``count("g")``                 the size of a group, the numbers of a constant, a random stream, a file
``f(x)``                       the derivative, a function of events, a built-in function, a user function
``f``                          time, true, false, a user function without arguments, pi, e
``a.b.f(x)``                   a user function with prefixes
``a.b.f``                      the same without arguments, if no submodel has the name `a`
``a.b.x``, ``a.b.x(1)``        a value of an enumeration, if no submodel has the name `a`; a variable of a submodel
=============================  ====================================================================================

Names are resolved for a class, not for a file and not for an instance. A class may inherit an expression from another
file and have more variables than the class that it is written in; functions and types are those of the file. All
instances of a class have the same names, so a meaning is resolved on first use and kept for all of them. Two facts are
known later: the class of a submodel can depend on the class parameters of an instance, so a `Member` is only the path
to a variable; and the index of a `for` hides other meanings in its loop only, so the scope of a round resolves it.

The tree itself is not changed, since classes share it and messages quote it. Evaluates nothing and reports nothing: the
message for an unknown name depends on the reader.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import field

from cutset.compiler.diagnostics import Source
from cutset.compiler.instantiate.events.builtin_functions import EVENT_FUNCTIONS, EventFunction
from cutset.compiler.instantiate.instance import ValueType
from cutset.compiler.instantiate.names.file_calls import function_of_file
from cutset.compiler.instantiate.names.visible import VisibleNames, find_function
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS, Builtin
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """`x`, `x(2)`: a variable, parameter or constant of the class or function itself."""


@dataclass(frozen=True, slots=True)
class Index:
    """`k`: the index of a surrounding `for`."""


@dataclass(frozen=True, slots=True)
class Member:
    """`a.x`, `c(2).b.x`: a variable of a submodel, if the instance has it."""


@dataclass(frozen=True, slots=True)
class Literal:
    """`Mode.Free`: a value of this enumeration, if it has the value."""

    enumeration: ValueType


@dataclass(frozen=True, slots=True)
class Time:
    """`time`."""


@dataclass(frozen=True, slots=True)
class Truth:
    """`true`, `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class MathConstant:
    """`pi`, `e`, where nothing that is declared has this name."""

    value: float


@dataclass(frozen=True, slots=True)
class Derivative:
    """`der(x)`, `der(x, 2)`."""


@dataclass(frozen=True, slots=True)
class BuiltinCall:
    """`sin(x)`: a built-in function of values."""

    function: Builtin


@dataclass(frozen=True, slots=True)
class EventCall:
    """`new(n)`, `delay(x, T)`: a built-in function that depends on its context, or on history."""

    function: EventFunction


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """`f(x)`, `lib.f(x)`: a user function."""

    function: tree.Function


@dataclass(frozen=True, slots=True)
class CountCall:
    """`count("dof")`: how many numbers of this group the translated model has."""

    group: str


@dataclass(frozen=True, slots=True)
class NumberCall:
    """`number("dof")`: the next numbers of this group."""

    group: str


@dataclass(frozen=True, slots=True)
class StreamCall:
    """`random_stream("y")`: the number of a random stream of this instance."""

    name: str


@dataclass(frozen=True, slots=True)
class TableCall:
    """`table("pump.csv")`, `table(file)`: the numbers in a file."""


@dataclass(frozen=True, slots=True)
class MeshCall:
    """`mesh("arm.stl")`: the number of a mesh file of the model."""


@dataclass(frozen=True, slots=True)
class UnknownFunction:
    """`g(x)`, if no function has the name g."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """`y`, if nothing but perhaps a built-in function has the name y."""

    is_function: bool


Meaning = (
    Variable
    | Index
    | Member
    | Literal
    | Time
    | Truth
    | MathConstant
    | Derivative
    | BuiltinCall
    | EventCall
    | FunctionCall
    | CountCall
    | NumberCall
    | StreamCall
    | TableCall
    | MeshCall
    | UnknownFunction
    | UnknownName
)
VARIABLE, INDEX = Variable(), Index()
_WORDS: Mapping[str, Meaning] = {"time": Time(), "true": Truth(True), "false": Truth(False)}
_CONSTANTS = {"pi": MathConstant(math.pi), "e": MathConstant(math.e)}
_CALLS: Mapping[str, Meaning] = {
    "der": Derivative(),
    **{name: BuiltinCall(row) for name, row in BUILTINS.items()},
    **{name: EventCall(row) for name, row in EVENT_FUNCTIONS.items()},
}
# The functions of a string: a user function, which takes values, may have the same name.
_OF_STRINGS: Mapping[str, type[CountCall | NumberCall | StreamCall]] = {
    "count": CountCall,
    "number": NumberCall,
    "random_stream": StreamCall,
}


@dataclass(frozen=True)
class Meanings:
    """The meanings of the references in a class or function with these `variables` and `submodels`, outside of loops;
    `files` holds the names that each file sees."""

    variables: Container[str]
    submodels: Container[str]
    types: Types
    files: Mapping[Source, VisibleNames]
    # By the identity of the reference, which is stored so that its id is not used again.
    _known: dict[int, tuple[tree.Reference, Meaning]] = field(default_factory=dict, repr=False)

    def of(self, e: tree.Reference) -> Meaning:
        """The meaning of the reference."""
        known = self._known.get(id(e))
        if known is None:
            meaning = self._of_name(e.parts[0]) if len(e.parts) == 1 else self._of_path(e.parts)
            known = self._known[id(e)] = e, meaning
        return known[1]

    def _of_name(self, part: tree.Part) -> Meaning:
        if part.name in self.variables:
            return VARIABLE
        if part.arguments is None:
            known = _WORDS.get(part.name) or self._constant((part,)) or _CONSTANTS.get(part.name)
            return known or UnknownName(part.name in _CALLS)
        if of_file := function_of_file(tree.Reference(part.span, (part,))):
            return TableCall() if of_file == "table" else MeshCall()
        if part.name in _OF_STRINGS and len(part.arguments) == 1 and isinstance(part.arguments[0], tree.Text):
            return _OF_STRINGS[part.name](part.arguments[0].value)
        function = None if part.name in _CALLS else find_function(self.files, (part,))
        if function is None and part.name == "table" and 1 <= len(part.arguments) <= 2:
            return TableCall()
        return _CALLS.get(part.name) or (UnknownFunction() if function is None else FunctionCall(function))

    def _constant(self, parts: tuple[tree.Part, ...]) -> FunctionCall | None:
        """A user function without arguments, which needs no parentheses."""
        function = find_function(self.files, parts)
        is_constant = function is not None and not function.arguments and not function.external
        return FunctionCall(function) if function is not None and is_constant else None

    def _of_path(self, parts: tuple[tree.Part, ...]) -> Meaning:
        function = None if parts[-1].arguments is None else find_function(self.files, parts)
        if function is not None:
            return FunctionCall(function)
        if parts[0].name not in self.submodels and (constant := self._constant(parts)):
            return constant
        enumeration = None if parts[0].name in self.submodels else self.types.enumeration(parts[:-1])
        return Member() if enumeration is None else Literal(enumeration)


def meanings_of_function(function: tree.Function, types: Types, files: Mapping[Source, VisibleNames]) -> Meanings:
    """The meanings in a function: its variables are its arguments, its result and its local variables."""
    variables = {argument.name for argument in function.arguments}
    variables.add(function.name if function.result is None else function.result.name)
    for member in function.members:
        if isinstance(member, tree.VariableDeclaration):
            variables |= {item.name for item in member.items}
    return Meanings(frozenset(variables), frozenset(), types, files)
