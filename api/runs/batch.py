"""Runs a model many times: values for all runs -> a `Batch` with the trajectories of all runs.

The runs are done by one compiled program, in threads: several at once in the vectors of the processor if the steps are
equal and nothing happens between them, else one by one. A run that this program cannot do is done alone, as `simulate`
does it; one that fails there is a row with its reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.api.runs.batch_measures import measured, measured_variables, split_outputs
from cutset.api.runs.settings import BatchSettings
from cutset.api.translate.given_values import given_times
from cutset.api.translate.own_settings import completed, own_experiment
from cutset.api.translate.parameter_values import numbers
from cutset.api.translate.target_choice import choose_target
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.codegen.statistics import Domain
from cutset.contract.metadata import ModelInfo
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_name, unknown_variable
from cutset.runtime.given.given_starts import differ
from cutset.runtime.given.piecewise import PiecewisePolynomial
from cutset.runtime.interface import Vector
from cutset.runtime.results.selection import select
from cutset.runtime.runs.experiment import Experiment, output_times_of
from cutset.runtime.runs.many_runs import DONE, ENDED, LAST, Runs, many_runs
from cutset.runtime.solvers.tableaus import RK4
from cutset.runtime.targets.lanes import SOURCE, Lanes, has_vectors, lanes_of
from cutset.runtime.whole_files import written_whole


@dataclass(frozen=True, eq=False)
class Batch:
    """The results of many runs: ``batch["C.u"]`` has the shape (runs, times).

    time    the output times (n_times,)
    names   the recorded variables
    values  their values (runs, n_times, n_names); NaN where a run did not arrive
    failed  the reason of each run that failed, by its number
    alone   how many runs were done one by one, as `simulate` does them
    notes   why, if it was all of them; and in how many runs a measure has no value
    measured  a number of each run (runs,) by the text of each measure, such as ``batch["max(C.u)"]``
    """

    time: Vector
    names: tuple[str, ...]
    values: Vector
    failed: Mapping[int, str]
    alone: int = 0
    notes: tuple[str, ...] = ()
    measured: Mapping[str, Vector] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of runs."""
        return len(self.values)

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<Batch of {counted(len(self), 'run')}: {counted(len(self.names), 'variable')}{failed}>"

    def __getitem__(self, name: str) -> Vector:
        """The trajectories of a recorded variable: shape (runs, times); or the values of a measure: shape (runs,).
        UnknownName for another name."""
        if name in self.measured:
            return self.measured[name]
        if name not in self.names:
            raise unknown_variable(str(name), (*self.names, *self.measured))
        return self.values[:, :, self.names.index(name)]

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write `time`, `names`, `values`, and `failed_runs` with their `reasons`, for ``numpy.load``."""
        failed, reasons = np.array(list(self.failed), dtype=int), np.array(list(self.failed.values()), dtype=str)
        texts = {"names": np.array(self.names, dtype=str), "reasons": reasons}
        with written_whole(path) as place:
            np.savez(place, allow_pickle=False, time=self.time, values=self.values, failed_runs=failed, **texts)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file with one row for each run and time: the columns run, time, and one for each variable.
        RunError E647 if pyarrow is not installed."""
        from cutset.runtime.results.parquet import write_parquet

        write_parquet(path, self._columns())

    def _columns(self) -> Iterator[tuple[str, NDArray[Any]]]:
        yield "run", np.repeat(np.arange(len(self)), len(self.time))
        yield "time", np.tile(self.time, len(self))
        yield from ((name, self[name].ravel()) for name in self.names)


def batch(model: TranslatedModel, stop: float | None, settings: BatchSettings) -> Batch:
    """Run the model for all values. RunError for wrong names and settings; a run that fails is a row."""
    workers = settings.get("workers") or os.cpu_count() or 1
    if not isinstance(workers, int) or workers < 1:
        raise RunError("E605", f"workers must be a number of threads, at least 1, not {workers!r}")
    info = model.translated.info
    given = given_values(info, model.translated.domains, settings)
    chosen = {name: settings.get(name) for name in ("start", "method", "rtol", "atol", "max_step")}
    experiment = completed(own_experiment(model.translated.experiment), stop=stop, **chosen)
    points, interval, given_at = settings.get("points"), settings.get("interval"), given_times(settings.get("times"))
    patterns, measures = split_outputs(settings.get("outputs"))
    recorded = chosen_outputs(info, patterns, info.states)
    names = tuple(dict.fromkeys((*recorded, *measured_variables(info, measures))))
    if points is None and interval is None and given_at is None and experiment.stop != experiment.start:
        points = None if measures else 2  # measures need the rows of a run
    experiment = replace(experiment, points=points, interval=interval, times=given_at)
    progress = settings.get("progress") or _silent
    times, values = output_times_of(experiment), np.full((given.runs, 0, 0), np.nan)
    one = variant_for(model, given)
    outcomes = outcomes_in_c(one, experiment, given, names, workers, progress)
    notes: tuple[str, ...] = ()
    if isinstance(outcomes, str):
        values, left = np.full((given.runs, len(times), len(names)), np.nan), list(range(given.runs))
        notes = (f"all runs were done one by one: {outcomes}",)
    else:
        values, left = outcomes.results, np.flatnonzero(~outcomes.has_ended).tolist()
    failed = {}
    for done, k in enumerate(left, start=given.runs - len(left) + 1):
        if reason := _alone(one, given.of_run(k, experiment), names, times, values[k]):
            failed[k] = reason
        progress(done, given.runs)
    found, of_measures = measured(measures, times, names, values)
    kept = values if len(names) == len(recorded) else values[:, :, : len(recorded)].copy()
    return Batch(times, recorded, kept, failed, len(left), (*notes, *of_measures), found)


