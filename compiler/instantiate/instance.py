"""Instance: the tree of submodels with every name resolved, every parameter evaluated and every shape known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.array import Array, Shape
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.instantiate.events.model import Events


@dataclass(frozen=True, slots=True)
class ValueType:
    """What values are: `kind` is Real, Integer, Boolean or enumeration, of which the values are the numbers of its
    literals, from 1. Boolean values are 0 and 1."""

    kind: str
    name: str
    literals: tuple[str, ...] = ()
    span: Span | None = None

    def __str__(self) -> str:
        return self.name

    def shown(self, value: float) -> str:
        """A value as it is written in a model."""
        if self.literals and value in range(1, len(self.literals) + 1):
            return f"{self.name}.{self.literals[int(value) - 1]}"
        if self.kind == "Boolean":
            return "true" if value else "false"
        return f"{value:.12g}"


REAL = ValueType("Real", "Real")
INTEGER = ValueType("Integer", "Integer")
BOOLEAN = ValueType("Boolean", "Boolean")
# Of a type that is declared wrongly: it holds anything.
OPEN = ValueType("", "")


class Strength(IntEnum):
    """Who says where a quantity begins: the default of a parameter that nobody has set, a class, the model or its
    run."""

    DEFAULT = 0
    CLASS = 1
    MODEL = 2


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared quantity that varies in time. `name` is the full one (`robot.r1.q`); `value` holds its leaves;
    start is None where the model gives none, and a guess alone where `fixed` is False; preference is how much it wants
    to be a state (-2 never .. 2 always). minimum, maximum and nominal are of the shape of value, None where the model
    gives none, as is fixed. `type_name` is what the model calls the type, empty where it names none. `strengths` has
    one for each element of start, none where there is no start, and `defaults` the parameters whose defaults it
    uses."""

    name: str
    kind: str
    value: Array
    span: Span
    start: Array | None = None
    preference: int = 0
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    minimum: Array | None = None
    maximum: Array | None = None
    nominal: Array | None = None
    fixed: bool | None = None
    type_name: str = ""
    strengths: tuple[Strength, ...] = ()
    defaults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """`value` holds parameter leaves or, where folded, numbers; `binding` the expressions it is computed from, and
    `written` is where these stand."""

    name: str
    value: Array
    binding: Array
    span: Span
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    minimum: Array | None = None
    maximum: Array | None = None
    type_name: str = ""
    written: Span | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the class, or numbers, which no run changes."""

    name: str
    value: Array
    span: Span
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    type_name: str = ""


@dataclass(frozen=True, slots=True)
class External:
    """A second name of a quantity: `name` and its `elements` in the submodel, `internal` in the model around it that
    declares it; `value` holds the leaves of that one."""

    name: str
    internal: str
    elements: tuple[str, ...]
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class CutVariable:
    """One position of a cut: the variable's leaves, or None where the cut has no variable ('.')."""

    name: str
    value: Array | None
    sign: int


@dataclass(frozen=True, slots=True)
class CutClass:
    """The name of a class of cuts and the place of its declaration, by which two of them are told apart; and what it
    says of itself. `least` are the numbers of across and through variables that a cut needs to go with it: those behind
    are optional."""

    name: str
    span: Span
    documentation: str = ""
    least: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Cut:
    """An elementary cut; across and through are None for a cut without body, cut_class for one without class. One that
    is `single` takes one connection."""

    name: str
    across: tuple[CutVariable, ...] | None
    through: tuple[CutVariable, ...] | None
    span: Span
    cut_class: CutClass | None = None
    documentation: str = ""
    single: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """A cut seen from outside its model or from inside, or a node (a node has no side)."""

    instance: str
    name: str
    side: str  # 'outside', 'inside' or 'node'; while connections are read also 'absent'


@dataclass(frozen=True, slots=True)
class Join:
    """Two ends that a connect statement brings together."""

    first: End
    second: End
    span: Span
    instance: str


@dataclass(frozen=True, slots=True)
class ArrayEquation:
    """left = right, of one shape. `reason` is said of an equation that nobody wrote, `default_of` of one
    that holds because a terminal is used nowhere else."""

    left: Array
    right: Array
    span: Span
    instance: str
    reason: str = ""
    default_of: str = ""


