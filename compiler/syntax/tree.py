"""Defines the SyntaxTree, with one type of node per construct. Every node has a span.

Nothing is looked up: `f(x)` and `x(1)` are the same node, and a name is only a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.syntax.tree_expressions import Binary as Binary
from cutset.compiler.syntax.tree_expressions import Change as Change
from cutset.compiler.syntax.tree_expressions import Comprehension as Comprehension
from cutset.compiler.syntax.tree_expressions import Conditional as Conditional
from cutset.compiler.syntax.tree_expressions import Everything as Everything
from cutset.compiler.syntax.tree_expressions import Expression as Expression
from cutset.compiler.syntax.tree_expressions import ForIndex as ForIndex
from cutset.compiler.syntax.tree_expressions import Last as Last
from cutset.compiler.syntax.tree_expressions import Matrix as Matrix
from cutset.compiler.syntax.tree_expressions import Node as Node
from cutset.compiler.syntax.tree_expressions import Number as Number
from cutset.compiler.syntax.tree_expressions import Part as Part
from cutset.compiler.syntax.tree_expressions import Quantity as Quantity
from cutset.compiler.syntax.tree_expressions import Range as Range
from cutset.compiler.syntax.tree_expressions import Reference as Reference
from cutset.compiler.syntax.tree_expressions import Text as Text
from cutset.compiler.syntax.tree_expressions import Unary as Unary
from cutset.compiler.syntax.tree_expressions import called as called
from cutset.compiler.syntax.tree_expressions import chain as chain
from cutset.compiler.syntax.tree_expressions import dotted as dotted
from cutset.compiler.syntax.tree_expressions import is_result as is_result
from cutset.compiler.syntax.tree_expressions import is_row as is_row
from cutset.compiler.syntax.tree_expressions import mapped as mapped
from cutset.compiler.syntax.tree_expressions import of_result as of_result
from cutset.compiler.syntax.tree_expressions import quantities as quantities
from cutset.compiler.syntax.tree_expressions import references as references
from cutset.compiler.syntax.tree_expressions import with_numbers as with_numbers
from cutset.compiler.syntax.tree_expressions import within as within
from cutset.contract.quick_dataclass import dataclass

# --- declarations ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """`start = 0` in the parentheses after a name; a bare `symmetric` has no value."""

    span: Span
    name: str
    value: Expression | None


@dataclass(frozen=True, slots=True)
class VariableItem:
    """`x(3)(unit="m", start=0) = e +- 5 % "comment"`; the span covers the name."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    value: Expression | None = None
    documentation: str = ""
    tolerance: Number | Quantity | None = None


@dataclass(frozen=True, slots=True)
class ClassReference:
    """The name of a class, a type or a cut class, with its prefix: `Spring`, `rot.Spring`. The class of an FMU has the
    path of its file: `fmu "controller.fmu"`."""

    span: Span
    name: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """`local (Angle) phi, psi`; kind is one of parameter, constant, local, terminal, input, output, default,
    external, internal."""

    span: Span
    kind: str
    items: tuple[VariableItem, ...]
    type_reference: ClassReference | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """`R = 100 +- 5` in the parentheses after a submodel; the span covers the name. In `h(start = 3)`, for a variable
    of an FMU, `attribute` is `start`, and the name that of the parameter `h_start`, which its class has."""

    span: Span
    name: str
    value: Expression
    attribute: str = ""
    tolerance: Number | Quantity | None = None


