"""Compares what several translations of one model compute: results -> quantities -> the largest differences.

At points, a quantity may differ by rounding, which grows as the quantity grows with the states. In runs it may differ
by errors of integration, up to 100 tolerances, from a run with bounded steps at a thousandth of the tolerance. Where
such a run at a hundred times that tolerance differs from it, nearby motions part quickly, and more is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.api.mechanics.frame_quantities import Place
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# The rounding that equal quantities may show at a point, relative to their size and to their growth with the states.
ROUNDING = 1e-9
# How many times the rounding that changes in the last digits of the states show.
_AMPLIFIED = 1e3
# What any quantity may differ, relative to the largest of all: the rounding of sums that cancel.
_CANCELED = 1e-13
# How many tolerances two runs may differ, how many times the difference between two runs of one way at two tolerances,
# and at most, relative to the range of a quantity, even if one way is not more accurate.
_TOLERANCES, _ERRORS, _MOST = 100.0, 30.0, 1e-3
# What runs with bounded steps at two tolerances may differ, in tolerances: beyond that a quantity is not known. A range
# that is zero but for rounding, relative to the largest. The rows beside an event, relative to the length of the run.
_KNOWN, _ZERO, _EVENT_WIDTH = 10.0, 1e-9, 1e-4


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
        return self.part(mine), other.part([theirs[self.names[k]] for k in mine])

    def part(self, chosen: Sequence[int]) -> Table:
        """The table with these quantities."""
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

    def ranges(self) -> Vector:
        """The largest size of each quantity in all rows, or of its kind: shape (n,)."""
        found: Vector = np.nan_to_num(self.scales(), posinf=0.0).max(axis=0)
        return found

    def scales(self) -> Vector:
        """The scale of each quantity in each row: shape (rows, n)."""
        sizes, number = np.abs(self.values), dict[tuple[str, str], int]()
        own = zip(self.kinds, self.names, strict=True)
        of = np.array([number.setdefault((kind, "" if kind else name), len(number)) for kind, name in own], int)
        order = np.argsort(of, kind="stable")
        starts = np.flatnonzero(np.diff(of[order], prepend=-1))
        return np.maximum.reduceat(sizes[:, order], starts, axis=1)[:, of] if len(of) else sizes


@dataclass(frozen=True, eq=False)
class Curves:
    """The quantities of a run at some times: a row for each, and the instants of its events."""

    times: Vector
    table: Table
    events: Vector

    def of(self, names: Collection[str] | None) -> Curves:
        """The curves of these names; all without names."""
        chosen = [k for k, name in enumerate(self.table.names) if names is None or name in names]
        return Curves(self.times, self.table.part(chosen), self.events)

    def at(self, times: Vector) -> Curves:
        """The rows at some of the times."""
        return Curves(times, self.table.rows(np.searchsorted(self.times, times)), self.events)


def table_of(
    result: Result,
    names: Mapping[str, str],
    places: Mapping[str, Place],
    unique: Callable[[str, str], bool] = lambda kind, place: True,
) -> Table:
    """The variables `names`, by label, and the quantities of the cuts in all rows of the result; those of a kind and a
    cut that are not `unique` are left out."""
    labels = list(names)
    columns, of_kinds = [result[names[label]] for label in labels], [_array_of(label) for label in labels]
    for name, place in places.items():
        for kind, vector in place.quantities(result):
            if unique(kind, name):
                columns += list(vector.T)
                size = vector.shape[1]
                labels += [f"{kind} {k + 1} of {name}" for k in range(size)] if size > 1 else [f"{kind} of {name}"]
                of_kinds += [kind if size > 1 else ""] * size
    values = np.stack(columns, axis=1) if columns else np.zeros((len(result.time), 0))
    return Table(tuple(labels), tuple(of_kinds), values)


def curves_of(times: Vector, columns: Mapping[str, Vector]) -> Curves:
    """Variables by name in rows at these times, without events."""
    labels = tuple(columns)
    values = np.stack(list(columns.values()), axis=1) if columns else np.zeros((len(times), 0))
    return Curves(times, Table(labels, tuple(map(_array_of, labels)), values), np.zeros(0))


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
    expected: tuple[Curves, Curves],
    found: Sequence[Curves],
    tolerance: float,
    part: float = 1.0,
    disturbed: Curves | None = None,
    least: Curves | None = None,
) -> Difference | None:
    """The largest difference of the last of `found` from the second of `expected`. Both have runs at other tolerances
    first, whose differences are the yardsticks; what those of `expected` leave open at the tolerance of the model is
    not compared, and neither are rows beside an event. `found` has a `part` of that tolerance. The motion `disturbed`
    shows what errors of states make of a quantity: it has other states than that of `expected`, or, for two runs of
    `found`, starts with others. The motion `least` starts with states that are off by the absolute tolerance: smaller
    errors may be those of both runs. None if nothing can be compared."""
    exact, given = expected[1].table.common(found[-1].table)
    if not exact.names:
        return None
    times, rows = found[-1].times, np.searchsorted(expected[1].times, found[-1].times)
    scale, largest = exact.ranges(), exact.largest().max()
    own = _parting(expected[0], expected[1], exact)[rows]
    rounding = _CANCELED * largest + 1e-300
    known = _is_known(expected, exact, tolerance)[rows]
    allowed = _TOLERANCES * part * np.maximum(tolerance * scale, own)
    beside = np.zeros_like(allowed) if disturbed is None else _parting(expected[1], disturbed, exact)[rows]
    if least is not None:
        allowed = np.maximum(allowed, _TOLERANCES * _parting(expected[1], least, exact)[rows])
    if len(found) == 1:
        allowed = np.maximum(allowed, _TOLERANCES * beside)
    else:
        most = np.where(scale > _ZERO * largest, np.maximum(_MOST * scale, beside), np.inf)
        allowed = np.maximum(allowed, np.minimum(_ERRORS * _parting(found[0], found[-1], exact), most))
    known &= ~_near_events(times, [*expected, *found])[:, None]
    if not known.any():
        return None
    wanted = exact.rows(rows)
    given = Table(given.names, given.kinds, np.where(known, given.values, wanted.values))
    return _largest(wanted, given, allowed + rounding, lambda row: f"at time {times[row]:g}")


def undetermined(expected: tuple[Curves, Curves], tolerance: float) -> tuple[int, float]:
    """The number of quantities that runs with bounded steps leave open at this tolerance, and the time from which on;
    (0, 0.0) for none."""
    table = expected[1].table
    unknown = ~_is_known(expected, table, tolerance) if table.names else np.zeros((0, 0), bool)
    first = np.flatnonzero(unknown.any(axis=1))
    return int(unknown.any(axis=0).sum()), float(expected[1].times[first[0]]) if len(first) else 0.0


def _is_known(expected: tuple[Curves, Curves], chosen: Table, tolerance: float) -> NDArray[np.bool_]:
    """Which of the chosen quantities the runs determine, in each row: shape (rows, n)."""
    rounding = _CANCELED * chosen.largest().max() + 1e-300
    found: NDArray[np.bool_] = _parting(*expected, chosen) <= _KNOWN * tolerance * chosen.ranges() + rounding
    return found


def _parting(coarse: Curves, fine: Curves, chosen: Table) -> NDArray[np.float64]:
    """How far two runs of one way have parted until each row: shape (rows, n). Those of one kind have one size."""
    one, other = (chosen.common(each.table)[1].values for each in (coarse, fine))
    apart = np.where(np.isfinite(one - other), np.abs(one - other), 0.0)
    apart[_near_events(fine.times, [coarse, fine])] = 0.0
    found: NDArray[np.float64] = np.maximum.accumulate(Table(chosen.names, chosen.kinds, apart).scales(), axis=0)
    return found


def _near_events(times: Vector, curves: Sequence[Curves]) -> NDArray[np.bool_]:
    """True for the rows beside an event of one of the runs, which another run may have before it."""
    instants = np.sort(np.concatenate([each.events for each in curves]))
    if not len(instants):
        return np.zeros(len(times), bool)
    width = _EVENT_WIDTH * max(float(each.times[-1] - each.times[0]) for each in curves)
    after = np.searchsorted(instants, times - width)
    is_near: NDArray[np.bool_] = instants[np.minimum(after, len(instants) - 1)] <= times + width
    return is_near & (after < len(instants))


def _largest(wanted: Table, given: Table, allowed: Vector, place: Callable[[int], str]) -> Difference:
    apart = np.abs(given.values - wanted.values)
    # A number that neither has is equal; one that only one has is not.
    both = np.isnan(given.values) & np.isnan(wanted.values) | (given.values == wanted.values)
    parts = np.where(both, 0.0, np.where(np.isfinite(apart), apart / allowed, np.inf))
    row, column = np.unravel_index(int(np.argmax(parts)), parts.shape)
    expected, found = float(wanted.values[row, column]), float(given.values[row, column])
    return Difference(wanted.names[column], place(int(row)), float(parts[row, column]), expected, found)
