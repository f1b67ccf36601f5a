"""Executes one run: keeps its state and rows, and has three operations: begin, integrate to the next event, settle it.

Knows no integration method, no target, and nothing of the passes within an event.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn

import numpy as np

from cutset.contract.metadata import Assertion
from cutset.runtime import delays
from cutset.runtime.analysis.explain import Failure, explain
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.branch_switching import Leaps
from cutset.runtime.chatter import Chatter
from cutset.runtime.ended_run import chatter_of, state_of
from cutset.runtime.errors import Fault
from cutset.runtime.event_loop import (
    AT_STOP,
    COMPLICATED,
    INTERRUPTED,
    ROWS_FULL,
    RUN_ENDED,
    RUN_FAILED,
    EventLoop,
    applies,
)
from cutset.runtime.event_state import EventFailure, EventState, described
from cutset.runtime.events import Events
from cutset.runtime.failures import Reason
from cutset.runtime.initialize import starting_at
from cutset.runtime.inputs import InputFailure
from cutset.runtime.interface import Values, Vector, all_finite
from cutset.runtime.last_points import point_without_values
from cutset.runtime.one_segment import guesses_of, integrate_segment
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import event_indicators, fulfilled, holds, rows_that_end
from cutset.runtime.rows import Chunk, Rows
from cutset.runtime.snapshot import Snapshot
from cutset.runtime.solvers.method import FIXED_STEPS, OPAQUE_STEPS, Counts, Method, Problem, Segment, SegmentResult
from cutset.runtime.time_event_queue import TimeEventQueue, check_samples
from cutset.runtime.trajectory import Trajectory
from cutset.runtime.uncertainty import held_by_errors, widths_of
from cutset.runtime.whole_run import EndedRun

# Where integration errors are mistaken for events, tolerances are tightened down to this factor.
_TIGHTEST = 1e-6


class Stopped(Exception):
    """The run has failed; `failure` explains why."""

    def __init__(self, failure: Failure):
        self.failure = failure
        super().__init__(failure.outcome.message)


class Run:
    """A run in progress. `first_values` are its values with the guesses of the start, `method` is the name of the
    method that integrates."""

    def __init__(self, problem: Problem, method: Method, queue: TimeEventQueue, max_step: float = math.inf):
        info, self._max_step = problem.model.info, max_step
        self._problem, self._method, self._queue, self._info = problem, method, queue, info
        self._events = Events(problem, queue.same, queue.span)
        # Without error control, only short steps resolve crossings between outputs.
        fixed = bool(info.crossings) and not (method.adaptive and info.states)
        self._finest = queue.span / FIXED_STEPS if fixed and queue.span > 0.0 else math.inf
        if info.has_opaque_forcing or problem.inputs.scripted:
            self._finest = min(self._finest, queue.span / OPAQUE_STEPS or math.inf)
        self._chatter = Chatter(info, queue.span)
        self._samples = [k for k, relation in enumerate(info.relations) if relation.kind == "sample"]
        self._rows = Rows(info)
        start, none = float(queue.outputs[0]), np.zeros(0)
        self._now = EventState(
            start, np.zeros(len(info.states)), np.zeros(info.n_modes), none, none, np.zeros((0, 2)), none
        )
        self._latest_event = start
        self._instants = np.zeros((0, 2))  # of the time events, as seen from the last event
        self._tightening = 1.0  # the factor on the tolerances
        self._branches = Leaps(problem, queue.span)
        self._history, self._jump = problem.inputs.history, math.inf
        if self._history is not None:
            delays.set_up(problem, method, queue.span)
        problem.inputs.require(start, float(queue.outputs[-1]))
        problem.inputs.enter(start, queue.same)
        self._loop: EventLoop | None = None
        self._needs_python = False  # for the next segment and its event
        self._is_checked = False  # whether all variables are finite at the end
        self.first_values: Values = problem.values
        self.counts, self.method = Counts(), method.name if self._info.states else "none (no states)"
        self.events: Counter[str] = Counter()
        self.events_in_python = 0

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
        self._settle_start()

    def _settle_start(self) -> None:
        """Settle the events at the start."""
        with self._stopping():
            self._rows.record(self._now, *self._beside())
            samples_due = self._samples_due()
            self._event({}, samples_due)
            if self._history is not None:
                delays.note_event(self._problem, self._now, False, False)
            self.events.update({"sample": 1} if samples_due else {})
            if self._queue.span == 0.0:
                self._check_finite()

    def take_over(self, ended: EndedRun, rows: Chunk, status: int) -> None:
        """Continue from where C has ended with this status, instead of `begin`. KeyboardInterrupt if Ctrl-C was why."""
        self._now, self._latest_event = state_of(ended), ended.tally.latest_event
        self._chatter = chatter_of(ended, self._queue.span)
        self.first_values, self.counts = ended.first_values, ended.counts
        self.events.update(ended.events)
        self.method = ended.name_of(self._method)
        if not len(rows[0]):
            if status == INTERRUPTED:
                raise KeyboardInterrupt
            self._settle_start()
            return
        self._problem.inputs.window[:] = ended.inputs.window
        self._rows.append(rows)
        self._needs_python, self._is_checked = status == COMPLICATED, status in (AT_STOP, RUN_ENDED)
        self._tightening = ended.tally.tightening
        self._end(status, ended.failure)

    def snapshot(self) -> Snapshot:
        """The current state of the run."""
        queue = self._queue
        origin = float(queue.outputs[0]) if queue.origin is None else queue.origin
        return Snapshot(self._problem, self._now, self._chatter, self._latest_event, self._tightening, origin)

    def resume(self, snapshot: Snapshot, changed: bool) -> None:
        """Continue from the snapshot, instead of `begin`: no past event happens again, but new ones may follow if the
        inputs have `changed`. The run takes over the snapshot's problem."""
        self._chatter, self._tightening = snapshot.chatter, snapshot.tightening
        self._latest_event = snapshot.latest_event
        now = self._now = replace(snapshot.state, t=float(self._queue.outputs[0]), ending=None)
        self._events.past[:] = fulfilled(self._info, self._events.indicators(now.t, now.x, now.m))
        self.first_values = replace(self._problem.values, w=self._problem.values.w.copy())
        if self._history is not None:
            self._history.enter_just_after(self._now.t)
        self._rows.record(self._now, *self._beside())
        if changed:
            if snapshot.replaced is not None:
                self._events.jumps.step_inputs(snapshot.replaced)
            with self._stopping():
                self._event({}, [])

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

    def is_over(self) -> bool:
        """True if the model or the stop time has ended the run."""
        return self._now.t >= self._queue.outputs[-1] or self.ending is not None

    def advance(self) -> None:
        """Integrate and settle events in C, up to the end or to a segment that needs Python."""
        needs_python, self._needs_python = self._needs_python or self.ending is not None, False
        if needs_python:
            return
        if self._loop is None and applies(self._problem, self._method):
            longest = min(self._max_step, self._finest)
            self._loop = EventLoop(self._problem, self._method, self._queue, self._events, self._chatter, longest)
        status = ROWS_FULL
        while self._loop is not None and status == ROWS_FULL:
            status = self._advanced(self._loop)

    def _advanced(self, loop: EventLoop) -> int:
        """One call of the loop in C, and why it ended."""
        done = loop.advance(self._now, self._latest_event, self._rows.last_time, self._tightening)
        self._now, self._latest_event, self._tightening = done.now, done.latest_event, done.tightening
        if len(done.rows[0]):
            self._rows.append(done.rows)
        self.counts += done.counts
        self.events.update(done.events)
        if self._info.states:
            name, memory = self._method.full_name, self._problem.memory
            self.method = name(memory) if name else loop.implicit or self._method.name
        self._end(done.status, done.failure)
        return done.status

    def _end(self, status: int, reason: Reason) -> None:
        """Stopped or KeyboardInterrupt if C has ended so."""
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        if status == RUN_FAILED:
            self._fail(reason)

    def _fail(self, reason: Reason) -> NoReturn:
        """Stopped for this reason."""
        if reason is None or isinstance(reason, SegmentResult):
            raise Stopped(self._without_rates() if reason is None else self._failed(reason))
        with self._stopping():
            raise reason

    def close(self) -> None:
        """Free the memory of the loop in C."""
        if self._loop is not None:
            self._loop.close()

    def rest(self) -> list[str]:
        """Free what the controllers hold. What went wrong."""
        return [] if self._problem.controllers is None else self._problem.controllers.rest()

    def integrate(self) -> SegmentResult:
        """Integrate to the next event, or to an instant before it; record the outputs."""
        now, queue, inputs = self._now, self._queue, self._problem.inputs
        inputs.enter(now.t, queue.same)
        with self._stopping():
            self._check_finite()
            longest, calm = self._chatter.longest_step(now.t)
            self._instants = self._events.time_events(now.t, now.m)
            event = queue.next_event(now.t, self._instants, now.samples, float(inputs.window[1]))
            outputs = queue.until(now.t, min(event, float(queue.outputs[-1]), calm, self._next_jump()))
            longest = min(longest, self._max_step, self._finest)
            segment = Segment(
                now.t, now.x, now.m, outputs, now.scales, longest, widths_of(self._events, self._chatter, self._now)
            )
            if self._history is not None:
                self._history.set_window(now.t, float(outputs[-1]))
            result = integrate_segment(self._problem, self._method, segment, self._tightening)
        self.counts += result.counts
        if self._info.states:
            self.method = result.method or self.method
        self._outputs(outputs[: len(result.states)], result.states, result.guesses)
        if self.ending is None:
            self._now = replace(now, t=result.t, x=result.x)
            if result.failed is not None:
                raise result.failed
            if result.outcome is not Outcome.COMPLETED:
                if not self._leaps(result):
                    is_stuck = result.outcome in (Outcome.NO_CONVERGENCE, Outcome.STEP_TOO_SMALL)
                    self._fail((self._chatter.excused(result.t) if is_stuck else None) or result)
                result = replace(result, outcome=Outcome.COMPLETED)
        return result

    def _failed(self, result: SegmentResult) -> Failure:
        """Why the integration has failed."""
        obstacle = point_without_values(self._problem, result, self._now.m)
        ended = result.lost is not None and result.outcome is Outcome.STEP_TOO_SMALL
        failure = self._failure(Outcome.NOT_FINITE if ended else result.outcome, obstacle)
        if result.lost is not None and result.lost.unsolved and failure.origin is None:
            failure = replace(failure, fault=Fault("E633", self._info.faults[result.lost.unsolved - 1]))
        return failure

    def _leaps(self, result: SegmentResult) -> bool:
        """True if a branch of solutions of a nonlinear system has ended there, and another one continues."""
        now = self._now
        sides = self._branches.at(now.t, result, now.m)
        if sides:
            self.events["branch"] += 1
        for guesses in sides:
            beside = guesses[None, :], self._beside()[1]
            self._rows.append((np.array([now.t]), result.x[None, :], now.m[None, :], *beside))
        return bool(sides)

    def settle(self, result: SegmentResult) -> None:
        """Settle the event at the end of the segment, if there is one."""
        if self.ending is not None:
            return
        queue = self._queue
        crossed = self._crossed(result)
        now = self._now
        if queue.is_output(now.t):
            self._rows.record_once(now, *self._beside())
        samples_due = [] if queue.same(now.t, self._latest_event) else self._samples_due()
        instants = enumerate(self._instants.tolist())
        arrived = [i for i, (instant, slope) in instants if slope != 0.0 and queue.same(instant, now.t)]
        at_jump = self._history is not None and queue.same(now.t, self._jump)
        is_break = self._problem.inputs.is_break(now.t, queue.same)
        due = bool(arrived) or is_break
        inputs_jump = self._pass_jump(bool(crossed or samples_due or due or at_jump))
        if is_break:
            inputs_jump = inputs_jump or self._problem.inputs.is_jump(now.t, queue.same)
            self._problem.inputs.enter(now.t, queue.same)
        if not (crossed or samples_due or due or inputs_jump):
            if at_jump:
                delays.note_event(self._problem, now, False, True)
            return
        if crossed or samples_due or due:
            self.events_in_python += 1
            self.events["state" if crossed else "sample" if samples_due else "time"] += 1
        with self._stopping():
            # A relation that has left its crossing needs no hysteresis any more.
            kept = {k: own for k, own in now.hysteresis.items() if abs(crossed.get(k, 0)) != 1}
            self._now = replace(now, hysteresis=kept)
            for k, failure in self._chatter.note(now.t, crossed).items():
                if not self._release([k]):
                    raise failure
            signs = {k: holds(self._info, k, float(sign)) for k, sign in crossed.items()}
            self._event(signs, samples_due, inputs_jump, arrived)
            if self._now.acted:
                self._chatter.act(crossed)
            if self._history is not None:
                delays.note_event(self._problem, self._now, bool(crossed or samples_due or due), at_jump)
            if self._now.t >= queue.outputs[-1]:
                self._check_finite()

    def _pass_jump(self, may_jump: bool) -> bool:
        """Let delayed values be those just after now. True if one jumps here; then there is a row before."""
        history, now = self._history, self._now
        if history is None:
            return False
        beside = self._beside()
        jumps = delays.passes_jump(history, now.t) and may_jump
        if jumps:
            self._rows.record_once(now, *beside)
        return jumps

    def _next_jump(self) -> float:
        """The next instant at which a delayed value may jump, moved to an output time if it equals one."""
        jump = math.inf if self._history is None else self._history.next_jump(self._now.t)
        self._jump = self._queue.snapped(jump) if math.isfinite(jump) else jump
        return self._jump

    def _crossed(self, result: SegmentResult) -> dict[int, int]:
        """The relations that have crossed at the end of the segment, with their signs."""
        crossed = {k: sign for k, sign in zip(self._info.crossings, result.crossed, strict=False) if sign}
        if not crossed:
            return crossed
        self._now = replace(self._now, t=max(self._now.t, self._queue.snapped(self._now.t)))
        with self._stopping():
            held = held_by_errors(self._events, self._chatter, self._problem, self._now, crossed)
            self._now = replace(self._now, at_crossing={**self._now.at_crossing, **held})
            crossed = {k: sign for k, sign in crossed.items() if k not in held}
            early = self._events.crossings.early(self._now, crossed, self._events.rounding(self._now))
            crossed = {k: sign for k, sign in crossed.items() if k not in early}
            state = self._events.without_errors(self._now, crossed) if crossed else None
            if state is not None:
                self._now, self._tightening = state, max(0.1 * self._tightening, _TIGHTEST)
                self._release(self._chatter.refuse(state.t, [k for k in crossed if k in state.at_crossing]))
                crossed = {k: sign for k, sign in crossed.items() if k not in state.at_crossing}
            if crossed:
                self._tightening = min(10.0 * self._tightening, 1.0)
        return crossed

    def _release(self, relations: list[int]) -> bool:
        """Allow these relations to be farther beyond their crossing within the tolerance; True if that is possible."""
        hysteresis = self._events.hysteresis(self._now, relations)
        self._now = replace(self._now, hysteresis={**self._now.hysteresis, **hysteresis})
        return bool(hysteresis)

    def trajectory(self) -> tuple[Trajectory, InputFailure | None]:
        """All rows so far, up to the first one at which a function of an input fails; and this failure."""
        return self._rows.trajectory(self._problem.inputs, self._queue.rounding)

    def _event(
        self,
        crossed: Mapping[int, float],
        samples_due: list[int],
        inputs_jump: bool = False,
        arrived: Sequence[int] = (),
    ) -> None:
        before = self._now
        after = self._events.settle(before, crossed, samples_due, arrived)
        changes = inputs_jump or not (np.array_equal(after.x, before.x) and np.array_equal(after.m, before.m))
        if changes or after.ending:
            self._rows.record_once(before, *self._beside())
        if changes:
            self._rows.record(after, *self._beside())
        self._now, self._latest_event = after, before.t
        self._check_samples()

    def _samples_due(self) -> list[int]:
        """The samples that are due now, as numbers of relations."""
        self._check_samples()
        return [self._samples[k] for k in self._queue.samples_due(self._now.t, self._now.samples)]

    def _check_samples(self) -> None:
        texts = [described(self._info, k) for k in self._samples]
        check_samples(self._queue, self._now.samples, texts, self._now.t)

    def _check_finite(self) -> None:
        now, problem = self._now, self._problem
        self.counts += Counts(evaluations=1)
        dx = problem.model.derivatives(now.t, now.x, problem.inputs.at(now.t), problem.values, now.m)
        if not all_finite(self._info, dx, problem.values):
            raise Stopped(self._without_rates())

    def _without_rates(self) -> Failure:
        start = self._now.t == self._queue.outputs[0]
        return self._failure(Outcome.NOT_FINITE_AT_START if start else Outcome.NOT_FINITE)

    def _beside(self) -> tuple[Vector, Vector]:
        """What a row at this instant has beside states and held values: guesses, and delayed values."""
        return guesses_of(self._problem), self._problem.inputs.delayed(np.array([self._now.t]))

    def _outputs(self, times: Vector, states: Vector, guesses: Vector) -> None:
        """Record the rows of the last segment at output times, up to an assertion that ends the run."""
        if len(times) and not self._queue.is_output(float(times[-1])):
            times, states, guesses = times[:-1], states[:-1], guesses[:-1]
        if not len(times):
            return
        modes = np.broadcast_to(self._now.m, (len(times), len(self._now.m)))
        if any(assertion.branch < 0 and not assertion.held for assertion in self._info.assertions):
            # The guesses of the run belong to its current point and must not change.
            begun = replace(self._problem.values, w=self._problem.values.w.copy())
            y = self._problem.model.variables(times, states, self._problem.inputs.over(times), begun, modes, guesses)
            for row in rows_that_end(self._info, y, self._events.past)[:1].tolist():
                at = replace(self._now, t=float(times[row]), x=states[row])
                until = slice(row + 1)
                with self._stopping(at, self._chunk(times[until], states[until], guesses[until])):
                    ending = self._events.check(event_indicators(self._info, y[row]))
                self._now = replace(at, ending=ending)
                times, states, modes, guesses = times[until], states[until], modes[until], guesses[until]
        self._rows.append(self._chunk(times, states, guesses))

    def _chunk(self, times: Vector, states: Vector, guesses: Vector) -> Chunk:
        """Rows of the latest segment."""
        modes = np.broadcast_to(self._now.m, (len(times), len(self._now.m)))
        return times, states, modes, guesses, self._problem.inputs.delayed(times)

    @contextmanager
    def _stopping(self, at: EventState | None = None, rows: Chunk | None = None) -> Iterator[None]:
        """Convert errors inside the block into a failure of the run at its current point, or `at` this point with these
        rows."""
        try:
            yield
        except EventFailure as error:
            if at is not None and rows is not None:
                self._now = at
                self._rows.append(rows)
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
