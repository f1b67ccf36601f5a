"""SyntaxTree: what the text says, construct by construct. Every node has a span.

Nothing is looked up here: `f(x)` and `x(1)` are the same node, and a name is only a name.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.diagnostics import Source, Span

# --- expressions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    span: Span
    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal, without its quotes."""

    span: Span
    value: str


@dataclass(frozen=True, slots=True)
class Part:
    """One step of a dotted name; `arguments` are indices or, in a name of one part, a function's arguments."""

    span: Span
    name: str
    arguments: tuple[Expression, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """`x`, `x(1, 2)`, `a.b.x`, `robot.r(2).q`, and also `sin(x)`, `der(x)`: which it is, instantiation decides."""

    span: Span
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x`, `+x`, `not x`; the operator `'` is transposition and stands behind its operand."""

    span: Span
    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: + - * / ^ and or < <= > >= == <> (`**` is read as `^`)."""

    span: Span
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if c1 then a elseif c2 then b else d`: branches ((c1, a), (c2, b)), otherwise d."""

    span: Span
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Range:
    """`1..n`, both ends included."""

    span: Span
    start: Expression
    stop: Expression


@dataclass(frozen=True, slots=True)
class Everything:
    """A lone `:` as an index."""

    span: Span


@dataclass(frozen=True, slots=True)
class Matrix:
    """`[a, b; c, d]` as rows of entries."""

    span: Span
    rows: tuple[tuple[Expression, ...], ...]


Expression = Number | Text | Reference | Unary | Binary | Conditional | Range | Everything | Matrix

# --- declarations ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """`start = 0` in the brackets behind a name; a bare `symmetric` has no value."""

    span: Span
    name: str
    value: Expression | None


@dataclass(frozen=True, slots=True)
class VariableItem:
    """`x(3)(unit="m", start=0) = e "text"`; span covers the name."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    value: Expression | None = None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """kind is one of parameter, constant, local, terminal, input, output."""

    span: Span
    kind: str
    items: tuple[VariableItem, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """`R = 100` in the brackets behind a submodel; span covers the name."""

    span: Span
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class SubmodelItem:
    """One instance, or an array of them, there only where the condition holds; span covers the name."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()
    bindings: tuple[Binding, ...] = ()
    condition: Expression | None = None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class ClassReference:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SubmodelDeclaration:
    span: Span
    class_reference: ClassReference
    items: tuple[SubmodelItem, ...]


@dataclass(frozen=True, slots=True)
class CutEntry:
    """`-i` has sign -1; `.` (no variable here) has the name ''."""

    span: Span
    name: str
    sign: int = 1
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class PointReference:
    """`r1:b`, `a:b:c`, or one bare name: a submodel, a cut or a node, which it is, instantiation decides."""

    span: Span
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CutItem:
    """An elementary cut has across and through, a hierarchical one has parts, a cut without body has neither."""

    span: Span
    name: str
    across: tuple[CutEntry, ...] | None = None
    through: tuple[CutEntry, ...] | None = None
    parts: tuple[PointReference, ...] | None = None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class CutDeclaration:
    span: Span
    main: bool
    items: tuple[CutItem, ...]


@dataclass(frozen=True, slots=True)
class PathDeclaration:
    """`main path P <A - B>`."""

    span: Span
    main: bool
    name: str
    cuts: tuple[PointReference, ...]


@dataclass(frozen=True, slots=True)
class NodeItem:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class NodeDeclaration:
    span: Span
    items: tuple[NodeItem, ...]


# --- connections and equations ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reversed:
    """`reversed A`."""

    span: Span
    link: Link


@dataclass(frozen=True, slots=True)
class Parallel:
    """`A par B par C`."""

    span: Span
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """`A to B to C`."""

    span: Span
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`A loop B`."""

    span: Span
    first: Link
    second: Link


# What has a left and a right end; a single point is one too.
Link = PointReference | Reversed | Parallel | Chain | Loop


@dataclass(frozen=True, slots=True)
class Placement:
    """`X at (n1, n2)` or `X at n`."""

    span: Span
    link: Link
    targets: tuple[PointReference, ...]


@dataclass(frozen=True, slots=True)
class ForIndex:
    """`for k = 1..n`; span covers the name."""

    span: Span
    name: str
    range: Range


@dataclass(frozen=True, slots=True)
class Repeated:
    """`c(k) to m(k) for k = 1..6`; of several indices the first is the outermost."""

    span: Span
    connection: Link | Placement
    indices: tuple[ForIndex, ...]


@dataclass(frozen=True, slots=True)
class Connect:
    span: Span
    connections: tuple[Link | Placement | Repeated, ...]


@dataclass(frozen=True, slots=True)
class Equation:
    span: Span
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class ForEquations:
    """`for k = 1..n do ... endfor`; span covers the first line."""

    span: Span
    index: ForIndex
    members: tuple[Behaviour, ...] = ()


# What may be repeated.
Behaviour = Connect | Equation | ForEquations

Member = (
    VariableDeclaration
    | SubmodelDeclaration
    | CutDeclaration
    | PathDeclaration
    | NodeDeclaration
    | Behaviour
)

# --- classes and files -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Class:
    """`model class (Super) X` or, where is_object, `model X`; span covers the name."""

    span: Span
    name: str
    is_object: bool
    supers: tuple[ClassReference, ...]
    members: tuple[Member, ...]
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class Include:
    """`@name`, `@"path"`; span covers the whole."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """One file: its includes and its classes and objects, in the order of the text."""

    source: Source
    includes: tuple[Include, ...]
    classes: tuple[Class, ...]
