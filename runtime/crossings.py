"""Computes how far relations are from their crossings, how fast they come, and how large the tolerances of the states
make that. Changes nothing."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem

# How far ahead the way of a crossing is looked at, as parts of the run, until its change is more than rounding.
_AHEAD = (1e-9, 1e-7, 1e-5)
SLOPE_NOISE = 1e-14


class Crossings:
    """The crossings of a run, in the order of the model's; `span` is its length, in s."""

    def __init__(self, problem: Problem, span: float):
        self._problem, self._model, self._span = problem, problem.model, span

    def at(self, t: float, x: Vector, m: Vector) -> Vector:
        """The difference of the sides of each."""
        return self._model.crossings(t, x, self._problem.inputs.at(t), self._problem.values, m)

    def uncertainty(self, t: float, x: Vector, m: Vector, j: int) -> float:
        """What the tolerances of the states make of crossing j where m is held: to first order, with differences."""
        allowed = self._problem.atol + self._problem.rtol * np.abs(x)
        now, total = float(self.at(t, x, m)[j]), 0.0
        for i, change in enumerate(allowed.tolist()):
            near = x.copy()
            near[i] += change
            total += abs(float(self.at(t, near, m)[j]) - now)
        return total

    def slopes(self, t: float, x: Vector, m: Vector, now: Vector, scales: Vector, bends: bool) -> Vector:
        """The slope of each crossing, whose differences are `now`, or, where there is none, what has the sign of its
        bend if `bends`; 0 where rounding hides it, for sides of the size of `scales`."""
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
