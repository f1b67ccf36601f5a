"""Advances many runs of a model together: CompiledModel, Experiment, their values -> `Simulators`. The loops: many.h.

A run that C cannot start or advance is done by a `Simulator`, which has the message if it fails there, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from ctypes import addressof, c_long
from dataclasses import replace
from time import perf_counter
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.errors import RunError, UnknownName, unknown_name
from cutset.runtime.events.event_tables import steppable
from cutset.runtime.given.given_starts import differ
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.many_runs import DONE, ENDED, LAST, ManyRuns, Runs, blocks_done, placed
from cutset.runtime.runs.run import INTERRUPTED
from cutset.runtime.runs.simulator import Simulator
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.method import least_steps
from cutset.runtime.targets.binding import finite_number
from cutset.runtime.targets.c_records import RowData, RowsData, Tally, address
from cutset.runtime.targets.lanes import Lanes

# A call that is shorter than this, in s, is not worth a second thread; and how many blocks a thread gets.
_SHORT, _BLOCKS = 2e-4, 2


class Simulators:
    """Many runs of a model that advance together, made by `Model.simulators`. Each has the numbers of a `Simulator`.

    x       the states (n, n_states), in the order of `states`
    u       the inputs (n, n_inputs), in the order of `inputs`
    y       the outputs (n, n_outputs), in the order of `outputs`, as of the latest step or reset
    failed  the reason of each run whose latest step failed, by its number: it stays where that step began

    Numbers written into `x` and `u` count from the next step on; relations follow them as at an event. Runs that the
    model has ended and those that failed stand still until they are reset.
    """

    x: Vector
    u: Vector
    y: Vector

    def __init__(
        self,
        n: int,
        model: CompiledModel,
        experiment: Experiment,
        given: Mapping[str, Vector],
        outputs: tuple[str, ...],
        single: Callable[[int], Simulator],
        lanes: Lanes | None = None,
        workers: int | None = None,
    ):
        """`given` has an array (n,) for each value that differs between runs or may change, all inputs among them;
        `single` makes the simulator of a run. RunError if C cannot advance the model, or if a run has no start."""
        info = model.info
        memory = None if info.delays or steppable(info) or info.n_algebraic else placed(model, experiment)
        if memory is None:
            what = "delays, impulses, FMUs, functions in Python, the methods bdf and ggl cannot advance among others"
            raise RunError("E605", f"simulators: {what}", "take a Simulator for each run: Model.simulator()")
        self.states, self.inputs, self.outputs = tuple(info.states), tuple(info.inputs), outputs
        self.failed: dict[int, str] = {}
        self._model, self._experiment, self._given, self._single = model, experiment, given, single
        self._n = n
        self._starts = [name for name in experiment.initial if name in info.given_starts]
        kept = [(name, LAST) for name in (*outputs, *self._starts)]
        self._many = ManyRuns(model, experiment, Runs(n, list(given.items()), kept), memory, lanes)
        finalize(self, self._many.close)
        self.x, self.u = np.zeros((n, len(info.states))), np.zeros((n, len(info.inputs)))
        self.y = self._many.numbers.values[:, : len(outputs)]
        self._records = (RowData * n)()
        size, longest = len(memory.snapshot().block), experiment.max_step
        least = least_steps(info, find_method(experiment.method), Inputs(np.zeros(0), {}))
        self._block = np.zeros((n, size))
        self._rows = RowsData(size, len(info.inputs), least, start=experiment.start, longest=longest)
        self._rows.rows, self._rows.block = addressof(self._records), address(self._block)
        self._rows.x, self._rows.u = address(self.x), address(self.u)
        self._many.data.rows = addressof(self._rows)
        table: NDArray[Any] = np.ctypeslib.as_array(self._records)
        self._t, self._is_going, self._ended = np.zeros(n), table["is_going"], table["ended"]
        self._rows.t = address(self._t)
        self._order: NDArray[np.int_] | None = None
        self._multiple = 1 if lanes is None else lanes.count
        self._threads = (workers or os.cpu_count() or 1) if model.engine.has_threads else 1
        self._pool: ThreadPoolExecutor | None = None
        self._is_long = False
        self.reset()

    def __len__(self) -> int:
        """The number of runs."""
        return self._n

    @property
    def time(self) -> Vector:
        """The current times in s: shape (n,)."""
        return self._t.copy()

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether the model has ended each run: shape (n,)."""
        return np.asarray(self._ended, dtype=bool)

    def __getitem__(self, name: str) -> Vector:
        """The current values of an output, a state or an input: shape (n,). UnknownName E607 for another name."""
        for names, values in ((self.outputs, self.y), (self.states, self.x), (self.inputs, self.u)):
            if name in names:
                return values[:, names.index(name)]
        raise UnknownName("E607", *unknown_name("output", name, (*self.outputs, *self.states, *self.inputs)))

    def step(self, dt: float, u: Vector | None = None) -> None:
        """Advance the runs by `dt` s with these inputs (n, n_inputs), or those in `u`, which stay until they are given
        again. A run that the model ends in between stops there. A run whose step fails is in `failed`. RunError E605
        for a step that is not positive or an input that is not finite."""
        if not finite_number("the step", dt) > 0.0:
            raise RunError("E605", f"the step must be a time greater than 0 s, not {dt!r}")
        if u is not None:
            self.u[:] = u
        if not np.isfinite(self.u).all():
            run, k = np.argwhere(~np.isfinite(self.u))[0]
            what = f"the input '{self.inputs[k]}' of run {run} must be a finite number, not {float(self.u[run, k])!r}"
            raise RunError("E605", what, "give other inputs")
        if self._order is None:
            self._order = np.flatnonzero(self._is_going)
            if self._multiple > 1:  # runs at one time go together
                self._order = self._order[np.argsort(self._t[self._order], kind="stable")]
        order, self._rows.step = self._order, dt
        status = self._do(order)
        if (status != DONE).any():
            self._order = None
            for run in order[(status != DONE) & (status != ENDED)].tolist():
                self._alone(run, dt)

    def reset(
        self,
        where: Any = None,
        *,
        initial: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """Start all runs again, or those that `where` chooses: a mask (n,) or numbers of runs. Start values and
        parameters that were given to `Model.simulators` can get new ones, a number or an array with one for each of
        these runs. Inputs have those of the beginning. RunError E605 for other names, and for a run without a start."""
        chosen = np.ones(self._n, dtype=bool) if where is None else np.asarray(where)
        runs = np.arange(self._n)[chosen if chosen.size else slice(0)]
        for name, value in {**(parameters or {}), **(initial or {})}.items():
            if name not in self._given:
                hint = f"also give a value for '{name}' to Model.simulators"
                raise RunError("E605", f"'{name}' has the same value in all runs", hint)
            for number in np.atleast_1d(value).tolist():
                finite_number(f"the value of '{name}'", number)
            self._given[name][runs] = value
        self._rows.step, self._order = 0.0, None
        self._is_going[runs] = 0
        for run in runs.tolist() if self.failed else ():
            self.failed.pop(run, None)
        is_right = np.isin(self._do(runs), (DONE, ENDED))
        for k, name in enumerate(self._starts, start=len(self.outputs)):
            found = self._many.numbers.values[runs, k]
            is_right &= [not differ(*pair) for pair in zip(found, self._given[name][runs], strict=True)]
        for run in runs[~is_right].tolist():
            try:
                self._take(run, self._single(run))
            except RunError as error:
                self._is_going[run] = 0
                raise RunError(error.code, f"run {run}: {error.message}", error.hint, error.notes) from error

    def _do(self, order: NDArray[np.int_]) -> NDArray[np.int_]:
        """Do these runs in C: the status of each."""
        order = np.ascontiguousarray(order, dtype=c_long)
        n, threads, began = len(order), self._threads, perf_counter()
        self._rows.order = address(order)
        self._many.begin()
        if threads > 1 and self._is_long and n:
            self._pool = self._pool or ThreadPoolExecutor(threads)
            size = -(-n // (threads * _BLOCKS * self._multiple)) * self._multiple
            for _ in blocks_done(self._pool, n, size, self._many.do, self._many.stop):
                pass
        else:
            self._many.do(0, n)
        self._is_long = (perf_counter() - began) * (threads if self._is_long else 1) > _SHORT
        status = self._many.numbers.status[:n]
        if (status == INTERRUPTED).any():
            self._order = None
            raise KeyboardInterrupt
        return status

    # --- runs that C cannot do

    def _alone(self, run: int, dt: float) -> None:
        """Advance a run by a simulator of its own."""
        try:
            sim, row = self._single(run), self._records[run]
            own = {
                "tally": Tally.from_buffer_copy(row.tally),
                "t": float(self._t[run]),
                "acted": bool(row.acted),
                "pace": row.pace,
            }
            now = replace(sim.snapshot(), block=self._block[run].copy(), **own)
            moved = self.x[run] != now.x
            sim.take(now)
            if moved.any():
                sim.set({self.states[k]: float(self.x[run, k]) for k in np.flatnonzero(moved)})
            sim.step(dt, dict(zip(self.inputs, self.u[run].tolist(), strict=True)))
            self._take(run, sim)
        except RunError as error:
            self._is_going[run] = 0
            self.failed[run] = f"{error.code}: {error.message}"

    def _take(self, run: int, sim: Simulator) -> None:
        """Let the run stand where the simulator does."""
        now, row = sim.snapshot(), self._records[run]
        if now.model is not self._model:
            hint = "take a Simulator for it: Model.simulator()"
            raise RunError("E605", "the values of this run change the equations", hint)
        self._block[run], row.pace, row.acted, row.tally = now.block, now.pace, now.acted, now.tally
        row.is_going, row.ended = not sim.terminated, bool(sim.terminated)
        self._t[run], self.x[run], self.u[run] = now.t, now.x, now.inputs.constant
        self.y[run] = [sim[name] for name in self.outputs]
        self._order = None
