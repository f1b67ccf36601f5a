"""Turns equations of reversed elements around: rows of a block and their depths in the tree, in place.

An element passes the motion from its near cut to the far one, and the force back. If its equations are written the
other way round, with a rotation, they are multiplied by the transposed rotation: the unknowns that they give then have
the factors 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint, are_rotation
from cutset.compiler.sort.connection_tree import THROUGH, Tree
from cutset.compiler.sort.elimination import Elimination


def turn_rows(elimination: Elimination, tree: Tree, points: Sequence[RandomPoint]) -> None:
    """Multiply the equations of elements by the transposed rotations of what they give, found at some `points`."""
    groups: dict[tuple[str, bool], list[int]] = {}
    for e, element in enumerate(tree.elements):
        if element in tree.passed and e in elimination.rows:
            groups.setdefault((element, elimination.has_force(e)), []).append(e)
    for (element, has_force), rows in groups.items():
        of_kind = {k for k in tree.passed[element] if (tree.kinds[k] == THROUGH) == has_force}
        wanted = {e: [k for k in elimination.rows[e] if k in of_kind] for e in rows}
        left = [
            e for e in rows if wanted[e] and not any(elimination.is_unit(elimination.rows[e][k]) for k in wanted[e])
        ]
        for chosen, unknowns in _rotations(elimination, points, left, wanted):
            _turn(elimination, chosen, unknowns)


def _rotations(
    elimination: Elimination, points: Sequence[RandomPoint], rows: Sequence[int], wanted: dict[int, list[int]]
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Two or three equations each, and as many unknowns whose factors in them are a rotation."""
    zero = elimination.pool.zero
    used: set[int] = set()
    for n in (2, 3):
        for chosen in combinations(rows, n):
            if not used.isdisjoint(chosen):
                continue
            unknowns = sorted({k for e in chosen for k in wanted[e] if elimination.rows[e][k].level == TIME})
            for some in combinations(unknowns, n):
                if are_rotation(points, [[elimination.rows[e].get(k, zero) for k in some] for e in chosen]):
                    used.update(chosen)
                    yield chosen, some
                    break


def _turn(elimination: Elimination, equations: Sequence[int], unknowns: Collection[int]) -> None:
    """Multiply equations by the transposed matrix of the factors of these unknowns."""
    values, pool = elimination.values, elimination.pool
    given = [(elimination.rows[e], elimination.rests[e]) for e in equations]
    for e, unknown in zip(equations, unknowns, strict=True):
        new: dict[int, Expr] = {unknown: pool.one}
        total = pool.zero
        for row, rest in given:
            factor = row.get(unknown, pool.zero)
            total = values.add(total, values.mul(factor, rest))
            for k, c in ((k, c) for k, c in row.items() if k not in unknowns):
                new[k] = values.add(new.get(k, pool.zero), values.mul(factor, c))
        elimination.replace(e, {k: c for k, c in new.items() if c is not pool.zero}, total)
