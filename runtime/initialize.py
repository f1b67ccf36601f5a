"""Initializes a run: start values -> the first EventState, solving the initial system together with the relations.

C finds it, see c/start.h. A condition that is true at the start has not become true, so no branch acts here. Steps
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.ended_run import state_of
from cutset.runtime.engine import Engine
from cutset.runtime.event_state import EventState
from cutset.runtime.events import Events, agreeing
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.relations import EventIndicators, RelationContext
from cutset.runtime.scripted import engine_of
from cutset.runtime.solved_unknowns import SolvingScript, UnreducedModel
from cutset.runtime.solvers.method import Problem
from cutset.runtime.start_failures import check_given, raise_reason
from cutset.runtime.time_event_queue import TimeEventQueue
from cutset.runtime.whole_run import memory_for


def starting(model: CompiledModel, values: Values, t: float, u: Vector) -> EventState:
    """The state at the start of a run with constant inputs."""
    problem = _problem(model, values, u)
    return starting_at(problem, t, {})


def starting_at(problem: Problem, t: float, initial: Mapping[str, float], span: float = 0.0) -> EventState:
    """The state at the start of a run of this problem, which takes `span` seconds; its guesses and delayed values
    become those of the start. RunError if a start value in `initial` is not that of the solution,
    EventFailure if there is no solution."""
    model, values, inputs = problem.model, problem.values, problem.inputs
    run = memory_for(model, _engine(model, values))
    try:
        run.take(values, inputs, initial)
        if not run.find_start(t, span, problem.rtol):
            raise_reason(run, {}, initial)
        check_given(run, initial)
        ended = run.ended()
    finally:
        run.free()
    values.w[:] = ended.part("w")
    if inputs.history is not None and ended.history is not None:
        inputs.history.become(inputs.history.with_stored(ended.history, ended.part("delay_windows")))
    return state_of(ended)


def _engine(model: CompiledModel, values: Values) -> Engine:
    return engine_of(SolvingScript(model, values)) if isinstance(model, UnreducedModel) else model.engine


def events_at(problem: Problem, t: float) -> Events:
    """The events of a run of no length: instants are equal up to the rounding of a run of 1 s."""
    return Events(problem, TimeEventQueue(np.array([t])).same, 1.0)


def held_at(model: CompiledModel, values: Values, t: float, x: Vector, u: Vector) -> Vector:
    """The held values at a point that no run has reached: relations that agree with it, discrete variables at their
    start values."""
    problem = _problem(model, values, u)
    events = events_at(problem, t)
    n, m = len(model.info.relations), _undecided(model.info, values)

    def indicators(relations: Vector) -> EventIndicators:
        return events.indicators(t, x, np.concatenate([relations, m[n:]]))

    def evaluate(relations: Vector) -> Vector:
        instants = events.time_events(t, np.concatenate([relations, m[n:]]))
        context = RelationContext(t, instants, events.same, keeps=False)
        return events.relations.values(indicators(relations), relations, context)

    return np.concatenate([agreeing(model.info, evaluate, indicators, m[:n]), m[n:]]) if n else m


def _undecided(info: ModelInfo, values: Values) -> Vector:
    """The held values before anything is known: all relations false, discrete variables at their start values."""
    first = len(info.states)
    return np.concatenate([np.zeros(len(info.relations)), values.s[first : first + len(info.discrete)]])


def _problem(model: CompiledModel, values: Values, u: Vector) -> Problem:
    return Problem(model, values, Inputs(u, {}), 1e-6, 1e-8 * values.n, 1)
