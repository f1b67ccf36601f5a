"""Lowers user functions (part of stage 6a), the only place of a program with control flow.

A lowered function reads its arguments a, keeps its variables in s and intermediate values in q, and writes its results
r. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cutset.compiler.codegen.code import TEST, Assign, Compute, FunctionStep, Literal, LoweredFunction, Operation, Read
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.statements import schedule
from cutset.compiler.expressions.interpret import MOST_ITERATIONS
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import (
    Choice,
    Count,
    Fault,
    Require,
    Set,
    Step,
    UserFunction,
    While,
    variables_written,
)
from cutset.contract.metadata import External


def lower_user_functions(numbering: Numbering) -> tuple[LoweredFunction, ...]:
    """All numbered functions, and those that they call, which are numbered when they are reached."""
    user_functions: list[LoweredFunction] = []
    externals = 0
    while len(user_functions) < len(numbering.user_functions):
        user_function = list(numbering.user_functions)[len(user_functions)]
        results = tuple(Read("s", k) for k in range(len(user_function.results)))
        if user_function.foreign is not None:
            foreign = user_function.foreign
            text = f"the external function '{user_function.name}' ({foreign.target}) has no value"
            own = LoweredFunction(0, 0, results, (), externals)
            own = replace(own, is_controller=foreign.is_controller)
            user_functions.append(replace(own, fault=numbering.fault(text)) if foreign.is_c else own)
            externals += 1
        elif user_function.supplied is not None:
            supplied = user_function.supplied
            own = LoweredFunction(0, 0, results, ())
            user_functions.append(replace(own, supplied=supplied.name, sizes=supplied.sizes))
        else:
            user_functions.append(_Lowering(user_function, numbering).user_function())
    return tuple(user_functions)


def externals_of(numbering: Numbering) -> tuple[External, ...]:
    """The functions that the runtime must provide, in order."""
    return tuple(function.foreign for function in numbering.user_functions if function.foreign is not None)


class _Lowering:
    """The places of one function, and its steps."""

    def __init__(self, user_function: UserFunction, numbering: Numbering):
        self._function = user_function
        self._numbering = numbering
        own = dict.fromkeys((*variables_written(user_function.body), *user_function.results))
        arguments = {leaf: Read("a", k) for k, leaf in enumerate(user_function.arguments)}
        variables = [leaf for leaf in own if leaf not in arguments]
        self._places = {leaf: Read("s", k) for k, leaf in enumerate(variables)} | arguments
        self._variables = len(variables)
        self._temporaries = 1

    def user_function(self) -> LoweredFunction:
        body = self._steps(self._function.body)
        results = tuple(self._places[r] for r in self._function.results)
        return LoweredFunction(self._variables, self._temporaries, results, body)

    def _steps(self, steps: tuple[Step, ...]) -> tuple[FunctionStep, ...]:
        """Recursion is over the nesting of blocks, which the parser limits."""
        return tuple(lowered for step in steps for lowered in self._step(step))

    def _step(self, step: Step) -> Iterator[FunctionStep]:
        match step:
            case Set():
                yield self._set([self._places[t] for t in step.targets], step.values)
            case Choice():
                yield Choice(self._test(step.condition), self._steps(step.then), self._steps(step.otherwise))
            case While():
                yield While(self._test(step.condition), self._steps(step.body), self._endless(step.place))
            case Count():
                index, last = self._places[step.index], Read("s", self._variables)
                self._variables += 1
                yield self._compute([(index, step.first), (last, step.last)])
                condition = Compute((Assign(TEST, Operation("<=", (index, last))),))
                up = Compute((Assign(index, Operation("add", (index, Literal(1.0)))),))
                yield While(condition, (*self._steps(step.body), up), self._endless(step.place))
            case Require():
                yield Require(self._test(step.condition), self._numbering.fault(str(step.text)))

    def _endless(self, place: Fault) -> int:
        return self._numbering.fault(f"{place} did not end within {MOST_ITERATIONS} iterations")

    def _test(self, condition: Expr) -> Compute:
        return self._compute([(TEST, condition)])

    def _set(self, targets: list[Read], values: tuple[Expr, ...]) -> Compute:
        """Assign all values at once: through q, unless there is only one."""
        if len(targets) == 1:
            return self._compute([(targets[0], values[0])])
        self._temporaries = max(self._temporaries, len(targets))
        first = self._compute([(Read("q", k), value) for k, value in enumerate(values)])
        return Compute((*first.statements, *(Assign(t, Read("q", k)) for k, t in enumerate(targets))))

    def _compute(self, targets: list[tuple[Read, Expr]]) -> Compute:
        chunks = schedule(targets, self._places, self._numbering).chunks
        return Compute(tuple(s for chunk in chunks for s in chunk))
