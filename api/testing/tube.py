"""Compares the trajectories of a run with those of a reference: both -> the largest distance of each variable.

A variable may differ from the reference by a part of its range. Beside an event, instants may differ by one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector
from cutset.runtime.results.trajectories import Trajectories

Rows = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Distance:
    """How far a variable leaves its tube at most: `found` at `time`, outside of `least` to `most`."""

    name: str
    time: float
    found: float
    least: float
    most: float

    @property
    def excess(self) -> float:
        """How far outside of the tube; at most 0 inside, infinite for what is not finite."""
        excess = max(self.least - self.found, self.found - self.most)
        return excess if np.isfinite(excess) else np.inf

    def __str__(self) -> str:
        side = f"below {self.least:.9g}" if self.found < self.least else f"above {self.most:.9g}"
        return f"{self.name} = {self.found:.9g} at time {self.time:.9g}, {side}"


def times_of(reference: Trajectories) -> Vector:
    """The instants of the reference, each once."""
    return np.unique(reference.time)


def distances(
    run: Trajectories, reference: Trajectories, names: Sequence[str], part: float, events: Iterable[float]
) -> list[Distance]:
    """For each variable the row that is farthest outside of its tube, which is `part` of the variable's range wide on
    both sides of the reference. Beside `events`, and where the reference has two rows at one instant, the tube takes in
    the rows before and after."""
    times = times_of(reference)
    first, last = (np.searchsorted(reference.time, times, side) for side in ("left", "right"))
    jumps = np.flatnonzero(last - first > 1)
    wide = _near(times, np.concatenate([np.fromiter(events, float), times[jumps]]))
    values = run.at(times)
    return [_farthest(name, times, values[name], reference[name], first, last - 1, wide, part) for name in names]


def _near(times: Vector, events: Vector) -> Marks:
    """True for the rows before and after an event."""
    wide = np.zeros(len(times), dtype=bool)
    places = np.searchsorted(times, events)
    for shift in (-1, 0):
        wide[np.clip(places + shift, 0, len(times) - 1)] = True
    return wide


def _farthest(
    name: str, times: Vector, found: Vector, expected: Vector, first: Rows, last: Rows, wide: Marks, part: float
) -> Distance:
    least, most = (pick(expected[first], expected[last]) for pick in (np.minimum, np.maximum))
    before, after = np.arange(len(times)) - 1, np.arange(len(times)) + 1
    neighbors = np.clip(before, 0, None), np.clip(after, None, len(times) - 1)
    lowest = np.minimum(least, np.minimum(least[neighbors[0]], least[neighbors[1]]))
    highest = np.maximum(most, np.maximum(most[neighbors[0]], most[neighbors[1]]))
    room = part * (np.ptp(expected) or np.abs(expected).max(initial=0.0))
    least, most = np.where(wide, lowest, least) - room, np.where(wide, highest, most) + room
    outside = np.maximum(least - found, found - most)
    row = int(np.argmax(np.where(np.isfinite(outside), outside, np.inf)))
    return Distance(name, *(float(each[row]) for each in (times, found, least, most)))
