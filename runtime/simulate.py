"""A CompiledModel and an Experiment in, a Result out: the loop of a run. Knows no integration method and no target."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from cutset.runtime.binding import finite_number
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.explain import Failure
from cutset.runtime.initialize import with_starts
from cutset.runtime.delays import with_history
from cutset.runtime.inputs import Course, resolve_inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.result import Result, Statistics
from cutset.runtime.run import Run, Stopped
from cutset.runtime.schedule import Calendar, output_times
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Problem


# Results are held in memory: this many points of a hundred states take some 8 GB.
_MOST_OUTPUTS = 10_000_000


@dataclass(frozen=True)
class Experiment:
    """What to do with a model. Times in seconds; `points` outputs in all, or one every `interval`, or 501 points.

    rtol, atol     tolerance of the error in each step, for every state: atol*nominal + rtol*|x|, where nominal is 1
                   for a state without that attribute
    parameters     values by name instead of the model's own
    inputs         a number or a function of time by name; an input that is not named is 0
    initial        start values of states and discrete variables by name instead of the model's own
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


def problem_of(model: CompiledModel, experiment: Experiment, now: Vector | None = None) -> Problem:
    """What stays the same in a run, which leaves in `now` (1,) where it is. RunError for names and parameters that are wrong."""
    values = with_starts(model.info, model.bind(experiment.parameters), experiment.initial)
    inputs = with_history(model, values, resolve_inputs(model.info, experiment.inputs))
    memory = Memory() if now is None else Memory(now)
    return Problem(model, values, inputs, experiment.rtol, experiment.atol * values.n, experiment.max_steps, memory)


def simulate(
    model: CompiledModel, experiment: Experiment, description: Description = Description(), now: Vector | None = None
) -> Result:
    """Run the model. A run that fails gives what it has up to there; its result tells the `outcome` and the `failure`, and has the
    `description` that is given. In `now` (1,) it leaves the instant at which it is, for another thread to read.

    RunError for settings, names and parameters that are wrong; what an input function raises, it raises.
    """
    began = time.perf_counter()
    problem = problem_of(model, experiment, now)
    outputs = output_times(experiment.start, experiment.stop, experiment.points, experiment.interval)
    run = Run(problem, find_method(experiment.method), Calendar(outputs))
    failure: Failure | None = None
    try:
        run.begin(experiment.initial)
        while not run.is_over():
            piece = run.integrate()
            run.settle(piece)
    except (Stopped, KeyboardInterrupt) as end:
        failure = end.failure if isinstance(end, Stopped) else run.interrupted()
        if not run.has_rows:
            raise failure.error() from end
    seconds = time.perf_counter() - began
    counts = run.counts
    statistics = Statistics(
        *(run.method, counts.steps, counts.evaluations, counts.error_test_failures, seconds), dict(run.events)
    )
    return Result(model, run.first_values, run.trajectory(), statistics, failure, run.ending, description)
