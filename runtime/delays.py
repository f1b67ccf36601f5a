"""Keeps the history of what the model delays, event by event. Interpolates nothing itself.

Up to the start a delayed quantity was what it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cutset.runtime.events import EventFailure, EventState
from cutset.runtime.history import History
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.method import Counts, Problem, Segment, SegmentResult

_ROUNDS = 50
_SAME = 1e-12
# So many quantities that depend on each other at the start are solved for together.
_MOST_TOGETHER = 200
# Delays below this part of the run are relaxed; how long segments are then, at first and at most; and the rounds of
# one.
_SHORT, _AT_FIRST, _LONGEST, _RELAXATIONS = 1e-3, 1e-4, 2e-2, 10
_LEAST_ATOL = 1e-8


def with_history(model: CompiledModel, values: Values, inputs: Inputs) -> Inputs:
    """The inputs with a memory for what the model delays. RunError for a delay that is no positive time."""
    info = model.info
    if not info.delays:
        return inputs
    u = np.zeros(len(info.inputs) + len(info.delays))
    delayed = model.delayed(0.0, np.zeros(len(info.states)), u, values, np.zeros(info.n_modes))
    history = History(info.delays, delayed[:, 1])
    history.restart(0.0, np.zeros(len(info.delays)))
    return replace(inputs, history=history)


def delayed_values(problem: Problem, t: float, x: Vector, m: Vector) -> Vector:
    """What is delayed, as it is at this point."""
    return problem.model.delayed(t, x, problem.inputs.at(t), problem.values, m)[:, 0]


def begin(problem: Problem, t: float, initialize: Callable[[], EventState]) -> EventState:
    """The state after the first event of a run, at which all delayed quantities are what they were before. EventFailure
    where there is none."""
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
        Outcome.NO_START, "no start was found at which delayed quantities stay what they are", names[:12]
    )


def _better(evaluate: Callable[[Vector], tuple[Vector, EventState]], values: Vector, found: Vector) -> Vector:
    """Newton's step for found(values) = values, with differences."""
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
    """Segments that are longer than the shortest delay of a run of `span` seconds: what is delayed by less is not
    known yet. It is guessed, integrated, interpolated in what has come out, until that stays the same (waveform
    relaxation: E. Lelarasmee, A. E. Ruehli, A. L. Sangiovanni-Vincentelli, IEEE Trans. CAD 1 (1982) 131-145). `reach`
    is how long such a segment may be."""

    def __init__(self, shortest: float, span: float):
        self._shortest, self._longest = shortest, span * _LONGEST
        self.reach = max(shortest, span * _AT_FIRST) if shortest < span * _SHORT else shortest

    def integrate(
        self, problem: Problem, segment: Segment, advance: Callable[[Segment], SegmentResult]
    ) -> SegmentResult | None:
        """The result of the segment; None where it has to be shorter."""
        history = problem.inputs.history
        assert history is not None
        if segment.times[-1] - segment.start <= self._shortest * (1.0 + _SAME):
            return advance(segment)
        size, counts = history.size, Counts()
        times, guess = segment.times, history.ahead(segment.times)
        for number in range(_RELAXATIONS):
            history.forget(size)
            history.add(times, guess)
            history.evaluate(segment.start, float(times[-1]))
            result = advance(segment)
            counts += result.counts
            points = _points(history.times[size - 1], times, result)
            found = np.array([delayed_values(problem, t, x, segment.modes) for t, x in points]).reshape(len(points), -1)
            reached = np.array([t for t, _ in points])
            history.forget(size)
            same = len(points) > 0 and _close(problem, found, reached, times, guess)
            if same or result.outcome is not Outcome.COMPLETED:
                history.add(reached, found)
                history.evaluate(result.t, result.t)
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
    """Whether what has come out is what was guessed, to a part of the tolerance."""
    before = np.column_stack([np.interp(reached, times, column) for column in guess.T])
    allowed = 0.1 * (problem.rtol * np.abs(found) + float(problem.atol.min(initial=_LEAST_ATOL)))
    return bool((np.abs(found - before) <= allowed).all())


def _continued(guess: Vector, times: Vector, reached: Vector, found: Vector) -> Vector:
    """What has come out, and behind it the guess, moved so that it goes on."""
    n = int(np.searchsorted(times, reached[-1], side="right"))
    made = np.column_stack([np.interp(times, reached, column) for column in found.T])
    made[n:] = guess[n:] + (found[-1] - guess[max(n - 1, 0)])
    return made


def _points(after: float, times: Vector, result: SegmentResult) -> list[tuple[float, Vector]]:
    """What a segment has reached after this instant: the first of the times, and its end."""
    points = [(float(t), x) for t, x in zip(times, result.states, strict=False)]
    if not points or points[-1][0] < result.t:
        points.append((result.t, result.x))
    return [(t, x) for t, x in points if t > after]


def keep(problem: Problem, times: Vector, result: SegmentResult, modes: Vector) -> None:
    """Remembers what was delayed along a segment, which has reached the first of these times and then its end."""
    history = problem.inputs.history
    if history is None:
        return
    points = _points(history.times[history.size - 1], times, result)
    if points:
        rows = np.array([delayed_values(problem, t, x, modes) for t, x in points])
        history.add(np.array([t for t, _ in points]), rows)


def note_event(problem: Problem, state: EventState, is_event: bool) -> None:
    """After an instant at which a delayed value may have jumped, or at which something else has happened: where what is
    delayed jumps in turn, or may bend, a new piece begins."""
    history = problem.inputs.history
    assert history is not None
    values = delayed_values(problem, state.t, state.x, state.m)
    before = history.values[history.size - 1]
    if is_event or not np.allclose(values, before, rtol=1e-9, atol=1e-12):
        history.add(np.array([state.t]), values[None, :], begins=True)
