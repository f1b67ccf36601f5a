"""Evaluates crossing functions: their values, slopes, and their uncertainty from the tolerances of the states."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solved_unknowns import integrated
from cutset.runtime.solvers.method import Problem

# The change of a crossing is predicted over these fractions of the run, until it exceeds rounding.
_AHEAD = (1e-9, 1e-7, 1e-5)
SLOPE_NOISE = 1e-14
# The errors of unknowns that are not integrated, in tolerances.
_ERRORS = 4.0


class Crossings:
    """The crossings of a run, in the order of the model; `span` is the length of the run in s."""

    def __init__(self, problem: Problem, span: float):
        self._problem, self._model, self._span = problem, problem.model, span
        self._known: dict[bytes, list[int]] = {}  # the unknowns behind crossings, by the held values

    def at(self, t: float, x: Vector, m: Vector) -> Vector:
        """The values of the crossing functions."""
        return self._model.crossings(t, x, self._problem.inputs.at(t), self._problem.values, m)

    def uncertainty(self, t: float, x: Vector, m: Vector, j: int) -> float:
        """The change of crossing j that the tolerances of the states cause while m is held: to first order, by
        differences."""
        allowed = self._problem.atol + self._problem.rtol * np.abs(x)
        now, total = float(self.at(t, x, m)[j]), 0.0
        for i, change in enumerate(allowed.tolist()):
            near = x.copy()
            near[i] += change
            total += abs(float(self.at(t, near, m)[j]) - now)
        return total

    def noise(self, t: float, x: Vector, m: Vector) -> Vector:
        """The change of each crossing, to first order, that the errors of the unknowns cause which an integration
        method finds beside the integrated states: it interpolates them. 0 if there are none."""
        info, total = self._model.info, np.zeros(len(self._model.info.crossings))
        if not info.n_algebraic or not len(total):
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

    def slopes(self, t: float, x: Vector, m: Vector, now: Vector, scales: Vector, bends: bool) -> Vector:
        """The slope of each crossing, whose current values are `now`. With `bends`, a zero slope is replaced by a value
        with the sign of the second derivative. 0 if rounding hides the slope for sides of the size of `scales`."""
        dx, slopes, h = self._rate(t, x, m), np.zeros(len(now)), 0.0
        for ahead in _AHEAD:
            if (slopes != 0.0).all():
                break
            h = ahead * self._span
            change = self.at(t + h, x + h * dx, m) - now
            slopes = np.where((slopes == 0.0) & (np.abs(change) > SLOPE_NOISE * scales), change / h, slopes)
        if bends and (slopes == 0.0).any():
            change = self.at(t + h, x + h * self._rate(t + 0.5 * h, x + 0.5 * h * dx, m), m) - now
            slopes = np.where((slopes == 0.0) & (np.abs(change) > SLOPE_NOISE * scales), change / h, slopes)
        return slopes

    def _rate(self, t: float, x: Vector, m: Vector) -> Vector:
        return self._model.derivatives(t, x, self._problem.inputs.at(t), self._problem.values, m)
