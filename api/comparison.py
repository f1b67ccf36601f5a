"""Compares what several translations of one model compute: results -> quantities -> the largest differences.

At points, a quantity may differ by rounding, which grows as the quantity grows with the states. In runs it may differ
by the errors of integration: a run at another tolerance shows their size, also where nearby motions part quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.frame_quantities import Place
from cutset.runtime.interface import Vector
from cutset.runtime.result import Result

# The rounding that equal quantities may show at a point, relative to their size and to their growth with the states.
ROUNDING = 1e-9
# How many times the rounding that changes in the last digits of the states show.
_AMPLIFIED = 1e3
# What any quantity may differ, relative to the largest of all: the rounding of sums that cancel.
_CANCELED = 1e-13
# How many times the errors of integration two runs may differ, and what they may differ besides, in parts of the range.
_ERRORS, _LEAST = 30.0, 1e-6


@dataclass(frozen=True)
class Difference:
    """A quantity and where it differs most: `size` in parts of what is allowed, both values, and the instant or number
    of the point."""

    quantity: str
    place: str
    size: float
    expected: float
    found: float

    @property
    def is_wrong(self) -> bool:
        """True if it is more than allowed."""
        return not self.size <= 1.0

    def __str__(self) -> str:
        return f"{self.quantity} {self.place}: {self.found:.9g} instead of {self.expected:.9g}"


@dataclass(frozen=True, eq=False)
class Table:
    """Quantities by name in rows: `values` has the shape (rows, n). Those of one kind have one scale; without a kind
    each has its own."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    values: NDArray[np.float64]

    def common(self, other: Table) -> tuple[Table, Table]:
        """Both with the quantities that both have, in the order of this one."""
        theirs = {name: k for k, name in enumerate(other.names)}
        mine = [k for k, name in enumerate(self.names) if name in theirs]
        return self._part(mine), other._part([theirs[self.names[k]] for k in mine])

    def _part(self, chosen: Sequence[int]) -> Table:
        names, kinds = ([of[k] for k in chosen] for of in (self.names, self.kinds))
        return Table(tuple(names), tuple(kinds), self.values[:, list(chosen)])

    def rows(self, chosen: NDArray[np.intp]) -> Table:
        """The table with these rows."""
        return Table(self.names, self.kinds, self.values[chosen])

    def largest(self) -> Vector:
        """The largest of all finite numbers of each row: shape (rows, 1)."""
        sizes = np.abs(self.values)
        found: Vector = np.where(np.isfinite(sizes), sizes, 0.0).max(axis=1, initial=0.0, keepdims=True)
        return found

    def scales(self) -> Vector:
        """The scale of each quantity in each row: shape (rows, n)."""
        sizes = np.abs(self.values)
        of_kind = {kind: sizes[:, np.array(self.kinds) == kind].max(axis=1) for kind in set(self.kinds) - {""}}
        columns = [of_kind[kind] if kind else sizes[:, k] for k, kind in enumerate(self.kinds)]
        return np.stack(columns, axis=1) if columns else sizes


def table_of(
    result: Result,
    names: Collection[str],
    places: Mapping[str, Place],
    kinds: Collection[str] | None = None,
    unique: Callable[[str, str], bool] = lambda kind, place: True,
) -> Table:
    """The variables `names` and the quantities of the cuts, of these kinds or all, in all rows of the result; those of
    a kind and a cut that are not `unique` are left out."""
    labels = [name for name in names if name in result]
    columns, of_kinds = [result[name] for name in labels], [_array_of(name) for name in labels]
    for name, place in places.items():
        for kind, vector in place.quantities(result):
            if (kinds is None or kind in kinds) and unique(kind, name):
                columns += list(vector.T)
                size = vector.shape[1]
                labels += [f"{kind} {k + 1} of {name}" for k in range(size)] if size > 1 else [f"{kind} of {name}"]
                of_kinds += [kind if size > 1 else ""] * size
    values = np.stack(columns, axis=1) if columns else np.zeros((len(result.time), 0))
    return Table(tuple(labels), tuple(of_kinds), values)


