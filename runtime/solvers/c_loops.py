"""Calls the loops of c/driver.c for one segment: data structures -> a `SegmentResult`. Contains no steps."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from ctypes import addressof, c_long, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.start_tables import systems_of_motion
from cutset.runtime.given.inputs import InputFailure, Inputs
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.c_constants import signal_functions
from cutset.runtime.solvers.crossings import margins, sides, touching
from cutset.runtime.solvers.method import Counts, Lost, Problem, Segment, SegmentResult
from cutset.runtime.targets.c_records import (
    BranchData,
    Data,
    InputsCallback,
    PolesData,
    Report,
    SignalsData,
    Watch,
    address,
)
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.interrupts import noted

# The order of the enum in driver.c; None stands for "stiff", which only one method reports.
STATUS = (
    Outcome.COMPLETED,
    Outcome.STEP_TOO_SMALL,
    Outcome.TOO_MANY_STEPS,
    Outcome.NOT_FINITE,
    None,
    Outcome.INTERRUPTED,
)


class CRun:
    """The arrays of one segment, kept alive while C uses them, and the structures that point to them."""

    def __init__(self, problem: Problem, segment: Segment, engine: Engine | None = None):
        n, model = len(segment.x), problem.model
        engine = engine or model.engine
        engine.connect(problem.values.controllers, self.stop)
        self.functions = engine.functions
        self._calls_python = engine.calls_python or bool(problem.inputs.scripted)
        self.x = np.array(segment.x)
        self.times = np.ascontiguousarray(segment.times)
        self.out = np.empty((len(segment.times), n))
        self.guesses = np.empty((len(segment.times), model.info.n_guesses))
        self.u = problem.inputs.at(segment.start)
        self._kept: list[NDArray[Any]] = [problem.values.c, np.ascontiguousarray(segment.modes), problem.values.w]
        self._bad_x = np.zeros(n)
        constants, modes, work = (address(a) for a in self._kept)
        self._watch = np.zeros((12, len(model.info.crossings)))
        self._watch[0], self._watch[1] = sides(model.info, segment.modes), margins(model.info, segment)
        self._watch[5] = touching(model.info, segment.modes)
        self.z = np.zeros(n)
        self.data = Data(**signal_functions(), c=constants, m=modes, u=address(self.u), w=work, n_states=n)
        self.data.bad_x, self.data.now = address(self._bad_x), address(problem.memory.now)
        self.data.guesses, self.data.n_guesses = address(self.guesses), model.info.n_guesses
        self.data.n_guards, self.data.n_rates = model.info.n_guards, n - model.info.n_algebraic
        self._memory = problem.memory
        self.errors: list[BaseException] = []  # of input functions
        self.data.watch = Watch(
            len(model.info.crossings),
            *_addresses_of_rows(self._watch),
            address(self._memory.crossing_sizes),
            address(self.z),
            pace=self._memory.pace,
        )
        if model.info.n_watched:
            self._watch_numbers(model.info)
        self._poles = np.zeros((9, n))
        self.data.poles = PolesData(*_addresses_of_rows(self._poles))
        self._branch = np.zeros((9, model.info.n_guesses))
        if model.info.n_guesses:
            self._follow_branch(problem, n)
        self._history = problem.inputs.history
        if self._history is not None:
            self.data.history = self._history.record
        self.data.forcing = problem.forcing
        self.report = Report(t=segment.start)

    def _watch_numbers(self, info: ModelInfo) -> None:
        watched, weighed = np.full(info.n_watched, np.nan), np.zeros(len(info.crossings) + info.n_watched)
        self.keep(watched, weighed)
        self.data.watch.n_watched, self.data.watch.places = info.n_watched, info.n_guesses + info.n_guards
        self.data.watch.watched, self.data.watch.weighed = address(watched), address(weighed)

    def _follow_branch(self, problem: Problem, n: int) -> None:
        size, points = problem.memory.sizes, np.zeros((3, n))
        motions = np.array(systems_of_motion(problem.model.info), dtype=np.dtype(c_long))
        self.keep(size, points, motions)
        last, before, anchor, motion, found, *others = _addresses_of_rows(self._branch)
        x, z, dz = map(address, points)
        self.data.branch = BranchData(
            self.data.n_guesses,
            address(motions),
            len(motions) // 2,
            0.0,
            0.0,
            x,
            last,
            before,
            anchor,
            motion,
            found,
            address(size),
            *others,
            z,
            dz,
        )

    def stop(self, error: BaseException) -> None:
        """A function of the model in Python has raised this."""
        is_interrupt = isinstance(error, KeyboardInterrupt)
        self.errors += [] if is_interrupt else [error]
        self.data.interrupted = 1 if is_interrupt else 2

    def noting_interrupts(self) -> AbstractContextManager[None]:
        """Let Ctrl-C end the run in C in the block."""
        return noted(self.stop, self._calls_python)

    def keep(self, *arrays: NDArray[Any]) -> None:
        """Keep arrays alive to which `data` points."""
        self._kept += arrays

    def result(self, outcome: Outcome, method: str) -> SegmentResult:
        """The result that the loop left behind."""
        report, data = self.report, self.data
        if self._history is not None:
            ctypes.memmove(addressof(self._history.record), addressof(data.history), ctypes.sizeof(data.history))
        self._memory.pace = data.watch.pace
        bad = (data.bad_t, self._bad_x) if data.bad_evaluations else None
        counts = Counts(report.steps, data.evaluations, report.rejected)
        crossed = tuple(map(int, self._watch[6])) if report.crossed else ()
        states, guesses = self.out[: report.reached], self.guesses[: report.reached]
        last, _, _, motion, *_ = self._branch
        lost = Lost(last, motion, data.branch.unsolved) if data.branch.lost else None
        failed = next((error for error in self.errors if isinstance(error, InputFailure)), None)
        return SegmentResult(states, guesses, report.t, self.x, outcome, counts, bad, method, crossed, lost, failed)


@contextmanager
def c_run(problem: Problem, segment: Segment, engine: Engine | None = None) -> Iterator[CRun]:
    """A run with its inputs connected, by the engine of the model or by this one. An exception in an input function, or
    in one of the model, ends the run; it is raised at the end unless it is an `InputFailure` or KeyboardInterrupt,
    which the result tells."""
    run = CRun(problem, segment, engine)
    kept = connect(problem.inputs, run.data, run.u, run.errors)
    yield run
    del kept
    if run.errors and not isinstance(run.errors[0], InputFailure | KeyboardInterrupt):
        raise run.errors[0]


def connect(inputs: Inputs, data: Data, u: Vector, errors: list[BaseException]) -> Any:
    """Let C evaluate the inputs of a run, whose values are in u: polynomials itself, others by a callback, whose
    exceptions go to `errors`. Returns what must be kept."""
    signals = inputs.packed
    data.signals = SignalsData(*map(address, signals), len(signals.sizes) // 5, address(inputs.window))
    data.inputs = None
    if not inputs.scripted:
        return signals

    def fill(t: float, _address: object) -> None:
        if errors:
            return
        try:
            for index, function in inputs.scripted.items():
                u[index] = function(t)
        except BaseException as error:  # no exception can pass through C: the loop is stopped first
            errors.append(error)
            data.interrupted = 2

    callback = InputsCallback(fill)
    data.inputs = ctypes.cast(callback, c_void_p).value
    return signals, callback


def _addresses_of_rows(matrix: Vector) -> list[int]:
    first, size = address(matrix), matrix.strides[0]
    return [first + k * size for k in range(len(matrix))]
