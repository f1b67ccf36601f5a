"""Represents a function with a body: statements over scalar variables, called as one node of the pool.

A function of the user becomes a UserFunction if its body cannot be written as expressions: loops that depend on values,
assertions, indices known only in a run, Python functions. Knows nothing of targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias, TypeVar

from cutset.compiler.expressions.pool import Expr
from cutset.contract.metadata import External
from cutset.contract.quick_dataclass import dataclass


class NotDifferentiable(Exception):
    """A derivative is needed of a function that has none; the message names it."""


@dataclass(frozen=True, slots=True)
class Set:
    """targets := values, all values computed before the first target is written."""

    targets: tuple[Expr, ...]
    values: tuple[Expr, ...]


# A statement without others in it, and a condition. Lowered functions have the same blocks of lowered statements.
S = TypeVar("S")
C = TypeVar("C")
# What a run reports: a text, or in a lowered function the number of a fault.
Fault = str | int


@dataclass(frozen=True, slots=True)
class Choice(Generic[S, C]):
    """if condition then ... else ..."""

    condition: C
    then: tuple[S | Block[S, C], ...]
    otherwise: tuple[S | Block[S, C], ...]


@dataclass(frozen=True, slots=True)
class While(Generic[S, C]):
    """While the condition holds. `place` is its place in the text, for the message about too many rounds."""

    condition: C
    body: tuple[S | Block[S, C], ...]
    place: Fault


@dataclass(frozen=True, slots=True)
class Count:
    """The body for index = first, first + 1, ... up to last."""

    index: Expr
    first: Expr
    last: Expr
    body: tuple[Step, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Require(Generic[C]):
    """If the condition is violated, the function ends without values; `text` is the message."""

    condition: C
    text: Fault


Block: TypeAlias = "Choice[S, C] | While[S, C] | Require[C]"
Step: TypeAlias = "Set | Count | Block[Set | Count, Expr]"


@dataclass(frozen=True, slots=True)
class Supplied:
    """A body that every target provides under this `name`, called with the `sizes` before the arguments; `values` does
    the same at translation."""

    name: str
    sizes: tuple[int, ...]
    values: Callable[[Sequence[float]], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Derivative:
    """The function that the model declares as the derivative of another one: it takes all arguments of that one,
    followed by the derivatives of those at the positions `of`, in which it is linear."""

    function: UserFunction
    of: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class UserFunction:
    """A function. `name` is for messages. Arguments, results and all other variables of the body are leaves of the
    pool; results are read at the end. A `foreign` one has its body in Python, C or an FMU; `texts` has the text of a C
    file and of those that it includes, by their names relative to it. Compared by identity: the pool keeps one for
    each meaning."""

    name: str
    arguments: tuple[Expr, ...]
    results: tuple[Expr, ...]
    body: tuple[Step, ...] = ()
    foreign: External | None = None
    supplied: Supplied | None = None
    texts: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"<UserFunction {self.name}>"


def steps_of(body: tuple[Step, ...]) -> Iterator[Step]:
    """All steps, including those inside blocks."""
    stack = list(reversed(body))
    while stack:
        step = stack.pop()
        yield step
        match step:
            case Choice():
                stack += [*reversed(step.otherwise), *reversed(step.then)]
            case While() | Count():
                stack += reversed(step.body)


def variables_written(body: tuple[Step, ...]) -> Iterator[Expr]:
    """The leaves that a body sets, including loop indices; some more than once."""
    for step in steps_of(body):
        if isinstance(step, Set):
            yield from step.targets
        elif isinstance(step, Count):
            yield step.index
