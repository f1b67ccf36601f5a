"""Writes and reads results as Parquet files, for pandas, Polars, Arrow and databases, if pyarrow is installed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.description import Description
from cutset.runtime.interface import Vector
from cutset.runtime.optional_packages import need_package
from cutset.runtime.whole_files import written_whole

# The key of the description in the schema, and of the unit of a column.
_KEY, _UNIT = b"cutset", b"unit"


def need_pyarrow() -> None:
    """RunError E647 if pyarrow is not installed."""
    need_package("pyarrow", "Parquet files", "; or write .npz, which needs no package")


def write_parquet(
    path: str | os.PathLike[str],
    columns: Iterable[tuple[str, NDArray[Any] | Sequence[str]]],
    description: Description = Description(),
) -> None:
    """Write one column for each name: numbers of the type of their array, or strings. RunError E647 if pyarrow is not
    installed."""
    need_pyarrow()
    import pyarrow  # pyright: ignore[reportMissingImports]
    from pyarrow import parquet  # pyright: ignore[reportMissingImports]

    fields, arrays = [], []
    for name, values in columns:
        unit = description.units.get(name, "")
        arrays.append(pyarrow.array(values) if isinstance(values, np.ndarray) else _strings(values))
        fields.append(pyarrow.field(name, arrays[-1].type, metadata={_UNIT: unit.encode()} if unit else None))
    schema = pyarrow.schema(fields, metadata={_KEY: description.to_json().encode()})
    with written_whole(path) as place:
        parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), place, compression="zstd")


def _strings(values: Sequence[str]) -> Any:
    import pyarrow  # pyright: ignore[reportMissingImports]

    return pyarrow.array(values, type=pyarrow.string())


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
