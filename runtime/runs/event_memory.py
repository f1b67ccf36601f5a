"""Sets up the data of a run with events in C: metadata -> tables of ``struct cutset_events`` and sizes of memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from ctypes import Structure, addressof, c_long
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.event_tables import integer_tables, jump_places, made_discrete, number_tables
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import Vector
from cutset.runtime.solvers.c_constants import tableau_in_c
from cutset.runtime.solvers.tableaus import DOPRI5
from cutset.runtime.targets.c_records import EventData, Tally, address

# Rows for events, beside those for outputs.
ROOM = 2048


def describe(info: ModelInfo, data: EventData) -> list[NDArray[Any]]:
    """Fill in what depends on the model only. Returns the arrays to which the data point: keep them."""
    n, samples = len(info.relations), sum(relation.kind == "sample" for relation in info.relations)
    data.n_modes, data.n_relations, data.n_discrete = info.n_modes, n, len(info.discrete)
    data.n_branches, data.n_whens, data.n_assertions = sum(info.whens), len(info.whens), len(info.assertions)
    data.n_variables, data.n_known, data.n_isolated = info.n_variables, len(info.time_events), len(info.isolated)
    data.n_samples, data.n_restarts, data.n_continuous = samples, len(info.competing_restarts), len(info.continuous)
    data.n_work, data.n_kept = info.n_work, info.n_guesses + info.n_guards + info.n_watched
    data.n_algebraic, data.n_u = info.n_algebraic, len(info.inputs) + len(info.delays)
    data.n_iterations, data.n_moving = len(info.iterations), len(info.moving)
    data.dopri5, data.latest_leap = addressof(tableau_in_c(DOPRI5)), -math.inf
    data.rows_are_checked = any(a.branch < 0 and not a.held for a in info.assertions)
    data.jumps.n, data.jumps.n_before = len(info.jumps), info.n_before
    data.n_sensitivities = len(info.sensitivities) if info.relations else 0
    tables = point_to(
        data.jumps, {"places": jump_places(info), "made": made_discrete(info)}, np.dtype(c_long)
    ) + point_to(data, integer_tables(info), np.dtype(c_long))
    return tables + point_to(data, number_tables(info), np.dtype(float))


def model_sizes(info: ModelInfo, most_rows: int) -> dict[str, int]:
    """The numbers that sizes of work memory in driver.h are made of; `most_rows` arrays of states are what an explicit
    method needs."""
    return {
        "states": len(info.states),
        "rates": max(len(info.states), info.n_rates),
        "work": info.n_work,
        "guesses": info.n_guesses,
        "guards": info.n_guards,
        "watched": info.n_watched,
        "results": info.n_results,
        "modes": info.n_modes,
        "relations": len(info.relations),
        "crossings": len(info.crossings),
        "timed": len(info.timed),
        "samples": sum(relation.kind == "sample" for relation in info.relations),
        "branches": sum(info.whens),
        "continuous": len(info.continuous),
        "moving": len(info.moving),
        "jumps": len(info.jumps),
        "values_before": info.n_before,
        "updates": info.n_updates,
        "delays": len(info.delays),
        "begins": info.n_begins,
        "started": info.n_started,
        "most_rows": most_rows,
    }


def point_to(data: Structure, chunks: Mapping[str, Sequence[float]], kind: np.dtype[Any]) -> list[NDArray[Any]]:
    """Let these fields point to their numbers, which are in the returned array: keep it."""
    block = np.array(list(chain.from_iterable(chunks.values())), dtype=kind)
    place = address(block)
    for name, numbers in chunks.items():
        setattr(data, name, place)
        place += block.itemsize * len(numbers)
    return [block]


def point_to_breaks(data: EventData, inputs: Inputs) -> list[NDArray[Any]]:
    """Let the data point to the instants at which tables of inputs have kinks or jumps. As `point_to`."""
    data.n_breaks = len(inputs.breaks)
    tables = point_to(data, {"breaks": inputs.breaks.tolist()}, np.dtype(float))
    return tables + point_to(data, {"break_jumps": inputs.jumps.tolist()}, np.dtype(c_long))


def rows_for(info: ModelInfo, data: EventData, capacity: int) -> list[NDArray[np.float64]]:
    """Let C write so many rows into the arrays that are returned: times, states, held values, guesses, inputs and
    delayed values."""
    widths = (1, len(info.states), info.n_modes, info.n_guesses, len(info.inputs) + len(info.delays))
    rows = [np.empty((capacity, width)) for width in widths]
    data.capacity = capacity
    data.row_t, data.row_x, data.row_m, data.row_guesses, data.row_u = map(address, rows)
    return rows


def events_of(tally: Tally) -> Counter[str]:
    """How many events of each kind there were."""
    names = "state", "sample", "time", "branch"
    counts = tally.state_events, tally.sample_events, tally.time_events, tally.branch_events
    return Counter({name: count for name, count in zip(names, counts, strict=True) if count})


def first_sizes(info: ModelInfo) -> Vector:
    """The sizes of crossings at the start of a run, infinite for those that are evaluated only at ends of steps."""
    largest = [np.inf if info.relations[k].at_ends else 0.0 for k in info.crossings]
    return np.array([*largest, *(0.0 for _ in largest)])
