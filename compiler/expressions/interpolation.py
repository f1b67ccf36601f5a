"""Interpolates a table linearly: points, x -> value and slope."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def interpolated(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The value at x by linear interpolation through at least two points with ascending xs."""
    k = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
    return ys[k] + (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]) * (x - xs[k])


def interpolated_slope(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The slope of `interpolated`; at a point, that of the segment after it."""
    k = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
    return (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
