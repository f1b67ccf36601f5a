"""Finds the end of the next segment: output times and time events of a model. Evaluates nothing."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.failures import invalid_sample
from cutset.runtime.interface import Vector

# Instants with a smaller difference, relative to the larger one or to the run, are equal up to rounding.
_SAME = 1e-13


def output_times(start: float, stop: float, points: int | None, interval: float | None) -> Vector:
    """The output times: `points` of them, or one every `interval` and the stop, or 501 points."""
    if stop == start:
        return np.array([start])
    if interval is None:
        return np.linspace(start, stop, points or 501, dtype=np.float64)
    # Multiples instead of a sum, so that rounding does not accumulate.
    whole = int((stop - start) / interval * (1.0 + _SAME))
    times: Vector = start + interval * np.arange(whole + 1, dtype=np.float64)
    if stop - times[-1] > _SAME * max(abs(start), abs(stop)):
        return np.append(times, stop)
    times[-1] = stop
    return times


def check_times(times: Sequence[float], start: float, stop: float) -> None:
    """RunError E605 unless the given output times are finite, ascend, and are within the run."""
    for row, t in enumerate(times):
        if not math.isfinite(t):
            raise RunError("E605", f"times must be finite numbers, but number {row + 1} is {t!r}")
        if not start <= t <= stop:
            what = f"times must be within the run, from {start:g} to {stop:g} s, but number {row + 1} is {t:g}"
            raise RunError("E605", what, "set the start and the stop of the run, or leave out this time")
        if row and t - times[row - 1] <= _SAME * max(abs(start), abs(stop), stop - start):
            raise RunError("E605", f"times must ascend, but {t!r} follows {times[row - 1]!r}")


def given_output_times(times: Sequence[float], start: float, stop: float) -> Vector:
    """The output times of a run with these instants: the start and the stop belong to them."""
    near = _SAME * max(abs(start), abs(stop), stop - start)
    inner = [t for t in times if start + near < t < stop - near]
    return np.array([start, *inner, *([stop] if stop > start else [])], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TimeEventQueue:
    """The instants of a run; `outputs` are ascending. `origin` is the start time of the run; None means the first
    output."""

    outputs: Vector
    origin: float | None = None

    @cached_property
    def span(self) -> float:
        """The length of the run."""
        return float(self.outputs[-1]) - (float(self.outputs[0]) if self.origin is None else self.origin)

    def same(self, a: float, b: float) -> bool:
        """True if two instants differ by rounding only. Rounding in a run without length is that of a run of 1 s."""
        return a == b or abs(a - b) <= _SAME * min(max(abs(a), abs(b), self.span or 1.0), sys.float_info.max)

    @property
    def rounding(self) -> float:
        """The difference by which instants anywhere in the run are equal up to rounding."""
        largest = float(np.abs(self.outputs[[0, -1]]).max())
        return _SAME * min(max(largest, self.span or 1.0), sys.float_info.max)

    def snapped(self, t: float) -> float:
        """The output time that equals t up to rounding, else t."""
        at = int(np.searchsorted(self.outputs, t))
        near = [output for output in self.outputs[max(0, at - 1) : at + 1].tolist() if self.same(t, output)]
        return min(near, key=lambda output: abs(output - t)) if near else t

    def is_output(self, t: float) -> bool:
        """True if t is an output time."""
        at = int(np.searchsorted(self.outputs, t))
        return at < len(self.outputs) and float(self.outputs[at]) == t

    def until(self, t: float, end: float) -> Vector:
        """The output times after t and before `end`, then `end`."""
        first, last = np.searchsorted(self.outputs, t, side="right"), np.searchsorted(self.outputs, end)
        between = self.outputs[first:last]
        return np.append(between, end)

    def next_event(self, t: float, instants: Vector, samples: Vector, next_break: float = math.inf) -> float:
        """The first instant after t given by `instants` (instant, slope), `samples` (first instant, interval) or the
        next break of an input, moved to an output time if it equals one up to rounding; inf if there is none before the
        stop."""
        stop = float(self.outputs[-1])
        coming = [next_sample(self, t, first, interval) for first, interval in samples.tolist()]
        coming += [a for a, slope in instants.tolist() if a > t and slope != 0.0 and not self.same(a, t)]
        first = self.snapped(min([*coming, next_break]))
        return first if first <= stop else math.inf

    def samples_due(self, t: float, samples: Vector) -> list[int]:
        """The numbers of the samples that are due at t."""
        return [k for k, (first, interval) in enumerate(samples.tolist()) if self._samples_due(t, first, interval)]

    def _samples_due(self, t: float, first: float, interval: float) -> bool:
        if not math.isfinite(first):
            return False
        number = max(round((t - first) / interval), 0)
        return self.same(first + number * interval, t)


def next_sample(queue: TimeEventQueue, t: float, first: float, interval: float) -> float:
    """The first instant of a sample after t, computed as a multiple so that rounding does not accumulate."""
    if not math.isfinite(first):
        return first
    number = max(math.floor((t - first) / interval), 0)
    while True:
        instant = first + number * interval
        if instant > t and not queue.same(instant, t):
            return instant
        number += 1


def check_samples(queue: TimeEventQueue, samples: Vector, texts: list[str], t: float) -> None:
    """EventFailure for a sample whose interval is not positive or too short for time to advance; `texts` describe the
    samples."""
    for (first, interval), text in zip(samples.tolist(), texts, strict=False):
        shortest = 4.0 * _SAME * max(abs(t), queue.span)
        if not (interval > shortest and interval < math.inf) or math.isnan(first):
            raise invalid_sample(text, first, interval, queue.span)
