"""Maintains the history of delayed signals, event by event. Interpolates nothing itself.

Before the start a delayed signal is constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cutset.runtime.event_state import EventFailure, EventState
from cutset.runtime.history import History
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.method import Counts, Problem, Segment, SegmentResult

_ROUNDS = 50
_SAME = 1e-12
# The limit on the number of delayed signals that are solved for together at the start.
_MOST_TOGETHER = 200
# Delays below this fraction of the run use waveform relaxation; the first and the largest length of its segments, as
# fractions of the run; and the rounds per segment.
_SHORT, _AT_FIRST, _LONGEST, _RELAXATIONS = 1e-3, 1e-4, 2e-2, 10
_LEAST_ATOL = 1e-8


def with_history(model: CompiledModel, values: Values, inputs: Inputs) -> Inputs:
    """The inputs with a history of the delayed signals. RunError for a delay that is not positive."""
    info = model.info
    if not info.delays:
        return inputs
    u = np.zeros(len(info.inputs) + len(info.delays))
    delayed = model.delayed(0.0, np.zeros(len(info.states)), u, values, np.zeros(info.n_modes))
    history = History(info.delays, delayed[:, 1])
    history.restart(0.0, np.zeros(len(info.delays)))
    return replace(inputs, history=history)


def delayed_values(problem: Problem, t: float, x: Vector, m: Vector) -> Vector:
    """The signals to delay, at this point."""
    return problem.model.delayed(t, x, problem.inputs.at(t), problem.values, m)[:, 0]


def begin(problem: Problem, t: float, initialize: Callable[[], EventState]) -> EventState:
    """The state after the first event of a run, at which all delayed signals have their constant earlier values.
    EventFailure if there is none."""
    history = problem.inputs.history
    assert history is not None

    def evaluate(values: Vector) -> tuple[Vector, EventState]:
        history.restart(t, values)
        state = initialize()
        return delayed_values(problem, t, state.x, state.m), state

    values = np.zeros(len(history.delays))
    for k in range(_ROUNDS):
        found, state = evaluate(values)
        if np.allclose(found, values, rtol=_SAME, atol=_SAME):
            history.restart(t, found)
            return state
        values = _better(evaluate, values, found) if k % 10 == 9 else found
        if not np.isfinite(values).all():
            break
    names = [f"{name} = {value!r}" for name, value in zip(problem.model.info.delays, values.tolist(), strict=False)]
    raise EventFailure(
        Outcome.NO_START, "no start values were found for which the delayed quantities are constant", names[:12]
    )


def _better(evaluate: Callable[[Vector], tuple[Vector, EventState]], values: Vector, found: Vector) -> Vector:
    """A Newton step for found(values) = values, with differences."""
    n = len(values)
    if n > _MOST_TOGETHER or not np.isfinite(found).all():
        return found
    slopes = np.zeros((n, n))
    for k in range(n):
        step = np.zeros(n)
        step[k] = 1e-6 * max(1.0, abs(values[k]))
        slopes[:, k] = (evaluate(values + step)[0] - found) / step[k]
    try:
        return values + np.linalg.solve(np.eye(n) - slopes, found - values)
    except np.linalg.LinAlgError:
        return found


class Relaxation:
    """Integrates segments that are longer than the shortest delay of a run of `span` seconds. A signal with a shorter
    delay is not known yet: it is guessed, integrated, and interpolated in the outcome, until it no longer changes
    (waveform relaxation: E. Lelarasmee, A. E. Ruehli, A. L. Sangiovanni-Vincentelli, IEEE Trans. CAD 1 (1982) 131-145).
    `reach` is the current length of such a segment in s."""

    def __init__(self, shortest: float, span: float):
        self._shortest, self._longest = shortest, span * _LONGEST
        self.reach = max(shortest, span * _AT_FIRST) if shortest < span * _SHORT else shortest

    def integrate(
        self, problem: Problem, segment: Segment, advance: Callable[[Segment], SegmentResult]
    ) -> SegmentResult | None:
        """The result of the segment; None if it must be shorter."""
        history = problem.inputs.history
        assert history is not None
        if segment.times[-1] - segment.start <= self._shortest * (1.0 + _SAME):
            return advance(segment)
        size, counts = history.size, Counts()
        times, guess = segment.times, history.ahead(segment.times)
        for number in range(_RELAXATIONS):
            history.forget(size)
            history.add(times, guess)
            history.set_window(segment.start, float(times[-1]))
            result = advance(segment)
            counts += result.counts
            points = _points(history.times[size - 1], times, result)
            found = np.array([delayed_values(problem, t, x, segment.modes) for t, x in points]).reshape(len(points), -1)
            reached = np.array([t for t, _ in points])
            history.forget(size)
            same = len(points) > 0 and _close(problem, found, reached, times, guess)
            if same or result.outcome is not Outcome.COMPLETED:
                history.add(reached, found)
                history.set_window(result.t, result.t)
                self.reach *= 2.0 if number < 4 else 1.0
                self.reach = min(self.reach, max(self._longest, self._shortest))
                return replace(result, counts=counts)
            if not len(points) or not np.isfinite(found).all():
                break
            guess = _continued(guess, times, reached, found)
        history.forget(size)
        self.reach = max(0.25 * self.reach, self._shortest)
        return None


def _close(problem: Problem, found: Vector, reached: Vector, times: Vector, guess: Vector) -> bool:
    """True if the outcome equals the guess, within a fraction of the tolerance."""
    before = np.column_stack([np.interp(reached, times, column) for column in guess.T])
    allowed = 0.1 * (problem.rtol * np.abs(found) + float(problem.atol.min(initial=_LEAST_ATOL)))
    return bool((np.abs(found - before) <= allowed).all())


def _continued(guess: Vector, times: Vector, reached: Vector, found: Vector) -> Vector:
    """The outcome, followed by the guess shifted so that it continues it."""
    n = int(np.searchsorted(times, reached[-1], side="right"))
    made = np.column_stack([np.interp(times, reached, column) for column in found.T])
    made[n:] = guess[n:] + (found[-1] - guess[max(n - 1, 0)])
    return made


def _points(after: float, times: Vector, result: SegmentResult) -> list[tuple[float, Vector]]:
    """The points that a segment has reached after this instant: the first of the times, and its end."""
    points = [(float(t), x) for t, x in zip(times, result.states, strict=False)]
    if not points or points[-1][0] < result.t:
        points.append((result.t, result.x))
    return [(t, x) for t, x in points if t > after]


def keep(problem: Problem, times: Vector, result: SegmentResult, modes: Vector) -> None:
    """Store the delayed signals along a segment, which has reached the first of these times and then its end."""
    history = problem.inputs.history
    if history is None:
        return
    points = _points(history.times[history.size - 1], times, result)
    if points:
        rows = np.array([delayed_values(problem, t, x, modes) for t, x in points])
        history.add(np.array([t for t, _ in points]), rows)


def note_event(problem: Problem, state: EventState, is_event: bool) -> None:
    """Record an instant at which a delayed value may have jumped, or another event: if the signals to delay jump or may
    have a kink, a new piece starts."""
    history = problem.inputs.history
    assert history is not None
    values = delayed_values(problem, state.t, state.x, state.m)
    before = history.values[history.size - 1]
    if is_event or not np.allclose(values, before, rtol=1e-9, atol=1e-12):
        history.add(np.array([state.t]), values[None, :], begins=True)
