"""Stage 6a, procedures. Procedures of the pool -> routines of the program: the one place of it with control flow.

A routine reads its arguments a, keeps its variables in s and intermediate values in q, and fills its results r.
Must not print.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cutset.compiler.codegen.program import Assign, Read, Statement, statement_text
from cutset.compiler.codegen.statements import Numbering, Schedule
from cutset.compiler.expressions.interpret import MOST_ROUNDS
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import (
    Choice,
    Count,
    Loop,
    Procedure,
    Require,
    Set,
    Step,
    variables_written,
)
from cutset.contract.metadata import External

_TEST = Read("q", 0)


@dataclass(frozen=True, slots=True)
class Compute:
    """Straight-line statements with locals of their own."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Does `then` where `test` is not zero."""

    test: Read
    then: tuple[RoutineStep, ...]
    otherwise: tuple[RoutineStep, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Computes, leaves where `test` is then zero, else does the body and begins again. Fault `fault` after too many
    rounds."""

    condition: Compute
    test: Read
    body: tuple[RoutineStep, ...]
    fault: int


@dataclass(frozen=True, slots=True)
class CountUp:
    """The body as long as index <= last, which is one more in each round. Both are set before."""

    index: Read
    last: Read
    body: tuple[RoutineStep, ...]
    fault: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends the routine with fault `fault`, its results all nan, where `test` is zero."""

    test: Read
    fault: int


RoutineStep = Compute | Branch | Repeat | CountUp | Stop


@dataclass(frozen=True)
class Routine:
    """`results` are read at the end. Of an external one (`external` its number, from 0; else -1) the runtime has the
    body; so it has of one that is `supplied`, with its `sizes`. `title` is its name in the model, for the listing
    alone."""

    title: str
    arguments: int
    variables: int
    temporaries: int
    results: tuple[Read, ...]
    body: tuple[RoutineStep, ...]
    external: int = -1
    supplied: str = ""
    sizes: tuple[int, ...] = ()

    def __str__(self) -> str:
        lines = [f"routine {self.title}: {self.arguments} arguments, {self.variables} variables"]
        if self.supplied:
            return (
                f"routine {self.title}: {self.supplied}({', '.join(map(str, self.sizes))}) of {self.arguments} "
                "arguments"
            )
        lines += [f"  {line}" for line in _lines(self.body)]
        return "\n".join([*lines, "  gives " + ", ".join(f"{r.array}[{r.index}]" for r in self.results)])


def lower_routines(numbering: Numbering) -> tuple[Routine, ...]:
    """All procedures that are numbered, and those that they call, which get numbers as they are met."""
    routines: list[Routine] = []
    externals = 0
    while len(routines) < len(numbering.procedures):
        procedure = list(numbering.procedures)[len(routines)]
        count, results = len(procedure.arguments), tuple(Read("s", k) for k in range(len(procedure.results)))
        if procedure.foreign is not None:
            routines.append(Routine(procedure.name, count, 0, 0, results, (), externals))
            externals += 1
        elif procedure.supplied is not None:
            own = procedure.supplied
            routines.append(Routine(procedure.name, count, 0, 0, results, (), supplied=own.name, sizes=own.sizes))
        else:
            routines.append(_Lowering(procedure, numbering).routine())
    return tuple(routines)


def externals_of(numbering: Numbering) -> tuple[External, ...]:
    """What the runtime has to provide, in the order of the routines."""
    return tuple(
        External(p.name, p.foreign.target, p.foreign.shapes, p.foreign.constants, p.foreign.result)
        for p in numbering.procedures
        if p.foreign is not None
    )


class _Lowering:
    """Places of one procedure, and its steps."""

    def __init__(self, procedure: Procedure, numbering: Numbering):
        self._procedure = procedure
        self._numbering = numbering
        own = dict.fromkeys((*variables_written(procedure.body), *procedure.results))
        arguments = {leaf: Read("a", k) for k, leaf in enumerate(procedure.arguments)}
        variables = [leaf for leaf in own if leaf not in arguments]
        self._places = {leaf: Read("s", k) for k, leaf in enumerate(variables)} | arguments
        self._variables = len(variables)
        self._temporaries = 1

    def routine(self) -> Routine:
        body = self._steps(self._procedure.body)
        results = tuple(self._places[r] for r in self._procedure.results)
        arguments = len(self._procedure.arguments)
        return Routine(self._procedure.name, arguments, self._variables, self._temporaries, results, body)

    def _steps(self, steps: tuple[Step, ...]) -> tuple[RoutineStep, ...]:
        """Recursion is over the nesting of blocks, which the parser bounds."""
        return tuple(lowered for step in steps for lowered in self._step(step))

    def _step(self, step: Step) -> Iterator[RoutineStep]:
        match step:
            case Set():
                yield self._set([self._places[t] for t in step.targets], step.values)
            case Choice():
                yield self._compute([(_TEST, step.condition)])
                yield Branch(_TEST, self._steps(step.then), self._steps(step.otherwise))
            case Loop():
                condition = self._compute([(_TEST, step.condition)])
                yield Repeat(condition, _TEST, self._steps(step.body), self._endless(step.place))
            case Count():
                last = Read("s", self._variables)
                self._variables += 1
                index = self._places[step.index]
                yield self._compute([(index, step.first), (last, step.last)])
                yield CountUp(index, last, self._steps(step.body), self._endless(step.place))
            case Require():
                yield self._compute([(_TEST, step.condition)])
                yield Stop(_TEST, self._numbering.fault(step.text))

    def _endless(self, place: str) -> int:
        return self._numbering.fault(f"{place} has not ended after {MOST_ROUNDS} rounds")

    def _set(self, targets: list[Read], values: tuple[Expr, ...]) -> Compute:
        """All values at once: by way of q, unless there is but one."""
        if len(targets) == 1:
            return self._compute([(targets[0], values[0])])
        self._temporaries = max(self._temporaries, len(targets))
        first = self._compute([(Read("q", k), value) for k, value in enumerate(values)])
        return Compute((*first.statements, *(Assign(t, Read("q", k)) for k, t in enumerate(targets))))

    def _compute(self, targets: list[tuple[Read, Expr]]) -> Compute:
        chunks = Schedule(targets, self._places, self._numbering).chunks()
        return Compute(tuple(s for chunk in chunks for s in chunk))


def _lines(steps: tuple[RoutineStep, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case Compute():
                yield from map(statement_text, step.statements)
            case Branch():
                yield "if q[0]"
                yield from (f"  {line}" for line in _lines(step.then))
                yield "else"
                yield from (f"  {line}" for line in _lines(step.otherwise))
            case Repeat():
                yield "repeat"
                yield from (f"  {line}" for line in _lines((step.condition,)))
                yield "  leave unless q[0]"
                yield from (f"  {line}" for line in _lines(step.body))
            case CountUp():
                yield f"while s[{step.index.index}] <= s[{step.last.index}], counting"
                yield from (f"  {line}" for line in _lines(step.body))
            case Stop():
                yield f"fault {step.fault} unless q[0]"
