"""A CompiledModel and an Experiment in, a Result out: the loop of a run. Knows no integration method and no target."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cutset.runtime.binding import finite_number
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.explain import Failure, Point, explain
from cutset.runtime.inputs import Course, Inputs, resolve_inputs
from cutset.runtime.interface import CompiledModel, ModelInfo, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.result import Result, Statistics, Trajectory
from cutset.runtime.schedule import Interval, intervals, output_times
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, Stretch


# Results are held in memory: this many points of a hundred states take some 8 GB.
_MOST_OUTPUTS = 10_000_000


@dataclass(frozen=True)
class Experiment:
    """What to do with a model. Times in seconds; `points` outputs in all, or one every `interval`, or 501 points.

    rtol, atol     tolerance of the error in each step, for every state: atol*nominal + rtol*|x|, where nominal is 1
                   for a state without that attribute
    parameters     values by name instead of the model's own
    inputs         a number or a function of time by name; an input that is not named is 0
    initial        start values of states by name instead of the model's own
    max_steps      between two outputs
    """

    stop: float = 1.0
    start: float = 0.0
    points: int | None = None
    interval: float | None = None
    method: str = "auto"
    rtol: float = 1e-6
    atol: float = 1e-8
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, Course] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    max_steps: int = 1_000_000

    def __post_init__(self) -> None:
        if not isinstance(self.method, str):
            raise RunError("E605", f"the method is named by a text, as 'auto', not by {self.method!r}")
        find_method(self.method)
        for what in ("points", "interval"):
            if getattr(self, what) is not None:
                finite_number(what, getattr(self, what))
        for what in ("parameters", "inputs", "initial"):
            if not isinstance(getattr(self, what), Mapping):
                raise RunError("E605", f"{what} are values by name, as {{'R.R': 100.0}}, not {getattr(self, what)!r}")
        for what in ("start", "stop", "rtol", "atol"):
            finite_number(what, getattr(self, what))
        if self.stop < self.start:
            raise RunError("E605", f"the run stops at {self.stop} before it starts at {self.start}")
        if self.rtol <= 0.0 or self.atol <= 0.0:
            raise RunError("E605", "rtol and atol must be greater than 0")
        if self.points is not None and self.interval is not None:
            raise RunError("E605", "points and interval exclude each other")
        outputs = self.points or (self.stop - self.start) / (self.interval or math.inf)
        if outputs > _MOST_OUTPUTS:
            raise RunError("E605", f"{outputs:.3g} outputs are asked for, {_MOST_OUTPUTS:.0e} are the most")
        if self.points is not None and self.points < 2:
            raise RunError("E605", "a run has at least 2 points of output: its start and its stop")
        if self.interval is not None and not 0.0 < self.interval < math.inf:
            raise RunError("E605", "the interval between outputs must be greater than 0")


def simulate(model: CompiledModel, experiment: Experiment) -> Result:
    """Run the model. A run that fails gives what it has up to there; its result tells the `outcome` and the `failure`.

    RunError for settings, names and parameters that are wrong; what an input function raises, it raises.
    """
    began = time.perf_counter()
    values = model.bind(experiment.parameters)
    inputs = resolve_inputs(model.info, experiment.inputs)
    problem = Problem(model, values, inputs, experiment.rtol, experiment.atol * values.nominals, experiment.max_steps)
    method = find_method(experiment.method)
    outputs = output_times(experiment.start, experiment.stop, experiment.points, experiment.interval)

    x = _start_states(model.info, values, experiment.initial)
    rows, counts, used = _Rows(), Counts(), experiment.method
    failure: Failure | None = None
    for interval in intervals(outputs, values.event_times.tolist()):
        modes = model.modes(interval.inside, values)
        rows.add(np.array([interval.start]), x[None, :], modes)
        piece = _advance(problem, method, interval, x, modes)
        rows.add(interval.times[: len(piece.states)], piece.states, modes)
        counts, used, x = counts + piece.counts, piece.method or used, piece.x
        if piece.outcome is not Outcome.COMPLETED:
            failure = _failure(problem, piece, modes)
            break
    seconds = time.perf_counter() - began
    statistics = Statistics(used, counts.steps, counts.evaluations, counts.error_test_failures, seconds)
    return Result(model, values, rows.trajectory(inputs), statistics, failure)


def _advance(problem: Problem, method: Method, interval: Interval, x: Vector, modes: Vector) -> Piece:
    """Integrate over one interval; what the method need not know of is dealt with here."""
    model, start, times = problem.model, interval.start, interval.times
    dx = model.derivatives(start, x, problem.inputs.at(start), problem.values, modes)
    if not np.isfinite(dx).all():
        outcome = Outcome.NOT_FINITE_AT_START
        return Piece(x[None, :][:0], start, x, outcome, Counts(evaluations=1), None, "")
    if not len(times) or not len(x):
        end = float(times[-1]) if len(times) else start
        return Piece(np.tile(x, (len(times), 1)), end, x, Outcome.COMPLETED, Counts(), None, "")
    try:
        return method.integrate(problem, Stretch(start, x, modes, times))
    except KeyboardInterrupt:  # the loops in C end by themselves, and with the outputs of this interval
        return Piece(x[None, :][:0], start, x, Outcome.INTERRUPTED, Counts(), None, method.name)


def _start_states(info: ModelInfo, values: Values, initial: Mapping[str, float]) -> Vector:
    x = values.x0.copy()
    for name, value in initial.items():
        slot = info.names.get(name)
        if slot is None:
            raise RunError("E602", *unknown_name("state", name, info.states))
        if slot.array != "x":
            raise RunError("E604", f"'{name}' is not a state", f"states are: {', '.join(info.states) or 'none'}")
        x[slot.index] = slot.sign * finite_number(f"the start value of '{name}'", value)
    return x


def _failure(problem: Problem, piece: Piece, modes: Vector) -> Failure:
    def point(t: float, x: Vector) -> Point:
        return Point(t, x, problem.inputs.at(t), modes)

    # A bad point that the integration has passed since was no obstacle.
    ahead = piece.bad is not None and piece.bad[0] >= piece.t
    tried = point(*piece.bad) if piece.bad is not None and ahead else None
    return explain(problem.model, problem.values, piece.outcome, point(piece.t, piece.x), tried)


class _Rows:
    """The rows of a run as they come, one block for each interval."""

    def __init__(self) -> None:
        self._blocks: list[tuple[Vector, Vector, Vector]] = []

    def add(self, times: Vector, states: Vector, modes: Vector) -> None:
        self._blocks.append((times, states, np.broadcast_to(modes, (len(times), len(modes)))))

    def trajectory(self, inputs: Inputs) -> Trajectory:
        t, x, m = (np.concatenate(arrays) for arrays in zip(*self._blocks, strict=True))
        return Trajectory(t, x, inputs.over(t), m)
