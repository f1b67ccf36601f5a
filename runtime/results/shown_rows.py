"""Selects the rows of trajectories that a picture of some pixels shows: the extremes in each column of pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from cutset.runtime.results.result import Result


def shown_curves(
    result: Result, names: Iterable[str], width: int, start: float | None = None, stop: float | None = None
) -> tuple[list[str], list[Vector]]:
    """Those of the names that the result has; the times to draw, and a column for each name. `width` is in pixels, the
    range by default that of the result."""
    known = [name for name in names if name in result]
    time, *columns = (np.asarray(each, dtype=float) for each in (result.time, *map(result.__getitem__, known)))
    rows = shown_rows(time, columns, time[0] if start is None else start, time[-1] if stop is None else stop, width)
    return known, [each[rows] for each in (time, *columns)]


def shown_rows(time: Vector, columns: Sequence[Vector], start: float, stop: float, width: int) -> NDArray[np.intp]:
    """The rows within [start, stop] to draw `width` pixels wide, ascending, and one row on each side: all of them, or
    the first, the last, the lowest and the highest of each column of pixels and each of `columns`. `time` (n,) ascends,
    and repeats at events."""
    first = max(int(np.searchsorted(time, start, "left")) - 1, 0)
    last = min(int(np.searchsorted(time, stop, "right")) + 1, len(time))
    rows = np.arange(first, last)
    if len(rows) <= 4 * width or not stop > start:
        return rows
    pixel = np.clip((time[rows] - start) / (stop - start) * width, -1, width).astype(np.intp)
    begins = np.flatnonzero(np.diff(pixel, prepend=-2))
    ends = np.append(begins[1:], len(rows))
    chosen = [begins, ends - 1]
    for column in columns:
        chosen += _extremes(column[rows], begins, pixel)
    found: NDArray[np.intp] = rows[np.unique(np.concatenate(chosen))]
    return found


def _extremes(values: Vector, begins: NDArray[np.intp], pixel: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The places of the lowest and of the highest value in each group of rows that `begins` starts."""
    group = np.cumsum(np.diff(pixel, prepend=-2) != 0) - 1
    found = []
    for reduce, sought in ((np.fmin, values), (np.fmax, values)):
        best = reduce.reduceat(sought, begins)
        is_best = sought == best[group]
        places = np.flatnonzero(is_best)
        _, once = np.unique(group[places], return_index=True)
        found.append(places[once])
    return found
