"""Makes signals of tables: times and values -> functions of time that C evaluates, and the instants of their breaks.

A run stops at every break, so that no step of a method crosses a kink or a jump. At a jump a signal has the value from
there on; a step that ends there sees the value before it (`Inputs.window`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.given.piecewise import BrokenPolynomial, pieces_of
from cutset.runtime.interface import Vector

Interpolation = Literal["linear", "hold", "smooth"]
Outside = Literal["refuse", "keep"]
INTERPOLATIONS: tuple[Interpolation, ...] = ("linear", "hold", "smooth")
OUTSIDE: tuple[Outside, ...] = ("refuse", "keep")

_EPS = float(np.finfo(float).eps)
# Of the length of the table: how far outside of it a run may reach by rounding.
_BEYOND = 1e-9
_Pieces = tuple[list[float], list[list[float]]]


@dataclass(frozen=True, eq=False)
class TableSignal(BrokenPolynomial):
    """The signal of a table from `start` to `stop`, for messages with a `name`. `smoothness` is the number of
    continuous derivatives, -1 if the value jumps."""

    name: str
    start: float
    stop: float
    smoothness: int

    def slope(self, order: int) -> TableSignal:
        """The derivative of this order. RunError E605 if the signal jumps or has kinks where that needs none."""
        if self.smoothness < order - 1:
            does = "jumps" if self.smoothness < 0 else "has kinks"
            what = f"the model needs derivative number {order} of the input '{self.name}', and its table {does}"
            hint = "interpolate the table smoothly, or give the derivative as an input of its own"
            raise RunError("E605", what, hint)
        found = replace(self, rows=self.derivative(order).rows, smoothness=self.smoothness - order)
        if found.smoothness >= 0:
            return found
        inner = self.kinks if self.smoothness == 0 else self.breaks[1:]
        return replace(found, kinks=inner, jumps=inner)

    def require(self, start: float, stop: float) -> None:
        """RunError E605 if the table does not reach over a run."""
        beyond = _BEYOND * (self.stop - self.start) if np.isfinite(self.stop - self.start) else 0.0
        if start < self.start - beyond or stop > self.stop + beyond:
            given = f"from {self.start:g} s on" if self.stop == np.inf else f"from {self.start:g} to {self.stop:g} s"
            run = f"at {start:g} s" if start == stop else f"from {start:g} to {stop:g} s"
            hint = "set the start and the stop of the run within these times, or keep the first and the last value"
            hint += " outside of them with outside='keep' (on the command line FILE,keep)"
            raise RunError("E605", f"the table of the input '{self.name}' is given {given}, but the run is {run}", hint)


def table_signal(
    name: str, times: Vector, values: Vector, interpolation: Interpolation = "linear", outside: Outside = "refuse"
) -> TableSignal:
    """The signal of values at n times: straight between them ('linear'), constant until the next one ('hold'), or a
    cubic with a continuous slope that is monotone wherever the values are ('smooth', F. N. Fritsch, J. Butland, SIAM J.
    Sci. Stat. Comput. 5 (1984) 300-304).

    Of rows with one time the first is the value before it and the last the value from there on. With `outside='keep'`
    the first value also holds before the table and the last one after it; else a run must be within the table, which
    with 'hold' has no end. RunError E605 unless times ascend and all numbers are finite.
    """
    _check(name, times, values)
    if interpolation == "hold":
        return _held(name, times, values, outside)
    if times[0] == times[-1]:
        told = f"the table of the input '{name}' has one time only"
        raise RunError("E605", told, "give more rows, or the value as a number")
    breaks, rows = list[float](), list[list[float]]()
    for begin, end in pieces_of(times):
        piece = _smooth if interpolation == "smooth" else _straight
        own = piece(times[begin : end + 1], values[begin : end + 1])
        breaks += own[0]
        rows += own[1]
    if not np.isfinite(np.array(rows)).all():
        raise RunError("E605", f"the table of the input '{name}' has a slope that is not finite", "check its times")
    repeated = np.flatnonzero(np.diff(times) == 0.0)
    groups = sorted({float(times[k]) for k in repeated.tolist()})
    jumps = [t for t in groups if times[0] < t and _before(times, values, t) != _after(times, values, t)]
    kinks = jumps + (_kinks(times, values) if interpolation == "linear" else [t for t in groups if t not in jumps])
    first, last = float(times[0]), float(times[-1])
    none = [0.0] * (len(rows[0]) - 1)
    if last in jumps or outside == "keep":
        breaks, rows = [*breaks, last], [*rows, [*none, float(values[-1])]]
    if outside == "keep":
        breaks = [float(np.nextafter(first, -np.inf)), *breaks]
        rows = [[*none, _after(times, values, first)], *rows]
        kinks = [*kinks, first, last]
        first, last = -np.inf, np.inf
    smoothness = -1 if jumps else 0 if kinks or interpolation == "linear" else 1
    kinks += _turns(times, values) if interpolation == "smooth" else []
    inner = sorted(t for t in set(kinks) if first < t and (t < last or t in jumps))
    return TableSignal(breaks, rows, inner, jumps, name, first, last, smoothness)


def _check(name: str, times: Vector, values: Vector) -> None:
    what = f"the table of the input '{name}'"
    if times.ndim != 1 or times.shape != values.shape or not len(times):
        shapes = f"{values.shape} values for {times.shape} times"
        raise RunError("E605", f"{what} must have one value for each time, and at least one, not {shapes}")
    for kind, numbers in (("time", times), ("value", values)):
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if len(wrong):
            row = int(wrong[0])
            raise RunError("E605", f"{what} has the {kind} {numbers[row]} in row {row + 1}", "remove this row")
    falls = np.flatnonzero(np.diff(times) < 0.0)
    if len(falls):
        row = int(falls[0]) + 1
        told = f"the times of {what[4:]} must ascend, but {times[row]:g} in row {row + 1} follows {times[row - 1]:g}"
        raise RunError("E605", told, "sort its rows by time")


def _held(name: str, times: Vector, values: Vector, outside: Outside) -> TableSignal:
    """A constant from each time to the next."""
    last = np.append(np.diff(times) > 0.0, True)  # of the rows of one time
    times, values = times[last], values[last]
    new = np.append(True, np.diff(values) != 0.0)
    breaks: list[float] = times[new].tolist()
    rows: list[list[float]] = values[new][:, None].tolist()
    start = -np.inf if outside == "keep" else float(times[0])
    smoothness = -1 if len(breaks) > 1 else 1
    return TableSignal(breaks, rows, breaks[1:], breaks[1:], name, start, np.inf, smoothness)


def _straight(times: Vector, values: Vector) -> _Pieces:
    with np.errstate(all="ignore"):
        slopes = np.diff(values) / np.diff(times)
    return times[:-1].tolist(), [[slope, v] for slope, v in zip(slopes.tolist(), values[:-1].tolist(), strict=True)]


def _smooth(times: Vector, values: Vector) -> _Pieces:
    from scipy.interpolate import PchipInterpolator  # slow to import

    coefficients: NDArray[np.float64] = PchipInterpolator(times, values).c
    return times[:-1].tolist(), coefficients.T.tolist()


def _kinks(times: Vector, values: Vector) -> list[float]:
    """The times at which straight lines meet at an angle, up to rounding."""
    lengths = np.diff(times)
    with np.errstate(all="ignore"):
        slopes = np.diff(values) / lengths
        rounding = _EPS * (np.abs(values[:-1]) + np.abs(values[1:]) + np.abs(slopes * times[1:])) / lengths
        bent = np.abs(np.diff(slopes)) > 4.0 * (rounding[1:] + rounding[:-1])
    bent |= (lengths[1:] == 0.0) | (lengths[:-1] == 0.0)
    return [t for t in times[1:-1][bent].tolist() if t > times[0]]


def _turns(times: Vector, values: Vector) -> list[float]:
    """The times at which values begin or cease to rise or fall, so that no step hides what is between two of them."""
    ways = np.sign(np.diff(values))
    turns: list[float] = times[1:-1][ways[1:] != ways[:-1]].tolist()
    return turns


def _before(times: Vector, values: Vector, t: float) -> float:
    return float(values[np.searchsorted(times, t)])


def _after(times: Vector, values: Vector, t: float) -> float:
    return float(values[np.searchsorted(times, t, side="right") - 1])
