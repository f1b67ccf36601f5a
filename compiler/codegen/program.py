"""Program: a translated model as statements over numbered arrays. No target's syntax, no names of the model in the code.

Arrays are those of the runtime's contract: p, given, c, x, n, u, m, w, dx, y, te, and `t`; d and h are those of discrete variables and delays, which
no target fills yet; `local` are values that live inside one chunk; `tables` are numbers that stand in the code. A chunk is
straight-line; control flow is in routines (routines.py), which it calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutset.compiler.codegen.routines import Routine

from cutset.compiler.diagnostics import Label


@dataclass(frozen=True, slots=True)
class Literal:
    value: float


@dataclass(frozen=True, slots=True)
class Read:
    """array[index]; `t` and `local` are no arrays but are written alike."""

    array: str
    index: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator of the expression pool (add, mul, <, if, sin, ...) applied to values. 'fault' has the number of a text of
    Information.faults, counted from 1."""

    operator: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """A table: its `size` ascending xs from array[index] on, and behind them as many ys. In 'local' one index is a whole
    table."""

    array: str
    index: int
    size: int


Value = Literal | Read | Operation | Points


@dataclass(frozen=True, slots=True)
class Assign:
    """target := value; with `unless` only where that reads zero."""

    target: Read
    value: Value
    unless: Read | None = None


@dataclass(frozen=True, slots=True)
class SineCosine:
    """Both at once: sine := sin(argument), cosine := cos(argument)."""

    argument: Value
    sine: Read
    cosine: Read


@dataclass(frozen=True, slots=True)
class SolveLinear:
    """The z of matrix*z = right (row by row) goes to solution.array[solution.index], ... The n*n places before it
    may be used for the matrix."""

    size: int
    matrix: tuple[Value, ...]
    right: tuple[Value, ...]
    solution: Read


@dataclass(frozen=True, slots=True)
class Call:
    """Routine number `routine` with values as its arguments; results that nobody needs have no place."""

    routine: int
    arguments: tuple[Value, ...]
    results: tuple[Read | None, ...]


@dataclass(frozen=True, slots=True)
class FillTable:
    """The values, xs and then ys, go to the points; where the xs do not ascend, the ys become nan."""

    points: Points
    values: tuple[Value, ...]


Statement = Assign | SineCosine | SolveLinear | FillTable | Call


@dataclass(frozen=True, slots=True)
class Function:
    """One entry point of the contract: name, arguments in order (`t` is a number, the rest are arrays), and chunks
    that run one after the other."""

    name: str
    arguments: tuple[str, ...]
    chunks: tuple[tuple[Statement, ...], ...]

    def statements(self) -> Iterator[Statement]:
        for chunk in self.chunks:
            yield from chunk


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a name finds its value: array x, u, p or y, index, sign."""

    array: str
    index: int
    sign: int


@dataclass(frozen=True, slots=True)
class OriginText:
    """For messages at run time: variable, equation, place, instance."""

    variable: str
    equation: str
    place: str
    instance: str


@dataclass(frozen=True, slots=True)
class ExpressionText:
    """For messages before a run: an expression of parameters, the numbers of the first of these and of the constants in it, and the equation or declaration
    that it comes from: its place, the line of the text, the column and the width of what is meant in that, its instance. The
    place is empty where nothing is known."""

    text: str
    parameters: tuple[int, ...]
    constants: tuple[int, ...]
    place: str
    line: str
    column: int
    width: int
    instance: str


@dataclass(frozen=True, slots=True)
class External:
    """A routine in Python: its name in the model, pkg.mod.f, the shapes of the arguments, the numbers among their
    elements (None for those that the code passes), the shape of the result."""

    name: str
    target: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float | None, ...], ...]
    result: tuple[int, ...]


@dataclass(frozen=True)
class Information:
    """What the runtime has to know besides the code."""

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    names: Mapping[str, Slot]
    origins: tuple[OriginText, ...]
    folded: Mapping[str, float]
    n_constants: int
    n_work: int
    n_modes: int
    n_event_times: int
    n_variables: int
    constant_origins: tuple[ExpressionText | None, ...]
    parameter_origins: tuple[ExpressionText | None, ...]
    faults: tuple[str, ...]
    externals: tuple[External, ...]


@dataclass(frozen=True)
class Statistics:
    """Sizes of the translation and operations of one evaluation of the derivatives (parameter expressions excluded)."""

    equations: int
    unknowns: int
    states: int
    aliases: int
    blocks: int
    linear_systems: tuple[tuple[int, int], ...]
    nonlinear_systems: tuple[tuple[int, int], ...]
    mul_div: int
    add_sub: int
    functions: int
    differentiated_equations: int
    discrete: int = 0
    whens: int = 0
    initial_equations: int = 0
    assertions: int = 0
    delays: int = 0


@dataclass(frozen=True, slots=True)
class Domain:
    """What values a parameter takes: the names of its values, if it has an enumeration as type, and limits, as far as
    they are numbers at translation; whether they are whole numbers. `place` is that of its declaration."""

    literals: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    is_whole: bool
    place: str


@dataclass(frozen=True)
class Program:
    """All functions of the contract in its order; `domains` of the parameters that do not take every number; `tables` are
    the numbers of all constant tables, one after the other. `waiting` is what no target can do yet: such a program cannot
    be emitted."""

    information: Information
    statistics: Statistics
    functions: tuple[Function, ...] = field(repr=False)
    domains: Mapping[str, Domain] = field(default_factory=dict, repr=False)
    tables: tuple[float, ...] = field(default=(), repr=False)
    waiting: tuple[Label, ...] = field(default=(), repr=False)
    routines: tuple[Routine, ...] = field(default=(), repr=False)

    @property
    def info(self) -> Information:
        """The same as `information`."""
        return self.information

    def __str__(self) -> str:
        lines = [f"tables = {', '.join(map(repr, self.tables))}"] if self.tables else []
        lines += [line for routine in self.routines for line in str(routine).splitlines()]
        for function in self.functions:
            lines.append(f"{function.name}({', '.join(function.arguments)})")
            lines += [f"  {statement_text(s)}" for s in function.statements()]
        return "\n".join(lines)


def statement_text(s: Statement) -> str:
    """A statement in one line, for the listing."""
    match s:
        case Call():
            places = ", ".join("-" if p is None else _value(p) for p in s.results)
            return f"{places} := f{s.routine}({', '.join(map(_value, s.arguments))})"
        case Assign():
            guard = f" unless {_value(s.unless)}" if s.unless else ""
            return f"{_value(s.target)} := {_value(s.value)}{guard}"
        case SineCosine():
            return f"{_value(s.sine)}, {_value(s.cosine)} := sine and cosine of {_value(s.argument)}"
        case FillTable():
            return f"{_value(s.points)} := {', '.join(map(_value, s.values))}"
    matrix, right = (", ".join(map(_value, values)) for values in (s.matrix, s.right))
    return f"{_value(s.solution)}... := solution of [{matrix}] z = [{right}]"


def _value(v: Value) -> str:
    match v:
        case Literal():
            return repr(v.value)
        case Read():
            return v.array if v.array == "t" else f"{v.array}[{v.index}]"
        case Points():
            return f"{v.size} points at {v.array}[{v.index}]"
    return f"{v.operator}({', '.join(map(_value, v.arguments))})"
