"""Runs from event to event in C: c/run/run.h. Contains no steps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from ctypes import addressof, byref, c_long, c_void_p, cast
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.event_state import ARRAYS, EventState
from cutset.runtime.events.event_tables import steppable
from cutset.runtime.events.relations import fulfilled
from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.given.history import History
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import Vector
from cutset.runtime.runs.crossing_noise import CrossingNoise
from cutset.runtime.runs.event_memory import (
    OF_CROSSING,
    ROOM,
    describe,
    events_of,
    model_sizes,
    point_to_breaks,
    rows_for,
)
from cutset.runtime.runs.failures import Point, Reason, reason
from cutset.runtime.runs.outside_methods import OutsideMethod, numbers_at
from cutset.runtime.runs.rows import Chunk
from cutset.runtime.solvers.c_constants import tableau_in_c
from cutset.runtime.solvers.c_loops import CRun, c_run
from cutset.runtime.solvers.implicit import ImplicitSolver, solver_for
from cutset.runtime.solvers.method import Counts, Method, Problem, Segment
from cutset.runtime.solvers.solved_unknowns import solving_engine
from cutset.runtime.solvers.tableaus import DOPRI5, RK4
from cutset.runtime.targets.c_records import (
    AgainCallback,
    Control,
    EventData,
    NoiseCallback,
    Tally,
    address,
    place_memory,
    sizes_of,
)

# The order of the enum in run.h.
AT_STOP, COMPLICATED, ROWS_FULL, INTERRUPTED, NEEDS_SOLVER, RUN_ENDED, HISTORY_FULL, _, RUN_FAILED = range(9)


@dataclass(frozen=True, eq=False)
class Advance:
    """What a call did: the moment that the run has reached, its rows (times, states, held values, guesses, delayed
    values), its work, how many events of each kind it settled, and why it ended, as in run.h; if the run has failed,
    its `Reason`."""

    now: EventState
    rows: Chunk
    counts: Counts
    events: Counter[str]
    status: int = AT_STOP
    failure: Reason = None


class _Mark(NamedTuple):
    """A moment of a loop to return to: pairs of an array and its numbers."""

    t: float
    acted: int
    tally: Tally
    pace: float
    pairs: list[tuple[Vector, Vector]]
    history: History | None


class EventLoop:
    """The loop for one run: its tables and work memory. `longest` is the longest step."""

    def __init__(self, problem: Problem, method: Method, queue: TimeEventQueue, longest: float):
        self._problem, self._queue, values = problem, queue, problem.values
        self._info: ModelInfo = problem.model.info
        self._engine = solving_engine(problem.model, values)
        self._past = np.zeros(len(self._info.assertions), dtype="l")
        self._tableau = method.tableau if method.tableau is not None and self._info.states else RK4
        self._family, self._method = method.family, method
        self._outside: OutsideMethod | None = None
        self._session = ExitStack()
        self._solver: ImplicitSolver | None = None
        self._failed: InputFailure | None = None
        self._run = self._open_run()
        self._control = Control(
            problem.rtol, address(problem.atol), longest, problem.nearest, problem.max_steps, method.detects_stiffness
        )
        self._kept: list[NDArray[Any]] = []
        self._data = EventData()
        self._describe_model()
        self._describe_run(longest, method)
        self._make_memory()
        if self._info.states and method.tableau is None and method.family is None:
            self._integrate_outside()
        if self._info.n_algebraic and self._info.crossings:
            self._noise = CrossingNoise(problem)
            self._find_noise = NoiseCallback(self._write_noise)
            data = self._data
            data.find_noise = cast(self._find_noise, c_void_p).value

    def advance(self, now: EventState, last_row: float) -> Advance:
        """Run from `now` to the stop, or until the rows are full. `last_row` is the time of the latest row. The guesses
        and the memory of the methods are updated."""
        self.enter(now, last_row)
        return self._ended(now, self._called())

    def begin(self, now: EventState) -> Advance:
        """Settle the events at the start `now`."""
        self.enter(now, math.nan)
        return self._ended(now, self._called(is_start=True))

    def settled(self, now: EventState) -> EventState:
        """The moment after events at `now`, where no sample is due. EventFailure, InputFailure."""
        self.enter(replace(now, latest_event=now.t, tightening=1.0), math.nan)
        self._data.inputs_changed = True
        done = self._ended(now, self._called())
        if isinstance(done.failure, BaseException):
            raise done.failure
        return done.now

    def go_on_from(self, now: EventState, replaced: Vector | None, changed: bool) -> None:
        """Continue a run from this moment: what ends a run there does not do so again. The inputs have `changed` from
        those that are `replaced`, or not."""
        problem, info = self._problem, self._info
        if info.n_results > info.n_variables:
            x, m, u = now.x[None, :], now.m[None, :], problem.inputs.at(now.t)[None, :]
            y = problem.model.variables(np.array([now.t]), x, u, problem.values, m)[0]
            self._past[:] = fulfilled(info, y)
        self._data.inputs_changed = changed
        if changed and replaced is not None:
            self._step_inputs(replaced)

    def _step_inputs(self, was: Vector) -> None:
        """Inputs step from these values at the next event: those whose derivative is an input too, and zero."""
        pairs, now, functions = steppable(self._info), self._problem.inputs.constant, self._problem.inputs.functions
        steps = np.zeros((len(pairs), 2))
        for i, (k, d) in enumerate(pairs):
            if now[d] == was[d] == 0.0 and not {k, d} & set(functions):
                steps[i, 0] = now[k] - was[k]
        stepped = np.array(pairs, dtype=np.dtype(c_long)).ravel()
        self._kept += [steps, stepped]
        jumps = self._data.jumps
        jumps.n_stepped, jumps.stepped, jumps.step = len(pairs), address(stepped), address(steps)

    def _ended(self, now: EventState, status: int) -> Advance:
        left = self.leave(now)
        if status != RUN_FAILED:
            return replace(left, status=status)
        failure: Reason = self._failed
        if failure is None:
            failure = reason(self._problem.model, self._data.failure, Point(left.now.t, left.now.x), self._queue.span)
        return replace(left, status=status, failure=failure)

    @property
    def time(self) -> float:
        """The time that the run has reached."""
        return float(self._data.now.t)

    def step(self, stop: float, span: float, longest: float, inputs: Mapping[int, float]) -> bool:
        """Go on to `stop` as part of a run of `span` seconds, after giving these inputs, by number, new values. False
        if it does not get there: then nothing has changed. KeyboardInterrupt, by Ctrl-C, changes nothing either."""
        data, run, before = self._data, self._run, self._mark()
        self._outputs[:] = data.now.t, stop
        if self._problem.isolation is not None:
            self._problem.isolation.reach(data.now.t, stop, span or 1.0)
        data.span, data.run_span, data.max_step, data.last_row = span, span or 1.0, longest, data.now.t
        if self._problem.inputs.history is not None:
            self._problem.inputs.history.span = span or 1.0
            self._problem.inputs.history.enter_just_after(data.now.t)
        data.tally.rows = 0
        for index, value in inputs.items():
            data.inputs_changed |= run.u[index] != value
            run.u[index] = value
        status = ROWS_FULL
        while status == ROWS_FULL:
            status = self._called()
            if data.tally.rows:  # no one reads them
                data.last_row, data.tally.rows = self._rows[0][data.tally.rows - 1, 0], 0
        if status == AT_STOP:
            return True
        self._return_to(before)
        self._problem.call_again(-math.inf)
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        return False

    def _mark(self) -> _Mark:
        data, run, info = self._data, self._run, self._info
        w, memory = self._problem.values.w, self._problem.memory
        numbers = (
            *(
                self._block,
                run.u,
                self._problem.inputs.window,
                w[: data.n_kept],
                self._crossings,
                memory.crossing_sizes(info),
            ),
            *((memory.sizes(info, self._problem.values),) if info.n_guesses else ()),
        )
        pairs = [(array, array.copy()) for array in numbers]
        history = self._problem.inputs.history
        kept = None if history is None else history.copy()
        return _Mark(data.now.t, data.now.acted, Tally.from_buffer_copy(data.tally), run.data.watch.pace, pairs, kept)

    def _return_to(self, mark: _Mark) -> None:
        data = self._data
        data.now.t, data.now.acted, data.tally, self._run.data.watch.pace = mark.t, mark.acted, mark.tally, mark.pace
        self._problem.memory.pace, data.inputs_changed, data.ended, data.failure.cause = mark.pace, 0, 0, 0
        for array, kept in mark.pairs:
            array[...] = kept
        if mark.history is not None and self._problem.inputs.history is not None:
            self._problem.inputs.history.become(mark.history)

    def close(self) -> None:
        """Free what SUNDIALS has allocated."""
        self._session.close()
        if self._solver is not None:
            self._solver.free()

    def _open_run(self) -> CRun:
        problem, info = self._problem, self._info
        none = np.zeros(info.n_modes), np.array([self._queue.outputs[0]]), np.zeros(len(info.crossings))
        segment = Segment(float(self._queue.outputs[0]), np.zeros(len(info.states)), *none)
        return self._session.enter_context(c_run(problem, segment, self._engine))

    def _write_noise(self, t: float, x: int, m: int, noise: int) -> None:
        """As c/driver.h describes it."""
        info = self._info
        try:
            found = self._noise.at(t, numbers_at(x, len(info.states)).copy(), numbers_at(m, info.n_modes).copy())
            numbers_at(noise, len(info.crossings))[:] = found
        except BaseException as error:  # no exception can pass through C
            self._run.stop(error)
        self._engine.connect(self._problem.controllers, self._run.stop)

    def _open_solver(self) -> None:
        """Let C integrate with SUNDIALS, or have segments integrated outside if there is none."""
        problem = self._problem
        self._solver = solver_for(self._engine, self._family, self._run.data, problem.values.n)
        if self._solver is None:
            self._integrate_outside()
        else:
            self._data.solver = addressof(self._solver.record)

    def _integrate_outside(self) -> None:
        integrate = self._method.integrate
        if self._family is not None:
            from cutset.runtime.solvers.cvode import integrate as of_family

            integrate = partial(of_family, self._family)
        assert integrate is not None, "C has a solver for all other methods"
        self._outside = OutsideMethod(integrate, self._problem, self._run, self._data, self._engine)
        self._data.segment = cast(self._outside.callback, c_void_p).value

    def _called(self, is_start: bool = False) -> int:
        """Call C until it reaches the stop, or has settled the start: the status."""
        run, data, controllers = self._run, self._data, self._problem.controllers
        its_run, control, events = byref(run.data), byref(self._control), byref(data)
        call = partial(run.functions.run, its_run, control, byref(tableau_in_c(self._tableau)), events)
        if is_start:
            call = partial(run.functions.settle_start, its_run, control, events)
        self._engine.connect(controllers, run.stop)
        self._failed = None
        run.data.watch.pace, run.data.interrupted = self._problem.memory.pace, 0
        history = self._problem.inputs.history
        while True:
            if history is not None:
                history.make_room(data.now.t)
                run.data.history = history.record(len(self._info.inputs), len(self._info.states), self._info.n_guesses)
            with run.noting_interrupts():
                status: int = call()
            self._problem.memory.pace = run.data.watch.pace
            if history is not None:
                history.take(run.data.history)
            if run.errors:
                error = run.errors[0]
                run.errors.clear()
                if not isinstance(error, InputFailure):
                    raise error
                run.data.interrupted, self._failed = 0, error
                return RUN_FAILED
            if status == ROWS_FULL and not data.tally.rows:
                self._make_rows(2 * data.capacity)
            elif status == HISTORY_FULL:
                continue
            elif status == NEEDS_SOLVER:
                self._open_solver()
            else:
                if controllers is not None and status != AT_STOP:
                    controllers.again_after(data.now.t)
                return status

    # --- tables

    def _describe_model(self) -> None:
        info, data = self._info, self._data
        self._kept += describe(info, data)
        data.past = address(self._past) if len(self._past) else None
        if self._problem.isolation is not None:
            data.isolation = addressof(self._problem.isolation.data)

    def _describe_run(self, longest: float, method: Method) -> None:
        data, queue = self._data, self._queue
        self._outputs = np.array(queue.outputs)
        data.outputs, data.n_outputs = address(self._outputs), len(self._outputs)
        data.is_automatic, data.is_implicit, data.max_step = method.detects_stiffness, not method.tableau, longest
        data.span, data.run_span = queue.span, queue.span or 1.0
        if self._problem.controllers is not None:
            self._again = AgainCallback(self._problem.call_again)
            data.again = cast(self._again, c_void_p).value
        self._kept += point_to_breaks(data, self._problem.inputs)

    def _make_memory(self) -> None:
        info, data = self._info, self._data
        sizes = model_sizes(info, max(len(self._tableau.rows), len(DOPRI5.rows)) + 6)
        self._crossings = np.zeros(OF_CROSSING * len(info.crossings))
        data.history = address(self._crossings)
        self._kept.append(place_memory((data, data.jumps, data.failure, data.state, data.before), sizes))
        self._block = place_memory((data.now,), sizes)
        of_moment = sizes_of("cutset_moment", sizes)
        parts = pairwise(accumulate(of_moment.values(), initial=0))
        self._moment = {name: self._block[a:b] for name, (a, b) in zip(of_moment, parts, strict=True)}
        self._make_rows(len(self._queue.outputs) + ROOM)

    def _make_rows(self, capacity: int) -> None:
        self._rows = rows_for(self._info, self._data, capacity)

    # --- each call

    def enter(self, now: EventState, last_row: float) -> None:
        """Start the next call from this moment, as in `advance`."""
        data, stiffness, arrays = self._data, self._problem.memory.stiffness, self._moment
        data.now.t, data.now.acted, data.last_row = now.t, now.acted, last_row
        for name in ARRAYS:
            arrays[name][:] = getattr(now, name)
        self._crossings[:] = now.history
        data.ended = data.failure.cause = 0
        data.tally = Tally(*now.calm, now.latest_event, now.tightening)
        data.tally.stiff, data.tally.gentle = stiffness.border, stiffness.gentle
        data.tally.segments, data.tally.stiff_segments = stiffness.segments, stiffness.stiff
        data.tally.left, data.tally.trust = stiffness.left, stiffness.trust
        data.tally.stiff_since = math.nan if stiffness.since is None else stiffness.since

    def _leave_stiffness(self, tally: Tally) -> None:
        stiffness = self._problem.memory.stiffness
        stiffness.border, stiffness.gentle, stiffness.segments = tally.stiff, tally.gentle, tally.segments
        stiffness.left, stiffness.trust = tally.left, tally.trust
        if tally.stiff_segments > stiffness.stiff:
            stiffness.stiff, stiffness.since = tally.stiff_segments, tally.stiff_since
            stiffness.implicit = self.implicit

    @property
    def implicit(self) -> str:
        """The full name of the method of SUNDIALS, or outside; empty if it has not been used."""
        if self._outside is not None:
            return self._outside.name
        return "" if self._solver is None else self._solver.name

    def leave(self, now: EventState) -> Advance:
        """What the calls since `enter` have done; `now` was the moment there."""
        data, arrays = self._data, self._moment
        tally = data.tally
        self._leave_stiffness(tally)
        ending = self._info.assertions[data.ended - 1] if data.ended else now.ending
        after = EventState.of(data.now.t, arrays, self._crossings, tally, ending, bool(data.now.acted))
        t, *rest = (array[: tally.rows].copy() for array in self._rows)
        events = events_of(tally)
        counts = Counts(tally.steps, tally.evaluations, tally.rejected)
        x, m, guesses, delayed = rest
        chunk = t.ravel(), x, m, guesses, delayed
        return Advance(after, chunk, counts, events)
