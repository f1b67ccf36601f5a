"""Groups dependent equations with the unknowns that they leave undetermined: Matrix -> groups.

A group is the smallest set that shows one error; independent groups are reported separately.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from cutset.compiler.diagnose.matrix import OPEN, WRITTEN, Matrix
from cutset.compiler.expressions.dependent_rows import dependent_rows
from cutset.compiler.structure.union_find import UnionFind


@dataclass(frozen=True)
class Group:
    """`equations` are the dependent sets: numbers of rows with the factors that make their sum zero. `unknowns` are the
    undetermined sets: numbers of columns with the ratios in which they may change together."""

    equations: tuple[dict[int, int], ...]
    unknowns: tuple[dict[int, int], ...]

    @property
    def rows(self) -> list[int]:
        """All rows of the group, ascending."""
        return sorted({i for dependence in self.equations for i in dependence})

    @property
    def columns(self) -> list[int]:
        """All columns of the group, ascending."""
        return sorted({j for dependence in self.unknowns for j in dependence})


def groups_of(matrix: Matrix) -> list[Group]:
    """All groups, in the order of their equations, then of their unknowns; empty if the matrix is regular. Raises
    TooLong."""
    dependent = matrix.dependent
    transposed = matrix.transposed()
    # The last columns are the first to be called undetermined: those that the model is meant to compute.
    in_cuts_first = sorted(range(len(transposed)), key=lambda j: (matrix.role[j] == "", len(transposed[j])))
    free = dependent_rows(transposed, in_cuts_first)
    keys = [_row_keys(matrix, dependence) for dependence in dependent] + [_column_keys(matrix, c) for c in free]
    found = []
    for members in _united(keys):
        equations = [dependent[k] for k in members if k < len(dependent)]
        unknowns = [free[k - len(dependent)] for k in members if k >= len(dependent)]
        found.append(Group(tuple(equations), tuple(unknowns)))
    return found


def _row_keys(matrix: Matrix, dependence: Iterable[int]) -> set[Hashable]:
    """The rows and their links to unknowns: the submodels that contain them, and in the object itself the columns."""
    rows = list(dependence)
    written = [i for i in rows if matrix.kind[i] in (WRITTEN, OPEN)]
    owners = {matrix.owner[j] for i in written or rows for j in matrix.rows[i]}
    owners |= {matrix.model.equations[matrix.equation[i]].instance for i in written}
    columns = {j for i in rows for j in (*matrix.rows[i], *matrix.dropped[i])}
    keys: set[Hashable] = {("row", i) for i in rows}
    keys.update(("column", j) for j in columns)
    keys.update(("instance", o) for o in owners if o)
    return keys


def _column_keys(matrix: Matrix, dependence: Iterable[int]) -> set[Hashable]:
    keys: set[Hashable] = set()
    for j in dependence:
        keys |= {("column", j), ("instance", matrix.owner[j])} if matrix.owner[j] else {("column", j)}
    return keys


def _united(keys: list[set[Hashable]]) -> list[list[int]]:
    """The numbers of sets that share a key, directly or through others."""
    united, first = UnionFind(range(len(keys))), dict[Hashable, int]()
    for k, own in enumerate(keys):
        for key in own:
            united.unite(first.setdefault(key, k), k)
    return list(united.groups().values())