@dataclass(frozen=True, slots=True)
class InactiveBranches:
    """An `if` around equations, none of whose conditions holds. `conditions` are their places, `values` the names and
    values that they use, as text; `names` are what its branches speak of: variables and submodels, as the instance
    calls them, without indices."""

    conditions: tuple[Span, ...]
    values: tuple[str, ...]
    names: frozenset[str]
    instance: str


@dataclass(frozen=True)
class Instance:
    """One submodel; `path` is empty for the object that is translated. `derivatives` (of the whole tree, in the
    root alone) maps a variable's leaf to the leaf of its derivative, `after` that of a discrete variable to the leaf of
    its value after an event; `initial` are the equations of the start; `folded` names the parameters whose value
    stands in the code. `documentation` is what is said where the submodel is declared, `class_documentation` what its
    class says of itself."""

    path: str
    class_name: str
    span: Span
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    externals: tuple[External, ...]
    cuts: tuple[Cut, ...]
    equations: tuple[ArrayEquation, ...]
    joins: tuple[Join, ...]
    children: tuple[Instance, ...]
    pool: Pool = field(repr=False)
    derivatives: Mapping[Expr, Expr] = field(default_factory=dict, repr=False)
    folded: Mapping[str, float] = field(default_factory=dict, repr=False)
    events: Events = Events()
    initial: tuple[ArrayEquation, ...] = ()
    after: Mapping[Expr, Expr] = field(default_factory=dict, repr=False)
    constants: tuple[Constant, ...] = ()
    documentation: str = ""
    class_documentation: str = ""
    inactive_branches: tuple[InactiveBranches, ...] = ()

    def walk(self) -> Iterator[Instance]:
        """This instance and all below, in the order of the text."""
        stack: list[Instance] = [self]
        while stack:
            instance = stack.pop()
            yield instance
            stack += reversed(instance.children)

    def __str__(self) -> str:
        lines = []
        for instance in self.walk():
            lines.append(f"{instance.path or '(top)'}: {instance.class_name}")
            lines += [f"  constant {_type(c.type)}{c.name}{_shape(c.value)}" for c in instance.constants]
            lines += [f"  parameter {_type(p.type)}{p.name}{_shape(p.value)}" for p in instance.parameters]
            lines += [f"  {v.kind} {_type(v.type)}{v.name}{_shape(v.value)}" for v in instance.variables]
            lines += [f"  external {e.name}{_shape(e.value)} is {e.internal}" for e in instance.externals]
            lines += [f"  cut {_class(c)}{c.name}" for c in instance.cuts]
            lines += [f"  {len(instance.equations)} equations"] if instance.equations else []
            lines += [f"  {len(instance.initial)} initial equations"] if instance.initial else []
            lines += [f"  {line}" for line in instance.events.lines()]
            lines += [f"  join {_end(j.first)} - {_end(j.second)}" for j in instance.joins]
        return "\n".join(lines)


def element_names(name: str, shape: Shape) -> list[str]:
    """x, or x(1), x(2), ..., or T(1,1), T(1,2), ...: row by row."""
    if not shape:
        return [name]
    if len(shape) == 1:
        return [f"{name}({i + 1})" for i in range(shape[0])]
    return [f"{name}({i + 1},{j + 1})" for i in range(shape[0]) for j in range(shape[1])]


def _shape(value: Array) -> str:
    return f"({','.join(map(str, value.shape))})" if value.shape else ""


def _type(value_type: ValueType) -> str:
    return "" if value_type is REAL else f"({value_type}) "


def _class(cut: Cut) -> str:
    return "" if cut.cut_class is None else f"({cut.cut_class.name}) "


def _end(end: End) -> str:
    return f"{end.instance}:{end.name}" + ("" if end.side == "outside" else f" ({end.side})")


def parameter_numbers(parameters: Iterable[Parameter]) -> dict[Expr, float]:
    """The values that the model gives its parameters, of which each uses only those before it."""
    numbers: dict[Expr, float] = {}
    probe = RandomPoint()
    for parameter in parameters:
        for leaf, binding in zip(parameter.value.elements, parameter.binding.elements, strict=False):
            # A number stands for itself, also where a run gives it in the place of the binding.
            if leaf.op == "parameter" and leaf not in numbers:
                numbers[leaf] = binding.data if binding.op == "constant" else probe.value(binding)
                probe.know(leaf, numbers[leaf])
    return numbers
