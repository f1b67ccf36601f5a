"""Defines the expressions of a SyntaxTree, and changes of any tree; tree.py exports them under the same names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar

from cutset.compiler.diagnostics import Span
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    span: Span
    value: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """`36 km/h`, `-20 degC`: a number with a unit. `value` is in SI units; `number` and `unit` are as written."""

    span: Span
    value: float
    number: str
    unit: str


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal, without its quotes."""

    span: Span
    value: str


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a dotted name; `arguments` are indices or, in a name of one part, a function's arguments."""

    span: Span
    name: str
    arguments: tuple[Expression, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """`x`, `x(1, 2)`, `a.b.x`, `robot.r(2).q`, and also `sin(x)`, `der(x)`: instantiation decides which."""

    span: Span
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x`, `+x`, `not x`; the operator `'` is transposition and follows its operand."""

    span: Span
    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: + - * / ^ and or < <= > >= == <> (`**` is read as `^`); `.*`, `./` and `.^` are * / ^ element by
    element."""

    span: Span
    operator: str
    left: Expression
    right: Expression
    elementwise: bool = False


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if c1 then a elseif c2 then b else d`: branches ((c1, a), (c2, b)), otherwise d."""

    span: Span
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Range:
    """`1..n`, both ends included; `1..2..n` has a step between them."""

    span: Span
    start: Expression
    stop: Expression
    step: Expression | None = None

    @property
    def bounds(self) -> tuple[Expression, ...]:
        """What is written between the points, in order."""
        return (self.start, self.stop) if self.step is None else (self.start, self.step, self.stop)


@dataclass(frozen=True, slots=True)
class Everything:
    """A lone `:` as an index."""

    span: Span


@dataclass(frozen=True, slots=True)
class Last:
    """`end` in an index: the number of the last element."""

    span: Span


@dataclass(frozen=True, slots=True)
class Matrix:
    """`[a, b; c, d]` as rows of entries."""

    span: Span
    rows: tuple[tuple[Expression, ...], ...]


@dataclass(frozen=True, slots=True)
class ForIndex:
    """`for k = 1..n`; the span covers the name."""

    span: Span
    name: str
    range: Range


@dataclass(frozen=True, slots=True)
class Comprehension:
    """`[k^2 for k = 1..n]`. `sample` is the entry with 1 in place of each index, for those who ask for its kind."""

    span: Span
    entry: Expression
    indices: tuple[ForIndex, ...]
    sample: Expression

    def at(self, numbers: Sequence[int]) -> Expression:
        """The entry with these numbers in place of the indices."""
        return with_numbers(self.entry, {i.name: number for i, number in zip(self.indices, numbers, strict=True)})


def dotted(e: Reference) -> str:
    """The dotted name `a.b`, without indices."""
    return ".".join(part.name for part in e.parts)


def called(e: Reference) -> tuple[str, tuple[Expression, ...]]:
    """Name and arguments of a call f(x); ('', ()) for anything else."""
    last = e.parts[-1]
    return (last.name, last.arguments) if len(e.parts) == 1 and last.arguments is not None else ("", ())


def is_row(e: Expression) -> bool:
    """True for row(FILE, NAME), a row of a catalog."""
    return isinstance(e, Reference) and called(e)[0] == "row" and len(called(e)[1]) == 2


def chain(e: Expression) -> Iterator[Binary]:
    """The operations down the left side, the outermost first: for a + b - c those with the operators - and +. Sums of
    any length nest to the left, so code that walks over an expression takes them in a loop."""
    while isinstance(e, Binary):
        yield e
        e = e.left


Expression = (
    Number
    | Quantity
    | Text
    | Reference
    | Unary
    | Binary
    | Conditional
    | Range
    | Everything
    | Last
    | Matrix
    | Comprehension
)


Kind = TypeVar("Kind")


def references(*expressions: Expression) -> list[Reference]:
    """All references in the expressions, functions included, in the order of the text."""
    return _of_kind(Reference, expressions)


def quantities(*expressions: Expression) -> list[Quantity]:
    """All numbers with units, likewise."""
    return _of_kind(Quantity, expressions)


def _of_kind(kind: type[Kind], expressions: tuple[Expression, ...]) -> list[Kind]:
    return [e for e in within(*expressions) if e.__class__ is kind]  # type: ignore[misc]


def within(*expressions: Expression) -> list[Expression]:
    """The expressions and all in them, in the order of the text."""
    found: list[Expression] = []
    stack = list(reversed(expressions))
    while stack:
        e = stack.pop()
        found.append(e)
        parts = _PARTS.get(e.__class__)
        if parts is not None:
            stack += parts(e)
    return found


# The expressions in one, the last first; others have none.
_PARTS: dict[type, Callable[[Any], Iterable[Expression]]] = {
    Reference: lambda e: [a for part in reversed(e.parts) if part.arguments for a in reversed(part.arguments)],
    Binary: lambda e: (e.right, e.left),
    Unary: lambda e: (e.operand,),
    Conditional: lambda e: [e.otherwise, *(x for branch in reversed(e.branches) for x in reversed(branch))],
    Range: lambda e: reversed(e.bounds),
    Comprehension: lambda e: [e.sample, *(bound for index in e.indices for bound in index.range.bounds)],
    Matrix: lambda e: [x for row in reversed(e.rows) for x in reversed(row)],
}


# --- changes --------------------------------------------------------------------------------------

# A node of a syntax tree, and what becomes of it.
Node = Any
Change = Callable[[Node], Node]


def mapped(node: Node, change: Change) -> Node:
    """The tree with each node replaced by what `change` makes of it, inner nodes first. Recursion is over the nesting
    of blocks and parentheses, which the parser limits; sums of any length are taken in a loop."""
    if isinstance(node, tuple):
        return tuple(mapped(each, change) for each in node) if type(node) is tuple else node
    if isinstance(node, Binary):
        operations = list(chain(node))
        left = mapped(operations[-1].left, change)
        for operation in reversed(operations):
            left = change(replace(operation, left=left, right=mapped(operation.right, change)))
        return left
    names = _inner(node.__class__)
    if names is None:
        return node
    new = {name: mapped(getattr(node, name), change) for name in names}
    same = all(new[name] is getattr(node, name) for name in names)
    return change(node if same else replace(node, **new))


def with_numbers(e: Expression, numbers: Mapping[str, int]) -> Expression:
    """The expression with numbers in place of these names."""

    def change(node: Node) -> Node:
        is_index = isinstance(node, Reference) and len(node.parts) == 1 and node.parts[0].arguments is None
        return Number(node.span, float(numbers[dotted(node)])) if is_index and dotted(node) in numbers else node

    changed: Expression = mapped(e, change)
    return changed


@cache
def _inner(kind: Hashable) -> tuple[str, ...] | None:
    """The fields that may contain nodes; None for what is no node."""
    if not isinstance(kind, type) or kind.__module__ not in (__name__, __name__.removesuffix("_expressions")):
        return None
    return tuple(field.name for field in fields(kind) if field.name not in ("span", "source"))


# Between the name of a function and the number of its result, in calls; no name has it.
RESULT = "#"


def of_result(call: Expression, number: int) -> Expression:
    """The call for result number 2, 3, ...: of a function that `single_results` makes."""
    if number == 1 or not isinstance(call, Reference):
        return call
    *prefixes, last = call.parts
    return replace(call, parts=(*prefixes, replace(last, name=f"{last.name}{RESULT}{number}")))


def is_result(name: str) -> bool:
    """True for the name in calls of a function for a further result."""
    return RESULT in name and not name.startswith("'")
