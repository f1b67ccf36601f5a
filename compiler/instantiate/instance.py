"""Defines Instance: the tree of submodels with every name resolved, every parameter evaluated and every shape known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum

from cutset.compiler.diagnostics import Label, Source, Span
from cutset.compiler.expressions.array import Array, Shape, scalar
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.instantiate.events.model import Events
from cutset.contract.experiment_settings import Value as SettingValue
from cutset.contract.names import inflow_name, partition, split
from cutset.contract.quick_dataclass import dataclass
from cutset.contract.tolerance import Tolerance


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of values: `kind` is Real, Integer, Boolean, Text or enumeration. The values of an enumeration are the
    numbers of its literals, from 1; those of Boolean are 0 and 1."""

    kind: str
    name: str
    literals: tuple[str, ...] = ()
    span: Span | None = None

    def __str__(self) -> str:
        return self.name

    def shown(self, value: float) -> str:
        """A value as a model writes it."""
        if self.literals and value in range(1, len(self.literals) + 1):
            return f"{self.name}.{self.literals[int(value) - 1]}"
        if self.kind == "Boolean":
            return "true" if value else "false"
        return f"{value:.12g}"


REAL = ValueType("Real", "Real")
INTEGER = ValueType("Integer", "Integer")
BOOLEAN = ValueType("Boolean", "Boolean")
TEXT = ValueType("Text", "Text")
# The type for a wrong type declaration: it fits everything.
OPEN = ValueType("", "")


class Strength(IntEnum):
    """The priority of a start value: the default of a parameter, a class, the model, a run that names the variable."""

    DEFAULT = 0
    CLASS = 1
    MODEL = 2
    RUN = 3


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared quantity that varies in time.

    name        the full name (`robot.r1.q`)
    value       its leaves
    start       the start value, None if the model gives none; only a guess unless `fixed`
    preference  as a state, from -2 (never) to 2 (always)
    minimum, maximum, nominal  of the shape of value, None if the model gives none; so is fixed
    type_name   the type in the declaration, empty if there is none
    display     the unit in which people see values, empty for `unit`
    strengths   the priority of each element of start, empty without start
    defaults    the parameters whose defaults the start value uses
    is_rotation whether the matrix times its transpose is the identity, by its attribute
    """

    name: str
    kind: str
    value: Array
    span: Span
    start: Array | None = None
    preference: int = 0
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    type_name: str = ""
    display: str = ""
    strengths: tuple[Strength, ...] = ()
    defaults: tuple[str, ...] = ()
    minimum: Array | None = None
    maximum: Array | None = None
    nominal: Array | None = None
    fixed: bool | None = None
    is_rotation: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """`value` holds parameter leaves or, if folded, numbers; `binding` the expressions that it is computed from, and
    `written` is the place of these. `tolerance` is how far the value may be from it, and whether that is a share of it.
    """

    name: str
    value: Array
    binding: Array
    span: Span
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    type_name: str = ""
    display: str = ""
    minimum: Array | None = None
    maximum: Array | None = None
    written: Span | None = None
    tolerance: Tolerance | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a class, which no run changes."""

    name: str
    value: Array
    span: Span
    unit: str = ""
    documentation: str = ""
    type: ValueType = REAL
    type_name: str = ""
    display: str = ""


@dataclass(frozen=True, slots=True)
class External:
    """A second name of a quantity: `name` and its `elements` in the submodel, `internal` in the surrounding model that
    declares it; `value` holds the leaves of the internal one."""

    name: str
    internal: str
    elements: tuple[str, ...]
    value: Array
    span: Span


@dataclass(frozen=True, slots=True)
class CutVariable:
    """One position of a cut: the variable's leaves, or None if the position has no variable ('.')."""

    name: str
    value: Array | None
    sign: int


@dataclass(frozen=True, slots=True)
class CutClass:
    """The name of a cut class, the place of its declaration, which identifies it, and its documentation. `least` are
    the numbers of across and through variables that a cut needs to fit it: further ones are optional."""

    name: str
    span: Span
    documentation: str = ""
    least: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Cut:
    """An elementary cut; across and through are None for a cut without body, cut_class for one without class. A
    `single` cut allows one connection. `carried` are the quantities that the only through variable carries, as they
    flow out of the model."""

    name: str
    across: tuple[CutVariable, ...] | None
    through: tuple[CutVariable, ...] | None
    span: Span
    cut_class: CutClass | None = None
    documentation: str = ""
    single: bool = False
    carried: tuple[CutVariable, ...] = ()

    @property
    def entries(self) -> tuple[CutVariable, ...]:
        """The across, then the through, then the carried variables."""
        return (self.across or ()) + (self.through or ()) + self.carried

    @property
    def declared_name(self) -> str:
        """Its name, for an element `p(2)` that of the array."""
        return partition(self.name, "(")[0]

    @property
    def is_frame(self) -> bool:
        """True for a cut with direction cosines."""
        return any(entry.value is not None and entry.value.shape == (3, 3) for entry in self.across or ())


@dataclass(frozen=True, slots=True)
class End:
    """A cut seen from outside or inside its model, or a node (which has no side)."""

    instance: str
    name: str
    side: str  # 'outside', 'inside' or 'node'; while connections are read also 'absent'


@dataclass(frozen=True, slots=True)
class Join:
    """Two ends that a connect statement joins."""

    first: End
    second: End
    span: Span
    instance: str


