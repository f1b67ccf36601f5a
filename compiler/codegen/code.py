"""Defines the code of a translated model: statements over numbered arrays, without names of the model or target syntax.

Arrays are those of the runtime's contract: p, given, c, s, n, x, u, m, f, w, dx, y, g, e, te, v, j, and `t`; z and r
are the unknowns and the residuals of an iteration; `local` are values inside one chunk; `tables` are constant numbers
of the code. A chunk is straight-line code; control flow occurs in user functions (user_functions.py), which it calls,
and in iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from cutset.compiler.expressions.user_function import Block
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """A number; in round k of a loop, if `table` is not -1, numbers[table][k] of the loop."""

    value: float
    table: int = -1


@dataclass(frozen=True, slots=True)
class Read:
    """array[index]; `t` and `local` are not arrays but have the same form. In round k of a loop, k from 0, array[index
    + k*step] or, if `table` is not -1, array[tables[table][k]] with the tables of the loop."""

    array: str
    index: int
    step: int = 0
    table: int = -1


class Operation(NamedTuple):
    """An operator of the expression pool (add, mul, <, if, sin, ...) applied to values. 'fault' has the number of a
    message of ModelInfo.faults, counted from 1."""

    operator: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TableRef:
    """A table: its `size` ascending xs from array[index] on, followed by as many ys. In 'local' one index is an entire
    table. In a loop the index varies as in Read."""

    array: str
    index: int
    size: int
    step: int = 0
    table: int = -1


Value = Literal | Read | Operation | TableRef


class Assign(NamedTuple):
    """target := value; with `unless` only if that reads zero."""

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
    """Solves matrix*z = right; z replaces the right side, which is in solution.array[solution.index], ... The matrix is
    in the size*width places before it; it has `lower` diagonals below and `upper` above the main one. Elements that
    `fill` (assignments and loops) does not write are zero; with `is_full` it writes all. `open` is the number of the
    message in ModelInfo.open_systems if the equations may leave unknowns undetermined, else -1."""

    size: int
    lower: int
    upper: int
    fill: tuple[Statement, ...]
    is_full: bool
    solution: Read
    open: int = -1

    @property
    def width(self) -> int:
        """The number of places in a row: those of the band, and what the exchanges of rows add to it."""
        return row_width(self.size, self.lower, self.upper)

    @property
    def matrix(self) -> Read:
        """The first place of the matrix."""
        return Read(self.solution.array, self.solution.index - self.size * self.width)


@dataclass(frozen=True, slots=True)
class SolveNonlinear:
    """Solves for the `size` unknowns at which all residuals of the function are zero; they are written to
    solution.array[solution.index], ..., followed by work memory. w[guess], ... are the guesses. If the iteration fails
    the unknowns are nan, with the fault of that number. The function writes the residuals, followed by their
    derivatives row by row, to r."""

    size: int
    function: Function
    solution: Read
    guess: int
    fault: int


@dataclass(frozen=True, slots=True)
class Call:
    """Calls user function number `user_function` with values as its arguments; results that are not needed have no
    place."""

    user_function: int
    arguments: tuple[Value, ...]
    results: tuple[Read | None, ...]


@dataclass(frozen=True, slots=True)
class FillTable:
    """Writes the values, xs and then ys, to the points; if the xs do not ascend, the ys become nan."""

    table: TableRef
    values: tuple[Value, ...]


def row_width(size: int, lower: int, upper: int) -> int:
    """The number of places in a row of a matrix that is stored as a band."""
    return min(size, 2 * lower + upper + 1)


@dataclass(frozen=True, slots=True)
class Loop:
    """The assignments of the body, `count` times, with places that vary by their steps or by `tables`, which have one
    place for each round; `numbers` have numbers for each. Locals belong to one round."""

    count: int
    body: tuple[Statement, ...]
    tables: tuple[tuple[int, ...], ...]
    numbers: tuple[tuple[float, ...], ...]


Statement = Assign | SineCosine | SolveLinear | SolveNonlinear | FillTable | Call | Loop


@dataclass(frozen=True, slots=True)
class Function:
    """An entry point of the contract: name, arguments in order (`t` is a number, the others are arrays), and chunks
    that are executed in order."""

    name: str
    arguments: tuple[str, ...]
    chunks: tuple[tuple[Statement, ...], ...]

    def statements(self) -> Iterator[Statement]:
        """All statements of all chunks, in order."""
        for chunk in self.chunks:
            yield from chunk

    def iterated(self) -> Iterator[Function]:
        """The functions of its iterations."""
        return (s.function for s in self.statements() if isinstance(s, SolveNonlinear))


@dataclass(frozen=True, slots=True)
class Compute:
    """Straight-line statements with their own locals."""

    statements: tuple[Statement, ...]


# A condition of a block computes this place, which is then tested.
TEST = Read("q", 0)
FunctionStep: TypeAlias = "Compute | Block[Compute, Compute]"


@dataclass(frozen=True)
class LoweredFunction:
    """`results` are read at the end. The runtime provides the body of an external function (`external` is its number,
    from 0; else -1), and of one that is `supplied`, with its `sizes`."""

    variables: int
    temporaries: int
    results: tuple[Read, ...]
    body: tuple[FunctionStep, ...]
    external: int = -1
    supplied: str = ""
    sizes: tuple[int, ...] = ()
    is_controller: bool = False
    fault: int = 0