def chosen_outputs(info: ModelInfo, patterns: str | Iterable[str] | None, default: Iterable[str]) -> tuple[str, ...]:
    """The variables that these patterns name. UnknownName E607 for one that names none."""
    if patterns is None:
        return tuple(default)
    return select([patterns] if isinstance(patterns, str) else list(patterns), tuple(info.names))


def _silent(done: int, runs: int) -> None:
    pass


def _alone(
    model: TranslatedModel, experiment: Experiment, names: tuple[str, ...], times: Vector, values: Vector
) -> str:
    """Do one run, and write its values (n_times, n_names); why it failed, else an empty string."""
    values[:] = np.nan
    try:
        result = model.run(experiment)
    except RunError as error:
        return _sentence(error)
    rows = np.searchsorted(result.time, times, side="right") - 1
    reached = (rows >= 0) & (result.time[rows] == times)
    for column, name in enumerate(names):
        values[reached, column] = result[name][rows[reached]]
    return "" if result.failure is None else _sentence(result.failure.error())


def _sentence(error: RunError) -> str:
    return f"{error.code}: {error.message}"


# --- batch program --------------------------------------------------------------------------------

# Runs in equal steps of a model without events go together, others one by one.


@dataclass(frozen=True, eq=False)
class Outcomes:
    """`results` (n, n_times, n_kept), NaN where a run did not arrive; and whether each run `has_ended` (n,), by itself
    or by the model. The others must be done again."""

    results: Vector
    has_ended: NDArray[np.bool_]


def variant_for(model: TranslatedModel, given: Given) -> Any:
    """The model in which all given parameters and start values can change: their values are not part of its code."""
    defaults = {n: float(v[0]) for n, v in given.parameters.items() if n in model.translated.info.default_starts}
    own: Any = model.with_values(defaults) if defaults else model
    return own.unfolded(given.parameters).with_starts(given.initial)


