"""Lists what the start of a run in C knows of a model: metadata -> tables of numbers, as c/driver.h names them."""

from __future__ import annotations

import math

from cutset.contract.metadata import ModelInfo, Slot


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
    return "yxp".index(slot.array), slot.index, float(slot.sign)


def slots_of_loops(info: ModelInfo) -> list[slice]:
    """The places in w of the guesses of iterations that close a loop of a mechanism."""
    slots = places_of_guesses(info)
    return [slots[k] for k, closing in enumerate(info.closings) if is_loop(info, closing.instances)]


def wanted_starts(info: ModelInfo) -> list[tuple[tuple[int, int, float], int, int]]:
    """The variables with a start value that iterations compute, each once, as ``struct cutset_wanted``: those of loops,
    and others whose value is given."""
    place, seen, found = info.n_starts - info.n_guesses - info.n_started, set[str](), []
    for closing in info.closings:
        of_loop = is_loop(info, closing.instances)
        for name, is_written in closing.started:
            slot = info.names[name]
            if name not in seen and slot.array in ("x", "y") and (is_written or of_loop):
                seen.add(name)
                found.append((_written(slot), place, int(of_loop)))
            place += 1
    return found


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
