"""Finds the singular point just ahead of a run that has ended: the variable that has no finite value there.

Knows no integration method; the states are assumed to go on with their rates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cutset.runtime.interface import CompiledModel, Values, Vector

# How far ahead the variables are evaluated, in parts of the time: powers of 4, the first about its rounding.
_NEAREST, _RATIO = 2.0**-54, 4.0
# By how much a variable grows to be called infinite; the rounds of the search for the largest value.
_INFINITE, _ROUNDS = 30.0, 80
_MOST = 20  # variables that are examined
_INVERSE_OF_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, eq=False)
class Point:
    """A point of a run at which a model can be evaluated: time, states, inputs, modes."""

    t: float
    x: Vector
    u: Vector
    modes: Vector


class Ahead:
    """The points ahead of `at`, on a straight line with the rates there."""

    def __init__(self, model: CompiledModel, values: Values, at: Point):
        self._model, self._values, self._at = model, values, at
        with np.errstate(all="ignore"):
            self._rates = model.derivatives(at.t, at.x, at.u, values, at.modes)
        self._n = model.info.n_variables

    def lost(self, reach: float) -> tuple[Point, int, float] | None:
        """The point ahead, at most `reach` in parts of the time, at which a variable is not finite or goes to infinity,
        the first such variable in the order of evaluation, and its value; None if there is none."""
        if not np.isfinite(self._rates).all():
            return None
        scale = max(abs(self._at.t), 1e-9)
        with np.errstate(divide="ignore", invalid="ignore"):
            paces = np.abs(self._at.x / self._rates)
        h, farther = 0.0, _NEAREST * min([scale, *paces[paces > 0.0].tolist()])
        here = self._variables(0.0)
        before, now = here, here
        while farther <= reach * scale:
            after = self._variables(farther)
            wrong = np.flatnonzero(~np.isfinite(after))
            if len(wrong):
                return self._point(farther), int(wrong[0]), float(after[wrong[0]])
            grown = np.abs(now) > np.maximum(np.abs(before), np.abs(after))
            for k in np.flatnonzero(grown & (np.abs(now) > np.abs(here)))[:_MOST].tolist():
                found = self._largest(k, h / _RATIO, farther)
                if not abs(found[1]) <= _INFINITE * abs(here[k]):
                    return self._point(found[0]), k, found[1]
            before, now, h, farther = now, after, farther, _RATIO * farther
        return None

    def _point(self, h: float) -> Point:
        return replace(self._at, t=self._at.t + h, x=self._at.x + h * self._rates)

    def _variables(self, h: float) -> Vector:
        at = self._point(h)
        y = self._model.variables(np.array([at.t]), at.x[None, :], at.u[None, :], self._values, at.modes[None, :])
        found: Vector = y[0, : self._n]
        return found

    def _largest(self, k: int, low: float, high: float) -> tuple[float, float]:
        """Where variable k is largest between two distances, by golden sections; or where it is not finite."""
        inner = [high - _INVERSE_OF_GOLDEN * (high - low), low + _INVERSE_OF_GOLDEN * (high - low)]
        found = [float(self._variables(h)[k]) for h in inner]
        for _ in range(_ROUNDS):
            first = not abs(found[0]) < abs(found[1])  # also if it is not finite
            low, high = (low, inner[1]) if first else (inner[0], high)
            size = _INVERSE_OF_GOLDEN * (high - low)
            if first:
                inner, found = [high - size, inner[0]], [float(self._variables(high - size)[k]), found[0]]
            else:
                inner, found = [inner[1], low + size], [found[1], float(self._variables(low + size)[k])]
        best = int(not abs(found[0]) >= abs(found[1]))
        return inner[best], found[best]
