"""Lets the loop of events in C integrate segments by methods outside: segments.h calls back. Contains no steps."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_double, c_int, c_long
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.failures import OUTCOMES
from cutset.runtime.runs.run_block import RunBlock
from cutset.runtime.solvers.method import Problem, Segment, SegmentResult
from cutset.runtime.solvers.solved_unknowns import integrated
from cutset.runtime.targets.c_records import constant

SegmentCallback = CFUNCTYPE(c_int, c_long, c_long)
Integrate = Callable[[Problem, Segment], SegmentResult]
_STATUS = {
    Outcome.COMPLETED: constant("DONE"),
    Outcome.INTERRUPTED: constant("INTERRUPTED"),
    **{outcome: status for status, outcome in OUTCOMES.items()},
}


class OutsideMethod:
    """A method that integrates the segments of a run in C; `name` is its full name."""

    def __init__(self, integrate: Integrate, problem: Problem, run: RunBlock):
        self._method, self._problem, self._run, self._events = integrate, problem, run, run.events
        self._info, self.name = problem.model.info, ""
        self.callback = SegmentCallback(self._integrate)

    def _integrate(self, row: int, n: int) -> int:
        """Integrate from the state over the n times from this row on; a status of driver.h."""
        run, memory = self._run, self._problem.memory
        memory.pace = run.data.watch.pace
        segment, status = self._segment(row, n), _STATUS[Outcome.INTERRUPTED]
        self._events.report.t = segment.start
        try:
            status = self._take(self._method(self._tightened(), segment), row)
        except BaseException as error:  # no exception can pass through C
            run.stop(error)
        run.data.watch.pace = memory.pace
        run.connect()
        return status

    def _segment(self, row: int, n: int) -> Segment:
        info, data, state = self._info, self._events, self._events.state
        margins = numbers_at(self._run.data.watch.margin, len(info.crossings))
        x, m, scales = (
            numbers_at(at, size).copy()
            for at, size in ((state.x, len(info.states)), (state.m, info.n_modes), (state.scales, len(info.crossings)))
        )
        times = numbers_at(data.row_t, row + n)[row:].copy()
        held = dict(zip(info.crossings, margins.tolist(), strict=True))
        return Segment(state.t, x, m, times, scales, data.careful.max_step, held)

    def _tightened(self) -> Problem:
        problem, limits = self._problem, self._events.careful
        atol = numbers_at(limits.atol, len(self._info.states)).copy()
        return replace(problem, model=integrated(problem.model), rtol=limits.rtol, atol=atol)

    def _take(self, result: SegmentResult, row: int) -> int:
        """Give C what the method has done, with the states from this row on."""
        data, run, reached = self._events, self._run.data, len(result.states)
        for place, numbers in ((data.row_x, result.states), (data.row_guesses, result.guesses)):
            first = row * numbers.shape[1]
            numbers_at(place, first + numbers.size)[first:] = numbers.ravel()
        numbers_at(data.state.x, len(result.x))[:] = result.x
        data.report.t, data.report.reached, data.report.crossed = result.t, reached, bool(result.crossed)
        data.report.steps = result.counts.steps
        data.tally.steps += result.counts.steps
        data.tally.evaluations += result.counts.evaluations
        data.tally.rejected += result.counts.error_test_failures
        if result.crossed:
            numbers_at(run.watch.crossed, len(result.crossed))[:] = result.crossed
        if result.bad is not None:
            run.bad_evaluations, run.bad_t = 1, result.bad[0]
            numbers_at(run.bad_x, len(result.x))[:] = result.bad[1]
        run.branch.lost = result.lost is not None
        if result.lost is not None:
            numbers_at(run.branch.last, len(result.lost.last))[:] = result.lost.last
            numbers_at(run.branch.motion, len(result.lost.motion))[:] = result.lost.motion
            run.branch.unsolved = result.lost.unsolved
        self.name = result.method or self.name
        if result.failed is not None:
            self._run.stop(result.failed)
        elif result.outcome is Outcome.INTERRUPTED:
            run.interrupted = 1
        return _STATUS[Outcome.INTERRUPTED if result.failed is not None else result.outcome]


def numbers_at(place: int | None, count: int) -> NDArray[Any]:
    """A view of so many numbers there."""
    numbers: Any = (c_double * count).from_address(place or 0)
    return np.frombuffer(numbers) if count else np.zeros(0)
