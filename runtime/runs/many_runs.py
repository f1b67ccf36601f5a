"""Does many runs of a model in C, in threads: the values of all runs -> their numbers. The loops: many.h, together.h.

A run that C cannot do to its end has another status than `DONE` and `ENDED`, and no numbers: it must be done alone, as
`simulate` does it. The numbers of the others are those of `simulate`; so are trajectories, unless `simulate` leaves an
event to Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from ctypes import Array, addressof, byref, c_long
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo, start_parameter
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.runs.event_memory import first_sizes
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.opened import placed_run, settings_of
from cutset.runtime.runs.run import AT_STOP, INTERRUPTED, NEEDS_SOLVER, NOT_DEFINED, ROWS_FULL, RUN_ENDED, Run, Settings
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.tableaus import RK4
from cutset.runtime.targets.c_records import Data, ManyData, Quantity, address, constant
from cutset.runtime.targets.lanes import Lanes

# The statuses of runs that have reached their end, and that the model has ended.
DONE, ENDED = AT_STOP, RUN_ENDED
# What is recorded of a trajectory: its last value; and all.
LAST = ""
_HOW = {
    LAST: constant("OF_LAST_ROW"),
    "min": constant("LEAST_OF_ROWS"),
    "max": constant("MOST_OF_ROWS"),
    "mean": constant("MEAN_OF_ROWS"),
}


@dataclass(frozen=True, eq=False)
class Runs:
    """What to run: `n` runs with these `given` values by name, arrays with one number for each run. `kept` are pairs of
    the name of a variable and of what to record: its `LAST` value, "min", "max" or "mean"; or, if it
    `has_trajectories`, its values at all output times."""

    n: int
    given: Sequence[tuple[str, Vector]]
    kept: Sequence[tuple[str, str]]
    has_trajectories: bool = False


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of all runs: `values` (n, n_kept) or (n, n_times, n_kept); the `status` of each run (n,), and the
    `seconds` that it took (n,)."""

    values: Vector
    status: NDArray[np.int_]
    seconds: Vector


