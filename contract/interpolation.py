"""Interpolates tables of one and of two variables: a place, a table -> the value, and its derivatives.

The numbers of a table of one variable are n ascending xs, then n values; it is linear between two of them. Those of a
table of two are nx and ny, nx ascending xs, ny ascending ys, and the values in the order of their xs, ny for each;
between four values it is bilinear. Beyond a table the outer segments or cells continue. All functions have the
arguments of generated code: x, and y, then n, which tables of two do not use, the array, and the place of the table
in it. The C target has the same operations in runtime/c/model/cutset_support.h.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence


def _cell(x: float, y: float, p: Sequence[float], start: int) -> tuple[float, float, int, int, float, float]:
    """The place in the cell, from 0 to 1, along x and along y; the number of its first value, and the distance to that
    of the next x; the sizes of the cell."""
    nx, ny = int(p[start]), int(p[start + 1])
    xs, ys = start + 2, start + 2 + nx
    i, j = _line(x, nx, p, xs), _line(y, ny, p, ys)
    dx, dy = p[i + 1] - p[i], p[j + 1] - p[j]
    return (x - p[i]) / dx, (y - p[j]) / dy, ys + ny + (i - xs) * ny + (j - ys), ny, dx, dy


def _line(x: float, n: int, p: Sequence[float], start: int) -> int:
    """The segment that contains x: the last one whose first point is not beyond x, or the first."""
    return start + min(max(bisect_right(p, x, start, start + n) - start - 1, 0), n - 2)


def interp1(x: float, n: int, p: Sequence[float], start: int) -> float:
    """The value at x."""
    k = _line(x, n, p, start)
    return p[n + k] + (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]) * (x - p[k])


def interp1_slope(x: float, n: int, p: Sequence[float], start: int) -> float:
    """The slope at x; at a point of the table that of the segment after it."""
    k = _line(x, n, p, start)
    return (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k])


def interp2(x: float, y: float, n: int, p: Sequence[float], start: int) -> float:
    """The value at (x, y)."""
    u, v, k, ny, _, _ = _cell(x, y, p, start)
    low = p[k] + v * (p[k + 1] - p[k])
    high = p[k + ny] + v * (p[k + ny + 1] - p[k + ny])
    return low + u * (high - low)


def interp2_x(x: float, y: float, n: int, p: Sequence[float], start: int) -> float:
    """The derivative along x; at a point of the table that of the cell after it."""
    _, v, k, ny, dx, _ = _cell(x, y, p, start)
    low = p[k] + v * (p[k + 1] - p[k])
    high = p[k + ny] + v * (p[k + ny + 1] - p[k + ny])
    return (high - low) / dx


def interp2_y(x: float, y: float, n: int, p: Sequence[float], start: int) -> float:
    """The derivative along y; at a point of the table that of the cell after it."""
    u, _, k, ny, _, dy = _cell(x, y, p, start)
    low, high = p[k + 1] - p[k], p[k + ny + 1] - p[k + ny]
    return (low + u * (high - low)) / dy


def interp2_xy(x: float, y: float, n: int, p: Sequence[float], start: int) -> float:
    """The mixed derivative, which is constant in each cell."""
    _, _, k, ny, dx, dy = _cell(x, y, p, start)
    return ((p[k + ny + 1] - p[k + ny]) - (p[k + 1] - p[k])) / (dx * dy)


# By the names of the operations.
BILINEAR = {"interp2": interp2, "interp2_x": interp2_x, "interp2_y": interp2_y, "interp2_xy": interp2_xy}
INTERPOLATIONS: Mapping[str, Callable[..., float]] = {"interp1": interp1, "interp1_slope": interp1_slope, **BILINEAR}
# The operations that are the derivatives of each along x and along y; '' if that is zero.
BILINEAR_SLOPES = {
    "interp2": ("interp2_x", "interp2_y"),
    "interp2_x": ("", "interp2_xy"),
    "interp2_y": ("interp2_xy", ""),
}
