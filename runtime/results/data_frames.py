"""Converts columns to data frames of pandas and datasets of xarray, if these packages are installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from cutset.runtime.description import Description
from cutset.runtime.interface import Vector
from cutset.runtime.optional_packages import need_package

if TYPE_CHECKING:
    import pandas
    import xarray


def data_frame(time: Vector, columns: Mapping[str, Vector], description: Description) -> pandas.DataFrame:
    """A column for each of `columns`, each of shape (n,), indexed by time. RunError E647 without pandas."""
    need_package("pandas", "data frames")
    import pandas

    frame = pandas.DataFrame(dict(columns), index=pandas.Index(time, name="time"))
    units = {name: description.units[name] for name in columns if description.units.get(name)}
    frame.attrs |= {"model": description.model, "units": units}
    return frame


def dataset(time: Vector, arrays: Iterable[tuple[str, str, Vector]], description: Description) -> xarray.Dataset:
    """The arrays over time: each has a name, the name of one of its scalars, and the shape (n, ...). RunError E647
    without xarray."""
    need_package("xarray", "datasets")
    import xarray

    variables = {}
    for name, scalar, values in arrays:
        axes = tuple(f"{name}_{k}" for k in range(1, values.ndim))
        said = {"units": description.units.get(scalar), "long_name": description.documentation.get(scalar)}
        variables[name] = ("time", *axes), values, {key: text for key, text in said.items() if text}
    axis = xarray.Variable("time", time, {"units": "s"})
    return xarray.Dataset(variables, {"time": axis}, {"model": description.model})
