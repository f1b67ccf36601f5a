"""Gives access to trajectories by name: scalars, arrays, patterns, data frames, instants. Knows no model or file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from html import escape
from math import prod
from typing import TYPE_CHECKING, overload

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.description import Description
from cutset.runtime.errors import unknown_variable
from cutset.runtime.interface import Vector
from cutset.runtime.optional_packages import need_package
from cutset.runtime.results.selection import element_of, is_pattern, select

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True)
class Array:
    """The names of the elements of an array, row by row."""

    shape: tuple[int, ...]
    elements: tuple[str, ...]


class Trajectories(ABC, Mapping[str, Vector]):
    """Curves over time by name: the result of a run, or the table in a file. It is a mapping of names to arrays:
    ``run["robot.r1.q"]``, ``list(run)``, ``dict(run)``; ``run["arm.tcp.r"]`` has the vector in each row, and a list or
    a pattern selects columns: ``run[["a.q", "b.q"]]``, ``run["r?.q"]``."""

    @property
    @abstractmethod
    def time(self) -> Vector:
        """The times of the rows in s: shape (n,)."""

    @property
    @abstractmethod
    def description(self) -> Description:
        """Units and documentation."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of all scalars, without ``time``."""

    @abstractmethod
    def column(self, name: str) -> Vector | None:
        """The trajectory of a scalar or ``time``: shape (n,); None if there is none of this name."""

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all scalars, without ``time``."""
        return iter(self.names())

    def __len__(self) -> int:
        """The number of names."""
        return len(self.names())

    def __eq__(self, other: object) -> bool:
        """True for the same object only."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __contains__(self, name: object) -> bool:
        """True if `name` is ``time``, a scalar or an array."""
        return isinstance(name, str) and (name == "time" or name in self._known or name in self.arrays)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._selectable())

    @cached_property
    def arrays(self) -> Mapping[str, Array]:
        """The arrays by name; their elements are scalars."""
        found: dict[str, dict[tuple[int, ...], str]] = {}
        for name in self._selectable():
            array, indices = element_of(name)
            if indices:
                found.setdefault(array, {})[indices] = name
        arrays = {name: _array(places) for name, places in found.items()}
        return {name: array for name, array in arrays.items() if array is not None}

    def __getitem__(self, name: str | Iterable[str]) -> Vector:
        """The trajectory of a scalar, or the value of a parameter in each row: shape (n,); of an array of shape (k, l):
        shape (n, k, l); of k names in a list, or that match a pattern (``*`` any text, ``?`` one character): shape (n,
        k), a column for each scalar. UnknownName for an unknown name or a pattern without a match."""
        if not isinstance(name, str):
            return self._columns_of(name)
        found = self.column(name)
        if found is not None:
            return found
        if name in self.arrays:
            array = self.arrays[name]
            return self._stacked(array.elements).reshape(len(self.time), *array.shape)
        if is_pattern(name):
            return self._stacked(self.select(name))
        raise unknown_variable(name, self.names(), self.description.nodes)

    def _columns_of(self, names: Iterable[str]) -> Vector:
        if not isinstance(names, Iterable):
            raise unknown_variable(names, ())
        return self._stacked(self.scalars(names))

    def scalars(self, names: str | Iterable[str]) -> list[str]:
        """The scalars of these names and patterns, in their order; an array stands for its elements. UnknownName as in
        `select`."""
        found: list[str] = []
        for name in [names] if isinstance(names, str) else names:
            is_array = isinstance(name, str) and name in self.arrays and name not in self._known
            found += self.arrays[name].elements if is_array else self.select([name])
        return found

    def _stacked(self, names: Iterable[str]) -> Vector:
        columns = [column for name in names if (column := self.column(name)) is not None]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.time), 0))

    def select(self, patterns: str | Iterable[str]) -> tuple[str, ...]:
        """The names that match one of the patterns (``*`` any text, ``?`` one character). The elements of an array are
        adjacent, in the order of their indices. UnknownName for a pattern without a match."""
        wanted = [patterns] if isinstance(patterns, str) else patterns
        return select(wanted, ("time", *self._selectable()), self.description.nodes)

    def _selectable(self) -> tuple[str, ...]:
        """Those of `names`, and those that a pattern must spell."""
        return self.names()

    def to_pandas(self, names: str | Iterable[str] | None = None) -> pandas.DataFrame:
        """A pandas DataFrame indexed by time, with a column for each scalar that matches one of `names` (all if None);
        its `attrs` have the units. RunError E647 if pandas is not installed."""
        chosen = [name for name in self._chosen(names) if name != "time"]
        return data_frame(self.time, {name: self[name] for name in chosen}, self.description)

    def to_xarray(self, names: str | Iterable[str] | None = None) -> xarray.Dataset:
        """An xarray Dataset over time. Arrays stay arrays, and have a dimension for each index; units and documentation
        are attributes. `names` selects scalars, and arrays of which all elements match. RunError E647 if xarray is not
        installed."""
        chosen = dict.fromkeys(self._chosen(names))
        whole = {name: a.elements for name, a in self.arrays.items() if all(e in chosen for e in a.elements)}
        inside = {element for elements in whole.values() for element in elements}
        scalars = {name: (name,) for name in chosen if name not in inside and name != "time"}
        arrays = ((name, elements[0], self[name]) for name, elements in (scalars | whole).items())
        return dataset(self.time, arrays, self.description)

    def _chosen(self, names: str | Iterable[str] | None) -> Iterable[str]:
        return self.names() if names is None else self.scalars(names)

    @overload
    def at(self, time: float) -> Moment: ...

    @overload
    def at(self, time: Iterable[float]) -> Trajectories: ...

    def at(self, time: float | Iterable[float]) -> Moment | Trajectories:
        """All values at an instant, by name: ``run.at(0.5)["robot.r1.q"]`` is a number, an array for an array; for
        instants in a list or an array, their trajectories. At an event the values are those after it. RunError E605 for
        an instant outside of the run."""
        from cutset.runtime.results.instants import checked_instants

        found = self._at(checked_instants(self.time, time))
        return found if isinstance(time, Iterable) else Moment(found)

    @abstractmethod
    def _at(self, times: Vector) -> Trajectories:
        """The trajectories at these instants, which lie in the run: shape (n,)."""

    def _repr_html_(self) -> str:
        return html_of(repr(self), self.time, self, self.description)


