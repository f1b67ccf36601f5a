"""Reads a result file into a `Table`: times and trajectories by name, as `cutset.runtime.results.plot` draws them.

Knows no model.
"""

from __future__ import annotations

import csv
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.api.files.result_files import listed
from cutset.compiler.units.quantities import in_si_units
from cutset.runtime.counted import counted
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.dymola import read_mat
from cutset.runtime.results.instants import linear, rows_before
from cutset.runtime.results.parquet import read_parquet
from cutset.runtime.results.result import DESCRIPTION_MEMBER, STATE_MEMBER
from cutset.runtime.results.trajectories import Trajectories


class Table(Trajectories):
    """Columns of equal length by name, including ``time``. The description is empty if the file has none."""

    def __init__(self, columns: Mapping[str, Vector], description: Description = Description()):
        self.columns, self._description = columns, description

    @property
    def time(self) -> Vector:
        """The times of the rows."""
        return self.columns["time"]

    @property
    def description(self) -> Description:
        """Units and documentation."""
        return self._description

    def names(self) -> tuple[str, ...]:
        """The names of the columns, without ``time``."""
        return tuple(name for name in self.columns if name != "time")

    def column(self, name: str) -> Vector | None:
        """The column of this name; None if there is none."""
        return self.columns.get(name)

    def _at(self, times: Vector) -> Table:
        rows = rows_before(self.time, times)
        between = linear(np.stack(list(self.columns.values()), axis=1), *rows)
        columns = dict(zip(self.columns, between.T, strict=True)) | {"time": times}
        return Table(columns, self.description)

    def __repr__(self) -> str:
        content = counted(len(self.time), "row"), counted(len(self), "name")
        return f"<Table of {self.description.model or 'a file'}: {', '.join(content)}>"


def read(path: str | os.PathLike[str]) -> Table:
    """The table in a result file of any format that results are written in: .csv, .npz, .mat, .parquet. It is used like
    the result of a run: `read("run.npz")["robot.r1.q"]`. RunError E605 if it cannot be read."""
    try:
        return read_table(Path(path))
    except (CommandFailed, UsageError) as error:
        raise RunError("E605", str(error)) from error


def read_table(path: Path) -> Table:
    """The table in a result file. UsageError for an unknown format, CommandFailed if it cannot be read."""
    extension = path.suffix.lower()
    if extension not in READERS:
        hint = f"; first run the model: cutset simulate {path}" if extension == ".mo" else ""
        raise UsageError(f"cannot read '{path}': its name must end in {listed(READERS)}{hint}")
    try:
        table = READERS[extension](path)
    except OSError as error:
        raise CommandFailed(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, zipfile.BadZipFile, EOFError) as error:
        raise CommandFailed(f"cannot read {path}: {error}") from error
    if "time" not in table.columns:
        raise CommandFailed(f"cannot read {path}: it has no column time")
    odd = [name for name, column in table.columns.items() if column.shape != table.time.shape or column.ndim != 1]
    if odd:
        raise CommandFailed(f"cannot read {path}: '{odd[0]}' is not a column as long as time")
    return table


def _read_csv(path: Path) -> Table:
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    if lines and not lines[-1].endswith(("\n", "\r")):
        raise ValueError("its last line has no end, so that the file may be cut off: if it is not, end the line")
    rows = csv.reader(lines)
    heads = [in_si_units(head) for head in next(rows, [])]
    names, units = [name for name, *_ in heads], {name: unit for name, unit, *_ in heads if unit}
    if units.get("time", "s") != "s":
        raise ValueError(f"its column time is in {units['time']}")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"two of its columns have the name '{twice[0]}'")
    values = [[float(cell) for cell in row] for row in rows]
    if any(len(row) != len(names) for row in values):
        raise ValueError("its rows do not have the same length")
    columns = np.array(values).reshape(len(values), len(names)).T
    in_si = [
        column if (factor, zero) == (1.0, 0.0) else factor * column + zero
        for column, (_, _, factor, zero) in zip(columns, heads, strict=True)
    ]
    return Table(dict(zip(names, in_si, strict=True)), Description(units=units))


def _read_npz(path: Path) -> Table:
    with np.load(path, allow_pickle=False) as archive:
        names = [name for name in archive.files if name not in (DESCRIPTION_MEMBER, STATE_MEMBER)]
        content = archive[DESCRIPTION_MEMBER] if DESCRIPTION_MEMBER in archive.files else b""
        columns = {name: np.asarray(archive[name], dtype=float) for name in names}
    return Table(
        columns,
        Description.from_json(content.decode("utf-8")) if isinstance(content, bytes) and content else Description(),
    )


def _read_mat(path: Path) -> Table:
    found = read_mat(path)
    units = {name: unit for name, (_, unit) in found.items() if unit}
    return Table({name: column for name, (column, _) in found.items()}, Description(units=units))


READERS: dict[str, Callable[[Path], Table]] = {
    ".csv": _read_csv, ".npz": _read_npz, ".mat": _read_mat, ".parquet": lambda path: Table(*read_parquet(path)),
}  # fmt: skip
