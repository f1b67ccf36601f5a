"""Orders the elimination of a linear block: element by element, from the leaves of the connection tree to its root.

At the cut of a subtree remain the factors I and b of f = I*a + b: this is (15)-(19) of Otter, Elmqvist and Cellier,
found in the equations of (4), whatever the elements are. The solution from the root outward is (16).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from cutset.compiler.sort.connection_tree import ACROSS, OWN, THROUGH
from cutset.compiler.sort.elimination import Elimination
from cutset.compiler.sort.plane_congruence import add_congruences


def eliminate_along_tree(elimination: Elimination, depths: list[int | None]) -> None:
    """Eliminate all unknowns that have pivots. `depths` are those of the elements of the equations, None for sums at
    nodes and elements without frames."""
    rows, columns = elimination.rows, elimination.columns
    near = {e for e, depth in enumerate(depths) if depth is None}
    here: set[int] = set()
    for depth in sorted({d for d in depths if d is not None}, reverse=True):
        here |= {e for e, d in enumerate(depths) if d == depth}
        here &= rows.keys()
        here |= _joining(elimination, near & rows.keys(), here)
        near -= here
        _eliminate(elimination, here, {k for k, column in enumerate(columns) if column and column <= here})
    _eliminate(elimination, set(rows), {k for k, column in enumerate(columns) if column})


def _joining(elimination: Elimination, near: set[int], here: Collection[int]) -> set[int]:
    """The sums at nodes, and the equations of elements without frames, that have an unknown which occurs nowhere else
    outside of `here`."""
    rows, columns = elimination.rows, elimination.columns
    known = set(here)
    queue = sorted(known)
    for joined in queue:  # grows during the loop
        beside = {e for k in rows[joined] for e in columns[k]} & near - known
        for e in sorted(beside):
            if any(columns[k] - {e} <= known for k in rows[e]):
                known.add(e)
                queue.append(e)
    return known - set(here)


def _eliminate(elimination: Elimination, here: set[int], local: set[int]) -> None:
    """Eliminate unknowns that are `local`, since they occur in the equations `here` only. The order keeps rows short: a
    mass before the motion at the near cut is substituted, a force where no other is left."""
    kinds = elimination.kinds
    _by_factors(elimination, here, local, lambda k: kinds[k] == OWN)
    _by_factors(elimination, here, local, lambda k: True, most=0)
    _by_masses(elimination, here, local)
    add_congruences(elimination, here, local)
    _by_factors(elimination, here, local, lambda k: kinds[k] == ACROSS)
    _by_factors(elimination, here, local, lambda k: kinds[k] == THROUGH)
    _by_masses(elimination, here, local)
    _by_factors(elimination, here, local, lambda k: kinds[k] == THROUGH, with_parameters=True)
    _by_masses(elimination, here, local)
    _by_factors(elimination, here, local, lambda k: True, with_parameters=True)
    _by_masses(elimination, here, local)


def _by_factors(
    elimination: Elimination,
    here: set[int],
    local: set[int],
    chosen: Callable[[int], bool],
    most: float = math.inf,
    with_parameters: bool = False,
) -> None:
    """Eliminate by the factors 1 and -1, or parameters, as long as that adds at most so many products."""
    rows, columns, kinds = elimination.rows, elimination.columns, elimination.kinds
    while True:
        candidates = [
            (not elimination.is_unit(rows[e][k]), *_forces(elimination, e, k, local), elimination.cost(e, k), k, e)
            for k in local
            if chosen(k)
            for e in columns[k] & here
            if elimination.is_factor(e, k, with_parameters) and not (kinds[k] == ACROSS and elimination.has_force(e))
        ]
        best = min(candidates, default=None)
        if best is None or best[-3] > most:
            return
        elimination.pivot(best[-1], best[-2])


def _by_masses(elimination: Elimination, here: set[int], local: set[int]) -> None:
    rows, kinds = elimination.rows, elimination.kinds
    while True:
        candidates = [
            (-elimination.symmetry(e, k), elimination.cost(e, k), k, e)
            for e in here
            if e in rows and not elimination.has_force(e) and not elimination.has_unit_of_motion(e)
            for k in rows[e]
            if k in local and kinds[k] != THROUGH and elimination.is_mass(e, k)
        ]
        if not candidates:
            return
        *_, k, e = min(candidates)
        elimination.pivot(e, k)


def _forces(elimination: Elimination, e: int, k: int, local: set[int]) -> tuple[bool, int]:
    """Whether the equation has an unknown that stays and is no motion, and the number of others that are none."""
    others = [j for j in elimination.rows[e] if elimination.kinds[j] != ACROSS]
    return any(j not in local for j in others), len(others) - (k in others)
