"""How constraints depend on each other along a motion -> which of them are taken out. In numbers alone.

Constraints g of which some say nothing new have factors N with N*dg = 0, which turn while the mechanism moves. Without
those at the positions D the others determine the motion where the determinant of N's columns D is not zero. Where each
is needed somewhere, one is taken out in parts: with g(k) - s(k)*g(d) = 0 for all others the motion is determined where
N*p is not zero, p(d) = 1 and p(k) = s(k).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice

from cutset.compiler.expressions.least_change import Row, determinant

# Choices that are compared, and how well what is left has to be determined everywhere.
_MOST_CHOICES, _GOOD = 400, 0.05
# What is followed from one place to the next one has not turned by more than this cosine.
_FOLLOWED = 0.5
# How many places to either side of the first one count where a choice that is good at all of them does not exist.
_WINDOWS = (8, 4, 2, 1)
_ROUNDS, _STRIDE = 300, 0.1
# A share so small is rounding.
_SMALL = 1e-9

Dependences = list[Row]


@dataclass(frozen=True)
class TakenOut:
    """The positions of the constraints that are taken out; others take over `shares` of the only one."""

    gone: tuple[int, ...]
    shares: Mapping[int, float] = field(default_factory=dict)


def taken_out(dependences: Sequence[Dependences], first: int, orders: Sequence[int]) -> TakenOut | None:
    """`dependences` are N at places one beside the other, `first` the one at which the motion begins, `orders` of the
    constraints how often they can be differentiated. None where nothing can be taken out."""
    count = min(map(len, dependences))
    # Where more depends on the rest than elsewhere the mechanism is in a special position.
    usual = [(k - first, rows) for k, rows in enumerate(dependences) if len(rows) == count]
    best: tuple[float, TakenOut] | None = None
    for reach in (len(dependences), *_WINDOWS):
        pieces = _aligned([rows for k, rows in usual if abs(k) <= reach])
        found = [_whole(pieces, count, orders), *([_parts(pieces, orders)] if count == 1 else [])]
        for quality, choice in found:
            if quality > _GOOD:
                return choice
            if best is None or quality > best[0]:
                best = quality, choice
    return best[1] if best is not None and best[0] > 0.0 else None


def _aligned(dependences: Iterable[Dependences]) -> list[list[Dependences]]:
    """Cut where they change too much to be followed; in each piece all turn the same way."""
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


def _whole(pieces: Sequence[list[Dependences]], count: int, orders: Sequence[int]) -> tuple[float, TakenOut]:
    """The best set of whole constraints."""
    best: tuple[tuple[bool, int, float], tuple[int, ...]] | None = None
    for gone in islice(combinations(reversed(range(len(orders))), count), _MOST_CHOICES):
        minors = [[determinant([[row[i] for i in gone] for row in rows]) for rows in piece] for piece in pieces]
        quality = _least(minors)
        # A constraint on positions says more than one on velocities.
        measure = quality > _GOOD, -sum(orders[i] for i in gone), quality
        if best is None or measure > best[0]:
            best = measure, gone
    return (best[0][2], TakenOut(best[1])) if best is not None else (0.0, TakenOut(()))


def _parts(pieces: Sequence[list[Dependences]], orders: Sequence[int]) -> tuple[float, TakenOut]:
    """One constraint in parts: p is pushed to where it is farthest from what it must not be at right angles to."""
    best = 0.0, TakenOut(())
    for order in sorted(set(orders)):
        places = [i for i, other in enumerate(orders) if other == order]
        rows = [[[each[0][i] for i in places] for each in piece] for piece in pieces]
        p = [sum(row[i] for row in rows[0]) for i in range(len(places))]
        for _ in range(_ROUNDS):
            size = _product(p, p) ** 0.5
            if size == 0.0:
                break
            p = [x / size for x in p]
            quality = _least([[_product(row, p) for row in piece] for piece in rows])
            if quality > best[0]:
                d = max(range(len(p)), key=lambda i: abs(p[i]))
                shares = {places[i]: x / p[d] for i, x in enumerate(p) if i != d and abs(x) > _SMALL}
                best = quality, TakenOut((places[d],), shares)
            worst = min((row for piece in rows for row in _towards(p, piece)), key=lambda row: _product(row, p))
            p = [x + _STRIDE * y for x, y in zip(p, worst)]
    return best


def _towards(p: Row, piece: Sequence[Row]) -> Sequence[Row]:
    """The rows, or all turned round, such that they point to the side of p."""
    return piece if sum(_product(row, p) for row in piece) >= 0.0 else [[-x for x in row] for row in piece]


def _least(pieces: Iterable[Sequence[float]]) -> float:
    """Zero where they vanish on the way from one place to the next one."""
    return max(0.0, min(max(min(piece), -max(piece)) for piece in pieces))


def _product(a: Row, b: Row) -> float:
    return sum(x * y for x, y in zip(a, b))
