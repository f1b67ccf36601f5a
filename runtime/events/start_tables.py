"""Lists what the start of a run in C knows of a model: metadata -> tables of numbers, as c/driver.h names them."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from cutset.contract.metadata import ModelInfo, Slot

# The points that a search tries, as in c/run/search.h.
SHIFTS = 24


def used_constants(info: ModelInfo) -> list[int]:
    """The constants that must be finite."""
    return [k for k, origin in enumerate(info.constant_origins) if origin is not None]


def limits(info: ModelInfo) -> list[tuple[int, float, float]]:
    """The number of each parameter with limits, and both."""
    return [
        (
            limit.parameter,
            -math.inf if limit.minimum is None else limit.minimum,
            math.inf if limit.maximum is None else limit.maximum,
        )
        for limit in info.limits
    ]


def written_starts(info: ModelInfo) -> list[tuple[int, int, float]]:
    """For each variable of `ModelInfo.start_checks` its array, its number there, and its sign."""
    return [_written(info.names[check.variable]) for check in info.start_checks]


def _written(slot: Slot) -> tuple[int, int, float]:
    return "yxpu".index(slot.array), slot.index, float(slot.sign)


def overruled_parameters(info: ModelInfo) -> set[int]:
    """Parameters that would determine the start only if the model were translated for a run that gives them."""
    alternatives = {given for given, *_ in info.alternative_starts}
    names = {name: info.names[name] for name in info.default_starts if name in info.names}
    return {slot.index for slot in names.values() if slot.array == "p" and slot.index not in alternatives}


def systems_of_motion(info: ModelInfo) -> list[int]:
    """Of each iteration for positions of a mechanism the place of the first guess in w, and how many there are."""
    found, first = list[int](), 0
    for n, closing in zip(info.iterations, info.closings, strict=False):
        if any(
            slot.array == "y" and slot.index in info.moving for slot in map(info.names.get, closing.unknowns) if slot
        ):
            found += first, n
        first += 2 * n + 1
    return found


def wanted_starts(info: ModelInfo) -> list[tuple[tuple[int, int, float], int, int, int, int]]:
    """The variables with a start value that iterations compute, each once, in the order of their names, as ``struct
    cutset_wanted``: those of loops, and others whose value is given."""
    place, found = info.n_starts - info.n_guesses - info.n_started, dict[str, tuple[Any, int, int, int, int]]()
    for k, closing in enumerate(info.closings):
        of_loop = is_loop(info, closing.instances)
        for name, is_written in closing.started:
            slot = info.names[name]
            if name not in found and slot.array in ("x", "y") and (is_written or of_loop):
                found[name] = _written(slot), place, k, int(of_loop), int(is_written)
            place += 1
    return [found[name] for name in sorted(found)]


def chosen_starts(info: ModelInfo) -> list[tuple[int, int, float]]:
    """The variables whose start values choose among solutions, as ``struct cutset_written``."""
    return [_written(info.names[name]) for name in info.choosing_starts]


def search_tables(info: ModelInfo) -> dict[str, list[int]]:
    """What the search for a start knows of iterations: which of them close loops, and the groups of those with the same
    unknowns; and of each guess the number of its unknown, and whether the start value of that is given."""
    closings, groups, numbers = info.closings, list[set[int]](), dict[str, int]()
    unknowns = [0, 0] * info.n_guesses
    for k, (slot, closing) in enumerate(zip(places_of_guesses(info), closings, strict=False)):
        names, given = set(closing.unknowns), {name for name, is_written in closing.started if is_written}
        near = [group for group in groups if any(not names.isdisjoint(closings[j].unknowns) for j in group)]
        groups = [*(group for group in groups if group not in near), {k}.union(*near)]
        for at, name in enumerate(closing.unknowns, slot.start):
            unknowns[2 * at : 2 * at + 2] = numbers.setdefault(name, len(numbers)), int(name in given)
    of_each = {k: number for number, group in enumerate(groups) for k in group}
    loops = [int(is_loop(info, closing.instances)) for closing in closings]
    return {"loops": loops, "groups": [of_each[k] for k in range(len(closings))], "unknowns": unknowns}


def shifts(info: ModelInfo) -> list[float]:
    """For each unknown of iterations, in the order of their first guesses, random numbers that move it in a search for
    a start: the same for an unknown in any order of equations."""
    names = dict.fromkeys(name for closing in info.closings for name in closing.unknowns)
    return [Random(f"{name} {k}").random() for name in names for k in range(SHIFTS)]


def is_loop(info: ModelInfo, instances: tuple[str, ...]) -> bool:
    """True if an element closes a loop of a mechanism by these equations."""
    return any(f"{name}.ra(1)" in info.names for name in instances)


def copied_guesses(info: ModelInfo) -> list[int]:
    """Four places in w for each pair of iterations with the same unknown: its guess in one and the orientation of that
    one, then both of the other. In this order, the last iteration that is solved decides."""
    slots, where = places_of_guesses(info), dict[str, list[tuple[int, int]]]()
    for slot, closing in zip(slots, info.closings, strict=False):
        for k, name in enumerate(closing.unknowns):
            where.setdefault(name, []).append((slot.start + k, slot.stop))
    pairs = ((to, source) for places in where.values() for to in places for source in places if to != source)
    return [number for to, source in pairs for number in (*to, *source)]


def places_of_guesses(info: ModelInfo) -> list[slice]:
    """The place in w of the guesses of each iteration; orientation and nominal values follow."""
    slots, first = [], 0
    for n in info.iterations:
        slots.append(slice(first, first + n))
        first += 2 * n + 1
    return slots
