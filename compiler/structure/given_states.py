"""Accepts states that are chosen already: chains, states -> StateSelection. Chooses only the matching."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cutset.compiler.structure.chains import NONE, lowest_members
from cutset.compiler.structure.dummy_derivatives import StateSelection
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching

# A variable as the lowest one of its chain, and how often that is differentiated.
Member = tuple[int, int]


def members(derivative: Sequence[int]) -> list[Member]:
    """Identifiers of variables that stay valid when others are appended."""
    lowest = lowest_members(derivative)
    found = [(v, 0) for v in lowest]
    for v, d in enumerate(derivative):
        if lowest[v] == v:
            order = 0
            while d != NONE:
                order += 1
                found[d] = v, order
                d = derivative[d]
    return found


def select_given(
    derivative: Sequence[int],
    states: Collection[Member],
    equations: Sequence[tuple[int, int]],
    rows: Sequence[Sequence[int]],
) -> StateSelection:
    """The selection with a matching of all `equations`, whose variables are `rows`. ValueError if not every equation
    can be matched with its own variable."""
    chosen = sorted(_variable(derivative, lowest, order) for lowest, order in states)
    known = set(chosen)
    owner = maximum_matching([[v for v in row if v not in known] for row in rows], len(derivative))
    matching = [(equations[row], v) for v, row in enumerate(owner) if row != UNMATCHED]
    if len(matching) != len(equations) or len(derivative) - len(known) != len(equations):
        raise ValueError("these states leave other unknowns than the equations determine")
    dummies = tuple(d for v, d in enumerate(derivative) if d != NONE and v not in known)
    return StateSelection(tuple(chosen), dummies, tuple(sorted(matching)))


def _variable(derivative: Sequence[int], lowest: int, order: int) -> int:
    for _ in range(order):
        lowest = derivative[lowest]
    return lowest