class ManyRuns:
    """Many runs of a model that C can do. `numbers` has those of the runs that are done; `data` is how C finds all."""

    def __init__(self, model: CompiledModel, experiment: Experiment, runs: Runs, memory: Run, lanes: Lanes | None):
        self._model, self._experiment, self._runs, self._lanes = model, experiment, runs, lanes
        settings = settings_of(memory, experiment)
        times = (len(settings.outputs),) if runs.has_trajectories else ()
        values = np.full((runs.n, *times, len(runs.kept)), np.nan)
        self.numbers = Numbers(values, np.full(runs.n, NOT_DEFINED, dtype=c_long), np.zeros(runs.n))
        self._lock, self._is_over = threading.Lock(), c_long(0)
        self._kept: list[Any] = []
        self.data = self._described(model.info)
        self._all = [_Worker(memory, settings, self.data, lanes)]
        self._free = self._all.copy()

    def done(self, workers: int) -> Generator[tuple[int, int], None, None]:
        """Do the runs in this many threads: the first run and the end of each block of runs that is done. Closing the
        iterator ends the runs."""
        workers = max(1, min(workers, self._runs.n)) if self._model.engine.has_threads else 1
        multiple = 1 if self._lanes is None else self._lanes.count
        size = max(1, self._runs.n // (workers * _BLOCKS * multiple)) * multiple
        try:
            with ThreadPoolExecutor(workers) as pool:
                yield from blocks_done(pool, self._runs.n, size, self.do, self.stop)
        finally:
            self.close()

    def begin(self) -> None:
        """Let runs be done again after `stop`."""
        self._is_over.value = 0

    def close(self) -> None:
        """Let other runs use the memory."""
        for worker in self._all:
            worker.close()

    def _described(self, info: ModelInfo) -> ManyData:
        runs, made = self._runs, self.numbers
        given = [(_given(info, name), np.ascontiguousarray(values, dtype=float)) for name, values in runs.given]
        slots, kept = _quantities(slot for slot, _ in given), _quantities(_recorded(info, *each) for each in runs.kept)
        places = np.array([values.ctypes.data for _, values in given], dtype=np.uintp)
        strides = np.array([int(len(values) > 1) for _, values in given], dtype=c_long)
        ends = first_sizes(info)
        self._kept += [slots, kept, given, places, strides, ends]
        return ManyData(
            *(len(given), len(runs.kept), addressof(slots), addressof(kept)),
            *map(address, (places, strides, ends)),
            *(runs.has_trajectories, any(each.array == ord("y") for each in kept)),
            *map(address, (made.values, made.seconds, made.status)),
            addressof(self._is_over),
        )

    def do(self, first: int, end: int) -> None:
        """Do these runs in the calling thread."""
        with self._lock:
            worker = self._free.pop() if self._free else None
        if worker is None:
            memory = placed(self._model, self._experiment)
            assert memory is not None, "the memory of the first thread could be made"
            worker = _Worker(memory, settings_of(memory, self._experiment), self.data, self._lanes)
            with self._lock:
                self._all.append(worker)
        worker.do(first, end, self.numbers.status, self._is_over)
        with self._lock:
            self._free.append(worker)

    def stop(self) -> None:
        """Let the runs end that are being done in other threads."""
        self._is_over.value = 1
        with self._lock:
            for worker in self._all:
                worker.data.interrupted = 1


class _Worker:
    """What a thread needs to do runs."""

    def __init__(self, memory: Run, settings: Settings, many: ManyData, lanes: Lanes | None):
        self._memory, self._settings, self._many, functions = memory, settings, many, memory.engine.functions
        self._function: Callable[..., int] = functions.many
        self._more: tuple[Any, ...] = ()
        if lanes is not None:
            run, self._lane_memory = lanes.memory(memory.model.info, len(RK4.rows))
            self._function, self._more = functions.together, (byref(run),)
        self._own = np.zeros(many.n_kept)

    def do(self, first: int, end: int, status: NDArray[np.int_], is_over: c_long) -> None:
        """Do these runs; `status` is that of all runs. It ends early once it `is_over`."""
        memory, has_solver = self._memory, False
        arguments = memory.arguments(self._settings)
        while first < end:
            first = self._function(*arguments, addressof(self._many), address(self._own), first, end, *self._more)
            if first >= end or is_over.value or status[first] == INTERRUPTED:
                return
            if status[first] == ROWS_FULL and memory.enlarge_rows():
                continue
            if status[first] == NEEDS_SOLVER and not has_solver and memory.find_solver(self._settings.method):
                has_solver = True
                continue
            status[first] = NOT_DEFINED
            first += 1

    def close(self) -> None:
        """Let other runs use the memory."""
        self._memory.free()

    @property
    def data(self) -> Data:
        """The data of the loops."""
        return self._memory.data


def many_runs(model: CompiledModel, experiment: Experiment, runs: Runs, lanes: Lanes | None = None) -> ManyRuns | None:
    """The runs of the model, with the settings and further values of the experiment; None if C cannot do them, or if
    these values are wrong, for which `simulate` has the messages. `experiment` has all names that are given, with some
    value. Runs with trajectories by the method rk4 go together if the model has `lanes`."""
    try:
        memory = placed(model, experiment)
    except RunError:
        return None
    return None if memory is None else ManyRuns(memory.model, experiment, runs, memory, lanes)


def placed(model: CompiledModel, experiment: Experiment) -> Run | None:
    """Memory with the values of the experiment; None if runs need more than C. Errors as those of `RunBlock.place`."""
    method = find_method(experiment.method)
    if method.tableau is None and method.family is None and model.info.states:
        return None
    info = model.info
    is_in_c = all(each.is_c for each in info.externals) and not info.n_algebraic
    if not is_in_c:
        return None
    memory = placed_run(model, experiment)
    if memory.inputs.scripted:
        memory.free()
        return None
    if memory.inputs.functions:
        memory.inputs.require(experiment.start, experiment.stop)
    return memory


def _quantities(found: Iterable[Quantity]) -> Array[Quantity]:
    each = list(found)
    return (Quantity * len(each))(*each)


def _given(info: ModelInfo, name: str) -> Quantity:
    slot = info.names[start_parameter(name) if name in info.given_starts else name]
    if slot.array == "m":  # discrete variables have their start values after those of the states
        return Quantity(ord("x"), len(info.states) + slot.index - len(info.relations), 0, slot.sign)
    return Quantity(ord(slot.array), slot.index, 0, slot.sign)


def _recorded(info: ModelInfo, name: str, how: str) -> Quantity:
    slot = info.names.get(name)
    if slot is not None:
        return Quantity(ord(slot.array), slot.index, _HOW[how], slot.sign)
    if name == "time":
        return Quantity(ord("t"), 0, _HOW[how], 1.0)
    return Quantity(ord("1"), 0, _HOW[how], info.folded[name])


# --- blocks of work in threads --------------------------------------------------------------------

# Each thread gets its share in this many blocks; and how often threads are told to stop, in s.
_BLOCKS, _AGAIN = 64, 0.02


def blocks_done(
    pool: ThreadPoolExecutor, n: int, size: int, do: Callable[[int, int], None], stop: Callable[[], None]
) -> Generator[tuple[int, int], None, None]:
    """Call ``do(first, end)`` in the threads of the pool for blocks of this size of the numbers from 0 to n; the first
    number and the end of each block that is done. An error in a thread is raised here. If the iterator ends early, by
    an error or because it is closed, `stop` is called until all blocks have returned."""
    blocks = {pool.submit(do, k, min(k + size, n)): (k, min(k + size, n)) for k in range(0, n, size)}
    try:
        for finished in as_completed(blocks):
            finished.result()
            yield blocks[finished]
    finally:
        for block in blocks:
            block.cancel()
        while wait(blocks, timeout=0.0).not_done:
            stop()
            wait(blocks, timeout=_AGAIN)
