"""Holds the table of a sweep: rows in, columns, files and pictures out. Runs nothing."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.api.translate.parameter_values import Setting
from cutset.contract.names import label
from cutset.runtime.counted import counted
from cutset.runtime.errors import UnknownName, unknown_name
from cutset.runtime.interface import Vector
from cutset.runtime.results.selection import element_of
from cutset.runtime.runs.sweep import Row
from cutset.runtime.whole_files import written_whole

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Statistics:
    """Of the numbers of a recorded quantity in the runs that have one: their `mean`, the standard `deviation` of a
    sample (nan for a single one), the `least` and the `most`, with the points at which they are."""

    mean: float
    deviation: float
    least: float
    most: float
    at_least: Mapping[str, Setting]
    at_most: Mapping[str, Setting]


@dataclass(frozen=True, eq=False)
class Sweep:
    """The table of a sweep, with one row per point; `sweep["max(x)"]` is a column.

    varied  the names of the scalars that differ between the points
    points  the values of these names at each point
    kept    the recorded quantities, such as `"x"` or `"max(x)"`
    rows    the outcome of each run, in the order of the points
    """

    varied: tuple[str, ...]
    points: tuple[Mapping[str, Setting], ...]
    kept: tuple[str, ...]
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        """The number of runs."""
        return len(self.rows)

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<Sweep over {', '.join(self.varied)}: {counted(len(self.rows), 'run')}{failed}>"

    def _repr_html_(self) -> str:
        """For notebooks: the table."""
        from cutset.api.show.html import sweep_html

        return sweep_html(repr(self)[1:-1], self.table())

    def __getitem__(self, name: str) -> Vector:
        """The column of a varied or recorded name: shape (n,), NaN where a run failed; (n, k) for a varied vector; (n,
        ...) if the recorded values are arrays of one shape, else an array of objects. UnknownName if there is none."""
        if name in self.kept:
            k = self.kept.index(name)
            return _stacked([row.values[k] for row in self.rows])
        if name in self.varied:
            return np.array([point[name] for point in self.points])
        elements = [other for other in self.varied if element_of(other)[0] == name]
        if elements:
            return np.stack([self[element] for element in sorted(elements, key=element_of)], axis=1)
        raise UnknownName("E607", *unknown_name("column", name, (*self.varied, *self.kept)))

    @property
    def statistics(self) -> dict[str, Statistics]:
        """Those of each recorded quantity that is a number in some run."""
        found = {}
        for name in self.numbers:
            column = self[name]
            runs = np.flatnonzero(np.isfinite(column))
            if len(runs):
                y = column[runs]
                low, high = (self.points[int(runs[k])] for k in (np.argmin(y), np.argmax(y)))
                deviation = float(np.std(y, ddof=1)) if len(y) > 1 else math.nan
                found[name] = Statistics(float(y.mean()), deviation, float(y.min()), float(y.max()), low, high)
        return found

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows of the runs that failed, each with its reason."""
        return tuple(row for row in self.rows if row.reason)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The recorded quantities that are numbers, which tables and pictures show; arrays they do not."""
        are = [all(np.ndim(row.values[k]) == 0 for row in self.rows) for k in range(len(self.kept))]
        return tuple(name for name, is_number in zip(self.kept, are, strict=True) if is_number)

    def table(self) -> Iterator[list[Any]]:
        """First the column names, then one list per run: varied values, recorded numbers, outcome, reason, seconds."""
        yield [*self.varied, *self.numbers, "outcome", "reason", "seconds"]
        places = [self.kept.index(name) for name in self.numbers]
        for point, row in zip(self.points, self.rows, strict=True):
            numbers = (row.values[k] for k in places)
            yield [*(point[name] for name in self.varied), *numbers, row.outcome, row.reason, row.seconds]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame with a row for each run. RunError E647 if pandas is not installed."""
        from cutset.runtime.optional_packages import need_package

        need_package("pandas", "data frames")
        import pandas

        return pandas.DataFrame({name: list(column) for name, column in self._columns()})

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table as text; numbers keep all digits."""
        with written_whole(path) as place, open(place, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(self.table())

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table as a Parquet file. A name that is varied and recorded has the column "NAME (varied)" for its
        varied values. RunError E647 if pyarrow is not installed."""
        from cutset.runtime.results.parquet import write_parquet

        write_parquet(path, self._columns())

    def _columns(self) -> Iterator[tuple[str, Vector | list[str]]]:
        for name in self.varied:
            values = [point[name] for point in self.points]
            is_text = any(isinstance(value, str) for value in values)
            column = [str(value) for value in values] if is_text else np.array(values, dtype=float)
            yield f"{name} (varied)" if name in self.kept else name, column
        yield from ((name, self[name]) for name in dict.fromkeys(self.numbers))
        yield "outcome", [row.outcome for row in self.rows]
        yield "reason", [row.reason for row in self.rows]
        yield "seconds", np.array([row.seconds for row in self.rows])

    def plot(self, save: str | os.PathLike[str] | None = None) -> Figure:
        """Plot the recorded values over the first varied name, with one line per value of the others. Writes the figure
        to `save` if given."""
        across, kept = ({name: self[name] for name in names} for names in (self.varied, self.numbers))
        drawn = figure(self.points, across, kept, [row.number for row in self.failed])
        if save is not None:
            with written_whole(save) as place:
                drawn.savefig(place, dpi=150)
        return drawn


