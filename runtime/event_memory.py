"""Sets up the data of a run with events in C: metadata -> tables of ``struct cutset_events`` and sizes of memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import Structure, c_long
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.c_records import EventData, address
from cutset.runtime.event_tables import integer_tables, jump_places, made_discrete, number_tables


def describe(info: ModelInfo, data: EventData) -> list[NDArray[Any]]:
    """Fill in what depends on the model only. Returns the arrays to which the data point: keep them."""
    n, samples = len(info.relations), sum(relation.kind == "sample" for relation in info.relations)
    data.n_modes, data.n_relations, data.n_discrete = info.n_modes, n, len(info.discrete)
    data.n_branches, data.n_whens, data.n_assertions = sum(info.whens), len(info.whens), len(info.assertions)
    data.n_variables, data.n_known, data.n_isolated = info.n_variables, len(info.time_events), len(info.isolated)
    data.n_samples, data.n_rivals, data.n_continuous = samples, len(info.rivals), len(info.continuous)
    data.n_work, data.n_kept = info.n_work, info.n_guesses + info.n_guards + info.n_watched
    data.rows_are_checked = any(a.branch < 0 and not a.held for a in info.assertions)
    own = {
        name: [0] * size for name, size in (("due", samples), ("near", n), ("turned", n), ("arrived", len(info.timed)))
    }
    data.jumps.n, data.jumps.n_before = len(info.jumps), info.n_before
    tables = point_to(
        data.jumps, {"places": jump_places(info), "made": made_discrete(info)}, np.dtype(c_long)
    ) + point_to(data, {**integer_tables(info), **own}, np.dtype(c_long))
    return tables + point_to(data, number_tables(info), np.dtype(float))


def work_sizes(info: ModelInfo, stages: int) -> dict[str, int]:
    """How many numbers each field of work memory has, for a method with so many stages."""
    n, modes, crossings = len(info.states), info.n_modes, len(info.crossings)
    return {
        "kept_w": info.n_guesses + info.n_guards + info.n_watched,
        "kept_sizes": 2 * crossings + info.n_guesses,
        "kept_history": 12 * crossings,
        "w_copy": info.n_work,
        "work": (stages + 6) * n,
        **dict.fromkeys(("y", "y_row"), info.n_results),
        **dict.fromkeys(("y_x", "z", "dx", "dx_ahead"), max(n, info.n_rates)),
        **dict.fromkeys(("y_m", "m"), modes),
        "te": 2 * len(info.timed),
        "acting": info.n_flags,
        "updated": info.n_updates,
        "values": len(info.relations),
        "searched": 7 * len(info.relations) + modes,
        "moved": len(info.continuous),
        **dict.fromkeys(("g", "g_ahead", "slopes", "rest", "crossed"), crossings),
        "delayed": len(info.delays),
        "constant": len(info.delays) * (len(info.delays) + 2),
    }


def jump_sizes(info: ModelInfo) -> dict[str, int]:
    """How many numbers each field of ``struct cutset_jumps`` has."""
    if not info.jumps:
        return {}
    n = len(info.states)
    return {
        **dict.fromkeys(("x", "after", "slow", "size"), n),
        **dict.fromkeys(("m", "key", "held", "decided"), info.n_modes),
        "flags": info.n_flags,
        "found": info.n_updates,
        "sizes": len(info.jumps),
        **dict.fromkeys(("one", "two"), len(info.relations)),
        "k": 6 * n,
    }


def moment_sizes(info: ModelInfo) -> dict[str, int]:
    """How many numbers each field of ``struct cutset_moment`` has."""
    relations = len(info.relations)
    return {
        "x": len(info.states),
        "m": info.n_modes,
        "conditions": sum(info.whens),
        "truths": relations,
        "samples": 2 * sum(relation.kind == "sample" for relation in info.relations),
        "scales": len(info.crossings),
        "at": relations,
        "reach": relations,
    }


def point_to(data: Structure, chunks: Mapping[str, Sequence[float]], kind: np.dtype[Any]) -> list[NDArray[Any]]:
    """Let these fields point to their numbers, which are in the returned array: keep it."""
    block = np.array(list(chain.from_iterable(chunks.values())), dtype=kind)
    place = address(block)
    for name, numbers in chunks.items():
        setattr(data, name, place)
        place += block.itemsize * len(numbers)
    return [block]
