"""Chooses among several solutions at the start the one nearest to the start values.

Equations with relations may have several solutions: a comparator with positive feedback rests at either end, and
between them. A start value of one of the unknowns selects one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.consistency import Evaluate
from cutset.runtime.interface import Values, Vector

# The largest number of rounds until relations agree, of improvements, and of relations tried for each of these.
_ROUNDS = 20
_MOST_CHANGES = 10
_MOST_TRIED = 100
# A relative distance to the start values that needs no improvement.
_SAME = 1e-6


def nearest_start(
    info: ModelInfo, values: Values, relations: Vector, evaluate: Evaluate, solution: Callable[[Vector], Vector]
) -> Vector:
    """`evaluate` returns the relations that the equations imply for held relations, `solution` the variables y for
    them. Each trial starts from the first guesses of the iterations; on return w holds the guesses of the result."""
    if not info.choosing_starts:
        return relations
    slots = [info.names[name] for name in info.choosing_starts]
    last = len(values.s) - info.n_guesses - info.n_started
    wanted, first = values.s[last - len(slots) : last], values.s[len(values.s) - info.n_guesses :]
    sizes = np.where(np.abs(wanted) > 0.0, np.abs(wanted), 1.0)

    def distance(held: Vector) -> float:
        y = solution(held)
        away = np.array([slot.sign * y[slot.index] for slot in slots]) - wanted
        return float(np.sum(np.abs(away) / sizes)) if np.isfinite(away).all() else np.inf

    def agreeing(held: Vector) -> Vector | None:
        values.w[: len(first)] = first
        for _ in range(_ROUNDS):
            said = evaluate(held)
            if np.array_equal(said, held):
                return held
            held = said
        return None

    best, least, guesses = relations, distance(relations), values.w[: len(first)].copy()
    for _ in range(_MOST_CHANGES):
        before = least
        for tried in _neighbors(info, best) if least > _SAME else ():
            found = agreeing(tried)
            if found is None:
                continue
            away = distance(found)
            if away < least - _SAME * (1.0 + away):
                best, least, guesses = found, away, values.w[: len(first)].copy()
        if least == before:
            break
    values.w[: len(first)] = guesses
    return best


def _neighbors(info: ModelInfo, relations: Vector) -> Iterator[Vector]:
    """The relations unchanged, then with one 'state' relation inverted at a time."""
    yield relations
    places = [k for k, relation in enumerate(info.relations) if relation.kind == "state"]
    for k in places[:_MOST_TRIED]:
        tried = relations.copy()
        tried[k] = 1.0 - tried[k]
        yield tried
