"""Solves the equations of a model whose unknowns are all in x: integrated states held, the others -> their solution.

Newton's method with a sparse matrix and shorter steps where the full one goes too far. P. Deuflhard, Newton Methods for
Nonlinear Problems, Springer 2004, section 3.3: a step is accepted if the next one, with the same matrix, is shorter.
At a guess some equations may have no value yet: their unknowns wait until the others are known. The integrated states
of a stabilized model are first moved to its constraints; its multipliers are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.solvers.constraint_point import ConstraintPoint
from cutset.runtime.solvers.matrix_layout import Layout, sparse_layout
from cutset.runtime.targets.pattern import places

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
Matrix = NDArray[np.float64]

# A point is a solution if the next step, relative to the unknowns, is shorter; the limit on the number of steps.
_NEAR, _ROUNDS = 1e-10, 100
# It is one up to rounding if the step is shorter than this and not shorter than this fraction of the step before.
_ROUNDED, _STALLED = 1e-7, 0.5
# Steps shorter than this are taken as they are: whether a part of one leads nearer, rounding decides.
_CLOSE = 1e-6
# Nor can a point be improved where the residuals are so many rounding errors of the terms of their equations.
_OF_TERMS = 8.0 * float(np.finfo(float).eps)
# The number of random signs of these rounding errors with which their effect is estimated.
_SAMPLES = 8
# A linear equation for one unknown is solved by a step that leaves this fraction of its residual.
_EXACT = 1e-12
_SHORTEST = 1e-4
# An unknown that waits alone is moved by this fraction of its nominal value; an equation of a singular system waits if
# this fraction of the largest residual is left.
_NUDGE, _LEFT = 0.1, 1e-9
# The size of an unknown is at least this fraction of its nominal value.
_LEAST = 1e-3
# After so many such moves that leave all slopes as they are, the equations contradict each other, as those of a circuit
# whose switches and diodes are all open.
_IDLE = 8
# Truth values follow from others over so many steps at most.
_DEEPEST = 100
# The limit on the unknowns of a singular system, which is solved as a dense one; up to so many, all are: for few
# unknowns that takes less time.
_MOST_DENSE, _SMALL = 2000, 60


class ConsistentPoint:
    """Finds consistent points of one model."""

    def __init__(self, model: CompiledModel):
        self._model, info = model, model.info
        self._first, self._last = len(info.states) - info.n_algebraic, len(info.states) - info.n_multipliers
        self._rows, self._columns = places(info)
        self._layout: Layout | None = None
        inside = (np.minimum(self._rows, self._columns) >= self._first) & (
            np.maximum(self._rows, self._columns) < self._last
        )
        self._inside = np.flatnonzero(inside)
        of_one = self._of_one(inside)
        # The unknowns that are alone in the equations in their place, or with others such, and their entries in the
        # Jacobian.
        self._alone = self._rows[of_one], np.flatnonzero(of_one)
        sizes = len(info.states), self._first, info.n_multipliers
        self._constraints = ConstraintPoint(self._rows, self._columns, *sizes) if info.n_multipliers else None
        self._latest: tuple[tuple[Any, ...], Vector] = ((), np.zeros(0))
        # The last slopes with their solver.
        self._factored: tuple[Vector, Callable[[Vector], Vector]] = np.full(1, np.nan), np.array

    def _of_one(self, inside: Mask) -> Mask:
        """True for the entries on the diagonal whose rows have no other unknown than those of rows found before: a
        truth value follows from relations, and others follow from it."""
        rows, columns, on_diagonal = self._rows, self._columns, (self._rows == self._columns) & inside
        is_open, found = inside.copy(), np.zeros(len(rows), bool)
        for _ in range(_DEEPEST):
            in_row = np.bincount(rows[is_open], minlength=len(self._model.info.states))
            new = on_diagonal & is_open & (in_row[rows] == 1)
            if not new.any():
                break
            found |= new
            known = np.zeros(len(self._model.info.states), bool)
            known[rows[new]] = True
            is_open &= ~known[columns]
        return found

    def near(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The point near x with the same integrated states, if these fulfill their constraints; x itself if it is
        consistent; nan for the other unknowns if there is none."""
        key = t, x.tobytes(), u.tobytes(), modes.tobytes()
        if self._latest[0] != key:  # the passes of an event ask repeatedly
            self._latest = key, self._found(_At(self._model, t, u, values, modes), x)
        return self._latest[1]

    def after(self, t: float, x: Vector, before: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The same after an event that made x of `before`: restarted states keep their values."""
        if self._constraints is None or not self._constraints.is_restarted(x, before):
            return self.near(t, x, u, values, modes)
        at, constraints = _At(self._model, t, u, values, modes), self._constraints
        moved = constraints.following(at.residual, partial(self._slopes, at), x, values.n, before)
        return self._solved(at, self._without_multipliers(moved))

    def rounding(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The errors of the unknowns that are not integrated (0 for others) if their equations and the constraints of
        the states have rounded terms: an estimate at a consistent point. nan if there is none."""
        at, first, last = _At(self._model, t, u, values, modes), self._first, self._last
        residual = at.residual(x)[first:last]
        solve = self._solver(at, x, residual, np.isfinite(residual))
        sizes = np.finfo(float).eps * self._sizes(at, x)
        signs = np.random.default_rng(0).choice((-1.0, 1.0), (_SAMPLES, len(x)))
        found = np.zeros(len(x))
        left = [self._left_by_rounding(at, x, sizes * some) for some in signs]
        found[first:last] = np.max([np.abs(solve(each)) for each in left], axis=0)
        return found

    def _left_by_rounding(self, at: _At, x: Vector, errors: Vector) -> Vector:
        """What rounding errors of all equations leave of those of the unknowns that are not integrated. A stiff spring
        enlarges that of a constraint, by which its length is a small difference of large distances."""
        left = errors[self._first : self._last]
        if self._constraints is None:
            return left
        slopes = self._slopes(at, x)
        moved = self._constraints.correction(errors[self._last :], slopes)
        of_states = self._columns < self._first
        change = slopes[of_states] * moved[self._columns[of_states]]
        total = np.bincount(self._rows[of_states], change, minlength=len(x))
        return left + total[self._first : self._last]

    def _sizes(self, at: _At, point: Vector) -> Vector:
        """For each equation the sum of the sizes of its terms."""
        terms = np.abs(self._slopes(at, point) * point[self._columns])
        return np.bincount(self._rows, terms, minlength=len(point)).astype(float)

    def _found(self, at: _At, x: Vector) -> Vector:
        if self._constraints is None:
            return self._solved(at, x)
        moved = self._constraints.near(at.residual, partial(self._slopes, at), x, at.values.n)
        return self._solved(at, self._without_multipliers(moved))

    def _without_multipliers(self, x: Vector) -> Vector:
        if not x[self._last :].any():
            return x
        return np.concatenate([x[: self._last], np.zeros(len(x) - self._last)])

    def _solved(self, at: _At, x: Vector) -> Vector:
        first, last, size = self._first, self._last, at.values.n[self._first : self._last]
        point, latest, moves = self._with_alone(at, np.array(x, dtype=float)), np.inf, _Moves()
        residual = at.residual(point)[first:last]
        for _ in range(_ROUNDS):
            known = np.isfinite(residual)
            solve = self._solver(at, point, residual, known)
            step = solve(np.where(known, -residual, 0.0))
            if not np.isfinite(step).all():
                break
            length = _length(step, point[first:last], size)
            has_stalled = length >= _STALLED * latest
            if length < _NEAR or (has_stalled and (length < _ROUNDED or self._is_exact(at, point, residual))):
                if known.all() and np.array_equal(point, x):
                    return x.copy()  # x may lie in memory of C, and the point is kept for further calls
                if known.all():
                    point, residual, is_there = self._arrived(at, _moved(point, first, step), size, solve)
                    if is_there:
                        return point
                    latest = np.inf
                    continue
                # What waits would wait forever: an unknown whose factor is zero here, such as y in y^2 = x.
                if moves.are_idle(self._slopes(at, point)):
                    break
                step = np.where(known, step, _NUDGE * size)
            latest = length if known.all() else np.inf
            point, residual = self._stepped(at, point, step, size, solve, known)
            if not len(residual):
                break
        return np.concatenate([point[:first], np.full(len(point) - first, np.nan)])

    def _arrived(
        self, at: _At, point: Vector, size: Vector, solve: Callable[[Vector], Vector]
    ) -> tuple[Vector, Vector, bool]:
        """The point after a last step, its residual, and whether it is a solution. It is none if a truth value among
        the unknowns has taken its value with this step: the others then jump."""
        residual = at.residual(point)[self._first : self._last]
        left = solve(-residual)
        is_there = bool(np.isfinite(left).all()) and (
            _length(left, point[self._first : self._last], size) < _ROUNDED or self._is_exact(at, point, residual)
        )
        return point, residual, is_there

    def _is_exact(self, at: _At, point: Vector, residual: Vector) -> bool:
        """True if rounding explains the residual. A large current through a switch in a loop with an inductor enlarges
        it: the step then stays longer than that of most models (W. Oettli, W. Prager, Compatibility of approximate
        solution of linear equations with given error bounds, Numer. Math. 6 (1964) 405-409)."""
        sizes = self._sizes(at, point)[self._first : self._last]
        return bool((np.abs(residual) <= _OF_TERMS * sizes).all())

    def _with_alone(self, at: _At, point: Vector) -> Vector:
        """The point with the solutions of linear equations for one unknown each. Among them are those of truth values:
        any small difference from such a value would make the others jump."""
        alone, entries = self._alone
        if not len(alone):
            return point
        slopes, residual = self._slopes(at, point)[entries], at.residual(point)[alone]
        rounding, seen = _OF_TERMS * self._sizes(at, point)[alone], np.zeros(len(alone), bool)
        for _ in range(_ROUNDS):  # a truth value may depend on others
            with np.errstate(divide="ignore", invalid="ignore"):
                there = point.copy()
                there[alone] -= np.where(residual == 0.0, 0.0, residual / slopes)
            left = at.residual(there)[alone]
            is_open = (np.abs(residual) > rounding) | ~seen  # otherwise rounding errors would move to and fro
            solved = is_open & (residual != 0.0) & (np.abs(left) <= _EXACT * np.abs(residual))
            seen |= solved
            if not solved.any():
                break
            point[alone[solved]] = there[alone[solved]]
            residual = at.residual(point)[alone]
        return point

    def _stepped(
        self, at: _At, point: Vector, step: Vector, size: Vector, solve: Callable[[Vector], Vector], known: Mask
    ) -> tuple[Vector, Vector]:
        """The next point and its residual: the first that is nearer to a solution; if there is none, that of the
        longest step with values, since truth values among the unknowns make others jump. An empty residual if there is
        no such step."""
        first, last, part = self._first, self._last, 1.0
        length = _length(step, point[first:last], size)
        longest = point, np.zeros(0)
        while part > _SHORTEST:
            there = _moved(point, first, part * step)
            residual = at.residual(there)[first:last]
            if np.isfinite(residual[known]).all():  # what was known must stay so
                after = solve(np.where(known, -residual, 0.0))
                nearer = (1.0 - 0.25 * part) * length + _NEAR
                if length < _CLOSE or not known.all() or _length(after, there[first:last], size) <= nearer:
                    return there, residual
                longest = longest if len(longest[1]) else (there, residual)
            part *= 0.5
        return longest

    def _solver(self, at: _At, point: Vector, residual: Vector, known: Mask) -> Callable[[Vector], Vector]:
        """The solution of the linear system at this point, as a function of its right side. Unknowns of equations
        without value, or with slopes that are zero or have no value, stay: these equations are removed from `known`."""
        first, n = self._first, len(residual)
        slopes = self._slopes(at, point)[self._inside]
        rows, columns = self._rows[self._inside] - first, self._columns[self._inside] - first
        known[rows[~np.isfinite(slopes)]] = False
        if known.all() and np.array_equal(slopes, self._factored[0]):  # as in a linear model
            return self._factored[1]

        def entries() -> _Entries:
            kept, waiting = known[rows], np.flatnonzero(np.logical_not(known))
            numbers = np.concatenate([slopes[kept], np.ones(len(waiting))])
            return _Entries(n, numbers, np.concatenate([rows[kept], waiting]), np.concatenate([columns[kept], waiting]))

        solve = entries().factored()
        if solve is not None:
            if known.all():
                self._factored = slopes, solve
            return solve
        if n > _MOST_DENSE:
            return lambda right: np.full(n, np.nan)
        dense = entries().dense()
        inverse, right = np.linalg.pinv(dense), np.where(known, -residual, 0.0)
        left = np.abs(dense @ (inverse @ right) - right)
        here = left > _LEFT * np.max(np.abs(right), initial=0.0)
        if (here & known).any():
            known[here] = False
            inverse = np.linalg.pinv(entries().dense())
        return lambda right: inverse @ right

    def _slopes(self, at: _At, x: Vector) -> Vector:
        """The numbers of the Jacobian; where the model does not provide them, differences."""
        info = self._model.info
        found = at.slopes(x) if info.has_jacobian else np.full(len(self._rows), np.nan)
        if np.isfinite(found).all():
            return found
        self._layout = self._layout or sparse_layout(info, 8)
        layout, base = self._layout, at.residual(x)
        h = np.sqrt(np.finfo(float).eps) * np.maximum(np.abs(x), _LEAST * at.values.n)
        differences = np.empty(len(found))
        for group in range(layout.groups):
            entries = layout.sequence[layout.first[group] : layout.first[group + 1]]
            rows, columns = layout.rows[entries], layout.columns[entries]
            z = x.copy()
            z[columns] += h[columns]
            with np.errstate(invalid="ignore"):  # without values
                differences[entries] = (at.residual(z)[rows] - base[rows]) / (z[columns] - x[columns])
        return np.where(np.isfinite(found), found, differences)


@dataclass(frozen=True, eq=False)
class _Entries:
    """The entries of a square matrix of n rows, each place once."""

    n: int
    numbers: Vector
    rows: Indices
    columns: Indices

    def dense(self) -> Matrix:
        """The matrix with all its zeros."""
        matrix = np.zeros((self.n, self.n))
        matrix[self.rows, self.columns] = self.numbers
        return matrix

    def factored(self) -> Callable[[Vector], Vector] | None:
        """The solution of the linear system as a function of its right side; None if it is singular."""
        if self.n <= _SMALL:
            from scipy.linalg import get_lapack_funcs  # slow to import

            getrf, getrs = get_lapack_funcs(("getrf", "getrs"), dtype=np.float64)
            factors, pivots, failed = getrf(self.dense())
            return None if failed else lambda right: getrs(factors, pivots, right)[0]
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import splu

        try:
            solve: Callable[[Vector], Vector] = splu(
                csc_array((self.numbers, (self.rows, self.columns)), shape=(self.n, self.n))
            ).solve
        except RuntimeError:
            return None
        return solve


class _Moves:
    """The slopes where unknowns that waited were moved."""

    def __init__(self) -> None:
        self._slopes, self._number = np.full(1, np.nan), 0

    def are_idle(self, slopes: Vector) -> bool:
        """True if the slopes have now been the same too often."""
        self._number = self._number + 1 if np.array_equal(slopes, self._slopes) else 0
        self._slopes = slopes
        return self._number == _IDLE


class _At:
    """A model at one instant with held values."""

    def __init__(self, model: CompiledModel, t: float, u: Vector, values: Values, modes: Vector):
        self._model, self._t, self.values, self._more = model, t, values, (u, values, modes)

    def residual(self, x: Vector) -> Vector:
        """The derivatives and residuals at x."""
        return self._model.derivatives(self._t, x, *self._more)

    def slopes(self, x: Vector) -> Vector:
        """The numbers of the Jacobian at x."""
        return self._model.slopes(self._t, x, *self._more)


def _moved(point: Vector, first: int, step: Vector) -> Vector:
    there = point.copy()
    there[first : first + len(step)] += step
    return there


def _length(step: Vector, z: Vector, size: Vector) -> float:
    return float(np.max(np.abs(step) / np.maximum(np.abs(z), size), initial=0.0))
