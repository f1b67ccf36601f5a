"""Values of relations in, values that agree with the equations out. Evaluates no equation itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from cutset.runtime.interface import Vector

# Rounds of each of the ways, and relations of which all combinations are tried.
_ROUNDS = 200
_MOST_TRIED = 12

Look = Callable[[Vector], Vector]


class Contradiction(Exception):
    """No values were found that agree; `changing` are the relations that kept changing."""

    def __init__(self, changing: list[int]):
        self.changing = changing
        super().__init__(changing)


def agree(look: Look, values: Vector) -> Vector:
    """Values that `look` gives back as they are, near to `values`: it gives what the equations say where these are held.

    All that differ are changed at once; where that goes round in a circle one is changed at a time, the first that
    differs (R. G. Bland, New finite pivoting rules for the simplex method, Math. Oper. Res. 2 (1977) 103-107); where
    that does too all combinations are tried, the nearest first; of those that change, where there are many. Contradiction where
    none agrees.
    """
    changing: set[int] = set()
    for at_once in (True, False):
        values, agrees = _follow(look, values, at_once, changing)
        if agrees:
            return values
    places = list(range(len(values))) if len(values) <= _MOST_TRIED else sorted(changing)
    if len(places) <= _MOST_TRIED:
        for number in range(len(places) + 1):
            for some in combinations(places, number):
                tried = values.copy()
                tried[list(some)] = 1.0 - tried[list(some)]
                if np.array_equal(look(tried), tried):
                    return tried
    raise Contradiction(sorted(changing))


def _follow(look: Look, values: Vector, at_once: bool, changing: set[int]) -> tuple[Vector, bool]:
    """Follows `look` until it agrees (then True) or a combination comes again; notes what changes."""
    seen: set[bytes] = set()
    for _ in range(_ROUNDS):
        new = look(values)
        differing = np.flatnonzero(new != values)
        if not len(differing):
            return values, True
        if values.tobytes() in seen:
            break
        seen.add(values.tobytes())
        changing.update(differing.tolist())
        if at_once:
            values = new
        else:
            values = values.copy()
            values[differing[0]] = new[differing[0]]
    return values, False
