"""Evaluates the Jacobian for solvers in Python: that of the model or, if it has none or is not finite, differences.

The equivalent of c/sundials.h, with the same operations in the same order.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.pattern import Indices
from cutset.runtime.solvers.delayed_steps import inputs_at
from cutset.runtime.solvers.matrix_layout import Layout
from cutset.runtime.solvers.method import Problem, Segment
from cutset.runtime.solvers.right_side import RightHandSide

# A state is shifted relative to its size, at least by this fraction of its nominal value.
LEAST = 1e-3


def origin(layout: Layout, exact: bool, by_differences: int) -> str:
    """The origin of the Jacobian, in words."""
    if exact:
        return "exact Jacobian" + (f" (not finite at {by_differences} points)" if by_differences else "")
    return f"Jacobian by differences in {layout.groups} groups"


class Slopes:
    """The numbers of the Jacobian in the places of the pattern. `by_differences` counts those that the model did not
    provide."""

    def __init__(self, problem: Problem, segment: Segment, f: RightHandSide, layout: Layout):
        self._problem, self._modes, self._f = problem, segment.modes, f
        self._layout, self._exact = layout, problem.model.info.has_jacobian
        self._least = LEAST * problem.values.n
        self.by_differences = 0

    def __call__(self, t: float, x: Vector) -> Vector | None:
        """The numbers at (t, x); None if the model has no values near there."""
        problem, layout = self._problem, self._layout
        if self._exact:
            self._f.branch.extrapolate(t)
            slopes = problem.model.slopes(t, x, inputs_at(problem, t, x, self._modes), problem.values, self._modes)
            if np.isfinite(slopes).all():
                return slopes
        self.by_differences += 1
        dx, slopes = self._f.glance(t, x), np.zeros(len(layout.rows))
        h = math.sqrt(sys.float_info.epsilon) * np.maximum(np.abs(x), self._least)
        for group in range(layout.groups):
            entries = layout.sequence[layout.first[group] : layout.first[group + 1]]
            if not any(self._shift(t, x, dx, sign * h, entries, slopes) for sign in (1.0, -1.0)):
                return None
        return slopes if np.isfinite(dx).all() else None

    def _shift(self, t: float, x: Vector, dx: Vector, h: Vector, entries: Indices, slopes: Vector) -> bool:
        """The derivatives of one group of columns; False if the model has no values there."""
        rows, columns = self._layout.rows[entries], self._layout.columns[entries]
        z = x.copy()
        z[columns] = x[columns] + h[columns]
        shifted = self._f.glance(t, z)
        slopes[entries] = (shifted[rows] - dx[rows]) / (z[columns] - x[columns])
        return bool(np.isfinite(shifted).all())