def _stacked(values: list[Any]) -> Vector:
    """The values of all runs in one array; NaN stands for a whole array where a run failed."""
    shapes = {np.shape(value) for value in values if np.ndim(value)}
    if len(shapes) == 1:
        (shape,) = shapes
        values = [value if np.ndim(value) else np.full(shape, value) for value in values]
    elif shapes:
        found = np.empty(len(values), dtype=object)
        found[:] = values
        return found
    return np.array(values, dtype=float)


# --- the figure -----------------------------------------------------------------------------------

# Computes nothing.

# More lines cannot be told apart by color, so they have no legend.
_MOST_LINES = 12


def figure(
    points: Sequence[Mapping[str, object]], across: Mapping[str, Vector], kept: Mapping[str, Vector], failed: list[int]
) -> Figure:
    """One axis for each recorded quantity in `kept`, over the first name in `across`. Both have a number for each of
    the `points`, whose values label the lines; `failed` are the numbers of failed points."""
    from cutset.runtime.shown_figure import ShownFigure

    first, *others = across
    lines: dict[tuple[object, ...], list[int]] = {}
    for number, point in enumerate(points):
        lines.setdefault(tuple(point[name] for name in others), []).append(number)
    x = across[first]
    drawn = ShownFigure(figsize=(8.0, 1.2 + 2.4 * len(kept)), layout="constrained")
    axes = drawn.subplots(len(kept), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (name, values) in zip(axes, kept.items(), strict=True):
        for key, numbers in lines.items():
            order = sorted(numbers, key=lambda k: x[k]) if x.dtype.kind == "f" else numbers
            own = ", ".join(
                f"{other} = {value:g}" if isinstance(value, float) else f"{other} = {value}"
                for other, value in zip(others, key, strict=False)
            )
            axis.plot(
                x[order], values[order], marker="." if len(order) < 60 else "", linewidth=1.4, label=label(own) or None
            )
        axis.set_ylabel(label(name))
        axis.grid(True, alpha=0.3)
        if failed and x.dtype.kind == "f":
            axis.plot(
                x[failed],
                np.full(len(failed), np.nanmin(values) if np.isfinite(values).any() else 0.0),
                "x",
                color="0.4",
                label="failed",
            )
        if (others and len(lines) <= _MOST_LINES) or failed:
            axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel(label(first))
    return drawn
