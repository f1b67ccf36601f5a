"""Reads delayed values within a step, and stores delayed signals along steps. Interpolates nothing itself.

c/delays.h and `fill_at` in c/evaluate.h are the same, operation by operation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutset.runtime.history import MOST_PARTS, History
from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem

# Where a stretch is compared with the model, and the part of the tolerance that it may differ; the limit on rounds for
# a value that depends on itself within a step.
_COMPARED, _DIFFERS, _ROUNDS = (0.09, 0.91), 1e-3, 4


def inputs_at(problem: Problem, t: float, x: Vector, modes: Vector) -> Vector:
    """The inputs and delayed values at (t, x): a value that is delayed by less than the present step depends on that
    point."""
    u, history = problem.inputs.at(t), problem.inputs.history
    if history is None or not history.needs_closing(t):
        return u
    values, n = problem.values, len(problem.inputs.constant)
    guesses = values.w[: problem.model.info.n_guesses].copy()
    for _ in range(_ROUNDS):
        found = problem.model.delayed(t, x, u, values, modes)[:, 0]
        if not history.close_values(t, found, u[n:]):
            break
    values.w[: len(guesses)] = guesses
    return u


class Recorder:
    """Stores the delayed signals along the steps of a segment. `near` sets the guesses of iterations at an instant."""

    def __init__(self, problem: Problem, modes: Vector, near: Callable[[float], object]):
        self._problem, self._modes, self._near = problem, modes, near

    def store(self, state: Callable[[float], Vector], start: float, end: float) -> None:
        """Store them along an accepted step, in as many stretches as they need."""
        history = self._problem.inputs.history
        if history is None or not end > start:
            return
        before, parts, is_good = history.size - 1, 1, False
        while not is_good and parts <= MOST_PARTS:
            history.size, length, is_good = before + 1, (end - start) / parts, True
            for p in range(parts):
                last = end if p == parts - 1 else start + (p + 1) * length
                is_good &= self._store_part(history, state, start + p * length, last)
                if not is_good and parts < MOST_PARTS:
                    break
            parts *= 2
        history.note_closing(before, start, end)

    def _store_part(self, history: History, state: Callable[[float], Vector], start: float, end: float) -> bool:
        """Add the stretch from `start` to `end`; False if it differs from the model."""
        inner = [start + 0.25 * node * (end - start) for node in (1, 2, 3)]
        rows = [history.values[history.size - 1, -1].copy(), *(self._signals(state, t) for t in (*inner, end))]
        history.add(start, end, np.array(rows))
        for part in _COMPARED:
            t = start + part * (end - start)
            right = self._signals(state, t)
            found = np.array([history.value(history.size - 1, k, t) for k in range(len(right))])
            if (np.abs(found - right) > _DIFFERS * (history.rtol * np.abs(right) + history.atol)).any():
                return False
        return True

    def _signals(self, state: Callable[[float], Vector], t: float) -> Vector:
        problem, x = self._problem, state(t)
        u = inputs_at(problem, t, x, self._modes)
        self._near(t)
        return problem.model.delayed(t, x, u, problem.values, self._modes)[:, 0]
