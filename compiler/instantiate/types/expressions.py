"""Reads the type of an expression in a class, and reports each operand of a wrong type.

Evaluates nothing. `names` resolves names; an unknown type is None and fits everything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.instantiate.events.builtin_functions import EventFunction
from cutset.compiler.instantiate.instance import BOOLEAN, INTEGER, OPEN, REAL, TEXT, ValueType
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.names.meanings import INDEX, Meaning, Meanings
from cutset.compiler.instantiate.types import messages
from cutset.compiler.instantiate.values.builtin_functions import Builtin
from cutset.compiler.syntax import tree

# The type of a name and the place of its declaration, if any; (None, None) if it is unknown.
Found = tuple[ValueType | None, Span | None]

_RELATIONS = ("<", "<=", ">", ">=", "==", "<>")


def is_number(found: ValueType | None) -> bool:
    """True for Real or Integer, or if the type is unknown."""
    return found is None or found.kind in ("Real", "Integer")


class Signature(NamedTuple):
    """Name, type and place of each argument of a function, and the type of its result; None is unknown."""

    name: str
    arguments: tuple[tuple[str, ValueType | None, Span], ...]
    result: ValueType | None


# The signatures of user functions.
Signatures = Callable[[tree.Function], Signature | None]


class Names(ABC):
    """The meanings of names in one class or function with these members. The index of a loop is known in all of it: it
    cannot have the name of a variable."""

    def __init__(self, known: Meanings, members: Iterable[tree.Member]):
        self._meanings = known
        self._indices = {m.index.name for m in tree.with_inner(members) if isinstance(m, tree.For)}

    def meaning(self, e: tree.Reference) -> Meaning:
        """An index hides other meanings of its name."""
        return INDEX if len(e.parts) == 1 and e.parts[0].name in self._indices else self._meanings.of(e)

    @abstractmethod
    def variable(self, e: tree.Reference) -> Found:
        """The declared type and place of a variable or member."""


class TypeReader:
    """Reads the expressions of one class or function. Recursion is over parentheses, which the parser limits; chains
    are loops."""

    def __init__(
        self,
        names: Names,
        instance: str,
        signatures: Signatures,
    ):
        self._names = names
        self._instance = instance
        self._signatures = signatures
        self.complaints: list[Diagnostic] = []

    def type_of(self, e: tree.Expression) -> ValueType | None:
        """The type of an expression, None if it is unknown; reports wrong types of operands."""
        match e:
            case tree.Number(value=value):
                return INTEGER if value.is_integer() else REAL
            case tree.Quantity():
                return REAL
            case tree.Text():
                return TEXT
            case tree.Reference():
                return self._reference(e)
            case tree.Binary():
                return self._binary(e)
            case tree.Unary(operator="not", operand=operand):
                self.need_boolean(operand, "'not'")
                return BOOLEAN
            case tree.Unary(operator="'", operand=operand):
                return self.type_of(operand)
            case tree.Unary(operator=operator, operand=operand):
                return self._number(operand, f"'{operator}'")
            case tree.Conditional():
                return self._conditional(e)
            case tree.Range():
                self.index(e)
                return INTEGER
            case tree.Last():
                return INTEGER
            case tree.Comprehension():
                for index in e.indices:
                    self.index(index.range)
                return self.type_of(e.sample)
            case tree.Matrix(rows=rows):
                return self._common([entry for row in rows for entry in row], "the elements of a matrix have two types")
        return None

    def need_boolean(self, e: tree.Expression, what: str) -> None:
        """Report an operand that is not Boolean."""
        self._need_boolean(e, what, self.type_of(e))

    def condition(self, e: tree.Expression, what: str) -> None:
        """The same for a condition."""
        found = self.type_of(e)
        if found not in (None, BOOLEAN):
            self.complaints.append(
                messages.no_condition(what, str(found), e.span, to_boolean(e, found), self._instance, self.labels(e))
            )

    def conditions(self, members: Iterable[tree.Member]) -> None:
        """The same for those of all statements, also of statements inside others."""
        for member in tree.with_inner(members):
            match member:
                case tree.If(branches=branches) | tree.When(branches=branches):
                    word = "if" if isinstance(member, tree.If) else "when"
                    for branch in branches:
                        if branch.condition is not None:
                            self.condition(branch.condition, f"the condition of '{word}'")
                case tree.While(condition=condition):
                    self.condition(condition, "the condition of 'while'")
                case tree.Assertion(condition=condition, terminates=terminates):
                    self.condition(condition, f"the condition of '{'terminate' if terminates else 'assert'}'")

    def value(self, what: str, wanted: ValueType | None, e: tree.Expression, labels: tuple[Label, ...] = ()) -> None:
        """Report a value that does not have the required type."""
        found = self.type_of(e)
        if found in (None, OPEN) or wanted in (None, OPEN) or found == wanted or (wanted == REAL and found == INTEGER):
            return
        assert found is not None and wanted is not None
        at = e.span, _to_type(wanted, found, e), self._instance, (*self.labels(e), *labels)
        self.complaints.append(messages.value_of_type(what, str(wanted), str(found), *at))

    def index(self, e: tree.Expression) -> None:
        """Report an index, or a limit of its range, that is not a number."""
        for bound in e.bounds if isinstance(e, tree.Range) else (e,):
            if not isinstance(bound, tree.Everything):
                self._number(bound, "an index")

    def labels(self, *expressions: tree.Expression) -> tuple[Label, ...]:
        """The declarations of the operands that are bare names."""
        labels = []
        for e in expressions:
            if isinstance(e, tree.Reference):
                found, span = self._found(e)
                if found is not None and span is not None:
                    labels.append(Label(span, f"{found}, declared here"))
        return tuple(dict.fromkeys(labels))

    def _need_boolean(self, e: tree.Expression, what: str, found: ValueType | None) -> None:
        if found not in (None, BOOLEAN):
            self._wrong(e, what, "a Boolean", found, to_boolean(e, found))

    def _number(self, e: tree.Expression, what: str) -> ValueType | None:
        return self._needs_number(e, what, self.type_of(e))

    def _needs_number(self, e: tree.Expression, what: str, found: ValueType | None) -> ValueType | None:
        if is_number(found):
            return found
        self._wrong(e, what, "a number", found, to_number(found, e))
        return None

    def _wrong(self, e: tree.Expression, what: str, wanted: str, found: ValueType | None, hint: str) -> None:
        at = e.span, hint, self._instance, self.labels(e)
        self.complaints.append(messages.wrong_operand(what, wanted, str(found), *at))

    def _binary(self, e: tree.Binary) -> ValueType | None:
        spine = [*tree.chain(e)]
        left: tree.Expression = spine[-1].left
        found = self.type_of(left)
        for node in reversed(spine):
            found = self._apply(node, left, found)
            left = node
        return found

    def _apply(self, e: tree.Binary, left: tree.Expression, first: ValueType | None) -> ValueType | None:
        second = self.type_of(e.right)
        what = f"'{e.operator}'"
        if e.operator in ("and", "or"):
            self._need_boolean(left, what, first)
            self._need_boolean(e.right, what, second)
            return BOOLEAN
        if e.operator in _RELATIONS:
            self._compare(e, left, first, second)
            return BOOLEAN
        first, second = self._needs_number(left, what, first), self._needs_number(e.right, what, second)
        if first is None or second is None:
            return None
        whole = first == second == INTEGER
        if e.operator == "^":
            whole = whole and isinstance(e.right, tree.Number)
        return INTEGER if whole and e.operator != "/" else REAL

    def _compare(
        self, e: tree.Binary, left: tree.Expression, first: ValueType | None, second: ValueType | None
    ) -> None:
        if first is None or second is None or (is_number(first) and is_number(second)):
            return
        if first != second:
            what, labels = "values of two types cannot be compared", self.labels(left, e.right)
            hint = "compare values of the same type"
            at = left.span.to(e.right.span), hint, self._instance, labels
            self.complaints.append(messages.types_differ(what, str(first), str(second), *at))
        elif first in (BOOLEAN, TEXT) and e.operator not in ("==", "<>"):
            hint = "compare texts with == and <>"
            if first == BOOLEAN:
                hint = "compare Booleans with == and <>, or join them with and, or, not"
            self._wrong(left, f"'{e.operator}'", "numbers", first, hint)

    def _conditional(self, e: tree.Conditional) -> ValueType | None:
        for condition, _ in e.branches:
            self.condition(condition, "the condition of 'if'")
        return self._common([*(branch for _, branch in e.branches), e.otherwise], "the branches have two types")

    def _common(self, entries: Sequence[tree.Expression], what: str) -> ValueType | None:
        """The common type of all; one report if there is none."""
        result, first = self.type_of(entries[0]), entries[0]
        for entry in entries[1:]:
            found = self.type_of(entry)
            if result is None or found is None:
                result = None
            elif is_number(result) and is_number(found):
                result = INTEGER if result == found == INTEGER else REAL
            elif found != result:
                at = entry.span, "give all of them the same type", self._instance, self.labels(first, entry)
                self.complaints.append(messages.types_differ(what, str(result), str(found), *at))
                result = None
        return result

    # --- names and functions -----------------------------------------------------------------------

    def _reference(self, e: tree.Reference) -> ValueType | None:
        part, arguments = e.parts[-1], e.parts[-1].arguments or ()
        match self._names.meaning(e):
            case meanings.BuiltinCall(function=function) | meanings.EventCall(function=function):
                return self._call(function, part.name, arguments)
            case meanings.Derivative():
                return self._derivative(arguments[0]) if arguments else None
            case meanings.CountCall() | meanings.NumberCall() | meanings.StreamCall() | meanings.MeshCall():
                return INTEGER
            case meanings.TableCall():
                for argument in arguments:
                    self.value("the name of a file or a column", TEXT, argument)
                return REAL
            case meanings.FunctionCall(function=declared) if (signature := self._signatures(declared)) is not None:
                return self._declared(signature, arguments)
        for part in e.parts:
            for index in part.arguments or ():
                self.index(index)
        return self._found(e)[0]

    def _found(self, e: tree.Reference) -> Found:
        """The type of a reference that is not a call."""
        match self._names.meaning(e):
            case meanings.Variable() | meanings.Member():
                return self._names.variable(e)
            case meanings.Index():
                return INTEGER, None
            case meanings.Literal(enumeration=enumeration):
                return enumeration, None
            case meanings.Time() | meanings.MathConstant():
                return REAL, None
            case meanings.Truth():
                return BOOLEAN, None
        return None, None

    def _declared(self, signature: Signature, arguments: Sequence[tree.Expression]) -> ValueType | None:
        """The type of a call of a user function. Evaluation reports numbers that are not whole."""
        for (name, wanted, span), written in zip(signature.arguments, arguments, strict=False):
            if wanted == INTEGER and isinstance(written, tree.Number):
                continue
            label = Label(span, f"{wanted}, declared here")
            self.value(f"the argument '{name}' of '{signature.name}'", wanted, written, (label,))
        return signature.result if signature.result != OPEN else None

    def _call(
        self, function: Builtin | EventFunction, name: str, arguments: Sequence[tree.Expression]
    ) -> ValueType | None:
        if not arguments:
            return None
        result = function.result
        if result == "argument":
            return self.type_of(arguments[-1] if name == "smooth" else arguments[0])
        what = f"'{name}'"
        if name == "edge":
            self.need_boolean(arguments[0], what)
            return BOOLEAN
        found = [self.type_of(a) if name in ("size", "change") else self._number(a, what) for a in arguments]
        if result == "Integer" or (result == "number" and all(of == INTEGER for of in found)):
            return INTEGER
        return BOOLEAN if result == "Boolean" else REAL

    def _derivative(self, argument: tree.Expression) -> ValueType:
        found = self.type_of(argument)
        if found not in (None, REAL) and not isinstance(argument, tree.Number):
            self._wrong(argument, "'der'", "a Real", found, "only a continuous variable has a derivative")
        return REAL


def _to_type(wanted: ValueType, found: ValueType, e: tree.Expression) -> str:
    """How to obtain a value of the required type."""
    if wanted == INTEGER and found == REAL:
        named = isinstance(e, tree.Reference) and e.parts[-1].arguments is None
        return (
            f"use floor, or declare '{e.span.text}' with the type (Integer)"
            if named
            else "write a whole number, or use floor"
        )
    if wanted == BOOLEAN:
        return to_boolean(e, found)
    if wanted == TEXT:
        return f'write it in quotes: "{e.span.text}"' if isinstance(e, tree.Reference) else "write a text in quotes"
    if wanted.literals:
        return f"its values are {', '.join(f'{wanted}.{literal}' for literal in wanted.literals)}"
    return to_number(found, e)


def to_boolean(e: tree.Expression, found: ValueType | None) -> str:
    """How to obtain a Boolean from a value of another type."""
    text = e.span.text
    if found == TEXT:
        return f'compare it: {text if len(text) <= 30 else "mode"} == "..."'
    if found is not None and found.literals:
        return f"compare it: {text if len(text) <= 30 else 'm'} == {_first(found)}"
    if isinstance(e, tree.Number):
        return "write true or false"
    if isinstance(e, tree.Reference) and len(text) <= 30:
        return f"write a relation, such as {text} > 0, or declare '{e.parts[-1].name}' with the type (Boolean)"
    return "write a relation, such as x > 0"


def to_number(found: ValueType | None, e: tree.Expression) -> str:
    """How to obtain a number from a value of another type."""
    text = e.span.text if isinstance(e, tree.Reference) and len(e.span.text) <= 30 else "b"
    if text in ("true", "false"):
        return "write a number"
    if found == TEXT:
        return "write a number, or a name without quotes; declare a parameter of texts with the type (Text)"
    if found == BOOLEAN:
        return f"write the numbers for it: (if {text} then 1 else 0)"
    return f"write the numbers for its values: (if {text} == {_first(found)} then 1 else 0)"


def _first(found: ValueType | None) -> str:
    return f"{found.name}.{found.literals[0]}" if found is not None and found.literals else "..."
