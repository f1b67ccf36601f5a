"""Finds the events of a run in its rows: each event has a row before and a row after it at one time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.relations import sides_of_relations
from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Event:
    """An event of a run.

    time       its instant in s
    kinds      'state', 'time' and 'sample', those that apply; () where only inputs or delayed values jump
    relations  the relations that changed, as the model spells them, and whether they hold after it; one that became
               true only for this instant, as at the contact of a ball, is not among them
    discrete   the discrete variables that changed, with their values before and after
    states     the states that jumped, with their values before and after
    """

    time: float
    kinds: tuple[str, ...]
    relations: Mapping[str, bool]
    discrete: Mapping[str, tuple[float, float]]
    states: Mapping[str, tuple[float, float]]


def events_of(model: CompiledModel, values: Values, rows: Trajectory) -> tuple[Event, ...]:
    """The events in their order. The start counts as one if something changes there."""
    pairs = np.flatnonzero(rows.t[1:] == rows.t[:-1])
    if not len(pairs):
        return ()
    after = pairs + 1
    y = model.variables(rows.t[after], rows.x[after], rows.u[after], values, rows.modes[after], rows.guesses[after])
    queue = TimeEventQueue(rows.t)
    return tuple(_event(model.info, queue, rows, row, y[k]) for k, row in enumerate(pairs.tolist()))


def _event(info: ModelInfo, queue: TimeEventQueue, rows: Trajectory, row: int, y: Vector) -> Event:
    t, n = float(rows.t[row]), len(info.relations)
    before, after = rows.modes[row], rows.modes[row + 1]
    turned = np.flatnonzero(before[:n] != after[:n]).tolist()
    sides = sides_of_relations(info, y)
    samples = sides[[k for k, relation in enumerate(info.relations) if relation.kind == "sample"]]
    kinds = {_kind(info, k) for k in turned} | ({"sample"} if queue.samples_due(t, samples) else set())
    changed = np.flatnonzero(before[n:] != after[n:]).tolist()
    moved = np.flatnonzero(rows.x[row] != rows.x[row + 1]).tolist()
    if not kinds and (changed or moved):
        kinds = {"state"}  # by a relation that has changed back
    return Event(
        t,
        tuple(kind for kind in ("state", "time", "sample") if kind in kinds),
        {info.relations[k].text: bool(after[k]) for k in turned},
        {info.discrete[k]: (float(before[n + k]), float(after[n + k])) for k in changed},
        {info.states[k]: (float(rows.x[row, k]), float(rows.x[row + 1, k])) for k in moved},
    )


def _kind(info: ModelInfo, relation: int) -> str:
    return "time" if relation in info.timed else "state"