@dataclass(frozen=True, slots=True)
class SubmodelItem:
    """One instance or an array, which exists only if the condition holds; the span covers the name."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()
    bindings: tuple[Binding, ...] = ()
    condition: Expression | None = None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class SubmodelDeclaration:
    span: Span
    class_reference: ClassReference
    items: tuple[SubmodelItem, ...]


@dataclass(frozen=True, slots=True)
class CutEntry:
    """`-i` has sign -1; `.` (no variable here) has the name ''. `carried h` comes after the flow that carries it, the
    only one on the through side of its cut."""

    span: Span
    name: str
    sign: int = 1
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    is_carried: bool = False


@dataclass(frozen=True, slots=True)
class PointReference:
    """`r1:b`, `a:b:c`, or a single name of a submodel, a cut or a node; instantiation decides which."""

    span: Span
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CutItem:
    """An elementary cut has across and through, a hierarchical one has parts, a cut without body has neither; an array
    of others has a length."""

    span: Span
    name: str
    across: tuple[CutEntry, ...] | None = None
    through: tuple[CutEntry, ...] | None = None
    parts: tuple[PointReference, ...] | None = None
    documentation: str = ""
    dimensions: tuple[Expression, ...] = ()

    @property
    def entries(self) -> tuple[CutEntry, ...]:
        """The across, then the through variables."""
        return (self.across or ()) + (self.through or ())


@dataclass(frozen=True, slots=True)
class CutDeclaration:
    """`main cut (Pin) A (Va / i)`; class_reference is None if no cut class is given. Cuts of `(single Pin)` allow one
    connection."""

    span: Span
    main: bool
    items: tuple[CutItem, ...]
    class_reference: ClassReference | None = None
    single: bool = False


@dataclass(frozen=True, slots=True)
class PathDeclaration:
    """`main path P <A - B>`."""

    span: Span
    main: bool
    name: str
    cuts: tuple[PointReference, ...]


@dataclass(frozen=True, slots=True)
class NodeItem:
    """A node or an array of nodes, or a value of an enumeration."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeDeclaration:
    span: Span
    items: tuple[NodeItem, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """`experiment (stop=10, rtol=1e-8)`: settings of runs."""

    span: Span
    settings: tuple[Binding, ...]


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


# Links have a left and a right end; a single point is one too.
Link = PointReference | Reversed | Parallel | Chain | Loop


@dataclass(frozen=True, slots=True)
class Placement:
    """`X at (n1, n2)` or `X at n`."""

    span: Span
    link: Link
    targets: tuple[PointReference, ...]


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
    """`left = right`; `closed left = right` is the solution of a loop. `(left, others) = f(x)`: each takes a result."""

    span: Span
    left: Expression
    right: Expression
    is_closed: bool = False
    others: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """`z(k) := e`, in a function; `(target, others) := f(x)` assigns each a result."""

    span: Span
    target: Reference
    value: Expression
    others: tuple[Reference, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[Reference, Expression], ...]:
        """Each target with its value; all are assigned at once."""
        return tuple((each, of_result(self.value, k)) for k, each in enumerate((self.target, *self.others), 1))


@dataclass(frozen=True, slots=True)
class Assertion:
    """`assert cond, "message"` or, with `terminates`, `terminate cond, "message"`."""

    span: Span
    terminates: bool
    condition: Expression
    text: str


# The span of a block covers its first line.


@dataclass(frozen=True, slots=True)
class For:
    """`for k = 1..n do ... endfor`."""

    span: Span
    index: ForIndex
    members: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """`while c do ... endwhile`, in a function."""

    span: Span
    condition: Expression
    members: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """`if c then`, `elseif c then`, `when c then` or `elsewhen c then`, and what follows; condition is None after
    `else`."""

    span: Span
    condition: Expression | None
    members: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """`if c then ... elseif d then ... else ... endif`: at least one branch; only the last may have no condition."""

    span: Span
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class When:
    """`when c then ... elsewhen d then ... endwhen`: at least one branch."""

    span: Span
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Initial:
    """`initial ... endinitial`."""

    span: Span
    members: tuple[Statement, ...] = ()


# Statements of models and functions; blocks.py defines which may occur in which block.
ModelStatement = Connect | Equation | Assertion | For | If | When | Initial
Action = Assignment | Assertion | For | While | If
Statement = ModelStatement | Action


Declared = VariableDeclaration | SubmodelDeclaration | CutDeclaration | PathDeclaration | NodeDeclaration | Experiment
Member = Declared | Statement


def with_inner(members: Iterable[Member]) -> Iterator[Member]:
    """The members and all statements in their blocks, in the order of the text."""
    waiting = [*members][::-1]
    while waiting:
        member = waiting.pop()
        yield member
        match member:
            case For() | While() | Initial():
                waiting += reversed(member.members)
            case If() | When():
                waiting += [inner for branch in reversed(member.branches) for inner in reversed(branch.members)]


# --- classes and files -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassParameter:
    """`class (Controller) Control = PI` in the parentheses after the name of a class; the span covers the name. A given
    class has all that the `limits` have."""

    span: Span
    name: str
    default: ClassReference | None
    limits: tuple[ClassReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Class:
    """`model class (Super) X (class C = D)` or, with is_object, `model X`; the span covers the name."""

    span: Span
    name: str
    is_object: bool
    supers: tuple[ClassReference, ...]
    members: tuple[Member, ...]
    documentation: str = ""
    class_parameters: tuple[ClassParameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument or the result of a function: `x`, `x(3)`, `x(:)`, `(Integer) n`, with attributes; the span covers the
    name."""

    span: Span
    name: str
    dimensions: tuple[Expression, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    type_reference: ClassReference | None = None


# Not a keyword: `external controller` also declares the external quantity `controller`.
CONTROLLER = "controller"
# Not a keyword either: `submodel (fmu "file.fmu") c`.
FMU = "fmu"
# Nor this: `cut a (p / m, carried h)`.
CARRIED = "carried"
# The end of the name of a parameter for the start value of a variable of an FMU.
START = "_start"


@dataclass(frozen=True, slots=True)
class Function:
    """`function f(x, y) result z ... end`; the span covers the name. An external one has no members and a string that
    names its implementation; its result is None if it has the function's name. A controller, which may keep a state, is
    called once at each event."""

    span: Span
    name: str
    arguments: tuple[Argument, ...]
    result: Argument | None
    members: tuple[VariableDeclaration | Action, ...] = ()
    documentation: str = ""
    external: str = ""
    is_controller: bool = False
    # Further results. `all_results` is not of the text: in a function for one of several results, all of them.
    more: tuple[Argument, ...] = ()
    all_results: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Type:
    """`type Angle (unit="rad")`, `type (Integer) Count (min=0)` or, with literals, `type Mode = (Free, Stuck)`; the
    span covers the name."""

    span: Span
    name: str
    base: ClassReference | None = None
    attributes: tuple[Attribute, ...] = ()
    literals: tuple[NodeItem, ...] = ()
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class CutClass:
    """`cut class Pin (V / i)`; the span covers the name."""

    span: Span
    name: str
    across: tuple[CutEntry, ...]
    through: tuple[CutEntry, ...]
    documentation: str = ""

    @property
    def entries(self) -> tuple[CutEntry, ...]:
        """The across, then the through variables."""
        return self.across + self.through


Declaration = Class | Function | Type | CutClass


@dataclass(frozen=True, slots=True)
class Include:
    """`@name`, `@"path"`, `@name as prefix`, `@name with library`; the span covers all of it."""

    span: Span
    name: str
    prefix: str = ""
    library: str = ""


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """One file: its includes and its declarations, each kind in the order of the text."""

    source: Source
    includes: tuple[Include, ...]
    classes: tuple[Class, ...]
    functions: tuple[Function, ...] = ()
    types: tuple[Type, ...] = ()
    cut_classes: tuple[CutClass, ...] = ()
