"""Runs a compiled model: CompiledModel, Experiment -> Result. Knows no integration method and no target."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.notes import notes_of, with_notes
from cutset.runtime.runs.opened import memory_for, opened, settings_of
from cutset.runtime.runs.rows import Chunk
from cutset.runtime.runs.run import AT_STOP, INTERRUPTED, RUN_ENDED, Run, Settings
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.texts import with_values
from cutset.runtime.solvers import AUTO, OF_ALL_EQUATIONS, STABILIZED, UNREDUCED
from cutset.runtime.trajectory import Trajectory

if TYPE_CHECKING:
    from cutset.runtime.analysis.explain import Failure


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
        raise _not_solved(experiment)
    if experiment.method not in OF_ALL_EQUATIONS or model.unreduced is None:
        return _simulated(model, experiment, description, now)
    # The solved model starts the run: it finds the solution that is nearest to the start values.
    at_start = replace(experiment, stop=experiment.start, points=None, interval=None, times=None, method=AUTO.name)
    first = _simulated(model, at_start, description, finishes=False)
    if first.failure is not None:
        return first
    states = model.unreduced.info.states
    begin = {name: float(first[name][0]) for name in states[: len(states) - model.unreduced.info.n_multipliers]}
    run = _simulated(model.unreduced, experiment, description, now, begin)
    # Without states no step can be shortened until its equations have a solution: an iteration seeks that in more ways.
    return run if run.failure is None or model.info.states else _simulated(model, experiment, description, now)


def _not_solved(experiment: Experiment) -> RunError:
    hint = "load it with solved=True, or take the method bdf"
    return RunError("E605", f"the method {experiment.method} needs a model whose equations are solved", hint)


def _simulated(
    model: CompiledModel,
    experiment: Experiment,
    description: Description,
    now: Vector | None = None,
    begin: Mapping[str, float] | None = None,
    finishes: bool = True,
) -> Result:
    """`simulate` with this model itself; `begin` has the values of all unknowns at the start, if they are known."""
    model.left_open()  # clear what earlier evaluations left
    began = time.perf_counter()
    if model.info.n_algebraic and experiment.method not in OF_ALL_EQUATIONS:
        if experiment.method != AUTO.name:
            raise _not_solved(experiment)
        experiment = replace(experiment, method=UNREDUCED.name)
    run = opened(model, experiment, begin)
    try:
        settings = replace(settings_of(run, experiment, now), finishes=finishes)
        status = begun(run, settings, experiment)
        result = _result(run, status, settings, experiment, description, began)
        return with_notes(result, experiment, run.part["tolerance"].copy(), run.outgrown)
    finally:
        run.free()


def begun(run: Run, settings: Settings, experiment: Experiment) -> int:
    """Do the run that is placed: its status. RunError if it has no start."""
    status, info = run.start(settings), run.model.info
    if run.has_started and not (experiment.initial and info.given_starts):
        return status
    from cutset.runtime.runs.start_failures import check_given, refused

    if not run.has_started:
        raise refused(run, experiment.parameters, experiment.initial)
    check_given(run, experiment.initial)
    return status


def resumed(
    experiment: Experiment, description: Description, snapshot: Snapshot, inputs: Mapping[str, InputSignal] | None
) -> Result:
    """Run the experiment from the snapshot, whose time is its start; only the method restarts. These inputs, if given,
    replace those of the snapshot. RunError for wrong settings and names."""
    from cutset.runtime.solvers.solved_unknowns import solving_engine

    model, began = snapshot.model, time.perf_counter()
    signals = None if inputs is None else resolve_inputs(model.info, inputs)
    if snapshot.controllers is not None:
        snapshot = replace(snapshot, controllers=snapshot.controllers.copy())
    run = memory_for(model, solving_engine(model, snapshot.values))
    try:
        settings = settings_of(run, experiment, origin=snapshot.origin)
        status = run.resume(snapshot, settings, signals)
        return _result(run, status, settings, experiment, description, began)
    finally:
        run.free()


def _result(
    run: Run, status: int, settings: Settings, experiment: Experiment, description: Description, began: float
) -> Result:
    """What the run has done; a failed one has the rows so far. RunError or KeyboardInterrupt if there are none."""
    end, rows, failure = run.snapshot(), run.rows(), None
    model, values = run.evaluates, end.first_values
    if status not in (AT_STOP, RUN_ENDED):
        failure, rows = _failed(end, rows, status, settings)
    t, x, m, guesses, u = rows
    course = Trajectory(t, x, u, m, guesses)
    notes: tuple[str, ...] = ()
    if model.info.open_systems or run.has_large_states or model.info.equalities:
        notes = notes_of(model, course, values)
    statistics = partial(end.statistics, settings.method, time.perf_counter() - began)
    further = partial(_further, end, experiment, description)
    ending = None if end.ending is None else replace(end.ending, text=with_values(end.ending.text, end))
    result = Result(model, values, course, statistics, failure, ending, description, further, notes)
    if failure is None and not model.info.n_algebraic:
        result.saves = partial(saved, end)
    if model.info.externals and any(external.is_exchange for external in model.info.externals):
        result.compute()
    if end.controllers is not None:
        result.add_notes((), tuple(end.controllers.rest()))
    return result


def _failed(end: Snapshot, rows: Chunk, status: int, settings: Settings) -> tuple[Failure | None, Chunk]:
    try:
        from cutset.runtime.runs.run_failures import failed
    except KeyboardInterrupt:  # while it is loaded
        from cutset.runtime.runs.run_failures import failed

        status = INTERRUPTED
    failure, rows = failed(end, rows, status, settings)
    if len(rows[0]):
        return failure, rows
    if end.controllers is not None:
        end.controllers.rest()
    if status == INTERRUPTED or failure is None:
        raise KeyboardInterrupt
    raise failure.error()


def _further(
    state: Snapshot,
    before: Experiment,
    description: Description,
    stop: float,
    points: int | None,
    interval: float | None,
    inputs: Mapping[str, InputSignal],
) -> Result:
    """Continue the run of the experiment `before` from this state to `stop`. RunError for wrong settings and names."""
    if points is None and interval is None:
        points, interval = before.points, before.interval
    signals = {**before.inputs, **inputs}
    times: dict[str, Any] = {"start": state.t, "stop": stop, "points": points, "interval": interval, "times": None}
    experiment = replace(before, inputs=signals, **times)
    return resumed(experiment, description, state, signals if inputs else None)


def saved(state: Snapshot) -> bytes:
    """The state as a run can continue from it."""
    from cutset.runtime.runs import saved_state

    return saved_state.to_bytes(state, saved_state.fingerprint(state.model.info))


def refusal(result: Result | RunError, experiment: Experiment) -> str:
    """The code of the error that kept a run from starting; empty if it started."""
    if isinstance(result, RunError):
        return result.code
    failure = result.failure
    return failure.error().code if failure is not None and failure.at == experiment.start else ""
