"""Initializes a run: start values -> the first EventState, solving the initial system together with the relations.

C finds it, see c/run/start.h. A condition that is true at the start has not become true, so no branch acts here. Steps
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutset.runtime.events.event_state import EventState
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.runs.ended_run import state_of
from cutset.runtime.runs.many_points import HeldAtPoints
from cutset.runtime.runs.start_failures import check_given, raise_reason
from cutset.runtime.runs.whole_run import memory_for
from cutset.runtime.solvers.method import Problem
from cutset.runtime.solvers.solved_unknowns import solving_engine


def starting(model: CompiledModel, values: Values, t: float, u: Vector) -> EventState:
    """The state at the start of a run with constant inputs."""
    problem = _problem(model, values, u)
    return starting_at(problem, t, {})


def starting_at(problem: Problem, t: float, initial: Mapping[str, float], span: float = 0.0) -> EventState:
    """The state at the start of a run of this problem, which takes `span` seconds; its guesses and delayed values
    become those of the start. RunError if a start value in `initial` is not that of the solution,
    EventFailure if there is no solution."""
    model, values, inputs = problem.model, problem.values, problem.inputs
    run = memory_for(model, solving_engine(model, values))
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


def held_at(model: CompiledModel, values: Values, t: float, x: Vector, u: Vector) -> Vector:
    """The held values at a point that no run has reached: relations that agree with it, discrete variables at their
    start values. RunError if there are none."""
    if not model.info.relations:
        return values.s[len(model.info.states) :][: len(model.info.discrete)].copy()
    return HeldAtPoints(model, values).at(np.array([t]), x, u).reshape(-1)


def _problem(model: CompiledModel, values: Values, u: Vector) -> Problem:
    return Problem(model, values, Inputs(u, {}), 1e-6, 1e-8 * values.n, 1)
