"""Explains redundant equations: from which others each of them follows. Judges nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cutset.compiler.diagnose.matrix import WRITTEN, Matrix, matrix_of
from cutset.compiler.diagnose.wording import Wording, in_short
from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.flatten.aliases import eliminated
from cutset.compiler.flatten.model import FlatModel, Origin
from cutset.contract.abridged import abridged

_MOST_NAMED = 3


def repeated_equations(model: FlatModel, origins: Collection[Origin]) -> tuple[Label, ...]:
    """A note for each redundant equation of the text. Of dependent equations, written ones are named rather than
    connections, those of the object rather than of its submodels, and then those at the `origins`."""
    matrix = matrix_of(model, eliminated(model))
    words = Wording(matrix)
    found: dict[Span, dict[str, Sequence[int]]] = {}
    for number, others in _dependent(matrix, {(o.span, o.instance) for o in origins}):
        found.setdefault(words.span(number), {}).setdefault(words.instance(number), others)
    return tuple(Label(span, _text(words, span, where)) for span, where in found.items())


def _dependent(matrix: Matrix, named: set[tuple[Span, str]]) -> list[tuple[int, list[int]]]:
    """The dependent rows, with those on which they depend."""
    equations = matrix.model.equations

    def rank(i: int) -> tuple[bool, int, bool, int]:
        equation = equations[matrix.equation[i]]
        depth = f".{equation.instance}".count(".") if equation.instance else 0
        return matrix.kind[i] == WRITTEN, -depth, (equation.span, equation.instance) in named, i

    order = sorted(range(len(matrix.rows)), key=rank)
    try:
        return sorted(
            (max(dependence, key=rank), sorted(dependence)) for dependence in dependent_rows(matrix.rows, order)
        )
    except TooLong:
        return [(i, []) for i in sorted(order) if rank(i)[2]]


def _text(words: Wording, span: Span, where: dict[str, Sequence[int]]) -> str:
    """The text of a note; `where` gives for each submodel with the equation the equations on which it depends."""
    paths = [path for path in where if path]
    others = [i for i in next(iter(where.values())) if words.span(i) is not span]
    lines = list(
        dict.fromkeys(" ".join(line.split()) for line in (*words.equations(others), *words.connections(others)))
    )
    shown = abridged(lines, _MOST_NAMED, "; ")
    equation = f"'{span.text}'{f' in {in_short(paths)}' if paths else ''}"
    if not shown:
        return f"{equation} is redundant and is left out: with the known values it reduces to 0 = 0"
    return f"{equation} follows from {shown}; it is redundant and is left out"
