"""Points of a table and a place -> the value there, and the slope."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def interpolated(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The value at x on the straight lines through the points, of which there are two at least, with ascending xs."""
    k = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
    return ys[k] + (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]) * (x - xs[k])


def interpolated_slope(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The slope of `interpolated`; at a point that of the line behind it."""
    k = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
    return (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
