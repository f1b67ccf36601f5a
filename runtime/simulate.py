"""A CompiledModel and an Experiment in, a Result out: the loop of a run. Knows no integration method and no target."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from cutset.runtime.binding import finite_number
from cutset.runtime.delays import with_history
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.explain import Failure
from cutset.runtime.growing_states import grown
from cutset.runtime.initialize import with_starts
from cutset.runtime.inputs import InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.result import Result, Statistics
from cutset.runtime.run import Run, Stopped
from cutset.runtime.snapshot import Snapshot
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Problem
from cutset.runtime.time_event_queue import TimeEventQueue, output_times

# Of the time of a run: what is left before the end of a solution that counts as nothing.
_NEAREST = 1e-12
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
    max_steps      the most steps between two outputs
    max_step       no step is longer, in seconds
    """

    stop: float = 1.0
    start: float = 0.0
    points: int | None = None
    interval: float | None = None
    method: str = "auto"
    rtol: float = 1e-6
    atol: float = 1e-8
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, InputSignal] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    max_steps: int = 1_000_000
    max_step: float = math.inf

    def __post_init__(self) -> None:
        if not isinstance(self.method, str):
            raise RunError("E605", f"the method is named by a text, as 'auto', not by {self.method!r}")
        find_method(self.method)
        for what in ("points", "interval"):
            if getattr(self, what) is not None:
                finite_number(what, getattr(self, what))
        if self.points is not None and self.points != int(self.points):
            raise RunError("E605", f"points is a number of outputs, not {self.points!r}")
        for what in ("parameters", "inputs", "initial"):
            if not isinstance(getattr(self, what), Mapping):
                raise RunError("E605", f"{what} are values by name, as {{'R.R': 100.0}}, not {getattr(self, what)!r}")
        for what in ("start", "stop", "rtol", "atol"):
            finite_number(what, getattr(self, what))
        if self.stop < self.start:
            raise RunError("E605", f"the run stops at {self.stop} before it starts at {self.start}")
        if self.rtol <= 0.0 or self.atol <= 0.0:
            raise RunError("E605", "rtol and atol must be greater than 0")
        if not isinstance(self.max_steps, int) or self.max_steps < 1:
            raise RunError("E605", f"max_steps is a whole number from 1 on, not {self.max_steps!r}")
        if not isinstance(self.max_step, int | float) or not self.max_step > 0.0:
            raise RunError("E605", f"max_step is a time greater than 0, not {self.max_step!r}")
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
    """What stays the same in a run, which leaves in `now` (1,) where it is. RunError for names and parameters that are
    wrong."""
    values = with_starts(model.info, model.bind(experiment.parameters), experiment.initial)
    inputs = with_history(model, values, resolve_inputs(model.info, experiment.inputs))
    memory = Memory() if now is None else Memory(now)
    nearest = _NEAREST * (experiment.stop - experiment.start)
    return Problem(
        model, values, inputs, experiment.rtol, experiment.atol * values.n, experiment.max_steps, memory, nearest
    )


def simulate(
    model: CompiledModel, experiment: Experiment, description: Description = Description(), now: Vector | None = None
) -> Result:
    """Run the model. The notes of its result begin with the remarks of the model. A run that fails gives what it has up
    to there; its result tells the `outcome` and the `failure`, and has the `description` that is given. In `now` (1,)
    it leaves the instant at which it is, for another thread to read.

    RunError for settings, names and parameters that are wrong; what an input function raises, it raises.
    """
    model.left_open()  # of what was evaluated before
    problem = problem_of(model, experiment, now)
    run = Run(problem, find_method(experiment.method), TimeEventQueue(_outputs(experiment)), experiment.max_step)
    result = _done(run, lambda: run.begin(experiment.initial), model, experiment, description)
    result.notes = (*model.info.remarks, *result.notes)
    return result


def _outputs(experiment: Experiment) -> Vector:
    return output_times(experiment.start, experiment.stop, experiment.points, experiment.interval)


def _done(
    run: Run, begin: Callable[[], None], model: CompiledModel, experiment: Experiment, description: Description
) -> Result:
    """The result of a run that is begun and goes on to its end."""
    began = time.perf_counter()
    failure: Failure | None = None
    try:
        begin()
        while not run.is_over():
            result = run.integrate()
            run.settle(result)
        run.check_variables()
    except (Stopped, KeyboardInterrupt) as end:
        failure = end.failure if isinstance(end, Stopped) else run.interrupted()
        if not run.has_rows:
            raise failure.error() from end
    seconds = time.perf_counter() - began
    counts = run.counts
    statistics = Statistics(
        *(run.method, counts.steps, counts.evaluations, counts.error_test_failures, seconds), dict(run.events)
    )
    continued = partial(_resumed, model, experiment, description, run.snapshot())
    rows = run.trajectory()
    notes = (*_left_open(run, model), *grown(model.info.states, run.first_values.n, rows.t, rows.x))
    return Result(model, run.first_values, rows, statistics, failure, run.ending, description, continued, notes)


def _resumed(
    model: CompiledModel,
    before: Experiment,
    description: Description,
    snapshot: Snapshot,
    stop: float,
    points: int | None,
    interval: float | None,
    inputs: Mapping[str, InputSignal],
) -> Result:
    """The run of the experiment `before`, which has come to the snapshot, goes on to `stop`: only its method starts
    anew. RunError for settings and names that are wrong."""
    if points is None and interval is None:
        points, interval = before.points, before.interval
    signals = {**before.inputs, **inputs}
    experiment = replace(before, start=snapshot.state.t, stop=stop, points=points, interval=interval, inputs=signals)
    copied = snapshot.copy(resolve_inputs(model.info, signals) if inputs else None, stop - snapshot.origin)
    run = Run(
        copied.problem,
        find_method(experiment.method),
        TimeEventQueue(_outputs(experiment), copied.origin),
        experiment.max_step,
    )
    return _done(run, lambda: run.resume(copied, bool(inputs)), model, experiment, description)


def _left_open(run: Run, model: CompiledModel) -> tuple[str, ...]:
    """What its linear systems have left open in the run, in words."""
    texts = model.info.open_systems
    if not texts:
        return ()
    rows = run.trajectory()
    if len(rows.t):  # those that only outputs ask for
        model.variables(rows.t[-1:], rows.x[-1:], rows.u[-1:], run.first_values, rows.modes[-1:], rows.guesses[-1:])
    seen = model.left_open()
    return tuple(text for k, text in enumerate(texts) if seen >> min(k, 31) & 1)
