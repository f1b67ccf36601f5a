"""Computes R'*X*R of a rotation R in a plane with 4 products for each block of 2 x 2, where elimination needs 14.

The values are made before the elimination reaches them; it then takes their nodes, since they have the same values.
With R = [p, q; -q, p], p^2 + q^2 = 1 and t = q*(x11 - x22) + p*(x12 + x21) it is [x11 - q*t, p*t - x21; p*t - x12, x22
+ q*t].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

from cutset.compiler.expressions.finite_field_evaluation import PRIME
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.sort.connection_tree import ACROSS
from cutset.compiler.sort.elimination import Elimination


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
