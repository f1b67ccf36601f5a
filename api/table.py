"""A result file into a `Table`: times and courses by name, as `cutset.runtime.plot` draws them. Knows no model."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cutset.endings import Failed, UsageError
from cutset.runtime.errors import UnknownName, unknown_name
from cutset.runtime.interface import Vector


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length by name; ``time`` is one of them."""

    columns: Mapping[str, Vector]

    @property
    def time(self) -> Vector:
        """The instants of the rows."""
        return self.columns["time"]

    def __getitem__(self, name: str) -> Vector:
        return self.columns[name]

    def select(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The names that match any of the patterns (``*`` any text, ``?`` one character). UnknownName if one has none."""
        chosen: dict[str, None] = {}
        for pattern in patterns:
            expression = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
            matching = [name for name in self.columns if re.fullmatch(expression, name)]
            if not matching:
                raise UnknownName("E607", *unknown_name("variable", pattern, self.columns))
            chosen.update(dict.fromkeys(matching))
        return tuple(chosen)


def read_table(path: Path) -> Table:
    """The table in a .csv or .npz file. UsageError for another kind, Failed where it cannot be read."""
    readers = {".csv": _read_csv, ".npz": _read_npz}
    ending = path.suffix.lower()
    if ending not in readers:
        raise UsageError(f"cannot read '{path}': its name must end in {' or '.join(readers)}")
    try:
        columns = readers[ending](path)
    except OSError as error:
        raise Failed(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, zipfile.BadZipFile) as error:
        raise Failed(f"cannot read {path}: {error}") from error
    if "time" not in columns:
        raise Failed(f"cannot read {path}: it has no column named time")
    return Table(columns)


def _read_csv(path: Path) -> dict[str, Vector]:
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows, [])
        values = [[float(cell) for cell in row] for row in rows]
    if any(len(row) != len(names) for row in values):
        raise ValueError("its rows are not of one length")
    return dict(zip(names, np.array(values).reshape(len(values), len(names)).T, strict=True))


def _read_npz(path: Path) -> dict[str, Vector]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
