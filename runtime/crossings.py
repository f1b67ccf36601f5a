"""Evaluates crossing functions: their values, slopes, and their uncertainty from the tolerances of the states."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem

# The change of a crossing is predicted over these fractions of the run, until it exceeds rounding.
_AHEAD = (1e-9, 1e-7, 1e-5)
SLOPE_NOISE = 1e-14


class Crossings:
    """The crossings of a run, in the order of the model; `span` is the length of the run in s."""

    def __init__(self, problem: Problem, span: float):
        self._problem, self._model, self._span = problem, problem.model, span

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