def _array_of(name: str) -> str:
    """The name of the array whose element this is; empty for a scalar."""
    bare = name.rstrip(")")
    base, _, index = bare.rpartition("(")
    return base if index.replace(",", "").isdigit() else ""


def stacked(tables: Sequence[Table]) -> Table:
    """The last rows of tables with the same quantities."""
    first = tables[0]
    return Table(first.names, first.kinds, np.stack([first.common(table)[1].values[-1] for table in tables]))


def compared_at_points(
    expected: Table, near: Mapping[float, Sequence[Table]], found: Table, apart: Vector
) -> Difference | None:
    """The largest difference. `near` are expected tables where the states differ by these distances, relative to them:
    by the largest, which shows how quantities grow with the states, and by rounding. `apart` (rows,) tells how far the
    states of `found` are from the expected ones. None if nothing is common."""
    wanted, given = expected.common(found)
    if not wanted.names:
        return None
    changes = {
        distance: np.max([np.abs(wanted.values - wanted.common(table)[1].values) for table in tables], axis=0)
        for distance, tables in near.items()
    }
    far, noise = max(changes), changes[min(changes)]
    rate = changes[far] / far
    rounding = ROUNDING * (wanted.scales() + rate) + _AMPLIFIED * noise + _CANCELED * wanted.largest()
    allowed = rounding + 10.0 * apart[:, None] * rate + 1e-300
    return _largest(wanted, given, allowed, lambda row: f"at point {row + 1}")


def compared_in_runs(
    expected: tuple[Table, Table], found: tuple[Table, Table], times: Vector, has_events: bool
) -> Difference | None:
    """The largest difference of the second tables, which are more accurate than the first ones, all with the same rows.
    Around events a quantity may be early or late by one row. None if nothing is common."""
    wanted, given = expected[1].common(found[1])
    if not wanted.names:
        return None
    span = np.maximum(np.ptp(wanted.values, axis=0), 1e-6 * np.abs(wanted.values).max(axis=0)) + 1e-300
    kinds = np.array(wanted.kinds)
    for kind in set(wanted.kinds) - {""}:
        span[kinds == kind] = span[kinds == kind].max()
    errors = _errors(*expected, wanted, span) + _errors(*found, wanted, span)
    allowed = (_ERRORS * errors[:, None] + _LEAST) * span + _CANCELED * wanted.largest().max()
    if has_events:
        low, high = _tube(given.values)
        given = Table(given.names, given.kinds, np.clip(wanted.values, low, high))
    return _largest(wanted, given, allowed, lambda row: f"at time {times[row]:g}")


def _errors(coarse: Table, fine: Table, chosen: Table, span: Vector) -> Vector:
    """The error of integration until each row: the largest difference so far, in parts of the ranges."""
    one, other = (chosen.common(table)[1].values for table in (coarse, fine))
    found: Vector = np.maximum.accumulate((np.abs(one - other) / span).max(axis=1))
    return found


def _tube(values: Vector) -> tuple[Vector, Vector]:
    """The least and the greatest of each value and those in the rows beside it."""
    padded = np.concatenate([values[:1], values, values[-1:]])
    beside = np.stack([padded[:-2], padded[1:-1], padded[2:]])
    return beside.min(axis=0), beside.max(axis=0)


def _largest(wanted: Table, given: Table, allowed: Vector, place: Callable[[int], str]) -> Difference:
    apart = np.abs(given.values - wanted.values)
    # A number that neither has is equal; one that only one has is not.
    both = np.isnan(given.values) & np.isnan(wanted.values) | (given.values == wanted.values)
    parts = np.where(both, 0.0, np.where(np.isfinite(apart), apart / allowed, np.inf))
    row, column = np.unravel_index(int(np.argmax(parts)), parts.shape)
    expected, found = float(wanted.values[row, column]), float(given.values[row, column])
    return Difference(wanted.names[column], place(int(row)), float(parts[row, column]), expected, found)
