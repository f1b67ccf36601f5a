"""Program: a translated model as statements over numbered arrays. No target's syntax, no names of the model in the
code.

Arrays are those of the runtime's contract: p, given, c, s, n, x, u, m, f, w, dx, y, g, e, te, v, j, and `t`; z and r
are the unknowns and the residuals of an iteration; `local` are values that live inside one chunk; `tables` are numbers
that stand in the code. A chunk is straight-line; control flow is in functions of the user (user_functions.py), which it
calls, and in iterations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cutset.contract.metadata import ModelInfo


@dataclass(frozen=True, slots=True)
class Literal:
    """A number; in the k-th round of a loop, where `table` is not -1, numbers[table][k] of the loop."""

    value: float
    table: int = -1


@dataclass(frozen=True, slots=True)
class Read:
    """array[index]; `t` and `local` are no arrays but are written alike. In the k-th round of a loop, k from 0,
    array[index + k*step], or, where `table` is not -1, array[tables[table][k]] with the tables of the loop."""

    array: str
    index: int
    step: int = 0
    table: int = -1


class Operation(NamedTuple):
    """An operator of the expression pool (add, mul, <, if, sin, ...) applied to values. 'fault' has the number of a
    text of ModelInfo.faults, counted from 1."""

    operator: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TableRef:
    """A table: its `size` ascending xs from array[index] on, and behind them as many ys. In 'local' one index is a
    whole table. In a loop they go on as those of Read."""

    array: str
    index: int
    size: int
    step: int = 0
    table: int = -1


Value = Literal | Read | Operation | TableRef


class Assign(NamedTuple):
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
    """Of matrix*z = right the z replaces the right, which stands in solution.array[solution.index], ... The matrix
    stands in the size*width places before it; no element is farther than `lower` below and `upper` above the diagonal.
    What `fill` does not write of it, assignments and loops, is zero; `is_full` where that writes all. Where the
    equations may leave something open, `open` is the number of the text in ModelInfo.open_systems that says so, else
    -1."""

    size: int
    lower: int
    upper: int
    fill: tuple[Statement, ...]
    is_full: bool
    solution: Read
    open: int = -1

    @property
    def width(self) -> int:
        """How many places a row takes: those of the band, and what the exchanges of rows add to it."""
        return row_width(self.size, self.lower, self.upper)

    @property
    def matrix(self) -> Read:
        """Where the matrix begins."""
        return Read(self.solution.array, self.solution.index - self.size * self.width)


@dataclass(frozen=True, slots=True)
class SolveNonlinear:
    """The `size` unknowns at which all residuals of the function vanish go to solution.array[solution.index], ...,
    behind which there is scratch memory; w[guess], ... is where the iteration begins. Where it fails they are nan, by
    the fault of that number. The function writes the residuals and behind them their derivatives, row by row, to r."""

    size: int
    function: Function
    solution: Read
    guess: int
    fault: int


@dataclass(frozen=True, slots=True)
class Call:
    """Function number `user_function` of the user with values as its arguments; results that nobody needs have no
    place."""

    user_function: int
    arguments: tuple[Value, ...]
    results: tuple[Read | None, ...]


@dataclass(frozen=True, slots=True)
class FillTable:
    """The values, xs and then ys, go to the points; where the xs do not ascend, the ys become nan."""

    table: TableRef
    values: tuple[Value, ...]


def row_width(size: int, lower: int, upper: int) -> int:
    """How many places a row of a matrix takes that is stored as a band."""
    return min(size, 2 * lower + upper + 1)


@dataclass(frozen=True, slots=True)
class Loop:
    """The assignments of the body, `count` times over with places that go on by their steps, or as `tables` say, which
    have one for each round; `numbers` have numbers for each. Locals live in one round."""

    count: int
    body: tuple[Statement, ...]
    tables: tuple[tuple[int, ...], ...]
    numbers: tuple[tuple[float, ...], ...]


Statement = Assign | SineCosine | SolveLinear | SolveNonlinear | FillTable | Call | Loop


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

    def iterated(self) -> Iterator[Function]:
        """Those that its iterations call."""
        return (s.function for s in self.statements() if isinstance(s, SolveNonlinear))


@dataclass(frozen=True, slots=True)
class Work:
    """Operations of one evaluation that the equations of a submodel ask for."""

    instance: str
    mul_div: int
    add_sub: int
    functions: int

    @property
    def weight(self) -> int:
        """How much that is, roughly: a function takes about as long as ten products."""
        return self.mul_div + self.add_sub + 10 * self.functions


@dataclass(frozen=True)
class Statistics:
    """Sizes of the translation and operations of one evaluation of the derivatives and of the outputs of the model, or
    of all its variables where it has neither (parameter expressions excluded)."""

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
    relations: int = 0
    start_linear_systems: tuple[tuple[int, int], ...] = ()
    start_nonlinear_systems: tuple[tuple[int, int], ...] = ()
    work: tuple[Work, ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """What values a parameter takes: the names of its values, if it has an enumeration as type, and limits, as far as
    they are numbers at translation; whether they are whole numbers. `place` is that of its declaration."""

    literals: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    is_whole: bool
    place: str


@dataclass(frozen=True, slots=True)
class Compute:
    """Straight-line statements with locals of their own."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Does `then` where `test` is not zero."""

    test: Read
    then: tuple[FunctionStep, ...]
    otherwise: tuple[FunctionStep, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Computes, leaves where `test` is then zero, else does the body and begins again. Fault `fault` after too many
    rounds."""

    condition: Compute
    test: Read
    body: tuple[FunctionStep, ...]
    fault: int


@dataclass(frozen=True, slots=True)
class CountUp:
    """The body as long as index <= last, which is one more in each round. Both are set before."""

    index: Read
    last: Read
    body: tuple[FunctionStep, ...]
    fault: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends the function with fault `fault`, its results all nan, where `test` is zero."""

    test: Read
    fault: int


FunctionStep = Compute | Branch | Repeat | CountUp | Stop


@dataclass(frozen=True)
class LoweredFunction:
    """`results` are read at the end. Of an external one (`external` its number, from 0; else -1) the runtime has the
    body; so it has of one that is `supplied`, with its `sizes`. `title` is its name in the model, for the listing
    alone."""

    title: str
    arguments: int
    variables: int
    temporaries: int
    results: tuple[Read, ...]
    body: tuple[FunctionStep, ...]
    external: int = -1
    supplied: str = ""
    sizes: tuple[int, ...] = ()

    def __str__(self) -> str:
        lines = [f"function {self.title}: {self.arguments} arguments, {self.variables} variables"]
        if self.supplied:
            return (
                f"function {self.title}: {self.supplied}({', '.join(map(str, self.sizes))}) of {self.arguments} "
                "arguments"
            )
        lines += [f"  {line}" for line in _step_lines(self.body)]
        return "\n".join([*lines, "  gives " + ", ".join(f"{r.array}[{r.index}]" for r in self.results)])


@dataclass(frozen=True)
class Program:
    """All functions of the contract in its order; `domains` of the parameters that do not take every number; `tables`
    are the numbers of all constant tables, one after the other."""

    info: ModelInfo
    statistics: Statistics
    functions: tuple[Function, ...] = field(repr=False)
    domains: Mapping[str, Domain] = field(default_factory=dict, repr=False)
    tables: tuple[float, ...] = field(default=(), repr=False)
    user_functions: tuple[LoweredFunction, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        lines = [f"tables = {', '.join(map(repr, self.tables))}"] if self.tables else []
        lines += [line for user_function in self.user_functions for line in str(user_function).splitlines()]
        for function in self.functions:
            for part in (*function.iterated(), function):
                lines.append(f"{part.name}({', '.join(part.arguments)})")
                lines += [f"  {statement_text(s)}" for s in part.statements()]
        return "\n".join(lines)


def statement_text(s: Statement) -> str:
    """A statement in one line, of a loop one for each of its body, for the listing."""
    match s:
        case Loop():
            body = "".join(f"\n    {statement_text(inner)}" for inner in s.body)
            tables = "".join(f"i{n} = {', '.join(map(str, table))}\n  " for n, table in enumerate(s.tables))
            tables += "".join(f"d{n} = {', '.join(map(repr, table))}\n  " for n, table in enumerate(s.numbers))
            return f"{tables}for k = 0 to {s.count - 1}{body}"
        case Call():
            places = ", ".join("-" if p is None else _value(p) for p in s.results)
            return f"{places} := f{s.user_function}({', '.join(map(_value, s.arguments))})"
        case Assign():
            guard = f" unless {_value(s.unless)}" if s.unless else ""
            return f"{_value(s.target)} := {_value(s.value)}{guard}"
        case SineCosine():
            return f"{_value(s.sine)}, {_value(s.cosine)} := sine and cosine of {_value(s.argument)}"
        case FillTable():
            return f"{_value(s.table)} := {', '.join(map(_value, s.values))}"
        case SolveNonlinear():
            return f"{_value(s.solution)}... := root of {s.function.name} near w[{s.guess}]..."
    filled = "".join(f"{statement_text(inner)}\n  " for inner in s.fill)
    return f"{filled}{_value(s.solution)}... := solution of {s.size} linear equations"


def _step_lines(steps: tuple[FunctionStep, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case Compute():
                yield from map(statement_text, step.statements)
            case Branch():
                yield "if q[0]"
                yield from (f"  {line}" for line in _step_lines(step.then))
                yield "else"
                yield from (f"  {line}" for line in _step_lines(step.otherwise))
            case Repeat():
                yield "repeat"
                yield from (f"  {line}" for line in _step_lines((step.condition,)))
                yield "  leave unless q[0]"
                yield from (f"  {line}" for line in _step_lines(step.body))
            case CountUp():
                yield f"while s[{step.index.index}] <= s[{step.last.index}], counting"
                yield from (f"  {line}" for line in _step_lines(step.body))
            case Stop():
                yield f"fault {step.fault} unless q[0]"


def _value(v: Value) -> str:
    match v:
        case Literal():
            return repr(v.value) if v.table < 0 else f"d{v.table}[k]"
        case Read():
            return v.array if v.array == "t" else f"{v.array}[{_index(v)}]"
        case TableRef():
            return f"{v.size} points at {v.array}[{_index(v)}]"
    return f"{v.operator}({', '.join(map(_value, v.arguments))})"


def _index(v: Read | TableRef) -> str:
    if v.table >= 0:
        return f"i{v.table}[k]"
    return f"{v.index} + {v.step}*k" if v.step else str(v.index)
