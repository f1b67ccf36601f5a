"""Moves the integrated states of a stabilized model to its constraints: by the shortest way, or those that follow.

An interpolated state is near the constraints, within the tolerances of the run. Newton's method moves it along the
directions in which multipliers do during the integration: x + D m, where D are the slopes of the derivatives by the
multipliers. E. Eich, Convergence results for a coordinate projection method applied to mechanical systems with
algebraic constraints, SIAM J. Numer. Anal. 30 (1993) 1467-1482. A restart, or a constraint that jumps with the held
values, moves a state farther: there the variables that other methods do not choose as states follow from the others.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector

Residual = Callable[[Vector], Vector]
Slopes = Callable[[Vector], Vector]
Places = NDArray[np.int_]

# A point is on the constraints if the next correction, relative to the states, is shorter; the limit on their number.
_NEAR, _ROUNDS = 1e-10, 30
# A longer correction, relative to the states, is a jump.
_DRIFT = 1e-4
# A state that was restarted must keep its value, to this part.
_KEPT = 1e-6


class ConstraintPoint:
    """Finds such points of one model. `rows` and `columns` are the places of the slopes; the first `integrated`
    unknowns are states, the last `multipliers` residuals are constraints on them."""

    def __init__(self, rows: Places, columns: Places, size: int, integrated: int, multipliers: int):
        self._integrated, self._count, self._last = integrated, multipliers, size - multipliers
        self._of_constraints = np.flatnonzero((rows >= self._last) & (columns < integrated))
        self._of_multipliers = np.flatnonzero((rows < integrated) & (columns >= self._last))
        self._rows, self._columns = rows, columns

    def near(self, residual: Residual, slopes: Slopes, x: Vector, nominal: Vector) -> Vector:
        """The nearest point; if it is farther than an error of integration, that at which variables follow from the
        others. nan for all integrated states if neither is found."""
        found = self._moved(residual, slopes, x, nominal, None, _DRIFT)
        return self.following(residual, slopes, x, nominal) if np.isnan(found).any() else found

    def following(
        self, residual: Residual, slopes: Slopes, x: Vector, nominal: Vector, before: Vector | None = None
    ) -> Vector:
        """The point at which variables follow from the others; nan for all integrated states if there is none, or if
        one that differs from `before` had to change again."""
        last = np.arange(self._integrated - self._count, self._integrated)
        found = self._moved(residual, slopes, x, nominal, last, np.inf)
        size = np.maximum(np.abs(x), nominal)
        if (
            before is not None
            and (np.abs(found - x) > _KEPT * size)[: self._integrated][self._changed(x, before)].any()
        ):
            found = self._without_value(x)
        return found

    def is_restarted(self, x: Vector, before: Vector) -> bool:
        """True if an integrated state differs."""
        return bool(self._changed(x, before).any())

    def _changed(self, x: Vector, before: Vector) -> NDArray[np.bool_]:
        return np.not_equal(x[: self._integrated], before[: self._integrated])

    def _without_value(self, x: Vector) -> Vector:
        return np.concatenate([np.full(self._integrated, np.nan), x[self._integrated :]])

    def _moved(
        self, residual: Residual, slopes: Slopes, x: Vector, nominal: Vector, free: Places | None, farthest: float
    ) -> Vector:
        """The point on the constraints that differs from x in the `free` states only, if they are given; x itself if it
        fulfills the constraints."""
        point, n = x, self._integrated
        size = np.maximum(np.abs(x), nominal)[:n]
        for _ in range(_ROUNDS):
            step = self.correction(residual(point)[self._last :], slopes(point), free)
            if not np.isfinite(step).all():
                break
            if np.max(np.abs(step) / size, initial=0.0) < _NEAR:
                return point
            point = point.copy()
            point[:n] += step
            if np.any(np.abs(point - x)[:n] > farthest * size):
                break
        return self._without_value(x)

    def correction(self, rest: Vector, slopes: Vector, free: Places | None = None) -> Vector:
        """The step of the (`free`) states by which the residuals of the constraints change by -rest; nan if there is
        none."""
        from scipy.sparse import csc_array  # slow to import
        from scipy.sparse.linalg import splu

        n, count, last = self._integrated, self._count, self._last
        at, by = self._of_constraints, self._of_multipliers
        constraints = csc_array((slopes[at], (self._rows[at] - last, self._columns[at])), shape=(count, n))
        if free is None:
            ways = csc_array((slopes[by], (self._rows[by], self._columns[by] - last)), shape=(n, count))
        else:
            ways = csc_array((np.ones(count), (free, np.arange(count))), shape=(n, count))
        if not all(np.isfinite(numbers).all() for numbers in (slopes[at], slopes[by], rest)):
            return np.full(n, np.nan)
        try:
            found = splu(csc_array(constraints @ ways)).solve(-rest)
        except RuntimeError:  # singular
            return np.full(n, np.nan)
        return np.asarray(ways @ found)
