"""Executes one run: keeps its state and rows, and has two operations: begin, and advance to the end.

Knows no integration method, no target, and nothing of events.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from cutset.contract.metadata import Assertion
from cutset.runtime.analysis.explain import Failure, explain
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.errors import Fault
from cutset.runtime.events.event_state import EventFailure, EventState
from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs import delays
from cutset.runtime.runs.ended_run import state_of
from cutset.runtime.runs.event_loop import AT_STOP, INTERRUPTED, ROWS_FULL, RUN_ENDED, RUN_FAILED, Advance, EventLoop
from cutset.runtime.runs.failures import Reason
from cutset.runtime.runs.initialize import starting_at
from cutset.runtime.runs.rows import Chunk, Rows
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.whole_run import EndedRun
from cutset.runtime.solvers.method import Counts, Method, Problem, SegmentResult, longest_step
from cutset.runtime.trajectory import Trajectory


class Stopped(Exception):
    """The run has failed; `failure` explains why."""

    def __init__(self, failure: Failure):
        self.failure = failure
        super().__init__(failure.outcome.message)


class Run:
    """A run in progress. `first_values` are its values with the guesses of the start, `method` is the name of the
    method that integrates."""

    def __init__(self, problem: Problem, method: Method, queue: TimeEventQueue, max_step: float = math.inf):
        info = problem.model.info
        self._problem, self._method, self._queue, self._info = problem, method, queue, info
        self._longest = longest_step(info, method, problem.inputs, queue.span, max_step)
        self._rows = Rows(info)
        start, none = float(queue.outputs[0]), np.zeros(0)
        not_found = none, none, none, none, none, none, none, none
        self._now = EventState(start, np.zeros(len(info.states)), np.zeros(info.n_modes), *not_found)
        self._history = problem.inputs.history
        if self._history is not None:
            delays.set_up(problem, method, queue.span)
        problem.inputs.require(start, float(queue.outputs[-1]))
        problem.inputs.enter(start, queue.same)
        self._opened: EventLoop | None = None
        self._is_checked = False  # whether all variables are finite at the end
        self.first_values: Values = problem.values
        self.counts, self.method = Counts(), method.name if self._info.states else "none (no states)"
        self.events: Counter[str] = Counter()

    @property
    def ending(self) -> Assertion | None:
        """The assertion with which the model ended the run."""
        return self._now.ending

    @property
    def has_rows(self) -> bool:
        """True if rows were recorded; False if the start failed."""
        return bool(self._rows)

    def begin(self, initial: Mapping[str, float]) -> None:
        """Find the start and settle the events at it. Stopped if that fails, as in the other operations."""
        with self._stopping():
            self._now = starting_at(self._problem, self._now.t, initial, self._queue.span)
        self.first_values = replace(self._problem.values, w=self._problem.values.w.copy())
        if self._history is not None:
            self._history.enter_just_after(self._now.t)
        self._take(self._loop.begin(self._now))

    def take_over(self, ended: EndedRun, rows: Chunk, status: int) -> None:
        """Continue from where C has ended with this status, instead of `begin`. KeyboardInterrupt if Ctrl-C was why."""
        self._now = state_of(ended)
        self.first_values, self.counts = ended.first_values, ended.counts
        self.events.update(ended.events)
        self.method = ended.name_of(self._method)
        self._problem.inputs.window[:] = ended.inputs.window
        if len(rows[0]):
            self._rows.append(rows)
        self._is_checked = status in (AT_STOP, RUN_ENDED)
        self._end(status, ended.failure)

    def snapshot(self) -> Snapshot:
        """The current state of the run."""
        queue = self._queue
        origin = float(queue.outputs[0]) if queue.origin is None else queue.origin
        return Snapshot(self._problem, self._now, origin)

    def resume(self, snapshot: Snapshot, changed: bool) -> None:
        """Continue from the snapshot, instead of `begin`: no past event happens again, but new ones may follow if the
        inputs have `changed`. The run takes over the snapshot's problem."""
        now = self._now = replace(snapshot.state, t=float(self._queue.outputs[0]), ending=None)
        self._loop.go_on_from(now, snapshot.replaced, changed)
        self.first_values = replace(self._problem.values, w=self._problem.values.w.copy())
        if self._history is not None:
            self._history.enter_just_after(now.t)
        self._rows.record(now, *self._beside())
        if changed:
            self.advance()

    def check_variables(self) -> None:
        """Stopped if a variable is not finite at the end. Variables that may become so during the run are checked in
        each step; here are those for which a parameter is the reason."""
        if self._is_checked:
            return
        now, problem, u = self._now, self._problem, self._problem.inputs.at(self._now.t)
        values = replace(problem.values, w=problem.values.w.copy())
        y = problem.model.variables(np.array([now.t]), now.x[None, :], u[None, :], values, now.m[None, :])
        if not np.isfinite(y[:, : self._info.n_variables]).all():
            raise Stopped(self._failure(Outcome.VARIABLE_NOT_FINITE))

    def interrupted(self) -> Failure:
        """The failure to report after an interrupt by the user, during an operation or between two."""
        return self._failure(Outcome.INTERRUPTED)

    def input_failed(self, error: InputFailure) -> Failure:
        """The failure to report after a function of an input failed in one of the operations; adds the last row."""
        now = self._now
        if self._rows:
            self._rows.record_once(now, *self._beside())
        states = dict(zip(self._info.states, now.x.tolist(), strict=True))
        what = Outcome.INPUT_FAILED, now.t, states, error.time, states
        return Failure(*what, None, None, None, None, error.what)

    @property
    def _loop(self) -> EventLoop:
        if self._opened is None:
            self._opened = EventLoop(self._problem, self._method, self._queue, self._longest)
        return self._opened

    def finish(self) -> None:
        """Advance, unless the model or the stop time has ended the run."""
        if self._now.t < self._queue.outputs[-1] and self.ending is None:
            self.advance()

    def advance(self) -> None:
        """Integrate and settle events up to the end."""
        status = ROWS_FULL
        while status == ROWS_FULL:
            last_row = self._rows.last_time if self._rows else math.nan
            status = self._take(self._loop.advance(self._now, last_row))

    def _take(self, done: Advance) -> int:
        """Take over what C has done, and why it ended."""
        self._now = done.now
        if len(done.rows[0]):
            self._rows.append(done.rows)
        self.counts += done.counts
        self.events.update(done.events)
        if self._info.states:
            name, memory = self._method.full_name, self._problem.memory
            self.method = name(memory) if name else self._loop.implicit or self._method.name
        self._end(done.status, done.failure)
        return done.status

    def _end(self, status: int, reason: Reason) -> None:
        """Stopped or KeyboardInterrupt if C has ended so."""
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        if status != RUN_FAILED:
            return
        if reason is None or isinstance(reason, SegmentResult):
            raise Stopped(self._without_rates() if reason is None else self._failed(reason))
        with self._stopping():
            raise reason

    def close(self) -> None:
        """Free the memory of the loop in C."""
        if self._opened is not None:
            self._opened.close()

    def rest(self) -> list[str]:
        """Free what the controllers hold. What went wrong."""
        return [] if self._problem.controllers is None else self._problem.controllers.rest()

    def _failed(self, result: SegmentResult) -> Failure:
        """Why the integration has failed."""
        obstacle = _point_without_values(self._problem, result, self._now.m)
        ended = result.lost is not None and result.outcome is Outcome.STEP_TOO_SMALL
        failure = self._failure(Outcome.NOT_FINITE if ended else result.outcome, obstacle)
        if result.lost is not None and result.lost.unsolved and failure.origin is None:
            failure = replace(failure, fault=Fault("E633", self._info.faults[result.lost.unsolved - 1]))
        return failure

    def trajectory(self) -> tuple[Trajectory, InputFailure | None]:
        """All rows so far, up to the first one at which a function of an input fails; and this failure."""
        return self._rows.trajectory(self._problem.inputs, self._queue.rounding)

    def _without_rates(self) -> Failure:
        start = self._now.t == self._queue.outputs[0]
        return self._failure(Outcome.NOT_FINITE_AT_START if start else Outcome.NOT_FINITE)

    def _beside(self) -> tuple[Vector, Vector]:
        """What a row at this instant has beside states and held values: guesses, and delayed values."""
        guesses = self._problem.values.w[None, : self._info.n_guesses].copy()
        return guesses, self._problem.inputs.delayed(np.array([self._now.t]))

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Convert errors of events inside the block into a failure of the run at its current point."""
        try:
            yield
        except EventFailure as error:
            now = self._now
            if self._rows:
                self._rows.record_once(now, *self._beside())
            states = dict(zip(self._info.states, now.x.tolist(), strict=True))
            failure = Failure(
                error.outcome, now.t, states, now.t, states, None, None, None, error.fault, error.what, error.details
            )
            raise Stopped(failure) from error

    def _failure(self, outcome: Outcome, bad: tuple[float, Vector] | None = None) -> Failure:
        now, problem = self._now, self._problem

        def point(t: float, x: Vector) -> Point:
            return Point(t, x, problem.inputs.at(t), now.m)

        # The integration has since passed an earlier undefined point: it was no obstacle.
        tried = point(*bad) if bad is not None and bad[0] >= now.t else None
        at = now.t if tried is None else tried.t
        without = problem.inputs.without_value(at)
        if without is not None:
            name, value = self._info.inputs[without], problem.inputs.given_at(at)[without]
            return self.input_failed(InputFailure(f"the function of the input '{name}' returned {value!s}", at))
        first = self._rows.before_event(now.t)
        before = None if first is None else replace(point(now.t, first[0]), modes=first[1])
        failure = explain(problem.model, problem.values, outcome, point(now.t, now.x), tried, before)
        return replace(failure, method=self.method)


def _point_without_values(problem: Problem, result: SegmentResult, modes: Vector) -> tuple[float, Vector] | None:
    """The point without values that ended the segment. Just before the end of a branch of solutions another branch
    exists too, so it is sought farther ahead."""
    if result.lost is None or result.bad is None:
        return result.bad
    bad_t, bad_x = result.bad
    for factor in (1.0, 10.0, 100.0, 1000.0):
        t, x = result.t + factor * (bad_t - result.t), result.x + factor * (bad_x - result.x)
        instants, u = np.array([t]), problem.inputs.at(t)[None, :]
        y = problem.model.variables(instants, x[None, :], u, problem.values, modes[None, :])
        if not np.isfinite(y[:, : problem.model.info.n_variables]).all():
            return t, x
    return result.bad
