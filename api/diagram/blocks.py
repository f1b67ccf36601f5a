"""Reads the incidence of a solved model: equations and unknowns in the order of evaluation, in blocks."""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.sort.system import SolvedSystem


@dataclass(frozen=True)
class MatrixBlock:
    """A block: the number of its first equation, its size, and how many of its last unknowns are iteration
    variables."""

    first: int
    size: int
    torn: int


@dataclass(frozen=True)
class Matrix:
    """The incidence of a model. `equations` and `unknowns` are texts in the order of evaluation; entries[i] are the
    numbers of the unknowns in equation i, which determines unknown i. `places` are those of the equations."""

    name: str
    equations: tuple[str, ...]
    places: tuple[str, ...]
    unknowns: tuple[str, ...]
    entries: tuple[tuple[int, ...], ...]
    blocks: tuple[MatrixBlock, ...]


def matrix_of(solved: SolvedSystem) -> Matrix:
    """The matrix. In a block the equations solved for one unknown come first; the residuals and the iteration variables
    are last, so that only their columns reach above the diagonal."""
    ordered = solved.sorted_system
    block_of = {unknown: k for k, block in enumerate(ordered.blocks) for unknown in block.unknowns}
    inside: list[list[int]] = [[] for _ in ordered.blocks]
    for number, assignment in enumerate(solved.assignments):
        if assignment.unknown in block_of:
            inside[block_of[assignment.unknown]].append(number)
    rows: list[int] = []
    blocks: list[MatrixBlock] = []
    for numbers in inside:
        torn = [number for number in numbers if solved.assignments[number].is_torn]
        blocks.append(MatrixBlock(len(rows), len(numbers), len(torn)))
        rows += [number for number in numbers if not solved.assignments[number].is_torn] + torn
    chosen = [solved.assignments[number] for number in rows]
    column = {assignment.unknown: k for k, assignment in enumerate(chosen)}
    return Matrix(
        ordered.system.name,
        tuple(f"0 = {text(a.equation.residual)}" for a in chosen),
        tuple(str(a.equation.origin.span) for a in chosen),
        tuple(str(a.unknown.data) for a in chosen),
        tuple(tuple(sorted({column[v] for v in variables_of(a.equation.residual) if v in column})) for a in chosen),
        tuple(blocks),
    )
