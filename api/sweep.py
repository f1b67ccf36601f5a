"""Runs one model at many points, in threads or processes of this machine or on a Dask cluster. Points -> one row each.

Every point has a row; a run that fails, or whose process dies, becomes a row with its reason.
"""

from __future__ import annotations

import csv
import itertools
import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cutset.given_values import by_kind
from cutset.parameter_values import Setting, numbers
from cutset.retranslation import OF_VALUES, is_computed
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, UnknownName, unknown_name
from cutset.runtime.experiment import Experiment
from cutset.runtime.given_starts import not_a_state
from cutset.runtime.interface import Vector
from cutset.runtime.sweep import Row, Task, Texts, run_tasks, variable_of
from cutset.sweep_in_c import InC, in_c
from cutset.target_choice import choose_target

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.cached_translation import Translated

_MOST_POINTS = 1_000_000
# The largest number of runs that are sent together; each worker gets its share in this many parts.
_TOGETHER, _PARTS = 16, 8
# How often a run is retried on a cluster whose workers die.
_RETRIES = 5
_DIED = "its process ended: out of memory, or killed"

Points = Sequence[Mapping[str, Setting]]
Vary = Mapping[str, Sequence[Setting]] | Points


class Variants(Protocol):
    """A translated model and its variants for other values of structural parameters: the part of `Model` used here."""

    @property
    def translated(self) -> Translated:
        """The result of the translation."""
        ...

    @property
    def folded(self) -> Mapping[str, float]:
        """Parameters whose values are part of the code."""
        ...

    def with_values(self, given: Mapping[str, Setting]) -> Variants:
        """The model for these parameter values."""
        ...

    def with_starts(self, initial: Iterable[str]) -> Variants:
        """The model for runs that give start values to these variables."""
        ...

    def for_values(self, given: Mapping[str, float]) -> Variants | None:
        """The model translated for these values of parameters, if that changes its start."""
        ...

    def without_preferences(self) -> Variants:
        """The model in which preferences for states never select one that could become singular."""
        ...


