"""Fits parameters to measured data: least squares with the exact derivatives of runs -> a `Fit`. Integrates nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.api.files.input_tables import InputTable, columns_of, own_column, table
from cutset.api.runs.sensitivities import refused, with_sensitivities
from cutset.api.translate.given_values import array_names
from cutset.api.translate.own_settings import completed
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, require_names, unknown_variable
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.targets.binding import finite_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A run that fails on the way is that far off, in deviations; and the most runs of each experiment.
_FAR, _MOST_RUNS = 1e6, 200
# A direction is not identified if it has less than this part of the largest effect; its larger parts are named.
_NO_EFFECT, _PART = 1e-7, 0.05


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """The `values` of n parameters by name with their `covariance` (n, n), from the deviations of the measured values;
    the `runs` with these values, one for each table of data, and their `residuals`, measured minus computed, in
    deviations: for each run the times and an array for each output. `misfit` is the mean square of all residuals for
    each degree of freedom, about 1 if the model and the deviations are right. `evaluations` counts the runs of each
    experiment. `notes` say what to doubt."""

    values: Mapping[str, float]
    covariance: Vector
    runs: tuple[Result, ...]
    residuals: tuple[tuple[Vector, Mapping[str, Vector]], ...]
    misfit: float
    evaluations: int
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.6g} ± {self.deviations[name]:.2g}" for name, value in self.values.items())
        return f"<Fit: {found}, misfit {self.misfit:.3g}>"

    @cached_property
    def deviations(self) -> Mapping[str, float]:
        """The standard deviation of each value."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def correlation(self) -> Vector:
        """The correlations of the values: shape (n, n)."""
        size = np.sqrt(np.diag(self.covariance))
        found: Vector = self.covariance / np.outer(size, size)
        return found

    def intervals(self, probability: float = 0.95) -> dict[str, tuple[float, float]]:
        """The interval in which each parameter lies with this probability, where the model is linear in them."""
        from scipy.special import ndtri  # slow to import

        wide = float(ndtri(0.5 + 0.5 * probability))
        return {n: (v - wide * self.deviations[n], v + wide * self.deviations[n]) for n, v in self.values.items()}

    def plot(self) -> Figure:
        """The residuals over time, in deviations: a plot for each output."""
        from cutset.runtime.shown_figure import ShownFigure  # matplotlib is slow to import

        names = list(self.residuals[0][1])
        drawn = ShownFigure(figsize=(8.0, max(4.0, 2.0 * len(names))), layout="constrained")
        for axis, name in zip(drawn.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0], names, strict=True):
            for times, of_run in self.residuals:
                axis.plot(times, of_run[name], ".", markersize=3)
            axis.set_ylabel(name)
            axis.grid(True, alpha=0.3)
        axis.set_xlabel("time [s]")
        return drawn


@dataclass(frozen=True, eq=False)
class _Data:
    """The measured values (n_times, n_outputs) of one experiment."""

    times: Vector
    measured: Vector
    experiment: Experiment


class _Misfit:
    """The residuals of all data and priors, in deviations, and their derivatives, for values of the unknowns: the
    parameters, and the free start values of each experiment in turn."""

    def __init__(self, model: Any, outputs: Mapping[str, float], free: Sequence[str], data: Sequence[_Data]):
        self.model, self.outputs, self.free, self.data = model, outputs, free, data
        self.runs: list[Result] = []
        self.evaluations = 0
        self._latest: tuple[bytes, Vector, Vector] | None = None

    def at(self, names: Sequence[str], priors: Mapping[str, tuple[float, float]], z: Vector) -> tuple[Vector, Vector]:
        """The residuals (m,) and their derivatives (m, n). RunError if the first runs fail."""
        if self._latest is None or self._latest[0] != z.tobytes():
            try:
                found = self._computed(names, priors, z)
            except RunError:
                if self._latest is None:
                    raise
                found = np.full(len(self._latest[1]), _FAR), np.zeros_like(self._latest[2])
            self._latest = (z.tobytes(), *found)
        return self._latest[1:]

    def _computed(self, names: Sequence[str], priors: Mapping[str, Any], z: Vector) -> tuple[Vector, Vector]:
        n_own, n_free = len(names) - len(self.free) * len(self.data), len(self.free)
        self.evaluations += 1
        self.runs, rest, slopes = [], [], []
        for k, data in enumerate(self.data):
            first = n_own + k * n_free
            starts = dict(zip(self.free, z[first : first + n_free].tolist(), strict=True))
            own = dict(zip(names[:n_own], z[:n_own].tolist(), strict=True))
            given = replace(
                data.experiment,
                parameters={**data.experiment.parameters, **own},
                initial={**data.experiment.initial, **starts},
            )
            with refused():
                run = self.model.run(given).completed()
            rows = np.searchsorted(run.time, data.times, side="right") - 1
            self.runs.append(run)
            for j, (name, deviation) in enumerate(self.outputs.items()):
                rest.append((run[name][rows] - data.measured[:, j]) / deviation)
                slope = np.zeros((len(rows), len(names)))
                for i, column in enumerate((*names[:n_own], *(f"start of {x}" for x in self.free))):
                    at = i if i < n_own else first + i - n_own
                    slope[:, at] = run.sensitivity(name, column)[rows] / deviation
                slopes.append(slope)
        for name, (mean, deviation) in priors.items():
            rest.append(np.array([(z[names.index(name)] - mean) / deviation]))
            slopes.append(np.eye(1, len(names), names.index(name)) / deviation)
        return np.concatenate(rest), np.concatenate(slopes)

    def residuals(self) -> tuple[tuple[Vector, Mapping[str, Vector]], ...]:
        found = []
        for data, run in zip(self.data, self.runs, strict=True):
            rows = np.searchsorted(run.time, data.times, side="right") - 1
            own = {n: (data.measured[:, j] - run[n][rows]) / s for j, (n, s) in enumerate(self.outputs.items())}
            found.append((data.times, own))
        return tuple(found)


