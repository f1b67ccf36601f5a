"""Runs a compiled model: CompiledModel, Experiment -> Result. Knows no integration method and no target."""

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
from cutset.runtime.given_starts import bound, not_used
from cutset.runtime.growing_states import grown
from cutset.runtime.inputs import InputFailure, InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.result import Result, Statistics, Trajectory
from cutset.runtime.run import Run, Stopped
from cutset.runtime.snapshot import Snapshot
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.auto import AUTO
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Problem
from cutset.runtime.solvers.unreduced import OF_ALL_EQUATIONS, STABILIZED, UNREDUCED
from cutset.runtime.time_event_queue import TimeEventQueue, check_times, given_output_times, output_times
from cutset.runtime.unreduced_model import solving

# The end of a run that is too short to integrate, as a fraction of its length.
_NEAREST = 1e-12
# Results are held in memory: this many rows of 100 states take about 8 GB.
_MOST_OUTPUTS = 10_000_000


@dataclass(frozen=True)
class Experiment:
    """The settings of a run. Times in seconds. The result has rows at `points` evenly spaced output times (default
    501), or at one every `interval`; each event adds rows at its instant, before and after it.

    rtol, atol     the error tolerance of a step for each state x is atol*nominal + rtol*|x|; nominal is 1 for a state
                   without that attribute
    parameters     values by name that override the model's
    inputs         numbers or functions of time by name; other inputs are 0
    initial        start values by name that override the model's: of states, other variables with a derivative, and
                   discrete variables
    max_steps      the largest number of steps between two output times
    max_step       the largest step in seconds
    times          ascending instants with rows, besides the start and the stop, instead of points or interval

    RunError E605 for settings that make no sense.
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
    times: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.method, str):
            raise RunError("E605", f"method must be a string, such as 'auto', not {self.method!r}")
        find_method(self.method)
        for what in ("points", "interval"):
            if getattr(self, what) is not None:
                finite_number(what, getattr(self, what))
        if self.points is not None and self.points != int(self.points):
            raise RunError("E605", f"points must be a number of output times, not {self.points!r}")
        for what in ("parameters", "inputs", "initial"):
            if not isinstance(getattr(self, what), Mapping):
                raise RunError(
                    "E605", f"{what} must be values by name, such as {{'R.R': 100.0}}, not {getattr(self, what)!r}"
                )
        for what in ("start", "stop", "rtol", "atol"):
            finite_number(what, getattr(self, what))
        if self.stop < self.start:
            raise RunError("E605", f"the run stops at {self.stop} before it starts at {self.start}")
        if self.rtol <= 0.0 or self.atol <= 0.0:
            raise RunError("E605", "rtol and atol must be greater than 0")
        if not isinstance(self.max_steps, int) or self.max_steps < 1:
            raise RunError("E605", f"max_steps must be a whole number of at least 1, not {self.max_steps!r}")
        if not isinstance(self.max_step, int | float) or not self.max_step > 0.0:
            raise RunError("E605", f"max_step must be a time greater than 0, not {self.max_step!r}")
        if sum(setting is not None for setting in (self.points, self.interval, self.times)) > 1:
            raise RunError("E605", "give only one of points, interval and times")
        outputs = self.points or (self.stop - self.start) / (self.interval or math.inf)
        if outputs > _MOST_OUTPUTS:
            raise RunError("E605", f"too many output times: {outputs:.3g}; the limit is {_MOST_OUTPUTS:.0e}")
        if self.points is not None and self.points < 2:
            raise RunError("E605", "a run must have at least 2 output times: its start and its stop")
        if self.interval is not None and not 0.0 < self.interval < math.inf:
            raise RunError("E605", "the interval between output times must be greater than 0")
        if self.times is not None:
            check_times(self.times, self.start, self.stop)


def problem_of(
    model: CompiledModel,
    experiment: Experiment,
    now: Vector | None = None,
    begin: Mapping[str, float] | None = None,
) -> Problem:
    """The constant data of a run; the run writes its current time into `now` (1,). RunError for wrong names and
    parameters."""
    model = solving(model, begin)
    controllers = model.fresh_controllers()
    model.use(controllers)
    values = replace(bound(model, experiment.parameters, experiment.initial), controllers=controllers)
    inputs = with_history(model, values, resolve_inputs(model.info, experiment.inputs))
    memory = Memory() if now is None else Memory(now)
    nearest = _NEAREST * (experiment.stop - experiment.start)
    atol = experiment.atol * values.n
    return Problem(model, values, inputs, experiment.rtol, atol, experiment.max_steps, memory, nearest)


def simulate(
    model: CompiledModel,
    experiment: Experiment,
    description: Description = Description(),
    now: Vector | None = None,
) -> Result:
    """Run the model. The notes of the result start with the remarks of the model. A run that fails returns the rows up
    to the failure, with its `outcome` and `failure`. `now` (1,) receives the current time during the run, for another
    thread.

    RunError for wrong settings, names and parameters.
    """
    if experiment.method == STABILIZED.name and model.unreduced is None and model.info.n_algebraic:
        hint = "load it with solved=True, or take the method bdf"
        raise RunError("E605", f"the method {STABILIZED.name} needs a model whose equations are solved", hint)
    if experiment.method not in OF_ALL_EQUATIONS or model.unreduced is None:
        return _simulated(model, experiment, description, now)
    # The solved model starts the run: it finds the solution that is nearest to the start values.
    at_start = replace(experiment, stop=experiment.start, points=None, interval=None, times=None, method=AUTO.name)
    first = _simulated(model, at_start, description)
    if first.failure is not None:
        return first
    states = model.unreduced.info.states
    begin = {name: float(first[name][0]) for name in states[: len(states) - model.unreduced.info.n_multipliers]}
    return _simulated(model.unreduced, experiment, description, now, begin)


def _simulated(
    model: CompiledModel,
    experiment: Experiment,
    description: Description,
    now: Vector | None = None,
    begin: Mapping[str, float] | None = None,
) -> Result:
    """`simulate` with this model itself; `begin` has the values of all unknowns at the start, if they are known."""
    model.left_open()  # clear what earlier evaluations left
    problem = problem_of(model, experiment, now, begin)
    method = find_method(experiment.method)
    if model.info.n_algebraic and method.name not in OF_ALL_EQUATIONS:
        if method is not AUTO:
            hint = "load it with solved=True, or take the method bdf"
            raise RunError("E605", f"the method {method.name} needs a model whose equations are solved", hint)
        method, experiment = UNREDUCED, replace(experiment, method=UNREDUCED.name)
    run = Run(problem, method, TimeEventQueue(output_times_of(experiment)), experiment.max_step)
    result = _done(run, lambda: run.begin(experiment.initial), model, experiment, description)
    dropped = not_used(model.info, problem.values, experiment.initial, lambda name: float(result[name][0]))
    result.notes = (*model.info.remarks, *dropped, *result.notes)
    return result


def output_times_of(experiment: Experiment) -> Vector:
    """The output times of a run with these settings, ascending."""
    if experiment.times is not None:
        return given_output_times(experiment.times, experiment.start, experiment.stop)
    return output_times(experiment.start, experiment.stop, experiment.points, experiment.interval)


def _done(
    run: Run, begin: Callable[[], None], model: CompiledModel, experiment: Experiment, description: Description
) -> Result:
    """Start the run and integrate to its end."""
    began = time.perf_counter()
    failure: Failure | None = None
    try:
        begin()
        while not run.is_over():
            run.advance()
            if not run.is_over():
                run.settle(run.integrate())
        run.check_variables()
    except (Stopped, InputFailure, KeyboardInterrupt) as end:
        failure = _failure(run, end)
        if not run.has_rows:
            run.rest()
            raise failure.error() from end
    finally:
        run.close()
    seconds = time.perf_counter() - began
    counts = run.counts
    statistics = Statistics(
        *(run.method, counts.steps, counts.evaluations, counts.error_test_failures, seconds),
        dict(run.events),
        run.events_in_python,
    )
    snapshot = run.snapshot()
    continued = partial(_resumed, model, experiment, description, snapshot)
    rows, failed = run.trajectory()
    if failed is not None:
        failure = failure or run.input_failed(failed)
        if not len(rows.t):
            raise failure.error() from failed
    notes = (*_left_open(rows, run.first_values, model), *grown(model.info.states, run.first_values.n, rows.t, rows.x))
    result = Result(model, run.first_values, rows, statistics, failure, run.ending, description, continued, notes)
    if failure is None and not model.info.n_algebraic:
        result.saves = partial(_saved, snapshot, model)
    if any(external.is_exchange for external in model.info.externals):
        result.compute()
    run.rest()
    return result


def _saved(snapshot: Snapshot, model: CompiledModel) -> bytes:
    """The state at the end of a run, for another one that continues it."""
    from cutset.runtime import saved_state

    return saved_state.to_bytes(snapshot, saved_state.fingerprint(model.info))


def _failure(run: Run, end: BaseException) -> Failure:
    if isinstance(end, Stopped):
        return end.failure
    return run.input_failed(end) if isinstance(end, InputFailure) else run.interrupted()


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
    """Continue the run of the experiment `before` from the snapshot to `stop`; only the method restarts. RunError for
    wrong settings and names."""
    if points is None and interval is None:
        points, interval = before.points, before.interval
    signals = {**before.inputs, **inputs}
    start = snapshot.state.t
    experiment = replace(before, start=start, stop=stop, points=points, interval=interval, inputs=signals, times=None)
    return resumed(model, experiment, description, snapshot, bool(inputs))


def resumed(
    model: CompiledModel, experiment: Experiment, description: Description, snapshot: Snapshot, changed: bool
) -> Result:
    """Run the experiment from the snapshot, whose time is its start; only the method restarts. Its inputs replace those
    of the snapshot if they have `changed`. RunError for wrong settings and names."""
    signals = resolve_inputs(model.info, experiment.inputs) if changed else None
    copied = snapshot.copy(signals, experiment.stop - snapshot.origin)
    if copied.problem.controllers is not None:
        own = copied.problem.controllers.copy()
        values = replace(copied.problem.values, controllers=own)
        copied = replace(copied, problem=replace(copied.problem, values=values))
    queue = TimeEventQueue(output_times_of(experiment), copied.origin)
    run = Run(copied.problem, find_method(experiment.method), queue, experiment.max_step)
    return _done(run, lambda: run.resume(copied, changed), model, experiment, description)


def _left_open(rows: Trajectory, values: Values, model: CompiledModel) -> tuple[str, ...]:
    """What the linear systems left undetermined during the run, in words."""
    texts = model.info.open_systems
    if not texts:
        return ()
    if len(rows.t):  # systems that only outputs need
        model.variables(rows.t[-1:], rows.x[-1:], rows.u[-1:], values, rows.modes[-1:], rows.guesses[-1:])
    seen = model.left_open()
    return tuple(text for k, text in enumerate(texts) if seen >> min(k, 31) & 1)


def refusal(result: Result | RunError, experiment: Experiment) -> str:
    """The code of the error that kept a run from starting; empty if it started."""
    if isinstance(result, RunError):
        return result.code
    failure = result.failure
    return failure.error().code if failure is not None and failure.at == experiment.start else ""
