"""Turns what C leaves of a run into what Python continues from: an `EndedRun` -> its state, problem and snapshot."""

from __future__ import annotations

from dataclasses import replace

from cutset.runtime.events.event_state import ARRAYS, EventState
from cutset.runtime.given.history import History
from cutset.runtime.interface import Values, Vector
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.whole_run import EndedRun, Settings
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Problem


def state_of(ended: EndedRun) -> EventState:
    """The state of the run."""
    arrays = {name: ended.part(f"now.{name}") for name in ARRAYS}
    return EventState.of(ended.t, arrays, ended.part("history"), ended.tally, ended.ending, ended.acted)


def problem_of_ended(ended: EndedRun, settings: Settings) -> Problem:
    """The run as methods see it, with the guesses of its end."""
    p, c, s, w, n = (ended.part(name).copy() for name in ("p", "c", "s", "w", "nominals"))
    values = Values(p, c, s, w, n, ended.controllers)
    info = ended.model.info
    inputs, memory = ended.inputs.copied(), _memory(ended, settings.now)
    if ended.history is not None:
        history = History(info.delays, ended.part("delays").copy())
        inputs = replace(inputs, history=history.with_stored(ended.history, ended.part("delay_windows")))
    atol = values.tolerances(settings.rtol, settings.atol)
    start, stop = float(settings.outputs[0]), float(settings.outputs[-1])
    limits = settings.rtol, atol, settings.max_steps
    return Problem(ended.model, values, inputs, *limits, memory, settings.nearest, start, stop - start)


def snapshot_of(ended: EndedRun, settings: Settings) -> Snapshot:
    """The end of the run, as `Run.snapshot` gives it."""
    return Snapshot(problem_of_ended(ended, settings), state_of(ended), float(settings.outputs[0]))


def _memory(ended: EndedRun, now: Vector | None) -> Memory:
    info, own = ended.model.info, Memory() if now is None else Memory(now)
    own.stiffness, own.pace = ended.stiffness(), ended.pace
    if ended.tally.advances and (info.states or info.relations or info.n_guards):
        sizes = ended.part("guess_sizes").copy() if info.n_guesses else None
        own.set_sizes(sizes, ended.part("crossing_sizes").copy())
    return own
