"""Initializes a run: start values -> the first EventState, solving the initial system together with the relations.

A condition that is true at the start has not become true, so no branch acts here. Steps nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.consistency import Evaluate
from cutset.runtime.event_state import EventState
from cutset.runtime.events import Events, agreeing
from cutset.runtime.initial_system import Searched, begun
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.relations import EventIndicators, RelationContext, same
from cutset.runtime.solvers.method import Problem
from cutset.runtime.start_choice import nearest_start
from cutset.runtime.start_failures import check_conditions, check_states, check_written, without_end
from cutset.runtime.time_event_queue import TimeEventQueue

_ROUNDS = 100
# The limit on evaluations of relations, over all rounds: if each round searches among combinations, a few rounds are
# conclusive.
_MOST_LOOKS = 5000


def initialize(events: Events, problem: Problem, t: float, initial: Mapping[str, float]) -> EventState:
    """The state at the start of the run. RunError if a start value in `initial` is not that of the solution,
    EventFailure if there is no solution."""
    info, n = events.info, len(events.info.relations)
    model, values, u = problem.model, problem.values, problem.inputs.at(t)
    m, before, looks, searched = _undecided(info, values), set[bytes](), 0, Searched()
    begins = x = np.zeros(0)
    for passes in range(1, _ROUNDS + 1):
        m, more = _relations(events, problem, t, m, searched)
        looks += more
        begins = begun(model, t, u, values, m, searched)
        x = begins[: len(info.states)]
        if not len(info.discrete):
            break
        discrete = model.updates(t, x, u, values, m, np.zeros(info.n_flags))[: len(info.discrete)]
        if np.array_equal(discrete, m[n:], equal_nan=True):
            break
        if passes == _ROUNDS or looks > _MOST_LOOKS or m.tobytes() in before:  # the combinations repeat
            raise without_end(info, passes, np.flatnonzero(discrete != m[n:]).tolist())
        before.add(m.tobytes())
        m = np.concatenate([m[:n], discrete])
    check_states(model, values, initial, x, m)
    check_conditions(info, initial, begins[len(info.states) :])
    state = events.state(t, x, m, events.indicators(t, x, m))
    check_written(model, values, initial, u, state.t, state.x, state.m)
    return state


def starting(model: CompiledModel, values: Values, t: float, u: Vector) -> EventState:
    """The state at the start of a run with constant inputs."""
    problem = _problem(model, values, u)
    return starting_at(problem, t, {})


def starting_at(problem: Problem, t: float, initial: Mapping[str, float]) -> EventState:
    """The state at the start of a run of this problem."""
    return initialize(events_at(problem, t), problem, t, initial)


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

    return _agreeing(events, t, m, indicators)


def _undecided(info: ModelInfo, values: Values) -> Vector:
    """The held values before anything is known: all relations false, discrete variables at their start values."""
    first = len(info.states)
    return np.concatenate([np.zeros(len(info.relations)), values.s[first : first + len(info.discrete)]])


def _problem(model: CompiledModel, values: Values, u: Vector) -> Problem:
    return Problem(model, values, Inputs(u, {}), 1e-6, 1e-8 * values.n, 1)


def _relations(events: Events, problem: Problem, t: float, m: Vector, searched: Searched) -> tuple[Vector, int]:
    """m with relations that agree with the initial system and discrete variables held; and the number of
    evaluations."""
    looks = 0

    def indicators(relations: Vector) -> EventIndicators:
        nonlocal looks
        looks += 1
        held = np.concatenate([relations, m[len(relations) :]])
        x = begun(problem.model, t, problem.inputs.at(t), problem.values, held, searched)[: len(events.info.states)]
        if searched.is_over:
            check_states(problem.model, problem.values, {}, x, held)
        return events.indicators(t, x, held)

    def solution(relations: Vector) -> Vector:
        held, u = np.concatenate([relations, m[len(relations) :]]), problem.inputs.at(t)
        x = begun(problem.model, t, u, problem.values, held, searched)[: len(events.info.states)]
        (y,) = problem.model.variables(np.array([t]), x[None, :], u[None, :], problem.values, held[None, :])
        return np.asarray(y)

    found, n = _agreeing(events, t, m, indicators, is_start=True), len(events.info.relations)
    evaluate = _evaluating(events, t, m, indicators, is_start=True)
    nearest = nearest_start(events.info, problem.values, found[:n], evaluate, solution)
    return np.concatenate([nearest, found[n:]]), looks


def _evaluating(
    events: Events, t: float, m: Vector, indicators: Callable[[Vector], EventIndicators], is_start: bool
) -> Evaluate:
    """The function that computes relations from `indicators`, regardless of their earlier values. Relations of time
    that change at the start of a run have not changed yet."""
    n, timed = len(events.info.relations), list(events.info.timed)

    def evaluate(relations: Vector) -> Vector:
        instants, found = events.time_events(t, np.concatenate([relations, m[n:]])), indicators(relations)
        if is_start and timed:
            change = same(found.sides)[timed]
            instants = np.where(change[:, None], (t, math.nan), instants)
        context = RelationContext(t, instants, events.same, keeps=False)
        return events.relations.values(found, relations, context)

    return evaluate


def _agreeing(
    events: Events, t: float, m: Vector, indicators: Callable[[Vector], EventIndicators], is_start: bool = False
) -> Vector:
    """m with relations that agree with `indicators`, regardless of their earlier values."""
    info, n = events.info, len(events.info.relations)
    if not n:
        return m

    evaluate = _evaluating(events, t, m, indicators, is_start)
    return np.concatenate([agreeing(info, evaluate, indicators, m[:n]), m[n:]])