def fit(
    model: TranslatedModel,
    parameters: Iterable[str] | Mapping[str, float],
    data: Any,
    outputs: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
    priors: Mapping[str, tuple[float, float]],
    free_start: Sequence[str],
    settings: Mapping[str, Any],
) -> Fit:
    """As `Model.fit`."""
    own = [parameters] if isinstance(parameters, str) else list(parameters)
    guesses = {n: finite_number(f"the guess of '{n}'", v) for n, v in _guesses(model, parameters, own, settings)}
    deviations = {name: _deviation(model, name, value) for name, value in outputs.items()}
    if not own or not deviations:
        raise RunError("E605", "a fit needs parameters and outputs", "name them: fit(['R'], data, outputs={'i': 0.1})")
    tables = data if isinstance(data, list) and not np.isscalar(data[0]) else [data]
    experiments = [_data(model, deviations, table(each) if not isinstance(each, InputTable) else each, settings)
                   for each in tables]  # fmt: skip
    whole = with_sensitivities(
        model, [*own, *(f"start of {name}" for name in free_start)],
        replace(experiments[0].experiment, parameters={**experiments[0].experiment.parameters, **guesses},
                initial={**experiments[0].experiment.initial, **dict.fromkeys(free_start, 0.0)}),
    )  # fmt: skip
    misfit = _Misfit(whole, deviations, tuple(free_start), experiments)
    first = model.run(replace(experiments[0].experiment, stop=experiments[0].experiment.start, times=None)).completed()
    starts = {name: float(first[name][0]) for name in free_start}
    names, z = list(own), [guesses[name] for name in own]
    for k in range(len(experiments)):
        names += [f"start of {name}" + (f" ({k + 1})" if len(experiments) > 1 else "") for name in free_start]
        z += starts.values()
    return _solved(misfit, names, np.array(z), _limits(model, names, z, bounds), _priors(names, priors))


def _guesses(
    model: TranslatedModel, parameters: Any, own: Sequence[str], settings: Mapping[str, Any]
) -> Iterable[tuple[str, float]]:
    if isinstance(parameters, Mapping):
        return parameters.items()
    known = {**model.parameters, **(settings.get("parameters") or {})}
    require_names("parameter", own, known)
    return [(name, known[name]) for name in own]


def _deviation(model: TranslatedModel, name: str, value: float) -> float:
    if name not in model.translated.info.names:
        raise unknown_variable(name, model.translated.info.names)
    number = finite_number(f"the deviation of '{name}'", value)
    if number <= 0.0:
        raise RunError("E605", f"the deviation of '{name}' must be greater than 0, not {value!r}")
    return number


