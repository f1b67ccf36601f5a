"""Explains why a run has failed: its state at the end, its rows and its status -> a `Failure`. Integrates nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.analysis.explain import Failure, explain
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.errors import Fault
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.failures import FailedSegment
from cutset.runtime.runs.rows import Chunk, before_event, joined
from cutset.runtime.runs.run import INTERRUPTED, NOT_DEFINED, RUN_FAILED, Settings
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.texts import with_values


def failed(end: Snapshot, rows: Chunk, status: int, settings: Settings) -> tuple[Failure | None, Chunk]:
    """Why a run with this status has not reached its end, None if it has; and its rows, with those at which an event or
    an input has failed."""
    failing = _Failing(end, rows, settings)
    if status == INTERRUPTED:
        failure = failing.explained(Outcome.INTERRUPTED)
    elif status == NOT_DEFINED:
        failure = failing.explained(Outcome.VARIABLE_NOT_FINITE)
    elif status == RUN_FAILED:
        failure = failing.failure()
    else:
        return None, rows
    is_at_end = isinstance(end.reason, EventFailure) or failure.outcome is Outcome.INPUT_FAILED
    return failure, _with_end(end, rows) if is_at_end and len(rows[0]) and rows[0][-1] != end.t else rows


def input_failed(end: Snapshot, error: InputFailure) -> Failure:
    """The failure to report after a function of an input failed."""
    states = dict(zip(end.model.info.states, end.x.tolist(), strict=True))
    what = Outcome.INPUT_FAILED, end.t, states, error.time, states
    return Failure(*what, None, None, None, None, error.what)


def _with_end(end: Snapshot, rows: Chunk) -> Chunk:
    n, t = end.model.info.n_guesses, np.array([end.t])
    try:
        last = t, end.x[None], end.m[None], end.values.w[None, :n], end.inputs.over(t)
    except InputFailure:
        return rows
    return joined([rows, last])


class _Failing:
    """A run that has failed."""

    def __init__(self, end: Snapshot, rows: Chunk, settings: Settings):
        self._end, self._rows, self._settings, self._info = end, rows, settings, end.model.info

    def failure(self) -> Failure:
        """Why, as C has noted it."""
        end, why = self._end, self._end.reason
        if isinstance(why, InputFailure):
            return input_failed(end, why)
        if isinstance(why, FailedSegment):
            return self._of_segment(why)
        if isinstance(why, EventFailure):
            states = dict(zip(self._info.states, end.x.tolist(), strict=True))
            known = (
                why.outcome,
                end.t,
                states,
                end.t,
                states,
                None,
                None,
                None,
                why.fault,
                with_values(why.what, end),
                why.details,
            )
            return Failure(*known)
        is_start = end.t == self._settings.outputs[0]
        return self.explained(Outcome.NOT_FINITE_AT_START if is_start else Outcome.NOT_FINITE)

    def _of_segment(self, result: FailedSegment) -> Failure:
        obstacle = self._point_without_values(result)
        ended = result.is_lost and result.outcome is Outcome.STEP_TOO_SMALL
        failure = self.explained(Outcome.NOT_FINITE if ended else result.outcome, obstacle)
        if result.unsolved and failure.origin is None:
            failure = replace(failure, fault=Fault("E633", self._info.faults[result.unsolved - 1]))
        return failure

    def explained(self, outcome: Outcome, bad: tuple[float, Vector] | None = None) -> Failure:
        """This outcome, with the equation that caused it; at the point `bad` there were no values."""
        end, inputs = self._end, self._end.inputs

        def point(t: float, x: Vector) -> Point:
            return Point(t, x, inputs.at(t), end.m)

        # The integration has since passed an earlier undefined point: it was no obstacle.
        tried = point(*bad) if bad is not None and bad[0] >= end.t else None
        at = end.t if tried is None else tried.t
        without = inputs.without_value(at)
        if without is not None:
            name, value = self._info.inputs[without], inputs.given_at(at)[without]
            return input_failed(end, InputFailure(f"the function of the input '{name}' returned {value!s}", at))
        first = before_event(self._rows, end.t)
        before = None if first is None else replace(point(end.t, first[0]), modes=first[1])
        failure = explain(end.model, end.values, outcome, point(end.t, end.x), tried, before)
        return replace(failure, method=end.name_of(self._settings.method))

    def _point_without_values(self, result: FailedSegment) -> tuple[float, Vector] | None:
        """The point without values that ended the segment. Just before the end of a branch of solutions another branch
        exists too, so it is sought farther ahead."""
        if not result.is_lost or result.bad is None:
            return result.bad
        end, (bad_t, bad_x) = self._end, result.bad
        for factor in (1.0, 10.0, 100.0, 1000.0):
            t, x = end.t + factor * (bad_t - end.t), end.x + factor * (bad_x - end.x)
            instants, u = np.array([t]), end.inputs.at(t)[None, :]
            y = end.model.variables(instants, x[None, :], u, end.values, end.m[None, :])
            if not np.isfinite(y[:, : self._info.n_variables]).all():
                return t, x
        return result.bad
