"""Tells how uncertain crossings are where an integration method finds unknowns beside the integrated states."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem
from cutset.runtime.solvers.solved_unknowns import integrated

# The errors of these unknowns, in tolerances.
_ERRORS = 4.0


class CrossingNoise:
    """The noise of the crossings of a run."""

    def __init__(self, problem: Problem):
        self._problem, self._model = problem, problem.model
        self._known: dict[bytes, list[int]] = {}  # the unknowns behind crossings, by the held values

    def at(self, t: float, x: Vector, m: Vector) -> Vector:
        """The change of each crossing, to first order, that the errors of the unknowns cause which an integration
        method finds beside the integrated states: it interpolates them. 0 if there are none."""
        total = np.zeros(len(self._model.info.crossings))
        if not len(total):
            return total
        now = self._raw(t, x, m)
        allowed = _ERRORS * (self._problem.atol + self._problem.rtol * np.abs(x))
        for i in self._unknowns(t, x, m):
            near = x.copy()
            near[i] += allowed[i]
            total += np.abs(self._raw(t, near, m) - now)
        return total

    def _raw(self, t: float, x: Vector, m: Vector) -> Vector:
        return integrated(self._model).crossings(t, x, self._problem.inputs.at(t), self._problem.values, m)

    def _unknowns(self, t: float, x: Vector, m: Vector) -> list[int]:
        """The unknowns that are not integrated and on which a crossing depends: without a value it has none either."""
        held = m.tobytes()
        if held not in self._known:
            found: list[int] = []
            ranges = [(len(x) - self._model.info.n_algebraic, len(x))]
            while ranges:
                first, last = ranges.pop()
                without = x.copy()
                without[first:last] = np.nan
                if not np.isnan(self._raw(t, without, m)).any():
                    continue
                if last - first == 1:
                    found.append(first)
                else:
                    middle = (first + last) // 2
                    ranges += [(first, middle), (middle, last)]
            self._known[held] = found
        return self._known[held]
