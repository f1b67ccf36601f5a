"""Interpolates rows at given instants, between the events of a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector


def checked_instants(time: Vector, asked: float | Iterable[float]) -> Vector:
    """The instants as an array of shape (n,). RunError E605 for what is no number, and for an instant before the first
    row or after the last."""
    try:
        times = np.atleast_1d(np.asarray(list(asked) if isinstance(asked, Iterable) else asked, dtype=float))
    except (TypeError, ValueError):
        raise RunError("E605", f"an instant must be a number, not {asked!r}", "give seconds, such as 0.5") from None
    if times.ndim != 1:
        raise RunError("E605", f"instants must be a list of numbers, not an array of {times.ndim} dimensions")
    first, last = float(time[0]), float(time[-1])
    outside = times[~((times >= first) & (times <= last))]
    if len(outside):
        raise RunError(
            "E605", f"the run has no values at time {outside[0]:g}", f"it has them from {first:g} to {last:g}"
        )
    return times


def rows_before(time: Vector, instants: Vector) -> tuple[NDArray[np.intp], NDArray[np.intp], Vector]:
    """For each instant the number of the last row at or before it, of the next row, and the fraction of the way between
    them: shape (n,) each. At an event the row is that after it."""
    left = np.searchsorted(time, instants, side="right") - 1
    right = np.minimum(left + 1, len(time) - 1)
    way = time[right] - time[left]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(way > 0.0, (instants - time[left]) / way, 0.0)
    return left, right, part


def linear(values: Vector, left: NDArray[np.intp], right: NDArray[np.intp], part: Vector) -> Vector:
    """Values of shape (rows, k) on straight lines between rows: shape (n, k). A row itself is kept digit by digit."""
    between = values[left] + part[:, None] * (values[right] - values[left])
    return np.where(part[:, None] == 0.0, values[left], between)


def cubic(part: Vector, way: Vector, ends: tuple[Vector, Vector], slopes: tuple[Vector, Vector]) -> Vector:
    """Values of shape (n, k) on cubic polynomials with the values and derivatives at their two ends; `way` is the time
    between the ends."""
    s, h, (a, b), (da, db) = part[:, None], way[:, None], ends, slopes
    rise = b - a
    left, right = h * da - rise, rise - h * db
    curved = a + s * (rise + (1.0 - s) * ((1.0 - s) * left + s * right))
    return np.where(s == 0.0, a, curved)
