"""Defines functions of time that are piecewise polynomials, which C code evaluates by itself (c/point/signals.h).

Where no run is in C, as for the tables themselves and the rows of a result, they are evaluated here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from ctypes import c_long
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector


@dataclass(frozen=True, eq=False)
class PiecewisePolynomial:
    """Row k of coefficients, highest power of t - breaks[k] first, from breaks[k] to the next break; the first and the
    last one also outside. All rows are of one length."""

    breaks: list[float]
    rows: list[list[float]]

    @cached_property
    def _arrays(self) -> tuple[Vector, Vector]:
        return np.array(self.breaks), np.array(self.rows)

    def __call__(self, t: float) -> float:
        """The value at t."""
        return self.within(t, -math.inf, math.inf)

    def within(self, t: float, start: float, end: float) -> float:
        """The value at t of the polynomials between two instants: up to `start` that of the one after it, from `end` on
        that of the one before it."""
        at_end, place = t >= end, np.array([end if t >= end else max(t, start)])
        return float(self.over(np.array([t]), place, place, np.array([at_end]))[0])

    def over(self, times: Vector, before: Vector, behind: Vector, is_before: NDArray[np.bool_]) -> Vector:
        """The values at n times: where `is_before`, of the polynomials before the instants `before`, else of those from
        `behind` on."""
        breaks, rows = self._arrays
        left, right = np.searchsorted(breaks, before), np.searchsorted(breaks, behind, side="right")
        k = np.maximum(np.where(is_before, left, right) - 1, 0)
        h, values = times - breaks[k], np.zeros(len(times))
        for column in rows[k].T:
            values = values * h + column
        return values

    def negated(self) -> Self:
        """The same with the other sign."""
        return replace(self, rows=[[-c for c in row] for row in self.rows])

    def derivative(self, order: int) -> PiecewisePolynomial:
        """The derivative of this order."""
        rows = self.rows
        for _ in range(order):
            last = len(rows[0]) - 1
            rows = [[c * (last - k) for k, c in enumerate(row[:-1])] or [0.0] for row in rows]
        return PiecewisePolynomial(self.breaks, rows)


@dataclass(frozen=True, eq=False)
class BrokenPolynomial(PiecewisePolynomial):
    """`kinks` are the instants at which a run stops, so that no step of a method crosses them; `jumps` are those among
    them at which the value jumps."""

    kinks: list[float]
    jumps: list[float]


class Packed(NamedTuple):
    """Several piecewise polynomials as ``struct cutset_signals`` has them: five sizes for each, and its range."""

    breaks: Vector
    coefficients: Vector
    ranges: Vector
    sizes: NDArray[Any]


def pieces_of(times: Vector) -> list[tuple[int, int]]:
    """The first and the last row of each piece that has a length: pieces end where a time is repeated."""
    ends = [k + 1 for k in np.flatnonzero(np.diff(times) == 0.0).tolist()]
    pieces = zip([0, *ends], [k - 1 for k in [*ends, len(times)]], strict=True)
    return [(first, last) for first, last in pieces if last > first]


def packed(signals: Mapping[int, PiecewisePolynomial]) -> Packed:
    """Those of the inputs with these numbers."""
    sizes, breaks, coefficients = list[int](), list[float](), list[float]()
    for index, signal in signals.items():
        sizes += [index, len(breaks), len(signal.breaks), len(coefficients), len(signal.rows[0])]
        breaks += signal.breaks
        coefficients += [c for row in signal.rows for c in row]
    ranges = [float(np.ptp([row[-1] for row in signal.rows])) for signal in signals.values()]
    return Packed(np.array(breaks), np.array(coefficients), np.array(ranges), np.array(sizes, dtype=c_long))
