"""Finds values of relations that agree with the equations. Evaluates no equation itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice

import numpy as np

from cutset.runtime.interface import Vector

# The limits on the rounds of each search, and on the combinations tried.
_ROUNDS = 200
_MOST_TRIED = 1000

Evaluate = Callable[[Vector], Vector]


class Contradiction(Exception):
    """No consistent values were found; `changing` are the relations that kept changing."""

    def __init__(self, changing: list[int]):
        self.changing = changing
        super().__init__(changing)


def agree(evaluate: Evaluate, values: Vector) -> Vector:
    """Consistent values near to `values`: `evaluate`, which returns the relations implied by held ones, returns them
    unchanged.

    First all differing values change at once. If that cycles, one value changes at a time, the first that differs (R.
    G. Bland, New finite pivoting rules for the simplex method, Math. Oper. Res. 2 (1977) 103-107). If that cycles too,
    other combinations are tried, see `nearest`. Contradiction if none is consistent.
    """
    start, changing = values, set[int]()
    for at_once in (True, False):
        values, agrees = _follow(evaluate, values, at_once, changing)
        if agrees:
            return values
    found = nearest(evaluate, start, sorted(changing))
    if found is None:
        found = by_parts(evaluate, start)
    if found is None:
        raise Contradiction(sorted(changing))
    return found


def nearest(evaluate: Evaluate, values: Vector, changing: Sequence[int]) -> Vector | None:
    """The first consistent combination near to `values`, of some 1000 tried; None if there is none. The order: changes
    of relations that keep `changing`, then of others that affect the equations; fewest changes first."""
    says, coupled, left = evaluate(values), list(changing), _MOST_TRIED
    if np.array_equal(says, values):
        return values

    def agreeing(sets: Iterable[tuple[int, ...]], most: int) -> Vector | None:
        nonlocal left
        for some in islice(sets, most):
            left -= 1
            tried = values.copy()
            tried[list(some)] = 1.0 - tried[list(some)]
            said = evaluate(tried)
            if np.array_equal(said, tried):
                return tried
            if len(some) == 1 and some[0] not in coupled and not np.array_equal(said, says):
                coupled.append(some[0])
        return None

    others = [(k,) for k in range(len(values)) if k not in set(changing)]
    # Half of the trials are reserved for the others, in case very many relations keep changing.
    found = agreeing(_subsets(changing, ()), left // 2)
    if found is None:
        found = agreeing(others, left)
    if found is None:
        found = agreeing(_subsets([k for k in coupled if k not in changing], changing), left)
    if found is None:
        found = agreeing(_subsets([k for k in range(len(values)) if k not in coupled], coupled), left)
    return found


def by_parts(evaluate: Evaluate, values: Vector) -> Vector | None:
    """Consistent values found one group of relations after the other: groups that do not affect each other, such as the
    friction of several legs, have too many combinations together. A change after which only some of the relations that
    disagree still do is kept, and the search goes on from there. None if some 1000 changes bring no further one, or all
    relations that disagree are one group."""
    says = evaluate(values)
    disagreeing = set(np.flatnonzero(says != values).tolist())
    groups = [group for group in _groups(evaluate, values, says) if not disagreeing.isdisjoint(group)]
    if len(groups) < 2:
        return None
    while disagreeing:
        sought = [group for group in groups if not disagreeing.isdisjoint(group)]
        sets = (islice(_subsets(group, ()), _MOST_TRIED // len(sought)) for group in sought)
        for some in chain.from_iterable(sets):
            tried = values.copy()
            tried[list(some)] = 1.0 - tried[list(some)]
            left = set(np.flatnonzero(evaluate(tried) != tried).tolist())
            if left < disagreeing:
                values, disagreeing = tried, left
                break
        else:
            return None
    return values


def _groups(evaluate: Evaluate, values: Vector, says: Vector) -> list[list[int]]:
    """The relations that may change in groups, the smallest first: one that is changed alone changes what is said of
    its group only. `says` is said of the values. A relation that agrees, and whose value no change affects, is none of
    them: so a relation of time, which affects all groups, does not join them."""
    touches = []
    for k in range(len(values)):
        tried = values.copy()
        tried[k] = 1.0 - tried[k]
        touches.append({*np.flatnonzero(evaluate(tried) != says).tolist()})
    free, settled = set(range(len(values))), {k for k in range(len(values)) if says[k] == values[k]}
    while fixed := (free & settled).difference(*(touches[k] for k in free)):
        free -= fixed
    groups = [{k} for k in free]
    for k in free:
        touched = {k, *(touches[k] & free)}
        together = [group for group in groups if not group.isdisjoint(touched)]
        groups = [group for group in groups if group.isdisjoint(touched)] + [set().union(*together)]
    return sorted((sorted(group) for group in groups), key=lambda group: (len(group), group))


def _subsets(first: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Subsets of both with at least one of `first`, the smallest first."""
    known = set(first)
    for more in range(len(first) + len(others)):
        for some in combinations((*first, *others), 1 + more):
            if some[0] not in known:
                break
            yield some


def _follow(evaluate: Evaluate, values: Vector, at_once: bool, changing: set[int]) -> tuple[Vector, bool]:
    """Follow `evaluate` until the values are consistent (then True) or a combination repeats; `changing` records what
    changes."""
    seen: set[bytes] = set()
    for _ in range(_ROUNDS):
        new = evaluate(values)
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
