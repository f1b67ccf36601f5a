"""Evaluates crossing functions: their values, slopes, and their uncertainty from the tolerances of the states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutset.runtime.event_state import EventState
from cutset.runtime.interface import Vector
from cutset.runtime.relations import AtCrossing, holds
from cutset.runtime.solved_unknowns import integrated
from cutset.runtime.solvers.method import Problem

# The change of a crossing is predicted over these fractions of the run, until it exceeds rounding.
_AHEAD = (1e-9, 1e-7, 1e-5)
SLOPE_NOISE = 1e-14
# The distance of the sides of a relation at its crossing, relative to the largest number of the model; and the part of
# it up to which sides that do not part count as equal.
CROSSING, _RESTING = 1e-9, 1e-3
# The difference at a crossing relative to the largest one so far; and its rounding, relative to the largest number of
# the model.
_SMALL, ROUNDED = 1e-6, 1e-13
# The errors of unknowns that are not integrated, in tolerances.
_ERRORS = 4.0


class Crossings:
    """The crossings of a run, in the order of the model; `span` is the length of the run in s."""

    def __init__(self, problem: Problem, span: float):
        self._problem, self._model, self._span = problem, problem.model, span
        self._known: dict[bytes, list[int]] = {}  # the unknowns behind crossings, by the held values
        info = problem.model.info
        self._pairs = np.array([info.relations[k].opposite >= 0 for k in info.crossings], bool)

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

    def scales(self, sides: Vector) -> Vector:
        """The sizes of the sides, whose absolute values are given in pairs; not those near a pole."""
        scales: Vector = sides.max(axis=1, initial=0.0)
        if not len(scales):
            return scales
        sizes = self._problem.memory.crossing_sizes(self._model.info)[: len(sides)]
        with np.errstate(invalid="ignore"):
            most = sides.min(axis=1, initial=np.inf) + 2.0 * sizes
            return np.where((sizes > 0.0) & (scales > most), most, scales)

    def rest(self, most: float) -> Vector:
        """The difference up to which sides count as equal that do not part, 0 for relations without an opposite; `most`
        is the difference at a crossing."""
        info = self._model.info
        sizes = self._problem.memory.crossing_sizes(info)[: len(info.crossings)]
        return np.where(self._pairs, np.minimum(most, np.maximum(CROSSING * sizes, _RESTING * most)), 0.0)

    def slopes(self, t: float, x: Vector, m: Vector, now: Vector, scales: Vector, rest: Vector, bends: bool) -> Vector:
        """The slope of each crossing, whose current values are `now`. With `bends`, a zero slope is replaced by a value
        with the sign of the second derivative. 0 if rounding hides the slope for sides of the size of `scales`, or if
        the sides stay within `rest`."""
        dx, slopes, h = self._rate(t, x, m), np.zeros(len(now)), 0.0
        least, now = np.maximum(SLOPE_NOISE * scales, rest), np.where(rest > 0.0, 0.0, now)
        for ahead in _AHEAD:
            if (slopes != 0.0).all():
                break
            h = ahead * self._span
            change = self.at(t + h, x + h * dx, m) - now
            slopes = np.where((slopes == 0.0) & (np.abs(change) > least), change / h, slopes)
        if bends and (slopes == 0.0).any():
            change = self.at(t + h, x + h * self._rate(t + 0.5 * h, x + 0.5 * h * dx, m), m) - now
            slopes = np.where((slopes == 0.0) & (np.abs(change) > least), change / h, slopes)
        return slopes

    def early(self, state: EventState, crossed: Mapping[int, int], most: float) -> list[int]:
        """The relations that have not crossed yet: their sides are almost equal, and do not stay so. `most` is the
        difference at a crossing."""
        info, found = self._model.info, []
        if any(info.relations[k].opposite >= 0 for k in crossed):
            now = self.at(state.t, state.x, state.m)
            slopes = self.slopes(state.t, state.x, state.m, now, state.scales, self.rest(most), bends=False)
            for j, k in enumerate(info.crossings):
                is_apart = now[j] != 0.0 and holds(info, k, float(now[j])) == state.m[k]
                if self._pairs[j] and abs(crossed.get(k, 0)) == 1 and is_apart and slopes[j] != 0.0:
                    found.append(k)
        return found

    def met(self, state: EventState, crossed: Mapping[int, float], most: float, noise: Vector) -> dict[int, AtCrossing]:
        """The relations at their crossing of those that crossed, which have these values beyond it. If sides meet that
        were apart, they are equal there; a difference that is not small has jumped, or has a pole."""
        info, met = self._model.info, {}
        sizes = np.abs(self.at(state.t, state.x, state.m))
        least = np.maximum(_SMALL * self._problem.memory.crossing_sizes(info)[: len(sizes)], ROUNDED / CROSSING * most)
        for j, k in enumerate(info.crossings):
            if k in crossed and sizes[j] <= max(least[j], 0.5 * noise[j]):
                other = info.relations[k].opposite
                value = 0.0 if other >= 0 and (state.m[k] or state.m[other]) else crossed[k]
                met[k] = AtCrossing(value, max(min(2.0 * float(sizes[j]), most), float(noise[j])))
        return met

    def _rate(self, t: float, x: Vector, m: Vector) -> Vector:
        return self._model.derivatives(t, x, self._problem.inputs.at(t), self._problem.values, m)
