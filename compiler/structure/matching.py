"""Computes matchings of bipartite graphs: rows of integers -> matched pairs. Knows neither time nor derivatives.

A bipartite graph is given by its rows: rows[r] lists the columns of r. A matching is stored by column: owner[c] is the
row that is matched with c, or UNMATCHED. Rows and columns are interchangeable.

Augmenting paths: Duff, On algorithms for obtaining a maximum transversal, ACM TOMS 7 (1981), pp. 315-330, with the
look-ahead of his MC21; searching all free rows with shared marks: Pothen and Fan, ACM TOMS 16 (1990), pp. 303-324. The
start: Karp and Sipser, Maximum matchings in sparse random graphs, FOCS 1981, pp. 364-375.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from collections.abc import Set as AbstractSet

UNMATCHED = -1

Rows = Sequence[Sequence[int]] | Mapping[int, Sequence[int]]
Owner = MutableSequence[int] | MutableMapping[int, int]


def transpose(rows: Sequence[Sequence[int]], column_count: int) -> list[list[int]]:
    """The rows of each column, ascending."""
    rows_of: list[list[int]] = [[] for _ in range(column_count)]
    for row, columns in enumerate(rows):
        for column in columns:
            rows_of[column].append(row)
    return rows_of


def inverse(owner: Sequence[int], row_count: int) -> list[int]:
    """The column that each row is matched with, or UNMATCHED."""
    column_of = [UNMATCHED] * row_count
    for column, row in enumerate(owner):
        if row != UNMATCHED:
            column_of[row] = column
    return column_of


def maximum_matching(rows: Sequence[Sequence[int]], column_count: int) -> list[int]:
    """A matching with the largest number of pairs, as the owner of each column."""
    owner = karp_sipser(rows, column_count)
    column_of = inverse(owner, len(rows))
    free = [row for row in range(len(rows)) if column_of[row] == UNMATCHED]
    progress = True
    while progress and free:
        # Marks are shared within a sweep: a column that one search has visited in vain need not be visited by the next.
        visited: set[int] = set()
        remaining = [row for row in free if not augment(row, rows, owner, visited)]
        progress = len(remaining) < len(free)
        free = remaining
    return owner


def augment(start: int, rows: Rows, owner: Owner, visited: set[int], closed: AbstractSet[int] = frozenset()) -> bool:
    """Match the free row `start` too, by moving others along an alternating path; False if there is none.

    `visited` receives the columns seen on the way; after a failure with an empty set it holds all that can be reached
    from `start`, every one of them matched. Columns in `closed` are not entered.
    """
    path_rows = [start]
    path_columns: list[int] = []
    untried = [iter(rows[start])]
    while path_rows:
        free = next((c for c in rows[path_rows[-1]] if owner[c] == UNMATCHED), UNMATCHED)
        if free != UNMATCHED:
            path_columns.append(free)
            for row, column in zip(path_rows, path_columns, strict=True):
                owner[column] = row
            return True
        # Go deeper by one matched column, or back to the last row with an untried one.
        while path_rows:
            column = next((c for c in untried[-1] if c not in visited and c not in closed), UNMATCHED)
            if column != UNMATCHED:
                visited.add(column)
                path_columns.append(column)
                path_rows.append(owner[column])
                untried.append(iter(rows[owner[column]]))
                break
            path_rows.pop()
            untried.pop()
            if path_columns:
                path_columns.pop()
    return False


def karp_sipser(rows: Sequence[Sequence[int]], column_count: int) -> list[int]:
    """A large matching in linear time: a vertex with a single partner left takes it, which never costs a pair.

    If there is none, the first free row takes the column with the fewest other free rows.
    """
    row_count = len(rows)
    # A single graph of vertices: row r is vertex r, column c is vertex row_count + c.
    neighbors: list[list[int]] = [[row_count + c for c in columns] for columns in rows]
    neighbors += transpose(rows, column_count)
    degree = [len(others) for others in neighbors]
    taken = bytearray(len(neighbors))
    single = [vertex for vertex, count in enumerate(degree) if count == 1]
    owner = [UNMATCHED] * column_count

    def pair(vertex: int, other: int) -> None:
        taken[vertex] = taken[other] = 1
        row, column = min(vertex, other), max(vertex, other)
        owner[column - row_count] = row
        for end in (row, column):
            for neighbor in neighbors[end]:
                degree[neighbor] -= 1
                if degree[neighbor] == 1:
                    single.append(neighbor)

    for row in range(row_count):
        while single:
            vertex = single.pop()
            if not taken[vertex] and degree[vertex] == 1:
                pair(vertex, next(n for n in neighbors[vertex] if not taken[n]))
        if not taken[row] and degree[row] > 0:
            pair(row, min((n for n in neighbors[row] if not taken[n]), key=degree.__getitem__))
    return owner


def greedy_transversal(rows: Sequence[Sequence[int]], priority: Iterable[int]) -> dict[int, int]:
    """Match all rows that can be matched, with columns chosen in the order of `priority`: column -> row.

    Sets of columns that can be matched together are the independent sets of a transversal matroid (Edmonds and
    Fulkerson, J. Res. NBS 69B (1965), pp. 147-153), so taking each column that still fits gives the best set for any
    weights that decrease along `priority`.
    """
    rows_of: dict[int, list[int]] = {}
    for row, columns in enumerate(rows):
        for column in columns:
            rows_of.setdefault(column, []).append(row)
    column_of = [UNMATCHED] * len(rows)
    saturated: set[int] = set()
    free = len(rows)
    for column in priority:
        if free == 0:
            break
        if column not in rows_of:
            continue
        visited: set[int] = set()
        if augment(column, rows_of, column_of, visited, saturated):
            free -= 1
        else:
            # All columns of these rows are among the chosen ones; no later path can leave them.
            saturated |= visited
    return {column: row for row, column in enumerate(column_of) if column != UNMATCHED}