@dataclass(frozen=True, eq=False)
class Sweep:
    """The table of a sweep, with one row per point; `sweep["max(x)"]` is a column.

    varied  the names that differ between the points
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

    def __getitem__(self, name: str) -> Vector:
        """The column of a varied or recorded name: shape (n,), NaN where a run failed. UnknownName if there is none."""
        if name in self.kept:
            k = self.kept.index(name)
            return np.array([row.values[k] for row in self.rows])
        if name in self.varied:
            return np.array([point[name] for point in self.points])
        raise UnknownName("E607", *unknown_name("column", name, (*self.varied, *self.kept)))

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows of the runs that failed, each with its reason."""
        return tuple(row for row in self.rows if row.reason)

    def table(self) -> Iterator[list[Any]]:
        """First the column names, then one list per run: varied values, recorded values, outcome, reason, seconds."""
        yield [*self.varied, *self.kept, "outcome", "reason", "seconds"]
        for point, row in zip(self.points, self.rows, strict=True):
            yield [*(point[name] for name in self.varied), *row.values, row.outcome, row.reason, row.seconds]

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table as text; numbers keep all digits."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(self.table())

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table as a Parquet file. A name that is varied and recorded has the column "NAME (varied)" for its
        varied values. RunError E647 if pyarrow is not installed."""
        from cutset.runtime.parquet import write_parquet

        write_parquet(path, self._columns())

    def _columns(self) -> Iterator[tuple[str, Vector | list[str]]]:
        for name in self.varied:
            values = [point[name] for point in self.points]
            is_text = any(isinstance(value, str) for value in values)
            column = [str(value) for value in values] if is_text else np.array(values, dtype=float)
            yield f"{name} (varied)" if name in self.kept else name, column
        yield from ((name, self[name]) for name in dict.fromkeys(self.kept))
        yield "outcome", [row.outcome for row in self.rows]
        yield "reason", [row.reason for row in self.rows]
        yield "seconds", np.array([row.seconds for row in self.rows])

    def plot(self, save: str | os.PathLike[str] | None = None) -> Figure:
        """Plot the recorded values over the first varied name, with one line per value of the others. Writes the figure
        to `save` if given."""
        from cutset.sweep_figure import figure

        across, kept = ({name: self[name] for name in names} for names in (self.varied, self.kept))
        drawn = figure(self.points, across, kept, [row.number for row in self.failed])
        if save is not None:
            drawn.savefig(save, dpi=150)
        return drawn


def points_of(vary: Vary) -> tuple[tuple[str, ...], tuple[Mapping[str, Setting], ...]]:
    """The names and the points: all combinations of the values of each name, or the points as listed. RunError E605 if
    there are none or too many, or if the points have different names."""
    if isinstance(vary, str) or not isinstance(vary, Iterable):
        raise RunError("E605", f"vary must be lists of values by name, such as {{'R.R': [1.0, 2.0]}}, not {vary!r}")
    if isinstance(vary, Mapping):
        names = tuple(vary)
        for name, values in vary.items():
            if isinstance(values, str) or not isinstance(values, Sized):
                raise RunError("E605", f"the values of '{name}' must be a list, not {values!r}")
        if math.prod(len(vary[name]) for name in names) > _MOST_POINTS:
            raise RunError(
                "E605", f"the sweep has more than {_MOST_POINTS} points", "vary fewer names, or use larger steps"
            )
        points = [dict(zip(names, values, strict=True)) for values in itertools.product(*vary.values())]
    else:
        points = [dict(point) for point in vary]
        names = tuple(points[0]) if points else ()
    if not points or not names:
        raise RunError("E605", "the sweep has no points", "give each name at least one value")
    if any(set(point) != set(names) for point in points):
        raise RunError(
            "E605", "the points of the sweep must all have the same names", f"the first has {', '.join(names)}"
        )
    return names, tuple(points)


def sweep(
    model: Variants,
    vary: Vary,
    keep: Iterable[str],
    experiment: Experiment,
    *,
    target: str = "auto",
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[Row], None] = lambda row: None,
) -> Sweep:
    """Run the experiment at each point, in `workers` threads or processes (None: one per core) or on the Dask cluster
    at the address `scheduler`. `progress` is called with each row that arrives. RunError for names that the model does
    not have."""
    names, points = points_of(vary)
    kept = () if isinstance(keep, str) else tuple(keep)
    if isinstance(keep, str) or not all(isinstance(name, str) for name in kept):
        raise TypeError(f"keep must be a list of names, such as ['x', 'max(x)'], not {keep!r}")
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise RunError("E605", f"workers must be a number of processes, at least 1, not {workers!r}")
    _check_names(model, points[0], kept)
    rows: dict[int, Row] = {}
    runs, workers = _Runs(model, experiment, kept, choose_target(target)), workers or os.cpu_count() or 1
    if scheduler:
        work = _rows(runs, points, range(len(points)), partial(_on_cluster, scheduler))
    else:
        work = _on_cores(runs, names, points, workers)
    try:
        for row in work:
            rows[row.number] = row
            progress(row)
    except KeyboardInterrupt:
        work.close()
    missing = _lost(kept, "interrupted", "it was not started, or not finished")
    return Sweep(names, points, kept, tuple(rows.get(k, replace(missing, number=k)) for k in range(len(points))))


def _check_names(model: Variants, point: Mapping[str, Setting], kept: Sequence[str]) -> None:
    info = model.translated.info
    changeable = {*info.parameters, *info.folded, *info.states, *info.discrete, *info.inputs}
    for name, value in point.items():
        if name in changeable:
            continue
        if not is_computed(info, name):
            raise RunError("E602", *unknown_name("parameter, state or input", name, changeable))
        if name not in model.with_starts([name]).translated.info.given_starts:
            raise not_a_state(info, name, value)
    known = (*info.names, *info.folded)
    for name in map(variable_of, kept):
        if name not in known and name != "time":
            raise UnknownName("E607", *unknown_name("variable", name, known))


_Done = Callable[[tuple[Texts, ...], list[Task]], Generator[Row, None, None]]


def _on_cores(runs: _Runs, names: Sequence[str], points: Points, workers: int) -> Generator[Row, None, None]:
    """The rows in the order in which they arrive: first those of runs that C can do."""
    own, at = runs.of(points[0])
    found = runs.in_c(own, at, names, points)
    if found is None:
        yield from _rows(runs, points, range(len(points)), partial(_on_this_machine, workers))
        return
    yield from found.rows(workers)
    left = found.left()
    # A process takes longer to start than a few runs.
    yield from _rows(runs, points, left, partial(_on_this_machine, workers if len(left) > _TOGETHER else 1))


def _rows(runs: _Runs, points: Points, numbers: Sequence[int], done: _Done) -> Generator[Row, None, None]:
    """The rows of the points with these numbers, in the order in which they arrive. Runs that do not start because of
    their parameter values come last: they are repeated with the model that is translated for these values, as a single
    run is."""
    if not numbers:
        return
    refused: dict[int, Row] = {}
    tasks = [runs.task(number, points[number]) for number in numbers]
    for row in done(tuple(runs.models), tasks):
        if row.refusal in OF_VALUES:
            refused[row.number] = row
        else:
            yield row
    again = [task for number in sorted(refused) if (task := runs.again(number, points[number])) is not None]
    for row in done(tuple(runs.models), again) if again else ():
        if not row.refusal:
            del refused[row.number]
            yield row
    yield from refused.values()


class _Runs:
    """Makes the tasks of a sweep, and collects the distinct `models` that they need."""

    def __init__(self, model: Variants, experiment: Experiment, kept: tuple[str, ...], target: str):
        self._model, self._experiment, self._kept, self._target = model, experiment, kept, target
        self.models: dict[Texts, int] = {}
        self._known: dict[int, tuple[int, int]] = {}

    def task(self, number: int, point: Mapping[str, Setting]) -> Task:
        """The run at a point."""
        own, at = self.of(point)
        return self._task(number, own, at)

    def again(self, number: int, point: Mapping[str, Setting]) -> Task | None:
        """The same run with the model translated for its values; None if that changes nothing."""
        own, at = self.of(point)
        other = own.for_values(at.parameters)
        return None if other is None else self._task(number, other, at)

    def in_c(self, own: Variants, at: Experiment, names: Sequence[str], points: Points) -> InC | None:
        """All runs in C; None if the model, its target or the points do not allow that. `own` and `at` are those of the
        first point."""
        varied = {*own.folded, *self._model.folded, *self._model.translated.info.default_starts}
        if self._target != "c" or not varied.isdisjoint(names):
            return None
        return in_c(self._texts(own), own.translated, at, names, points, self._kept)

    def of(self, point: Mapping[str, Setting]) -> tuple[Variants, Experiment]:
        """The model and the experiment of a point, with all given values."""
        experiment = self._experiment
        own = self._model.with_values({**experiment.parameters, **point})
        given = by_kind(own.translated.info, point.items())
        at = replace(
            experiment,
            parameters=numbers({**experiment.parameters, **given["parameters"]}, own.translated.domains),
            initial={**experiment.initial, **given["initial"]},
            inputs={**experiment.inputs, **given["inputs"]},
        )
        return own.with_starts(at.initial), at

    def _task(self, number: int, own: Variants, at: Experiment) -> Task:
        at = replace(at, parameters={name: v for name, v in at.parameters.items() if name not in own.folded})
        if id(own) not in self._known:
            watched = any(assertion.of_preference for assertion in own.translated.info.assertions)
            first = self._number(own)
            other = self._number(own.without_preferences().with_starts(at.initial)) if watched else -1
            self._known[id(own)] = first, other
        first, other = self._known[id(own)]
        return Task(number, first, at, self._kept, other)

    def _texts(self, model: Variants) -> Texts:
        return Texts(tuple(model.translated.files(self._target).items()), self._target)

    def _number(self, model: Variants) -> int:
        return self.models.setdefault(self._texts(model), len(self.models))


def _parts(tasks: Sequence[Task], workers: int) -> list[Sequence[Task]]:
    size = max(1, min(_TOGETHER, len(tasks) // (_PARTS * workers)))
    return [tasks[k : k + size] for k in range(0, len(tasks), size)]


def _on_this_machine(workers: int, models: tuple[Texts, ...], tasks: list[Task]) -> Generator[Row, None, None]:
    if workers == 1:
        for task in tasks:
            yield from run_tasks(models, [task])
        return
    left = {task.number: task for task in tasks}
    # When a process dies, the run that killed it is unknown: repeat the rest one by one; a run that dies alone has
    # failed.
    for parts in (lambda: _parts(list(left.values()), workers), lambda: [[task] for task in left.values()]):
        for row in _in_processes(workers, models, parts()):
            del left[row.number]
            yield row
        if not left:
            return
    for task in left.values():
        yield next(_in_processes(1, models, [[task]]), replace(_lost(task.keep, "died", _DIED), number=task.number))


def _in_processes(workers: int, models: tuple[Texts, ...], parts: Sequence[Sequence[Task]]) -> Iterator[Row]:
    """The rows that arrive before a process dies."""
    with ProcessPoolExecutor(min(workers, len(parts))) as pool:
        futures = [pool.submit(run_tasks, models, part) for part in parts]
        try:
            for future in as_completed(futures):
                yield from future.result()
        except BrokenProcessPool:
            return
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _on_cluster(scheduler: str, models: tuple[Texts, ...], tasks: list[Task]) -> Generator[Row, None, None]:
    try:
        import distributed  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise RunError("E605", "Dask is not installed", "install it: pip install distributed") from error
    try:
        client = distributed.Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise RunError("E605", f"there is no Dask cluster at '{scheduler}'", notes=[str(error)]) from error
    with client:
        workers = max(1, sum(client.nthreads().values()))
        parts = _parts(tasks, workers)
        sent = client.scatter(models, broadcast=True, hash=False)
        futures = {client.submit(run_tasks, list(sent), part, pure=False, retries=_RETRIES): part for part in parts}
        for future in distributed.as_completed(futures):
            if future.status == "finished":
                yield from future.result()
            else:
                yield from (replace(_lost(task.keep, "died", _DIED), number=task.number) for task in futures[future])


def _lost(kept: Sequence[str], outcome: str, reason: str) -> Row:
    return Row(-1, (math.nan,) * len(kept), outcome, reason)
