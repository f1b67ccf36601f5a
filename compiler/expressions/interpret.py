"""Evaluates nodes and functions numerically with Python's floats; nan outside a function's domain."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import Choice, Count, Require, Set, Step, UserFunction, While
from cutset.compiler.expressions.walk import reachable
from cutset.contract.functions import FUNCTIONS, RELATIONS
from cutset.contract.quick_dataclass import dataclass

# The limit on rounds of all loops in one call. A call that needs more has no values.
MOST_ITERATIONS = 100_000


class _Stopped(Exception):
    """A requirement is violated, or the limit on rounds is exceeded."""


def value_of(node: Expr, args: Sequence[float]) -> float:
    """The value of a node for these values of its arguments; not for calls, nor for leaves other than constants."""
    op = node.op
    if op == "constant":
        return float(node.data)
    try:
        if op == "add":
            return args[0] + args[1]
        if op == "sub":
            return args[0] - args[1]
        if op == "mul":
            return args[0] * args[1]
        if op == "div":
            return args[0] / args[1]
        if op == "neg":
            return -args[0]
        if op == "if":
            return args[1] if args[0] else args[2]
        if op == "finite":
            return float(math.isfinite(args[0]))
        if op in RELATIONS:
            return float(RELATIONS[op](args[0], args[1]))
        if op in FUNCTIONS:
            return FUNCTIONS[op].value(*args)
    except (ValueError, ArithmeticError):
        return math.nan
    if op == "fault":
        return math.nan
    return {"and": min, "or": max}[op](args) if op != "not" else 1.0 - args[0]


@dataclass
class _Iterations:
    """Counts the rounds of all loops in a call and in the calls within it."""

    count: int = 0


def run_function(
    function: UserFunction, arguments: Sequence[float], iterations: _Iterations | None = None
) -> tuple[float, ...]:
    """The results of a call; all nan if it ends without values, and for a Python function, which only a run may call.
    `rounds` are those of the surrounding call."""
    nothing = (math.nan,) * len(function.results)
    if function.foreign is not None:
        return nothing
    if function.supplied is not None:
        return function.supplied.values(arguments)
    activation = _Activation(dict(zip(function.arguments, arguments, strict=False)), iterations or _Iterations())
    try:
        activation.run(function.body)
    except _Stopped:
        return nothing
    return tuple(activation.variables.get(r, math.nan) for r in function.results)


class _Activation:
    """The variables of one call."""

    def __init__(self, variables: dict[Expr, float], iterations: _Iterations):
        self.variables = variables
        self._iterations = iterations

    def run(self, body: tuple[Step, ...]) -> None:
        """Execute the statements. Recursion is over the nesting of blocks, which the parser limits."""
        for step in body:
            match step:
                case Set():
                    self.variables.update(zip(step.targets, self._values(step.values), strict=False))
                case Choice():
                    self.run(step.then if self._holds(step.condition) else step.otherwise)
                case While():
                    while self._holds(step.condition):
                        self._count_round()
                        self.run(step.body)
                case Count():
                    k, last = self._values((step.first, step.last))
                    while k <= last:
                        self._count_round()
                        self.variables[step.index] = k
                        self.run(step.body)
                        k += 1.0
                case Require():
                    if not self._holds(step.condition):
                        raise _Stopped

    def _count_round(self) -> None:
        self._iterations.count += 1
        if self._iterations.count > MOST_ITERATIONS:
            raise _Stopped

    def _holds(self, condition: Expr) -> bool:
        return self._values((condition,))[0] != 0.0

    def _values(self, roots: Sequence[Expr]) -> list[float]:
        known = self.variables
        values: dict[Expr, float | tuple[float, ...]] = {}
        for node in reachable(roots):
            if node.op == "variable":
                values[node] = known.get(node, math.nan)
            else:
                values[node] = evaluated(node, [values[a] for a in node.args], self._iterations)
        return [values[root] for root in roots]  # type: ignore[misc]


def evaluated(
    node: Expr, args: Sequence[float | tuple[float, ...]], iterations: _Iterations | None = None
) -> float | tuple[float, ...]:
    """The same as `value_of`, and for a call all its results."""
    if node.op == "apply":
        return run_function(node.data, args, iterations)  # type: ignore[arg-type]
    if node.op == "element":
        (results,) = args
        assert isinstance(results, tuple)
        number: int = node.data
        return results[number]
    return value_of(node, args)  # type: ignore[arg-type]
