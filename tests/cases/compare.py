"""A run and a table of published values -> how far apart they are."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Curve = np.ndarray


@dataclass(frozen=True, eq=False)
class Reference:
    """`columns` over `time` (n,), ascending; the instant of an event stands twice. `step` is the usual distance of two
    rows."""

    time: Curve
    columns: Mapping[str, Curve]
    step: float


def read_reference(path: Path) -> Reference:
    """A table with ``time`` as its first column; lines that begin with # are remarks."""
    with path.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    table = np.array(rows, dtype=float)
    time = table[:, 0]
    steps = np.diff(time)
    step = float(np.median(steps[steps > 0])) if np.any(steps > 0) else max(float(time[-1]), 1.0) / 500
    return Reference(time, {name: table[:, k] for k, name in enumerate(names) if k}, step)


def instants(reference: Reference) -> Curve:
    """The events of the table: what stands twice in it."""
    return np.unique(reference.time[1:][np.diff(reference.time) == 0])


def scale(curve: Curve) -> float:
    """By what a difference is divided: the range of the curve; its size where it does not change; 1 where that is zero,
    too."""
    size = float(np.max(np.abs(curve)))
    extent = float(np.ptp(curve))
    return extent if extent > 1e-9 * size else size or 1.0


def distance(
    reference: Reference, column: str, time: Curve, values: Curve, events: Curve, until: float = np.inf
) -> float:
    """The largest difference between a column and (time, values), divided by the scale of the column.

    In the row at t it is |values(t) - column|; within one step of an event, the difference from the nearest of the
    values in [t - step, t + step]. inf where a value is not finite, or the curve ends early.
    """
    if not np.all(np.isfinite(values)):
        return float("inf")
    rows = reference.time <= until
    at, wanted = reference.time[rows], reference.columns[column][rows]
    if time[-1] < at[-1] - 1e-9 * max(abs(at[-1]), 1.0):
        return float("inf")
    least = most = np.interp(at, time, values)
    near = np.zeros(len(at), dtype=bool)
    for event in events:
        near |= np.abs(at - event) <= reference.step * (1 + 1e-9)
    least, most = least.copy(), most.copy()
    for k in np.flatnonzero(near):
        first, last = np.interp((at[k] - reference.step, at[k] + reference.step), time, values)
        between = values[(time >= at[k] - reference.step) & (time <= at[k] + reference.step)]
        least[k] = min(first, last, *between)
        most[k] = max(first, last, *between)
    apart = np.maximum(np.maximum(least - wanted, wanted - most), 0.0)
    return float(np.max(apart)) / scale(wanted)


def distances(
    reference: Reference,
    names: Mapping[str, str],
    time: Curve,
    course: Callable[[str], Curve],
    events: Curve,
    until: float = np.inf,
) -> dict[str, float]:
    """Column -> distance, where `course` gives the values of a variable of ours over `time`."""
    found = {}
    for column, name in names.items():
        values = -course(name[1:]) if name.startswith("-") else course(name)
        found[column] = distance(reference, column, time, values, events, until)
    return found
