"""Decides which redundant constraints to remove, from their dependences along a motion. Purely numerical.

Constraints g, of which some are redundant, have factors N with N*dg = 0, which turn while the mechanism moves. Without
those at the positions D the others determine the motion if the determinant of N's columns D is not zero. If each
constraint is needed somewhere, combinations are removed: with g(k) - sum of s(k,d)*g(d) = 0 for all others the motion
is determined if the determinant of N*P is not zero; P has the rows of a unit matrix at D, and s elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import combinations, islice
from math import comb
from operator import mul

from cutset.compiler.expressions.least_change import Row, cofactors, determinant, orthonormal
from cutset.contract.quick_dataclass import dataclass

# The limit on removed combinations, the limit on compared choices of whole constraints, and the required quality of the
# remaining constraints at all points; for more constraints it is a power of the last number.
_MOST_IN_PARTS, _MOST_CHOICES, _GOOD, _GOOD_OF_MANY = 4, 400, 0.05, 0.3
# Subspaces of adjacent points with a smaller cosine between them cannot be followed.
_FOLLOWED = 0.5
# The number of points on either side of the first one to consider, if no choice is good at all of them.
_WINDOWS = (8, 4, 2, 1)
# The search for combinations ends after this many rounds without improvement, or when they are far from singular.
_ROUNDS, _STRIDE, _BETTER, _ENOUGH = 40, 0.1, 1.01, 0.15
# A smaller share is rounding.
_SMALL = 1e-9
# What a projection that was removed leaves of a row.
_ZERO = 1e-6

Dependences = Sequence[Row]


@dataclass(frozen=True)
class TakenOut:
    """The positions of the removed constraints; `shares` tells for each constraint that takes over a part of them which
    and how much."""

    chosen: tuple[int, ...]
    shares: Mapping[int, Mapping[int, float]] = field(default_factory=dict)


def taken_out(dependences: Sequence[Dependences], first: int, orders: Sequence[int]) -> TakenOut | None:
    """`dependences` are N at adjacent points, with orthonormal rows, `first` is the index of the point where the motion
    starts, `orders` tell how often each constraint can be differentiated. None if nothing can be removed. Constraints
    that depend on each other nowhere, such as those of two loops, are decided apart."""
    chosen, shares = list[int](), dict[int, dict[int, float]]()
    for group in _groups(dependences):
        own = [_within(rows, group) for rows in dependences]
        found = _of_group(own, first, [orders[i] for i in group]) if any(own) else TakenOut(())
        if found is None:
            return None
        chosen += (group[i] for i in found.chosen)
        shares |= {group[k]: {group[d]: share for d, share in of.items()} for k, of in found.shares.items()}
    return TakenOut(tuple(sorted(chosen)), shares)


def _groups(dependences: Sequence[Dependences]) -> list[list[int]]:
    """The constraints in groups that share no dependence at any point."""
    root = list(range(next((len(rows[0]) for rows in dependences if rows), 0)))
    for rows in dependences:
        columns = list(zip(*rows, strict=True))
        for i, one in enumerate(columns):
            for j in range(i):
                if root[i] != root[j] and abs(_product(one, columns[j])) > _SMALL:
                    old, new = root[i], root[j]
                    root = [new if k == old else k for k in root]
    return [[i for i, k in enumerate(root) if k == group] for group in sorted(set(root))]


def _within(rows: Dependences, group: Sequence[int]) -> list[list[float]]:
    """The dependences of the constraints of a group alone: what its columns span, orthonormal."""
    left = [[sum(row[i] * row[j] for row in rows) for j in group] for i in group]
    found: list[list[float]] = []
    while left:
        largest = max(left, key=lambda row: _product(row, row))
        size = math.sqrt(_product(largest, largest))
        if size < _ZERO:
            break
        found.append([x / size for x in largest])
        parts = [_product(row, found[-1]) for row in left]
        left = [
            [x - part * y for x, y in zip(row, found[-1], strict=True)] for row, part in zip(left, parts, strict=True)
        ]
    return found


def _of_group(dependences: Sequence[Dependences], first: int, orders: Sequence[int]) -> TakenOut | None:
    count = min(map(len, dependences))
    # At a point with more dependences than usual the mechanism is in a singular position.
    usual = [(k - first, rows) for k, rows in enumerate(dependences) if len(rows) == count]
    best: tuple[float, TakenOut] | None = None
    for reach in (len(dependences), *_WINDOWS):
        pieces = _aligned([rows for k, rows in usual if abs(k) <= reach])
        for choose in (_whole, _parts) if count <= _MOST_IN_PARTS else (_whole,):
            quality, choice = choose(pieces, count, orders)
            if quality > _good(count):
                return choice
            if best is None or quality > best[0]:
                best = quality, choice
    return best[1] if best is not None and best[0] > 0.0 else None


def _aligned(dependences: Iterable[Dependences]) -> list[list[Dependences]]:
    """The dependences cut into pieces where they change too much to be followed; in each piece the bases are
    aligned."""
    pieces: list[list[Dependences]] = []
    for rows in dependences:
        before = pieces[-1][-1] if pieces else []
        turned = determinant([[_product(a, b) for b in before] for a in rows]) if before else 0.0
        if turned < 0.0:
            rows = [[-x for x in rows[0]], *rows[1:]]
        if abs(turned) < _FOLLOWED:
            pieces.append([])
        pieces[-1].append(rows)
    return pieces


def _whole(pieces: Sequence[Sequence[Dependences]], count: int, orders: Sequence[int]) -> tuple[float, TakenOut]:
    """The best set of whole constraints."""
    best: tuple[tuple[bool, int, float], tuple[int, ...]] | None = None
    choices = islice(combinations(reversed(range(len(orders))), count), _MOST_CHOICES)
    most = [_most_independent(pieces[0][0])] if comb(len(orders), count) > _MOST_CHOICES else []
    for chosen in (*most, *choices):
        minors = [[determinant([[row[i] for i in chosen] for row in rows]) for rows in piece] for piece in pieces]
        quality = _least(minors)
        # A constraint on positions is worth more than one on velocities.
        measure = quality > _good(count), -sum(orders[i] for i in chosen), quality
        if best is None or measure > best[0]:
            best = measure, chosen
    return (best[0][2], TakenOut(best[1])) if best is not None else (0.0, TakenOut(()))


def _most_independent(rows: Dependences) -> tuple[int, ...]:
    """As many columns as there are rows, each the largest one after the earlier ones are removed from it."""
    left, found = [list(row) for row in rows], list[int]()
    for _ in rows:
        sizes = [sum(row[i] * row[i] for row in left) for i in range(len(left[0]))]
        best = max(range(len(sizes)), key=sizes.__getitem__)
        column = [row[best] for row in left]
        sums = [sum(map(mul, column, other)) / sizes[best] for other in zip(*left, strict=True)] if sizes[best] else []
        left = [[x - c * part for x, part in zip(row, sums, strict=False)] for c, row in zip(column, left, strict=True)]
        found.append(best)
        if not sums:
            break
    return tuple(sorted(found))


def _good(count: int) -> float:
    """The quality of a choice that needs no better one: a determinant, which is smaller for more constraints."""
    return _GOOD if count <= _MOST_IN_PARTS else _GOOD_OF_MANY**count


def _parts(pieces: Sequence[Sequence[Dependences]], count: int, orders: Sequence[int]) -> tuple[float, TakenOut]:
    """Combinations of constraints: the columns of P, orthonormal, are moved to where the smallest determinant of N*P is
    farthest from zero."""
    best = 0.0, TakenOut(())
    for order in sorted(set(orders)):
        places = [i for i, other in enumerate(orders) if other == order]
        if len(places) < count:
            continue
        parts = [[[[row[i] for i in places] for row in rows] for rows in piece] for piece in pieces]
        first = parts[0]
        total = [[sum(rows[j][i] for rows in first) for i in range(len(places))] for j in range(count)]
        for begin in (total, first[0], first[len(first) // 2], first[-1]) if count > 1 else (total,):
            quality, columns = _pushed(parts, begin)
            if quality > best[0]:
                best = quality, _in_parts(columns, places)
            if quality > _ENOUGH:
                return best
    return best


def _pushed(pieces: Sequence[Sequence[Dependences]], columns: Dependences) -> tuple[float, Dependences]:
    """The best columns on the way from these, and the distance of their smallest determinant from zero."""
    best: tuple[float, Dependences] = 0.0, columns
    since = 0
    while since < _ROUNDS:
        since += 1
        columns = orthonormal(columns)
        if not columns:
            break
        products = [
            [[[_product(row, column) for column in columns] for row in rows] for rows in piece] for piece in pieces
        ]
        minors = [list(map(determinant, piece)) for piece in products]
        quality = _least(minors)
        if quality > best[0]:
            best, since = (quality, columns), 0 if quality > best[0] * _BETTER else since
        # The smallest over all points, each piece with its predominant sign.
        sides = [1.0 if sum(piece) >= 0.0 else -1.0 for piece in minors]
        _, k, at = min(
            (side * x, k, at)
            for k, (side, piece) in enumerate(zip(sides, minors, strict=False))
            for at, x in enumerate(piece)
        )
        slopes = cofactors(products[k][at])
        rows = pieces[k][at]
        columns = [
            [
                x + _STRIDE * sides[k] * sum(c[j] * row[i] for c, row in zip(slopes, rows, strict=False))
                for i, x in enumerate(column)
            ]
            for j, column in enumerate(columns)
        ]
    return best


def _in_parts(columns: Dependences, places: Sequence[int]) -> TakenOut:
    """The removed constraints are those whose rows of P are most independent; P is scaled by these."""
    count = len(columns)
    rows = [[column[i] for column in columns] for i in range(len(places))]
    chosen = max(combinations(range(len(places)), count), key=lambda each: abs(determinant([rows[i] for i in each])))
    whole = determinant([rows[i] for i in chosen])
    shares: dict[int, Mapping[int, float]] = {}
    for k in (k for k in range(len(places)) if k not in chosen):
        # By Cramer's rule: the row as a combination of those that are removed.
        own = {
            places[d]: determinant([rows[k] if other == d else rows[other] for other in chosen]) / whole for d in chosen
        }
        own = {d: share for d, share in own.items() if abs(share) > _SMALL}
        if own:
            shares[places[k]] = own
    return TakenOut(tuple(places[d] for d in chosen), shares)


def _least(pieces: Iterable[Sequence[float]]) -> float:
    """The smallest determinant; zero if it changes sign between adjacent points."""
    return max(0.0, min(max(min(piece), -max(piece)) for piece in pieces))


def _product(a: Row, b: Row) -> float:
    return sum(x * y for x, y in zip(a, b, strict=False))
