"""Finds the end of the next segment: output times and time events of a model. Evaluates nothing."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
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

    def samples_due(self, t: float, samples: Vector) -> list[int]:
        """The numbers of the samples that are due at t."""
        return [k for k, (first, interval) in enumerate(samples.tolist()) if self._samples_due(t, first, interval)]

    def _samples_due(self, t: float, first: float, interval: float) -> bool:
        if not math.isfinite(first):
            return False
        number = max(round((t - first) / interval), 0)
        return self.same(first + number * interval, t)
