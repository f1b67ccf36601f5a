"""Draws values of uncertain quantities: distributions by name -> a sample, for sweeps and batches."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from numpy.random import Generator

_MOST_RUNS = 10_000_000


@dataclass(frozen=True)
class Uniform:
    """All values between `low` and `high` are equally likely."""

    low: float
    high: float

    def ppf(self, q: Vector) -> Vector:
        """The values below which the shares q of all draws lie."""
        return self.low + (self.high - self.low) * q


@dataclass(frozen=True)
class Normal:
    """The normal distribution about `mean` with the standard `deviation`."""

    mean: float
    deviation: float

    def ppf(self, q: Vector) -> Vector:
        """The values below which the shares q of all draws lie."""
        from scipy.special import ndtri

        found: Vector = self.mean + self.deviation * ndtri(q)
        return found


def uniform(low: float, high: float) -> Uniform:
    """The distribution in which all values from `low` to `high` are equally likely. RunError E605 unless low < high."""
    low, high = _number("low", low), _number("high", high)
    if not low < high:
        raise RunError("E605", f"a uniform distribution goes from a lower to a higher value, not from {low} to {high}")
    return Uniform(low, high)


def normal(mean: float, deviation: float) -> Normal:
    """The normal distribution about `mean` with this standard deviation. RunError E605 unless that is positive."""
    mean, deviation = _number("mean", mean), _number("deviation", deviation)
    if not deviation > 0.0:
        raise RunError("E605", f"the deviation of a normal distribution must be positive, not {deviation}")
    return Normal(mean, deviation)


class Sample(Mapping[str, Vector]):
    """Drawn values by name: an array of shape (n,) for each scalar, with the values of n runs; (n, k) for a vector.
    `Model.batch` takes it as its parameters or start values, `Model.sweep` as its points."""

    def __init__(self, columns: Mapping[str, Vector], runs: int):
        self._columns, self.runs = dict(columns), runs

    def __getitem__(self, name: str) -> Vector:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Sample of {', '.join(self)}: {counted(self.runs, 'run')}>"

    def points(self) -> list[dict[str, Any]]:
        """The values of each run by name: numbers, or a list for a vector."""
        columns = {name: column.tolist() for name, column in self._columns.items()}
        return [{name: column[k] for name, column in columns.items()} for k in range(self.runs)]


def sample(quantities: Mapping[str, Any], runs: int, method: str = "latin", seed: int = 0) -> Sample:
    """Draw values for this number of runs. `quantities` are distributions by the names of parameters, start values or
    inputs: `uniform`, `normal`, or any frozen distribution of `scipy.stats`; a list of distributions for a vector; a
    number stays what it is. They are drawn independently of each other. The method is 'latin' (Latin hypercube: for
    each quantity one value in each of n equally likely intervals), 'sobol' (a scrambled Sobol sequence, most even for
    powers of 2), or 'random'. Equal seeds give equal samples. RunError E605 for wrong arguments."""
    if not isinstance(quantities, Mapping) or not quantities:
        hint = "such as {'R.R': cutset.uniform(90.0, 110.0)}"
        raise RunError("E605", f"a sample needs distributions by name, not {quantities!r}", hint)
    if not isinstance(runs, int) or not 1 <= runs <= _MOST_RUNS:
        raise RunError("E605", f"runs must be a whole number from 1 to {_MOST_RUNS}, not {runs!r}")
    parts = {name: _parts(name, given) for name, given in quantities.items()}
    shares = iter(_shares(sum(_is_drawn(p) for each in parts.values() for p in each), runs, method, seed).T)
    columns: dict[str, Vector] = {}
    for name, each in parts.items():
        drawn = [_values(name, part, shares, runs) for part in each]
        columns[name] = np.stack(drawn, axis=1) if isinstance(quantities[name], list | tuple) else drawn[0]
    return Sample(columns, runs)


def _parts(name: str, given: Any) -> Sequence[Any]:
    parts = given if isinstance(given, list | tuple) else [given]
    for part in parts:
        if not _is_drawn(part):
            _number(f"the quantity '{name}'", part)
    if not parts:
        raise RunError("E605", f"the vector '{name}' has no elements")
    return parts


def _is_drawn(part: Any) -> bool:
    return callable(getattr(part, "ppf", None))


def _values(name: str, part: Any, shares: Iterator[Vector], runs: int) -> Vector:
    if not _is_drawn(part):
        return np.full(runs, float(part))
    values = np.asarray(part.ppf(next(shares)), dtype=float)
    if values.shape != (runs,) or not np.isfinite(values).all():
        raise RunError("E605", f"the distribution of '{name}' gives values that are not finite numbers")
    return values


def _shares(dimensions: int, runs: int, method: str, seed: int) -> Vector:
    """Shares between 0 and 1, neither included: shape (runs, dimensions)."""
    methods: Mapping[str, Callable[[int, int, Generator], Vector]] = {
        "latin": _latin,
        "sobol": _sobol,
        "random": lambda d, n, generator: generator.random((n, d)),
    }
    if method not in methods:
        raise RunError("E605", *unknown_name("method of sampling", method, methods))
    if not isinstance(seed, int) or seed < 0:
        raise RunError("E605", f"seed must be a whole number, at least 0, not {seed!r}")
    shares = methods[method](dimensions, runs, np.random.default_rng(seed)) if dimensions else np.zeros((runs, 0))
    least = np.finfo(float).tiny
    found: Vector = np.clip(shares, least, 1.0 - np.finfo(float).epsneg)
    return found


def _latin(dimensions: int, runs: int, generator: Generator) -> Vector:
    from scipy.stats import qmc

    engine: Any = qmc.LatinHypercube  # newer versions of scipy call the seed rng
    found: Vector = engine(dimensions, seed=generator).random(runs)
    return found


def _sobol(dimensions: int, runs: int, generator: Generator) -> Vector:
    from scipy.stats import qmc

    engine: Any = qmc.Sobol
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*balance properties.*")
        found: Vector = engine(dimensions, seed=generator).random(runs)
    return found


def _number(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise RunError("E605", f"{what} must be a number or a distribution, not {value!r}")
    return float(value)
