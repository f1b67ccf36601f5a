"""Writes and reads results as Parquet files, for pandas, Polars, Arrow and databases, if pyarrow is installed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

# The key of the description in the schema, and of the unit of a column.
_KEY, _UNIT = b"cutset", b"unit"


def need_pyarrow() -> None:
    """RunError E647 if pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        hint = "install it: pip install pyarrow; or write .npz, which needs no package"
        raise RunError("E647", "Parquet files need the package pyarrow, which is not installed", hint)


def write_parquet(
    path: str | os.PathLike[str], columns: Iterable[tuple[str, Vector]], description: Description
) -> None:
    """Write one column of doubles for each name."""
    need_pyarrow()
    import pyarrow  # pyright: ignore[reportMissingImports]
    from pyarrow import parquet  # pyright: ignore[reportMissingImports]

    fields, arrays = [], []
    for name, trajectory in columns:
        unit = description.units.get(name, "")
        fields.append(pyarrow.field(name, pyarrow.float64(), metadata={_UNIT: unit.encode()} if unit else None))
        arrays.append(pyarrow.array(trajectory))
    schema = pyarrow.schema(fields, metadata={_KEY: description.to_json().encode()})
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), path, compression="zstd")


def read_parquet(path: str | os.PathLike[str]) -> tuple[dict[str, Vector], Description]:
    """The numeric columns, and the description (empty if there is none). ValueError for a file that is not Parquet."""
    need_pyarrow()
    from pyarrow import ArrowInvalid, parquet  # pyright: ignore[reportMissingImports]

    try:
        table: Any = parquet.read_table(path)
    except ArrowInvalid as error:
        raise ValueError(str(error)) from error
    columns = {
        field.name: np.asarray(table.column(k).to_numpy(), dtype=float)
        for k, field in enumerate(table.schema)
        if str(field.type) in ("double", "float") or "int" in str(field.type)
    }
    said = (table.schema.metadata or {}).get(_KEY)
    return columns, Description.from_json(said.decode()) if said else Description()
