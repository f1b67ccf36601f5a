"""Interpolates points of time by piecewise polynomials that have as many derivatives as a model needs. Knows no model.

Two rows with one time, as results have them at events, begin a new piece: values and slopes may jump there. Within a
piece rows with given derivatives are joined by Hermite interpolation, others by a spline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.errors import RunError
from cutset.runtime.given.piecewise import BrokenPolynomial, PiecewisePolynomial, pieces_of
from cutset.runtime.interface import Vector

# Of the length of the series: how far outside it a solver may ask for a value.
_BEYOND = 1e-9
# The relative difference between a displacement and the integral of its given derivative that is told.
_INCONSISTENT = 0.1
# The relative difference of two rows of one time that is more than the error of a run.
_JUMP = 1e-6
# The relative difference of a function's values on both sides of an instant that is rounding.
_ROUNDING = 1e-12
# The rounding of a value, and the part of it that may be in its highest derivative, which multiplies it.
_EPS, _ACCURATE = float(np.finfo(float).eps), 1e-9
_MORE_ROWS = "give more rows, give its derivatives too, or leave out rows that repeat a time"


@dataclass(frozen=True, eq=False)
class TimeSeries:
    """Values of the quantity `name` at n times, and of as many of its derivatives as are known: rows of `values` (m, n)
    are the quantity, its first derivative, and so on. RunError E605 unless times ascend and all numbers are finite."""

    name: str
    times: Vector
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.times.ndim != 1 or self.values.shape[1:] != self.times.shape or not len(self.times):
            raise RunError("E605", f"'{self.name}': there must be one value for each time, and at least one")
        if not (np.isfinite(self.times).all() and np.isfinite(self.values).all()):
            raise RunError("E605", f"'{self.name}' has values or times that are not finite numbers")
        if (np.diff(self.times) < 0.0).any():
            row = int(np.argmax(np.diff(self.times) < 0.0)) + 1
            what = (
                f"the times of '{self.name}' must not decrease, but {self.times[row]:g} follows {self.times[row - 1]:g}"
            )
            raise RunError("E605", what)
        for order in range(1, len(self.values)):
            self._check_slope(order)

    def _check_slope(self, order: int) -> None:
        """RunError if the integral of a derivative is not what it is the derivative of."""
        below, slope = self.values[order - 1], self.values[order]
        lengths, way = np.diff(self.times), np.diff(below)
        within = lengths > 0.0
        gone = 0.5 * lengths * (slope[1:] + slope[:-1])
        error, size = (
            abs(float(np.sum((gone - way)[within]))),
            float(np.sum(np.abs(way[within]) + np.abs(gone[within]))),
        )
        if error > _INCONSISTENT * size and error > 1e-9 * (1.0 + float(np.abs(below).max())):
            told = f"derivative number {order} of '{self.name}' in the data is not the derivative: its integral differs"
            raise RunError("E605", told, "leave the derivatives out, or check their units")

    @property
    def start(self) -> float:
        """The first time."""
        return float(self.times[0])

    @property
    def stop(self) -> float:
        """The last time."""
        return float(self.times[-1])

    def signals(self, order: int) -> list[BrokenPolynomial]:
        """The quantity and its derivatives up to this order as functions of time; a run stops where a piece begins.
        RunError E605 if a piece has too few rows for them, or if a jump makes one of them infinite."""
        self._check_jumps(order)
        breaks, rows, pieces = [], [], self._pieces()
        for first, last in pieces:
            piece = self._polynomials(first, last, order)
            breaks += piece[0]
            rows += piece[1]
        longest = max(map(len, rows))
        whole = PiecewisePolynomial(breaks, [[0.0] * (longest - len(row)) + row for row in rows])
        begins = self.times[[first for first, _ in pieces[1:]]].tolist()
        return [_broken(whole.derivative(k), begins) for k in range(order + 1)]

    def _check_jumps(self, order: int) -> None:
        repeated = np.flatnonzero(np.diff(self.times) == 0.0)
        for k, row in enumerate(self.values[:order]):
            jumps = np.abs(np.diff(row))[repeated] > _JUMP * np.abs(row).max()
            if jumps.any():
                at, what = self.times[repeated[int(np.argmax(jumps))]], f"derivative number {k} of " if k else ""
                said = f"{what}'{self.name}' jumps at {at:g} s, and the model needs derivative number {k + 1}"
                raise RunError("E605", said, "end the run before this time, or begin it there")

    def _pieces(self) -> list[tuple[int, int]]:
        pieces = pieces_of(self.times)
        if not pieces:
            raise RunError(
                "E605", f"'{self.name}' is given at one time only", "give its value as a number, or more rows"
            )
        return pieces

    def _polynomials(self, first: int, last: int, order: int) -> tuple[list[float], list[list[float]]]:
        """The beginning of each interval of a piece, and the coefficients of its polynomial, highest power first."""
        from scipy.interpolate import BPoly, PPoly, make_interp_spline

        t, given = self.times[first : last + 1], self.values[:, first : last + 1]
        if len(given) > max(order, 1):
            used = given[: max(order, 2) + 1]
            polynomial = PPoly.from_bernstein_basis(BPoly.from_derivatives(t, used.T))
            _replace_short(polynomial.c, t, used, np.abs(self.values[: len(used)]).max(axis=1))
        else:
            if len(t) < order + 2:
                what = f"'{self.name}' has {len(t)} rows between {t[0]:g} and {t[-1]:g} s"
                raise RunError("E605", f"{what}: too few for its derivative number {order}", _MORE_ROWS)
            # Odd, so that the derivative of this order is a cubic, about.
            degree = min(order + (3 if order % 2 == 0 else 4), len(t) - 1)
            polynomial = PPoly.from_spline(make_interp_spline(t, given[0], k=degree))
        edges, coefficients = polynomial.x, polynomial.c
        kept = np.flatnonzero(np.diff(edges) > 0.0)
        return edges[kept].tolist(), coefficients[:, kept].T.tolist()


def _replace_short(coefficients: NDArray[np.float64], t: Vector, given: NDArray[np.float64], sizes: Vector) -> None:
    """Replace the polynomials of intervals so short that their highest derivative would consist of rounding: it becomes
    a straight line between its given values. `sizes` are the largest values of the series and its derivatives."""
    order, lengths = len(given) - 1, np.diff(t)
    for k in np.flatnonzero(_EPS * sizes[0] > _ACCURATE * sizes[order] * lengths**order).tolist():
        taylor = [value / math.factorial(n) for n, value in enumerate(given[:, k].tolist())]
        bend = (given[order, k + 1] - given[order, k]) / (lengths[k] * math.factorial(order + 1))
        coefficients[:, k] = 0.0
        coefficients[len(coefficients) - order - 2 :, k] = [bend, *reversed(taylor)]


def _broken(function: PiecewisePolynomial, begins: list[float]) -> BrokenPolynomial:
    """The function with the instants at which pieces begin."""
    at, every = np.array(begins), np.ones(len(begins), dtype=bool)
    sides = np.stack([function.over(at, at, at, every), function.over(at, at, at, ~every)], axis=1)
    differ = np.abs(np.diff(sides)[:, 0]) > _ROUNDING * np.abs(sides).max(axis=1)
    jumps = [t for t, does in zip(begins, differ.tolist(), strict=True) if does]
    return BrokenPolynomial(function.breaks, function.rows, begins, jumps)


def covers(series: Sequence[TimeSeries], start: float, stop: float) -> None:
    """RunError E605 if one of the series does not reach from `start` to `stop`."""
    for each in series:
        beyond = _BEYOND * (each.stop - each.start)
        if start < each.start - beyond or stop > each.stop + beyond:
            given, run = f"from {each.start:g} to {each.stop:g} s", f"from {start:g} to {stop:g} s"
            what = f"'{each.name}' is given {given}, but the run is {run}"
            raise RunError("E605", what, "set the start and the stop of the run within these times")
