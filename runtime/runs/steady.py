"""Finds an equilibrium: the start of a run -> the point where all derivatives of states are zero.

Pseudo-transient continuation (C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523): implicit Euler steps
that grow while the model is nearly linear in them, so that the iteration follows the model at first and ends as
Newton's method. States that the derivatives do not depend on, such as the position of a free body, keep their values.
Relations and discrete variables change on the way as they do at events.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from cutset.runtime.analysis.explain import explain
from cutset.runtime.analysis.linearize import slopes_of
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import CompiledModel, Vector, all_finite, shown_states
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import Result, Statistics
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.initialize import begin
from cutset.runtime.runs.opened import bound_run
from cutset.runtime.runs.run import Run, Settings
from cutset.runtime.runs.simulate import saved
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.solvers import AUTO
from cutset.runtime.trajectory import Trajectory

# The code of the error that no rest was found.
NO_REST = "E636"
_MOST_STEPS = 500
_FIRST_STEP = 0.1
_LONGEST = 1e12
# Derivatives below this fraction of their terms are zero, for states of nominal size and in 1/s.
_ZERO = 1e-10
# A step is shortened if one of the corrections that its equation needs is larger than this fraction of the one before,
# or if they are not small after so many; at most so often.
_CURVED, _SOLVED, _CORRECTIONS = 0.5, 0.01, 8
_SHORTENINGS = 30
# A state is larger than any equilibrium, relative to its nominal value.
_ENDLESS = 1e8


@dataclass(frozen=True, eq=False)
class Rest:
    """The point, the number of steps to it, and the number of evaluations of the derivatives."""

    state: Snapshot
    steps: int
    evaluations: int


def steady(model: CompiledModel, experiment: Experiment, description: Description = Description()) -> Result:
    """One row: the equilibrium that the model reaches from its start, with time and inputs constant. Delayed quantities
    have their current value. Runs can continue from it. RunError as in `simulate`, and E636 if there is none."""
    began = time.perf_counter()
    run = bound_run(model, experiment)
    try:
        run.inputs.require(experiment.start, experiment.start)
        return _found(model, run, experiment, description, began)
    finally:
        run.free()


def _found(model: CompiledModel, run: Run, experiment: Experiment, description: Description, began: float) -> Result:
    still = _Still(run, experiment)
    try:
        first = still.begin()
    except InputFailure as failed:
        outcome = Outcome.INPUT_FAILED
        raise RunError(outcome.code, f"{failed.what}, at time {failed.time!r}", outcome.advice) from failed
    except EventFailure as failure:
        outcome = failure.outcome
        raise RunError(outcome.code, f"{failure.what}, at the start", outcome.advice, failure.details) from failure
    found = _rest(still, first)
    at, seconds = found.state, time.perf_counter() - began
    values = replace(at.values, w=still.values.w.copy())
    guesses = values.w[None, : model.info.n_guesses].copy()
    row = Trajectory(np.array([at.t]), at.x[None, :], run.inputs.over(np.array([at.t])), at.m[None, :], guesses)
    statistics = Statistics("pseudo-transient", found.steps, found.evaluations, 0, seconds)
    result = Result(model, values, row, statistics, description=description)
    result.saves = partial(saved, at)
    return result


class _Still:
    """The model at a fixed time."""

    def __init__(self, run: Run, experiment: Experiment):
        self._run, self._model, self._t, self._experiment = run, run.model, experiment.start, experiment
        self.values = replace(run.values, controllers=run.controllers)
        self.evaluations = 0
        self.states = self._model.info.states

    def begin(self) -> Snapshot:
        """The state after the events of the start. EventFailure, InputFailure, RunError."""
        run, given = self._run, self._experiment
        begin(run, self._t, given.initial, given.rtol)
        start = run.snapshot()
        run.arguments(Settings(np.array([self._t]), given.rtol, given.atol, given.max_steps, math.inf, AUTO))
        run.settle(start, start.x)
        found = run.snapshot()
        if isinstance(found.reason, EventFailure | InputFailure):
            raise found.reason
        return found

    def moved(self, before: Snapshot, x: Vector) -> Snapshot | None:
        """The same with other states; None if no consistent values exist for them."""
        if not np.isfinite(x).all():
            return None
        run = self._run
        if run.history is not None:
            signals = self._model.delayed(self._t, x, run.inputs.at(self._t), self.values, before.m)[:, 0]
            run.history.restart(self._t, np.ascontiguousarray(signals))
        run.settle(before, x)
        found = run.snapshot()
        if isinstance(found.reason, InputFailure):
            raise found.reason
        return None if found.reason is not None else found

    def has_same_states(self, one: Snapshot, other: Snapshot) -> bool:
        """True if the states that are chosen in the run are the same variables."""
        return shown_states(self._model.info, one.m) == shown_states(self._model.info, other.m)

    def rates(self, state: Snapshot) -> Vector:
        u = self._run.inputs.at(self._t)
        self.evaluations += 1
        with np.errstate(invalid="ignore", over="ignore"):
            f = self._model.derivatives(self._t, state.x, u, self.values, state.m)
        return f if self.has_values(f) else np.full(len(f), np.nan)

    def has_values(self, f: Vector) -> bool:
        """True if the last evaluation, with these derivatives, is finite."""
        return all_finite(self._model.info, f, self.values)

    def undefined(self, state: Snapshot) -> RunError:
        """The error to report if it is not."""
        point = Point(self._t, state.x, self._run.inputs.at(self._t), state.m)
        return explain(self._model, self.values, Outcome.NOT_FINITE_AT_START, point, None).error()

    def slopes(self, state: Snapshot) -> Vector:
        """The derivatives of dx/dt by the states; undefined ones are zero."""
        point = Point(self._t, state.x, self._run.inputs.at(self._t), state.m)
        return np.nan_to_num(slopes_of(self._model, self.values, point))

    def speed(self, rates: Vector, state: Snapshot) -> float:
        """The largest rate of change relative to the size of its state, in 1/s."""
        return float(np.max(np.abs(rates) / np.maximum(np.abs(state.x), self.values.n), initial=0.0))


def _rest(still: _Still, state: Snapshot) -> Rest:
    f, dt = still.rates(state), 0.0
    if not still.has_values(f):
        raise still.undefined(state)
    for count in range(_MOST_STEPS):
        slopes = still.slopes(state)
        terms = np.abs(slopes) @ np.maximum(np.abs(state.x), still.values.n)
        if np.all(np.abs(f) <= _ZERO * np.maximum(terms, still.values.n)):
            return Rest(state, count, still.evaluations)
        dt = dt or _FIRST_STEP / still.speed(f, state)
        trial, error = None, np.inf
        for _ in range(_SHORTENINGS):
            trial, error = _moved(still, state, f, slopes, dt)
            if trial is not None:
                break
            dt *= 0.25
        if trial is None:
            break
        dt = min(dt * (4.0 if error <= 0.2 * _CURVED else 1.5), _LONGEST)
        state, f = trial, still.rates(trial)
    raise _no_rest(still, state, f)


def _moved(still: _Still, state: Snapshot, f: Vector, slopes: Vector, dt: float) -> tuple[Snapshot | None, float]:
    """The state after a step of Euler's implicit method, solved by Newton's, and the size of the first correction
    relative to the step; None if the corrections do not become small fast."""
    first = change = _step(slopes, f, dt)
    trial, error = still.moved(state, state.x + change), np.inf
    for count in range(_CORRECTIONS):
        # Where other variables become the states there is no correction.
        if trial is None or not still.has_same_states(state, trial):
            return trial, _CURVED
        left = _step(still.slopes(trial), still.rates(trial) - (trial.x - state.x) / dt, dt)
        size = still.speed(left, trial)
        share = size / max(still.speed(change, trial), 1e-300)
        error = error if count else share
        if not share <= _CURVED:
            return None, error
        if size <= _SOLVED * still.speed(first, trial):
            return trial, error
        trial, change = still.moved(trial, trial.x + left), left
    return None, error


def _step(slopes: Vector, f: Vector, dt: float) -> Vector:
    """Solve (1/dt - A)*step = f; by least squares if the matrix is singular."""
    matrix = np.eye(len(f)) / dt - slopes
    try:
        return np.asarray(np.linalg.solve(matrix, f), dtype=float)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(matrix, f, rcond=None)[0], dtype=float)


def _no_rest(still: _Still, state: Snapshot, f: Vector) -> RunError:
    order = np.argsort(-np.abs(f) / np.maximum(np.abs(state.x), still.values.n), kind="stable")
    names, rates, x = still.states, f.tolist(), state.x.tolist()
    grown = order[np.abs(state.x)[order] > _ENDLESS * still.values.n[order]][:1].tolist()
    if grown:
        hint = "make what this state integrates zero, or limit it by a feedback"
        what = f"'{names[grown[0]]}' grows without bound: there is no equilibrium, at time {state.t!r}"
        return RunError(NO_REST, what, hint, [f"der({names[grown[0]]}) = {rates[grown[0]]!r}"])
    moving = [f"der({names[i]}) = {rates[i]!r} at {names[i]} = {x[i]!r}" for i in order[:8].tolist() if rates[i] != 0.0]
    hint = "make the input of a growing state zero, or start nearer to the equilibrium, with other start values"
    return RunError(NO_REST, f"no steady state was found, at time {state.t!r}", hint, moving)