class Moment(Mapping[str, "float | Vector"]):
    """The values at one instant by name: numbers, and arrays for arrays and selections."""

    def __init__(self, row: Trajectories):
        self._row = row

    def __getitem__(self, name: str | Iterable[str]) -> float | Vector:
        """As that of `Trajectories`, without rows."""
        values = self._row[name][0]
        return float(values) if values.ndim == 0 else values

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, name: object) -> bool:
        return name in self._row

    def __repr__(self) -> str:
        return f"<{len(self)} values at time {self._row.time[0]:g}>"


def _array(places: Mapping[tuple[int, ...], str]) -> Array | None:
    """The array with these elements by index; None unless each index from 1 on has one."""
    order = sorted(places)
    shape = order[-1]
    complete = prod(shape) == len(order) and all(len(i) == len(shape) for i in order)
    within = complete and all(1 <= i <= n for index in order for i, n in zip(index, shape, strict=True))
    return Array(shape, tuple(places[i] for i in order)) if within else None


# --- data frames of pandas and datasets of xarray -------------------------------------------------


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


# --- a small HTML table with curves, for notebooks; all text is escaped ---------------------------

# More names are counted only; a curve has so many points and this size in pixels.
_MOST_NAMES, _POINTS, _WIDTH, _HEIGHT = 12, 60, 120, 22


def html_of(title: str, time: Vector, curves: Mapping[str, Vector], of: Description) -> str:
    """A table of the first curves: name, unit, first and last value, range, and the curve over time."""
    names = list(curves)
    head = "".join(f"<th>{word}</th>" for word in ("name", "unit", "first", "last", "least", "largest", "over time"))
    rows = [_row(name, of.shown_unit(name), time, of.shown(name, curves[name])) for name in names[:_MOST_NAMES]]
    more = len(names) - _MOST_NAMES
    foot = f"<p>and {more} more: <code>list(run)</code></p>" if more > 0 else ""
    return f"<div><p>{escape(title)}</p><table><tr>{head}</tr>{''.join(rows)}</table>{foot}</div>"


def _row(name: str, unit: str, time: Vector, values: Vector) -> str:
    finite = values[np.isfinite(values)]
    numbers = (values[0], values[-1], finite.min(initial=np.inf), finite.max(initial=-np.inf))
    cells = [f"<code>{escape(name)}</code>", escape(unit), *(f"{number:.6g}" for number in numbers)]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in (*cells, _curve(time, values))) + "</tr>"


def _curve(time: Vector, values: Vector) -> str:
    """An SVG line; empty for a curve without two finite points."""
    kept = np.unique(np.linspace(0, len(time) - 1, _POINTS).astype(int))
    t, v = time[kept], values[kept]
    good = np.isfinite(v)
    t, v = t[good], v[good]
    if len(t) < 2 or t[0] == t[-1]:
        return ""
    x = 1 + (_WIDTH - 2) * (t - t[0]) / (t[-1] - t[0])
    span = float(np.ptp(v))
    y = _HEIGHT / 2 * np.ones_like(v) if span == 0.0 else _HEIGHT - 2 - (_HEIGHT - 4) * (v - v.min()) / span
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))
    line = f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.2"/>'
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="curve">{line}</svg>'
