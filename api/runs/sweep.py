"""Runs one model at many points, in threads or processes of this machine or on a Dask cluster. Points -> one row each.

Every point has a row; a run that fails, or whose process dies, becomes a row with its reason.
"""

from __future__ import annotations

import math
import os
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from typing import Any

from cutset.api.runs.measures import Measure, is_measure, measure_of
from cutset.api.runs.sweep_in_c import InC, in_c
from cutset.api.runs.sweep_points import Points, Vary, points_of, spread
from cutset.api.show.sweep_table import Sweep
from cutset.api.translate.given_values import by_kind
from cutset.api.translate.parameter_values import Setting, in_own_unit
from cutset.api.translate.retranslation import OF_VALUES, Specialized, is_computed
from cutset.api.translate.target_choice import choose_target
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.errors import RunError, unknown_name, unknown_variable
from cutset.runtime.given.given_starts import not_a_state
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.sweep import Kept, Row, Task, Texts, how_kept, run_tasks, variable_of

# The largest number of runs that are sent together; each worker gets its share in this many parts.
_TOGETHER, _PARTS = 16, 8
# How often a run is retried on a cluster whose workers die.
_RETRIES = 5
_DIED = "its process ended: out of memory, or killed"

# Quantities to record: `"x"`, `"max(x)"`, ...; or by names of one's own these, and functions of the result.
Keep = Iterable[str] | Mapping[str, "str | Callable[[Result], Any]"]


def sweep(
    model: TranslatedModel,
    vary: Vary,
    keep: Keep,
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
    names, points = spread(model.translated.info, *points_of(vary))
    units = model.translated.description.units
    points = tuple({name: in_own_unit(name, value, units) for name, value in point.items()} for point in points)
    named, kept = kept_of(keep)
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
    return Sweep(names, points, named, tuple(rows.get(k, replace(missing, number=k)) for k in range(len(points))))


def kept_of(keep: Keep) -> tuple[tuple[str, ...], tuple[Kept, ...]]:
    """The names of the recorded quantities, and the quantities. TypeError for other things."""
    quantities = keep if isinstance(keep, Mapping) else () if isinstance(keep, str) else tuple(keep)
    named = quantities if isinstance(quantities, Mapping) else {each: each for each in quantities}
    good = all(isinstance(name, str) and (isinstance(kept, str) or callable(kept)) for name, kept in named.items())
    if isinstance(keep, str) or not good:
        raise TypeError(f"keep must be a list of names, such as ['x', 'max(x)'], or functions by name, not {keep!r}")
    measured = [measured_of(kept) if isinstance(kept, str) else kept for kept in named.values()]
    return tuple(named), tuple(measured)


def measured_of(kept: str) -> str | Measure:
    """The measure that a text is; the text of what C records, which has no options."""
    if not is_measure(kept):
        return kept
    found = measure_of(kept)
    return found if found.options or not how_kept(kept) else kept


def _check_names(model: TranslatedModel, point: Mapping[str, Setting], kept: Sequence[Kept]) -> None:
    info = model.translated.info
    changeable = {*info.parameters, *info.folded, *info.texts, *info.states, *info.discrete, *info.inputs}
    for name, value in point.items():
        if name in changeable:
            continue
        if not is_computed(info, name):
            raise RunError("E602", *unknown_name("parameter, state or input", name, changeable))
        if name not in model.with_starts([name]).translated.info.given_starts:
            raise not_a_state(info, name, value)
    known = (*info.names, *info.folded)
    for name in [variable_of(each) for each in kept if isinstance(each, str)]:
        if name not in known and name != "time":
            raise unknown_variable(name, known, model.translated.description.nodes)


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

    def __init__(self, model: TranslatedModel, experiment: Experiment, kept: tuple[Kept, ...], target: str):
        self._model, self._experiment, self._kept, self._target = model, experiment, kept, target
        self.models: dict[Texts, int] = {}
        self._known: dict[int, tuple[int, int]] = {}
        self._specialized = Specialized()

    def task(self, number: int, point: Mapping[str, Setting]) -> Task:
        """The run at a point."""
        own, at = self.of(point)
        return self._task(number, own, at)

    def again(self, number: int, point: Mapping[str, Setting]) -> Task | None:
        """The same run with the model translated for its values; None if that changes nothing."""
        own, at = self.of(point)
        if not self._specialized.may_help(at.parameters):
            return None
        other = own.for_values(at.parameters)
        if other is None:
            self._specialized.changed_nothing(at.parameters)
            return None
        return self._task(number, other, at)

    def in_c(self, own: TranslatedModel, at: Experiment, names: Sequence[str], points: Points) -> InC | None:
        """All runs in C; None if the model, its target or the points do not allow that. `own` and `at` are those of the
        first point."""
        varied = {*own.folded, *self._model.folded, *own.translated.info.default_starts}
        kept = [each for each in self._kept if isinstance(each, str)]
        if self._target != "c" or not varied.isdisjoint(names) or len(kept) < len(self._kept):
            return None
        return in_c(self._texts(own), own.translated, at, names, points, kept)

    def of(self, point: Mapping[str, Setting]) -> tuple[TranslatedModel, Experiment]:
        """The model and the experiment of a point, with all given values."""
        experiment = self._experiment
        own = self._model.with_values({**experiment.parameters, **point})
        given = by_kind(own.translated.info, own.translated.numbers(point).items())
        at = replace(
            experiment,
            parameters=own.translated.numbers({**experiment.parameters, **given["parameters"]}),
            initial={**experiment.initial, **given["initial"]},
            inputs={**experiment.inputs, **given["inputs"]},
        )
        return own.with_starts(at.initial), at

    def _task(self, number: int, own: TranslatedModel, at: Experiment) -> Task:
        at = replace(at, parameters={name: v for name, v in at.parameters.items() if name not in own.folded})
        if id(own) not in self._known:
            watched = any(assertion.of_preference for assertion in own.translated.info.assertions)
            first = self._number(own)
            other = self._number(own.without_preferences().with_starts(at.initial)) if watched else -1
            self._known[id(own)] = first, other
        first, other = self._known[id(own)]
        return Task(number, first, at, self._kept, other)

    def _texts(self, model: TranslatedModel) -> Texts:
        return Texts(tuple(model.translated.files(self._target).items()), self._target)

    def _number(self, model: TranslatedModel) -> int:
        return self.models.setdefault(self._texts(model), len(self.models))


def _parts(tasks: Sequence[Task], workers: int) -> list[Sequence[Task]]:
    size = max(1, min(_TOGETHER, len(tasks) // (_PARTS * workers)))
    return [tasks[k : k + size] for k in range(0, len(tasks), size)]


def _on_this_machine(workers: int, models: tuple[Texts, ...], tasks: list[Task]) -> Generator[Row, None, None]:
    if workers == 1 or not _can_be_sent(tasks[0].keep):
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


def _can_be_sent(keep: Sequence[Kept]) -> bool:
    """False if a function, such as a lambda, can be used in this process only."""
    try:
        pickle.dumps(keep)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


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


def _lost(kept: Sequence[Kept], outcome: str, reason: str) -> Row:
    return Row(-1, (math.nan,) * len(kept), outcome, reason)
