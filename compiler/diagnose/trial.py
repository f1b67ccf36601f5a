"""Would a change of the model mend it? Rank of the matrix with rows taken away and others added."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cutset.compiler.diagnose.matrix import OPEN, Matrix
from cutset.compiler.expressions.circuits import circuits


def mended_by_connecting(matrix: Matrix, cuts: Collection[tuple[str, str]]) -> bool:
    """Would connections at these open cuts, which give their across variables, leave less undetermined?"""
    entries = [matrix.model.cuts[key] for key in cuts]
    across = _leaves(entry.value for cut in entries for entry in cut.across or ())
    through = _leaves(entry.value for cut in entries for entry in cut.through or ())
    opened = {
        i for i, kind in enumerate(matrix.kind)
        if kind == OPEN and through & set(matrix.model.equations[matrix.equation[i]].left.elements)
    }  # fmt: skip
    given = [j for j, variable in enumerate(matrix.columns) if variable in across]
    return _rank(matrix, opened, given) > _rank(matrix, (), ())


def _rank(matrix: Matrix, without: Collection[int], given: Iterable[int]) -> int:
    rows = [row for i, row in enumerate(matrix.rows) if i not in without]
    rows = [*({j: 1} for j in given), *sorted(rows, key=len)]
    return len(rows) - len(circuits(rows, range(len(rows))))


def _leaves(values: Iterable) -> set:
    return {leaf for value in values if value is not None for leaf in value.elements}
