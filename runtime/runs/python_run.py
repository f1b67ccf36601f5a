"""Does the runs that are not one call of C: connects their start, segments and events. Knows no method, no target."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from cutset.runtime.analysis.explain import Failure
from cutset.runtime.analysis.growing_states import grown
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.given.given_starts import bound
from cutset.runtime.given.inputs import InputFailure, InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.result import Result, Statistics
from cutset.runtime.runs.delays import with_history
from cutset.runtime.runs.ended_run import problem_of_ended
from cutset.runtime.runs.experiment import Experiment, output_times_of
from cutset.runtime.runs.notes import passed, with_notes
from cutset.runtime.runs.rows import Chunk
from cutset.runtime.runs.run import Run, Stopped
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.started import begun, settings_of
from cutset.runtime.runs.whole_run import EndedRun, Settings, memory_for
from cutset.runtime.solvers import AUTO, OF_ALL_EQUATIONS, UNREDUCED, find_method
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import NEAREST, Problem
from cutset.runtime.solvers.solved_unknowns import solving
from cutset.runtime.trajectory import Trajectory


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
    span = experiment.stop - experiment.start
    atol = values.tolerances(experiment.rtol, experiment.atol)
    limits = experiment.rtol, atol, experiment.max_steps
    return Problem(model, values, inputs, *limits, memory, NEAREST * span, experiment.start, span)


def from_start(
    model: CompiledModel,
    experiment: Experiment,
    description: Description,
    now: Vector | None = None,
    begin: Mapping[str, float] | None = None,
) -> Result:
    """Run the experiment; `begin` has the values of all unknowns at the start, if they are known. RunError for wrong
    settings, names and parameters."""
    problem = problem_of(model, experiment, now, begin)
    method = find_method(experiment.method)
    if model.info.n_algebraic and method.name not in OF_ALL_EQUATIONS:
        if method is not AUTO:
            hint = "load it with solved=True, or take the method bdf"
            raise RunError("E605", f"the method {method.name} needs a model whose equations are solved", hint)
        method, experiment = UNREDUCED, replace(experiment, method=UNREDUCED.name)
    run = Run(problem, method, TimeEventQueue(output_times_of(experiment)), experiment.max_step)
    result = _done(run, lambda: run.begin(experiment.initial), model, experiment, description)
    return with_notes(result, model, experiment, problem.values)


def begun_run(model: CompiledModel, experiment: Experiment) -> tuple[Run, Callable[[], None]]:
    """A run of the experiment that has no length, and what starts it. RunError for wrong settings, names and
    parameters, and if there is no start."""
    method, memory = find_method(experiment.method), memory_for(model)
    try:
        memory.place(experiment.parameters, experiment.initial, experiment.inputs)
        settings = settings_of(memory, experiment, None)
        status = begun(memory, settings, experiment)
        ended, rows = memory.ended(), memory.rows()
    finally:
        memory.free()
    run = Run(problem_of_ended(ended, settings), method, TimeEventQueue(settings.outputs))
    return run, partial(run.take_over, ended, rows, status)


def from_where_it_ended(
    ended: EndedRun,
    rows: Chunk,
    status: int,
    settings: Settings,
    experiment: Experiment,
    description: Description,
    began: float,
) -> Result:
    """Continue a run that C has ended with this status before its stop; `rows` are those so far, `began` is when it
    began."""
    run = Run(problem_of_ended(ended, settings), settings.method, TimeEventQueue(settings.outputs), experiment.max_step)
    begin = partial(run.take_over, ended, rows, status)
    result = _done(run, begin, ended.model, experiment, description, began=began)
    return with_notes(result, ended.model, experiment, ended.first_values)


def _done(
    run: Run,
    begin: Callable[[], None],
    model: CompiledModel,
    experiment: Experiment,
    description: Description,
    began: float | None = None,
) -> Result:
    """Start the run and integrate to its end; `began` tells when it began."""
    began = time.perf_counter() if began is None else began
    failure: Failure | None = None
    try:
        begin()
        run.finish()
        run.check_variables()
    except (Stopped, InputFailure, KeyboardInterrupt) as end:
        failure = _failure(run, end)
        if not run.has_rows:
            run.rest()
            if isinstance(end, KeyboardInterrupt):
                raise
            raise failure.error() from end
    finally:
        run.close()
    seconds = time.perf_counter() - began
    counts = run.counts
    statistics = Statistics(
        *(run.method, counts.steps, counts.evaluations, counts.error_test_failures, seconds),
        dict(run.events),
    )
    kept = run.snapshot()

    def snapshot() -> Snapshot:
        return kept

    continued = partial(further, model, experiment, description, snapshot)
    rows, failed = run.trajectory()
    if failed is not None:
        failure = failure or run.input_failed(failed)
        if not len(rows.t):
            raise failure.error() from failed
    notes = notes_of(model, rows, run.first_values)
    result = Result(model, run.first_values, rows, statistics, failure, run.ending, description, continued, notes)
    if failure is None and not model.info.n_algebraic:
        result.saves = partial(saved, snapshot, model)
    if any(external.is_exchange for external in model.info.externals):
        result.compute()
    result.add_notes((), tuple(run.rest()))
    return result


def notes_of(model: CompiledModel, rows: Trajectory, values: Values) -> tuple[str, ...]:
    """What the run left undetermined, the states that grew too large, and the sides that only pass each other."""
    grew = grown(model.info.states, values.n, rows.t, rows.x)
    return *_left_open(rows, values, model), *grew, *passed(model, values, rows)


def saved(snapshot: Callable[[], Snapshot], model: CompiledModel) -> bytes:
    """The state at the end of a run, for another one that continues it."""
    from cutset.runtime.runs import saved_state

    return saved_state.to_bytes(snapshot(), saved_state.fingerprint(model.info))


def _failure(run: Run, end: BaseException) -> Failure:
    if isinstance(end, Stopped):
        return end.failure
    return run.input_failed(end) if isinstance(end, InputFailure) else run.interrupted()


def further(
    model: CompiledModel,
    before: Experiment,
    description: Description,
    end: Callable[[], Snapshot],
    stop: float,
    points: int | None,
    interval: float | None,
    inputs: Mapping[str, InputSignal],
) -> Result:
    """Continue the run of the experiment `before` from its `end` to `stop`; only the method restarts. RunError for
    wrong settings and names."""
    if points is None and interval is None:
        points, interval = before.points, before.interval
    signals, snapshot = {**before.inputs, **inputs}, end()
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