def _data(
    model: TranslatedModel, outputs: Mapping[str, float], source: InputTable, settings: Mapping[str, Any]
) -> _Data:
    """The measured outputs, in the units of the model, and the experiment, whose inputs are in the same table."""
    info, units = model.translated.info, model.translated.description.units
    names = source.names or (tuple(outputs) if source.columns.shape[1] == len(outputs) else ())
    for name in outputs:
        if name not in names:
            shown = f": {', '.join(names[:6])}" if names else ""
            raise RunError("E605", f"the data have no column '{name}'{shown}", "name the columns as the variables")
    source = replace(source, names=names)
    measured = np.array([own_column(source, names.index(n), (n,), units) for n in outputs]).T
    wrong = np.argwhere(~np.isfinite(measured))
    if len(wrong):
        row, column = wrong[0].tolist()
        what = f"the data have a gap: '{list(outputs)[column]}' has no value in row {row + 1}"
        raise RunError("E605", what, "remove such rows, or give two tables as two experiments")
    if not (np.isfinite(source.times).all() and (np.diff(source.times) > 0.0).all()):
        raise RunError("E605", "the times of the data must ascend", "sort the rows by time, and remove repeated ones")
    inputs = [n for n in names if n in info.inputs or array_names(info, n)]
    places = [names.index(n) for n in inputs if n not in outputs]
    driven = replace(source, names=tuple(names[k] for k in places), columns=source.columns[:, places])
    given = model.signals(settings.get("inputs") or {}) | (columns_of(info, driven, units) if places else {})
    chosen = completed(model.experiment, **{**settings, "inputs": given, "points": None})
    start = chosen.start if settings.get("start") is not None or not places else float(source.times[0])
    if source.times[0] < start:
        raise RunError(
            "E605", f"the data begin at {source.times[0]:g} s, before the run", f"give start={source.times[0]:g}"
        )
    times = tuple(source.times[source.times > start].tolist())
    if not times:
        raise RunError("E605", "the data have no time after the start", "give more rows")
    timed = replace(chosen, start=start, stop=times[-1], points=None, interval=None, times=times[:-1] or None)
    return _Data(source.times, measured, model.settled(timed))


def _limits(
    model: TranslatedModel, names: Sequence[str], z: Sequence[float], bounds: Mapping[str, tuple[float, float]]
) -> tuple[Vector, Vector]:
    """The bounds that are given, else those of the parameters in the model."""
    require_names("parameter of the fit", bounds, names)
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for k, name in enumerate(names):
        domain = model.translated.domains.get(name)
        least, most = bounds.get(name) or ((domain.minimum, domain.maximum) if domain else (None, None))
        low[k], high[k] = -np.inf if least is None else least, np.inf if most is None else most
        if not low[k] <= z[k] <= high[k] or not low[k] < high[k]:
            what = f"the guess of '{name}', {z[k]:g}, is not within its bounds, {low[k]:g} to {high[k]:g}"
            raise RunError("E605", what, "give another guess: fit({'" + name + "': VALUE}, ...)")
    return low, high


def _priors(names: Sequence[str], priors: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    found = {}
    require_names("parameter of the fit", priors, names)
    for name, (mean, deviation) in priors.items():
        if not (np.isfinite(mean) and 0.0 < deviation < np.inf):
            raise RunError("E605", f"the prior of '{name}' must be its mean and its deviation, greater than 0")
        found[name] = float(mean), float(deviation)
    return found


def _solved(
    misfit: _Misfit, names: list[str], z: Vector, limits: tuple[Vector, Vector], priors: Mapping[str, Any]
) -> Fit:
    """The fit. RunError E605 if it does not converge, or if the data do not determine all values."""
    from scipy.optimize import least_squares  # slow to import

    found = least_squares(
        lambda at: misfit.at(names, priors, at)[0], z, lambda at: misfit.at(names, priors, at)[1], limits,
        x_scale="jac", max_nfev=_MOST_RUNS,
    )  # fmt: skip
    rest, slopes = misfit.at(names, priors, found.x)
    if not found.success or abs(rest).max() >= _FAR:
        hint = "give better guesses: fit({'R': 1.2}, ...), or bounds"
        raise RunError("E605", f"the fit has not converged in {counted(misfit.evaluations, 'run')}", hint)
    sizes = np.where(found.x == 0.0, 1.0, abs(found.x))
    _, effects, directions = np.linalg.svd(slopes * sizes, full_matrices=False)
    weak = [directions[k] for k in range(len(effects)) if effects[k] <= _NO_EFFECT * effects[0]]
    if weak or len(effects) < len(names):
        raise RunError(
            "E605", "the data do not determine these parameters", "fix one of each, or give its prior",
            [_told(names, direction) for direction in weak],
        )  # fmt: skip
    scaled = directions.T / effects
    covariance = (scaled @ scaled.T) * np.outer(sizes, sizes)
    freedom = max(1, len(rest) - len(names))
    square = float(rest @ rest) / freedom
    notes = [f"'{n}' is at its bound {v:g}" for n, v, a in zip(names, found.x, found.active_mask, strict=True) if a]
    if square > 1.0 + 5.0 * np.sqrt(2.0 / freedom):
        notes.append(
            f"the residuals are {np.sqrt(square):.3g} times their deviations: the model or the deviations are wrong"
        )
    values = dict(zip(names, found.x.tolist(), strict=True))
    runs = tuple(misfit.runs)
    return Fit(values, covariance, runs, misfit.residuals(), square, misfit.evaluations, tuple(notes))


def _told(names: Sequence[str], direction: Vector) -> str:
    parts = [(name, part) for name, part in zip(names, direction.tolist(), strict=True) if abs(part) > _PART]
    if len(parts) == 1:
        return f"'{parts[0][0]}' has no effect on the outputs"
    return "no effect if together " + ", ".join(f"'{name}' changes by {100 * part:+.2g} %" for name, part in parts)
