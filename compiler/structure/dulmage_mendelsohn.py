"""Finds what is over- and underdetermined: rows and unknowns, square or not -> a Singularity, or None. Repairs nothing.

Dulmage and Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10 (1958), pp. 517-534; computed from a maximum
matching as in Pothen and Fan, ACM TOMS 16 (1990), pp. 303-324 (the coarse decomposition).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.structure.chains import lowest_members
from cutset.compiler.structure.matching import UNMATCHED, inverse, maximum_matching, transpose
from cutset.compiler.structure.plan import Incidence, Singularity, StructurallySingular


def require_regular(incidence: Incidence) -> None:
    """Raise StructurallySingular unless each equation can have its own variable, where x and der(x) count as one.

    Without this check, differentiation would never end (Pantelides 1988, the theorem on the extended system). A
    variable in the report stands for its entire chain.
    """
    lowest = lowest_members(incidence.derivative)
    rows = [sorted({lowest[v] for v in row}) for row in incidence.rows]
    singularity = find_singularity(rows, sorted(set(lowest)))
    if singularity is not None:
        raise StructurallySingular(singularity)


def find_singularity(rows: Sequence[Sequence[int]], unknowns: Sequence[int]) -> Singularity | None:
    """The coarse parts with too many and with too few equations; None if both are empty.

    Every column of `rows` is one of `unknowns`; an unknown may occur in no row at all.
    """
    column_count = 1 + max(unknowns, default=-1)
    owner = maximum_matching(rows, column_count)
    column_of = inverse(owner, len(rows))
    free_rows = [row for row, column in enumerate(column_of) if column == UNMATCHED]
    free_columns = [column for column in unknowns if owner[column] == UNMATCHED]
    if not free_rows and not free_columns:
        return None
    over_equations, over_variables = alternating_reach(free_rows, rows, owner)
    rows_of = transpose(rows, column_count)
    under_variables, under_equations = alternating_reach(free_columns, rows_of, column_of)
    return Singularity(over_equations, over_variables, under_equations, under_variables)


def alternating_reach(
    free: Iterable[int], neighbors: Sequence[Sequence[int]], partner: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Vertices of both sides on alternating paths from unmatched vertices of one side (that side first)."""
    near = list(free)
    far: set[int] = set()
    for vertex in near:  # grows while it is read
        for other in neighbors[vertex]:
            if other not in far:
                far.add(other)
                near.append(partner[other])
    return tuple(sorted(near)), tuple(sorted(far))