@dataclass(frozen=True, slots=True)
class ArrayEquation:
    """left = right, of one shape. `reason` explains an equation that is not in the text, `default_of` is the terminal
    for an equation that holds because the terminal is used nowhere else."""

    left: Array
    right: Array
    span: Span
    instance: str
    reason: str = ""
    default_of: str = ""


@dataclass(frozen=True, slots=True)
class InactiveBranches:
    """An `if` around equations without a true condition. `conditions` are their places; `values` the names and values
    used in them, as text; `names` the variables and submodels in its branches, by their names in the instance, without
    indices."""

    conditions: tuple[Span, ...]
    values: tuple[str, ...]
    names: frozenset[str]
    instance: str


@dataclass(frozen=True)
class Instance:
    """One submodel; `path` is empty for the object that is translated.

    derivatives          maps a variable's leaf to that of its derivative (for the entire tree, in the root only)
    after                maps the leaf of a discrete variable to that of its value after an event
    initial              the initial equations
    closed               the solutions of loops
    folded               the parameters whose value is part of the code
    documentation        the comment at the declaration of the submodel
    class_documentation  the comment of its class
    experiment           the settings of runs that the object gives
    notes                remarks on names of the model (in the root only)
    line                 the names and files of its class and of the superclasses of this, its own first
    """

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
    folded: Mapping[str, float | str] = field(default_factory=dict, repr=False)
    events: Events = Events()
    initial: tuple[ArrayEquation, ...] = ()
    closed: tuple[ArrayEquation, ...] = ()
    after: Mapping[Expr, Expr] = field(default_factory=dict, repr=False)
    constants: tuple[Constant, ...] = ()
    documentation: str = ""
    class_documentation: str = ""
    inactive_branches: tuple[InactiveBranches, ...] = ()
    experiment: Mapping[str, SettingValue] = field(default_factory=dict)
    notes: tuple[Label, ...] = ()
    line: tuple[tuple[str, Source], ...] = field(default=(), repr=False)

    @property
    def declared(self) -> tuple[Constant | Parameter | Variable, ...]:
        """Its constants, parameters and variables."""
        return (*self.constants, *self.parameters, *self.variables)

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
            lines += [f"  {len(instance.closed)} closed equations"] if instance.closed else []
            lines += [f"  {line}" for line in instance.events.lines()]
            lines += [f"  experiment {name}={value}" for name, value in instance.experiment.items()]
            lines += [f"  join {_end(j.first)} - {_end(j.second)}" for j in instance.joins]
        return "\n".join(lines)


def leaves_of(entries: Iterable[CutVariable] | None) -> Iterator[Expr]:
    """The leaves at these positions of cuts."""
    return (leaf for entry in entries or () if entry.value is not None for leaf in entry.value.elements)


def inflow_leaf(pool: Pool, leaf: Expr) -> Expr:
    """The leaf for what flows in of a carried quantity."""
    return pool.variable(inflow_name(str(leaf.data)))


def inflows(pool: Pool, variables: Iterable[Variable], carried: Iterable[CutVariable]) -> Iterator[Variable]:
    """The variables for what flows in of the carried quantities among the variables."""
    left = set(leaves_of(carried))
    for v in variables if left else ():
        for k, leaf in enumerate(v.value.elements):
            if leaf in left:
                left.discard(leaf)
                into = inflow_leaf(pool, leaf)
                of_v = v.unit, v.documentation, v.type, v.type_name, v.display
                nominal = scalar(v.nominal.elements[k]) if v.nominal else None
                yield Variable(str(into.data), "local", scalar(into), v.span, None, 0, *of_v, nominal=nominal)


def around(path: str) -> list[str]:
    """The path itself and those around it, outermost first: `a`, `a.b`, `a.b.c`."""
    parts = split(path)
    return [".".join(parts[: k + 1]) for k in range(len(parts))]


def element_names(name: str, shape: Shape) -> list[str]:
    """x, or x(1), x(2), ..., or T(1,1), T(1,2), ...: row by row."""
    if not shape:
        return [name]
    # That of an element of an array of cuts has an index already.
    start = f"{name[:-1]}," if name.endswith(")") else f"{name}("
    if len(shape) == 1:
        return [f"{start}{i + 1})" for i in range(shape[0])]
    return [f"{start}{i + 1},{j + 1})" for i in range(shape[0]) for j in range(shape[1])]


def _shape(value: Array) -> str:
    return f"({','.join(map(str, value.shape))})" if value.shape else ""


def _type(value_type: ValueType) -> str:
    return "" if value_type is REAL else f"({value_type}) "


def _class(cut: Cut) -> str:
    return "" if cut.cut_class is None else f"({cut.cut_class.name}) "


def _end(end: End) -> str:
    return f"{end.instance}:{end.name}" + ("" if end.side == "outside" else f" ({end.side})")


def parameter_numbers(parameters: Iterable[Parameter]) -> dict[Expr, float]:
    """The model's values of its parameters; each uses only earlier ones."""
    numbers: dict[Expr, float] = {}
    probe = RandomPoint()
    for parameter in parameters:
        for leaf, binding in zip(parameter.value.elements, parameter.binding.elements, strict=False):
            # A constant binding is its own number, also one that a run gives.
            if leaf.op == "parameter" and leaf not in numbers:
                numbers[leaf] = binding.data if binding.op == "constant" else probe.value(binding)
                probe.know(leaf, numbers[leaf])
    return numbers
