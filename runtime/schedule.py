"""Output times and event times in, the stretches between events out. Evaluates nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cutset.runtime.interface import Vector

# Instants closer than this part of the larger one, or of the run, are the same: rounding made them differ.
_SAME = 1e-13


@dataclass(frozen=True, eq=False)
class Interval:
    """From `start` on, outputs at `times`, which end with the next event or with the end of the run; empty after an
    event at the very end. All relations of time keep over the interval the value they have at `inside`."""

    start: float
    times: Vector
    inside: float


def output_times(start: float, stop: float, points: int | None, interval: float | None) -> Vector:
    """Where output is wanted: `points` of them, or every `interval` and at the stop, or else 501 points."""
    if stop == start:
        return np.array([start])
    if interval is None:
        return np.linspace(start, stop, points or 501, dtype=np.float64)
    # Multiples, not sums: rounding must not add up.
    whole = int((stop - start) / interval * (1.0 + _SAME))
    times: Vector = start + interval * np.arange(whole + 1, dtype=np.float64)
    if stop - times[-1] > _SAME * max(abs(start), abs(stop)):
        return np.append(times, stop)
    times[-1] = stop
    return times


def intervals(outputs: Vector, event_times: Iterable[float]) -> list[Interval]:
    """Cut the run at its events; both are ascending. An event at the start cuts nothing, one at the stop leaves an
    interval without times behind it, and one that all but falls on an output time falls on it."""
    start, stop = float(outputs[0]), float(outputs[-1])
    events = _events_within(outputs, event_times)
    beyond = next((t for t in event_times if t > stop and not _same(t, stop, outputs)), None)
    cuts = [start, *(events if events and events[-1] == stop else [*events, stop])]
    result = []
    for left, right in pairwise(cuts):
        between = outputs[np.searchsorted(outputs, left, side="right") : np.searchsorted(outputs, right)]
        if right > left:
            result.append(Interval(left, np.append(between, right), left + 0.5 * (right - left)))
    if not result or (events and events[-1] == stop):
        after = beyond if beyond is not None else stop + max(1.0, abs(stop))
        result.append(Interval(stop, np.empty(0), stop + 0.5 * (after - stop)))
    return result


def _events_within(outputs: Vector, event_times: Iterable[float]) -> list[float]:
    start, stop = float(outputs[0]), float(outputs[-1])
    events: list[float] = []
    for t in event_times:
        at = int(np.searchsorted(outputs, t))
        nearest = min(outputs[max(0, at - 1) : at + 1].tolist(), key=lambda output: abs(output - t))
        t = nearest if _same(t, nearest, outputs) else t
        if start < t <= stop and not (events and _same(t, events[-1], outputs)):
            events.append(t)
    return events


def _same(a: float, b: float, outputs: Vector) -> bool:
    span = float(outputs[-1] - outputs[0])
    return abs(a - b) <= _SAME * max(abs(a), abs(b), span)
