"""Orders the elimination of a linear block: element by element, from the leaves of the connection tree to its root.

At the cut of a subtree remain the factors I and b of f = I*a + b: this is (15)-(19) of Otter, Elmqvist and Cellier,
found in the equations of (4), whatever the elements are. The solution from the root outward is (16).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

from cutset.compiler.expressions.finite_field_evaluation import PRIME
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.sort.connection_tree import ACROSS, CLOSING, OWN, THROUGH
from cutset.compiler.sort.elimination import Elimination


def eliminate_along_tree(elimination: Elimination, depths: list[int | None]) -> None:
    """Eliminate all unknowns that have pivots. `depths` are those of the elements of the equations, None for sums at
    nodes and elements without frames. The forces of what closes loops stay."""
    rows, columns = elimination.rows, elimination.columns
    free = [k for k, kind in enumerate(elimination.kinds) if kind != CLOSING]
    near = {e for e, depth in enumerate(depths) if depth is None}
    here: set[int] = set()
    for depth in sorted({d for d in depths if d is not None}, reverse=True):
        here |= {e for e, d in enumerate(depths) if d == depth}
        here &= rows.keys()
        here |= _joining(elimination, near & rows.keys(), here)
        near -= here
        _eliminate(elimination, here, {k for k in free if columns[k] and columns[k] <= here})
    _eliminate(elimination, set(rows), {k for k in free if columns[k]})


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
    forces = set(_following(elimination, here, local))
    _by_factors(elimination, here, local | forces, forces.__contains__)
    _by_masses(elimination, here, local)
    add_congruences(elimination, here, local)
    switched = set(_switched(elimination, here, local))
    _by_factors(elimination, here - switched, local, lambda k: kinds[k] == ACROSS)
    _by_factors(elimination, here - switched, local, lambda k: kinds[k] == THROUGH)
    _by_masses(elimination, here, local)
    _by_factors(elimination, here, local, lambda k: kinds[k] == THROUGH, with_parameters=True)
    _by_masses(elimination, here, local)
    _by_factors(elimination, here, local, lambda k: True, with_parameters=True)
    _by_masses(elimination, here, local)


def _following(elimination: Elimination, here: Collection[int], local: Collection[int]) -> Iterator[int]:
    """The forces, also those of other elements, that follow from own unknowns, as those of friction do."""
    kinds = elimination.kinds
    for e in here:
        row = elimination.rows.get(e, {})
        forces = [k for k in row if kinds[k] != OWN or k not in local]
        if len(forces) == 1 < len(row) and kinds[forces[0]] == THROUGH:
            yield forces[0]


def _switched(elimination: Elimination, here: Collection[int], local: Collection[int]) -> Iterator[int]:
    """The equations of motion with an own unknown whose factor changes in time."""
    kinds = elimination.kinds
    for e in here:
        row = elimination.rows.get(e, {})
        if any(kinds[k] == OWN and k in local and c.level == TIME for k, c in row.items()):
            yield e


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
        if not elimination.pivot_with_switch(e, k):
            elimination.pivot(e, k)


def _forces(elimination: Elimination, e: int, k: int, local: set[int]) -> tuple[bool, int]:
    """Whether the equation has an unknown that stays and is no motion, and the number of others that are none."""
    others = [j for j in elimination.rows[e] if elimination.kinds[j] != ACROSS]
    return any(j not in local for j in others), len(others) - (k in others)


# --- plane congruence -----------------------------------------------------------------------------

# The values are made before the elimination reaches them; it then takes their nodes, since they have the same values.
# With R = [p, q; -q, p], p^2 + q^2 = 1 and t = q*(x11 - x22) + p*(x12 + x21) it is [x11 - q*t, p*t - x21; p*t - x12,
# x22 + q*t].


class _Turned(NamedTuple):
    """Two unknowns that a rotation gives from two others: first = p*y + q*z, second = -q*y + p*z, with these signs."""

    first: int
    second: int
    p: Expr
    q: Expr
    signs: tuple[int, int]


def add_congruences(elimination: Elimination, here: Collection[int], local: Collection[int]) -> None:
    """Make the values of all blocks between pairs of accelerations `local` that are turned alike."""
    pairs = list(_turned(elimination, here, local))
    if not pairs:
        return
    unknowns = {k for ways in pairs for way in ways for k in (way.first, way.second)}
    opposite = _opposite_rows(elimination, here, unknowns)
    if opposite is None:
        return
    values, pool = elimination.values, elimination.pool
    state = elimination.states[0]

    def element(x: int, y: int, sign: int) -> Expr:
        row = elimination.rows[opposite[x]]
        is_positive = state.value(row[x]) > 0.0
        c = row.get(y, pool.zero)
        return c if is_positive == (sign > 0) else pool.neg(c)

    for ways, others in combinations_with_replacement(pairs, 2):
        a = ways[0]
        alike = [w for w in others if (values.value(w.p), values.value(w.q)) == (values.value(a.p), values.value(a.q))]
        if not alike:
            continue
        b = alike[0]
        x = [
            [element(i, j, s * r) for j, r in zip((b.first, b.second), b.signs, strict=True)]
            for i, s in zip((a.first, a.second), a.signs, strict=True)
        ]
        t = values.add(values.mul(a.q, values.sub(x[0][0], x[1][1])), values.mul(a.p, values.add(x[0][1], x[1][0])))
        qt, pt = values.mul(a.q, t), values.mul(a.p, t)
        values.sub(x[0][0], qt)
        values.add(x[1][1], qt)
        values.sub(pt, x[1][0])
        values.sub(pt, x[0][1])


def _turned(elimination: Elimination, here: Collection[int], local: Collection[int]) -> Iterator[list[_Turned]]:
    """The pairs of unknowns that a rotation gives, each in all ways to write it."""
    given = dict(_combinations(elimination, here, local))
    used: set[int] = set()
    for one, other in permutations(sorted(given), 2):
        if one in used or other in used or given[one].keys() != given[other].keys():
            continue
        ways = [
            way
            for first, second in ((one, other), (other, one))
            for y, z in permutations(sorted(given[one]))
            for way in _ways(elimination, first, second, given[first], given[second], y, z)
        ]
        if ways:
            used |= {one, other}
            yield ways


def _ways(
    elimination: Elimination,
    first: int,
    second: int,
    one: Mapping[int, Expr],
    other: Mapping[int, Expr],
    y: int,
    z: int,
) -> Iterator[_Turned]:
    value, pool = elimination.values.value, elimination.pool
    for sign in (1, -1):
        p, q = (one[k] if sign > 0 else pool.neg(one[k]) for k in (y, z))
        if (value(p) ** 2 + value(q) ** 2) % PRIME != 1:
            continue
        if value(other[z]) == value(p) and (value(other[y]) + value(q)) % PRIME == 0:
            yield _Turned(first, second, p, q, (sign, 1))
        if (value(other[z]) + value(p)) % PRIME == 0 and value(other[y]) == value(q):
            yield _Turned(first, second, p, q, (sign, -1))


def _combinations(
    elimination: Elimination, here: Collection[int], local: Collection[int]
) -> Iterator[tuple[int, dict[int, Expr]]]:
    """Unknowns x = p*y + q*z, by equations of motion."""
    for e in here:
        row = elimination.rows.get(e, {})
        units = [k for k, c in row.items() if k in local and elimination.is_unit(c)]
        if len(row) == 3 and len(units) == 1 and all(elimination.kinds[k] == ACROSS for k in row):
            (x,) = units
            is_positive = row[x].data > 0.0
            yield x, {k: elimination.pool.neg(c) if is_positive else c for k, c in row.items() if k != x}


def _opposite_rows(elimination: Elimination, here: Collection[int], unknowns: Collection[int]) -> dict[int, int] | None:
    """For each unknown the equation of the force that works on it: that whose factors are those of its column. None if
    one has none."""
    size, rows, kinds = elimination.values.size, elimination.rows, elimination.kinds
    forces = {}
    for e in here:
        others = [k for k in rows.get(e, ()) if kinds[k] != ACROSS]
        if others and len(others) < len(rows[e]) and all(elimination.is_unit(rows[e][k]) for k in others):
            forces[e] = Counter(size(c) for k, c in rows[e].items() if kinds[k] == ACROSS)
    found: dict[int, int] = {}
    for x in sorted(unknowns):
        column = Counter(size(rows[e][x]) for e in forces if x in rows[e])
        free = [e for e in forces if x in rows[e] and e not in found.values()]
        if not free:
            return None
        found[x] = min(free, key=lambda e: (_apart(forces[e], column), -sum((forces[e] & column).values()), e))
    return found


def _apart(one: Counter[int], other: Counter[int]) -> int:
    return sum(((one - other) + (other - one)).values())
