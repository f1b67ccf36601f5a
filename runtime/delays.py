"""A run's moments in, the history of what the model delays out. Interpolates nothing itself.

Up to the start a delayed quantity was what it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cutset.runtime.events import EventFailure, Moment
from cutset.runtime.history import History
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.method import Piece, Problem

_ROUNDS = 50
_SAME = 1e-12
# So many quantities that depend on each other at the start are solved for together.
_MOST_TOGETHER = 200


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


def begin(problem: Problem, t: float, initialize: Callable[[], Moment]) -> Moment:
    """The first moment of a run, at which all delayed quantities are what they were before. EventFailure where there is none."""
    history = problem.inputs.history
    assert history is not None

    def look(values: Vector) -> tuple[Vector, Moment]:
        history.restart(t, values)
        moment = initialize()
        return delayed_values(problem, t, moment.x, moment.m), moment

    values = np.zeros(len(history.delays))
    for k in range(_ROUNDS):
        found, moment = look(values)
        if np.allclose(found, values, rtol=_SAME, atol=_SAME):
            history.restart(t, found)
            return moment
        values = _better(look, values, found) if k % 10 == 9 else found
        if not np.isfinite(values).all():
            break
    names = [f"{name} = {value!r}" for name, value in zip(problem.model.info.delays, values.tolist())]
    raise EventFailure(Outcome.NO_START, "no start was found at which delayed quantities stay what they are", names[:12])


def _better(look: Callable[[Vector], tuple[Vector, Moment]], values: Vector, found: Vector) -> Vector:
    """Newton's step for found(values) = values, with differences."""
    n = len(values)
    if n > _MOST_TOGETHER or not np.isfinite(found).all():
        return found
    slopes = np.zeros((n, n))
    for k in range(n):
        step = np.zeros(n)
        step[k] = 1e-6 * max(1.0, abs(values[k]))
        slopes[:, k] = (look(values + step)[0] - found) / step[k]
    try:
        return values + np.linalg.solve(np.eye(n) - slopes, found - values)
    except np.linalg.LinAlgError:
        return found


def keep(problem: Problem, times: Vector, piece: Piece, modes: Vector) -> None:
    """Remembers what was delayed along a piece, which has reached the first of these times and then its end."""
    history = problem.inputs.history
    if history is None:
        return
    points = [(float(t), x) for t, x in zip(times, piece.states)]
    if not points or points[-1][0] < piece.t:
        points.append((piece.t, piece.x))
    points = [(t, x) for t, x in points if t > history.times[history.size - 1]]
    if points:
        rows = np.array([delayed_values(problem, t, x, modes) for t, x in points])
        history.add(np.array([t for t, _ in points]), rows)


def note_event(problem: Problem, moment: Moment, is_event: bool) -> None:
    """After an instant at which a delayed value may have jumped, or at which something else has happened: where what is delayed jumps
    in turn, or may bend, a new segment begins."""
    history = problem.inputs.history
    assert history is not None
    values = delayed_values(problem, moment.t, moment.x, moment.m)
    before = history.values[history.size - 1]
    if is_event or not np.allclose(values, before, rtol=1e-9, atol=1e-12):
        history.add(np.array([moment.t]), values[None, :], begins=True)
