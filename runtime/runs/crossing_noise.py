"""Tells how uncertain crossings are where an integration method finds unknowns beside the integrated states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.runs.run_block import RunBlock
from cutset.runtime.solvers.solved_unknowns import integrated

# The errors of these unknowns, in tolerances.
_ERRORS = 4.0


class CrossingNoise:
    """The noise of the crossings of a run with this relative tolerance."""

    def __init__(self, run: RunBlock, rtol: float):
        self._run, self._rtol, self._model = run, rtol, integrated(run.model)
        self._known: dict[bytes, list[int]] = {}  # the unknowns behind crossings, by the held values

    def at(self, t: float, x: Vector, m: Vector) -> Vector:
        """The change of each crossing, to first order, that the errors of the unknowns cause which an integration
        method finds beside the integrated states: it interpolates them. 0 if there are none."""
        total = np.zeros(len(self._model.info.crossings))
        if not len(total):
            return total
        now = self._raw(t, x, m)
        allowed = _ERRORS * (self._run.part["tolerance"] + self._rtol * np.abs(x))
        for i in self._unknowns(t, x, m):
            near = x.copy()
            near[i] += allowed[i]
            total += np.abs(self._raw(t, near, m) - now)
        return total

    def _raw(self, t: float, x: Vector, m: Vector) -> Vector:
        values = replace(self._run.values, controllers=self._run.controllers)
        return self._model.crossings(t, x, self._run.inputs.at(t), values, m)

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