def outcomes_in_c(
    variant: Any,
    experiment: Experiment,
    given: Given,
    names: tuple[str, ...],
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcomes | str:
    """The outcomes of all runs of the `variant`, or why C cannot do its model, the method or an input."""
    at = given.of_run(0, experiment)
    if given.signals:
        at = variant.settled(at)
        scripted = (
            n for n, signal in at.inputs.items() if callable(signal) and not isinstance(signal, PiecewisePolynomial)
        )
        if name := next(scripted, None):
            return f"the input '{name}' is a function in Python"
    if choose_target("auto") != "c":
        return "there is no C compiler"
    values = [*given.parameters.items(), *given.initial.items(), *given.inputs.items()]
    # Start values of the run that the model may have determined otherwise are compared with those of the solution.
    started = [name for name in given.initial if name in variant.translated.info.given_starts]
    runs = Runs(given.runs, values, [(name, LAST) for name in (*names, *started)], has_trajectories=True)
    many = many_runs(variant.build("c"), at, runs, lanes_for(variant, experiment, given))
    if many is None:
        return f"the method {experiment.method}, FMUs, functions in Python, or a wrong value need that"
    done = 0
    with closing(many.done(workers)) as blocks:
        for first, end in blocks:
            done += end - first
            progress(done, given.runs)
    status, found = many.numbers.status, many.numbers.values
    has_ended = (status == DONE) | (status == ENDED)
    for at, name in zip(found[:, 0, len(names) :].T, started, strict=True):
        has_ended &= [
            not differ(*pair) for pair in zip(at, np.broadcast_to(given.initial[name], at.shape), strict=True)
        ]
    return Outcomes(found[:, :, : len(names)], has_ended)


def lanes_for(model: Any, experiment: Experiment, given: Given) -> Lanes | None:
    """The form of the model in which runs go together, if there is one."""
    if experiment.method != RK4.name or given.signals or not has_vectors():
        return None
    text = model.translated.files("lanes").get(SOURCE)
    one_for_all = all(len(values) == 1 for values in given.parameters.values())
    return None if text is None else lanes_of(text, constants_are_shared=one_for_all)


# --- batch values ---------------------------------------------------------------------------------


# What each kind of value is called, and the arrays of the contract that hold such variables.
_KINDS = {
    "parameters": ("parameter", "p"),
    "initial": ("variable with a start value", "xmy"),
    "inputs": ("input", "u"),
}


@dataclass(frozen=True, eq=False)
class Given:
    """The values of `runs` runs by scalar name: arrays with one number for each run, or one for all. `signals` are
    inputs that are functions of time or tables, the same for all runs."""

    runs: int
    parameters: Mapping[str, Vector]
    initial: Mapping[str, Vector]
    inputs: Mapping[str, Vector]
    signals: Mapping[str, Any]

    def of_run(self, k: int, experiment: Experiment) -> Experiment:
        """The experiment with the values of run number k."""
        parts = {"parameters": self.parameters, "initial": self.initial, "inputs": self.inputs}
        chosen = {
            kind: {name: float(values[k] if len(values) > 1 else values[0]) for name, values in part.items()}
            for kind, part in parts.items()
        }
        inputs = {**self.signals, **chosen["inputs"]}
        return replace(experiment, parameters=chosen["parameters"], initial=chosen["initial"], inputs=inputs)


def given_values(
    info: ModelInfo, domains: Mapping[str, Domain], settings: Mapping[str, Any], runs: int | None = None
) -> Given:
    """The values in `settings`: its parameters, initial and inputs, of so many runs. RunError E602 or E604 for a wrong
    name, E605 for other arrays than of one number for each run."""
    found: dict[str, dict[str, Vector]] = {}
    signals: dict[str, Any] = {}
    for kind in _KINDS:
        given = settings.get(kind) or {}
        if not isinstance(given, Mapping):
            what = f"{kind} must be values by name, such as {{'R.R': [100.0, 200.0]}}, not {given!r}"
            raise RunError("E605", what)
        plain = {name: value for name, value in given.items() if not (kind == "inputs" and _is_signal(value))}
        signals |= {name: value for name, value in given.items() if name not in plain}
        found[kind] = {
            scalar: values for name, value in plain.items() for scalar, values in _scalars(info, kind, name, value)
        }
    lengths = {name: len(values) for part in found.values() for name, values in part.items() if values.ndim}
    if not lengths and runs is None:
        raise RunError("E605", "a batch needs an array with a value for each run", "for one run, use simulate")
    n = max(lengths.values()) if runs is None else runs
    for name, length in lengths.items():
        if length != n:
            most = next((f"'{name}' has {n}" for name, length in lengths.items() if length == n), f"there are {n} runs")
            what = f"'{name}' has {counted(length, 'value')}, but {most}"
            raise RunError("E605", what, "give one number, or one for each run")
    for name, values in (item for part in found.values() for item in part.items()):
        if name in domains:
            for value in np.asarray(sorted(set(values.ravel().tolist()))):
                numbers({name: float(value)}, {name: domains[name]}, {})
    parts = [{name: np.atleast_1d(values) for name, values in part.items()} for part in found.values()]
    return Given(n, parts[0], parts[1], parts[2], signals)


def _is_signal(value: Any) -> bool:
    """True for a function of time or a table: a pair of times and values, a file, a DataFrame."""
    return callable(value) or not isinstance(value, int | float | list | np.ndarray | np.number)


def _scalars(info: ModelInfo, kind: str, name: str, value: Any) -> list[tuple[str, Vector]]:
    """The scalars of a variable with their values, without dimensions if they are the same for all runs."""
    noun, arrays = _KINDS[kind]
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise RunError("E605", f"the values of '{name}' must be numbers, not {value!r}") from None
    if not np.isfinite(values).all():
        raise RunError("E605", f"the values of '{name}' must be finite numbers")
    of_it = re.compile(re.escape(str(name)) + r"\(\d+(,\d+)?\)")
    elements = [other for other in (*info.names, *info.folded) if of_it.fullmatch(other)]
    if name not in info.names and name not in info.folded and not elements:
        known = [other for other, slot in info.names.items() if slot.array in arrays]
        raise RunError("E602", *unknown_name(noun, str(name), [*known, *(info.folded if kind == "parameters" else ())]))
    for scalar in elements or [name]:
        slot = None if scalar in info.folded else info.names.get(scalar)
        if (slot.array not in arrays) if slot else kind != "parameters":
            raise RunError("E604", f"'{name}' is not {'an' if noun[0] in 'aeiou' else 'a'} {noun}")
    inner = values.shape[1:]
    parts = {name: values}
    if elements:
        parts = {
            f"{name}({','.join(str(i + 1) for i in index)})": values[(slice(None), *index)]
            for index in np.ndindex(inner)
        }
    if values.ndim > (2 if elements else 1) + 1 or parts.keys() != set(elements or [name]) or (inner and not elements):
        shape = "(runs, ...) with the shape of the variable" if elements else "(runs,)"
        raise RunError("E605", f"the values of '{name}' have the shape {values.shape}; expected {shape}")
    if 0 in values.shape:
        raise RunError("E605", f"'{name}' has no values")
    return list(parts.items())
