"""Runs a compiled model: CompiledModel, Experiment -> Result. Knows no integration method and no target."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.notes import with_notes
from cutset.runtime.runs.started import begun, settings_of
from cutset.runtime.runs.whole_run import AT_STOP, INTERRUPTED, EndedRun, Settings, WholeRun, memory_for
from cutset.runtime.solvers import AUTO, OF_ALL_EQUATIONS, STABILIZED
from cutset.runtime.trajectory import Trajectory


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
    if model.info.n_algebraic:
        from cutset.runtime.runs.python_run import from_start

        return from_start(model, experiment, description, now, begin)
    memory = memory_for(model)
    try:
        return _in_one_call(memory, experiment, description, now)
    finally:
        memory.free()


def _in_one_call(memory: WholeRun, experiment: Experiment, description: Description, now: Vector | None) -> Result:
    """The result of a run in C, which Python continues if necessary. RunError for wrong values, and if there is no
    start."""
    began, model = time.perf_counter(), memory.model
    memory.place(experiment.parameters, experiment.initial, experiment.inputs)
    settings = settings_of(memory, experiment, now)
    status = begun(memory, settings, experiment)
    ended, (t, x, m, guesses, delayed) = memory.ended(), memory.rows()
    values = ended.first_values
    if status != AT_STOP or ended.inputs.functions or not all(external.is_c for external in model.info.externals):
        try:
            from cutset.runtime.runs.python_run import from_where_it_ended
        except KeyboardInterrupt:  # while it is loaded
            from cutset.runtime.runs.python_run import from_where_it_ended

            status = INTERRUPTED
        return from_where_it_ended(ended, (t, x, m, guesses, delayed), status, settings, experiment, description, began)
    rows = Trajectory(t, x, ended.inputs_over(delayed), m, guesses)
    notes: tuple[str, ...] = ()
    if model.info.open_systems or memory.has_large_states or model.info.equalities:
        from cutset.runtime.runs.python_run import notes_of

        notes = notes_of(model, rows, values)
    statistics = partial(ended.statistics, settings.method, time.perf_counter() - began)
    end = _End(ended, settings, experiment, description)
    result = Result(model, values, rows, statistics, None, None, description, end.further, notes)
    result.saves = end.saved
    return with_notes(result, model, experiment, values)


@dataclass(frozen=True, eq=False)
class _End:
    """The end of a run that was one call of C, from which another one continues."""

    ended: EndedRun
    settings: Settings
    experiment: Experiment
    description: Description

    def further(
        self, stop: float, points: int | None, interval: float | None, inputs: Mapping[str, InputSignal]
    ) -> Result:
        """Continue the run to `stop`. RunError for wrong settings and names."""
        from cutset.runtime.runs.ended_run import snapshot_of
        from cutset.runtime.runs.python_run import further

        snapshot = partial(snapshot_of, self.ended, self.settings)
        own = self.ended.model, self.experiment, self.description, snapshot
        return further(*own, stop, points, interval, inputs)

    def saved(self) -> bytes:
        """The state at the end of the run."""
        from cutset.runtime.runs.ended_run import snapshot_of
        from cutset.runtime.runs.python_run import saved

        return saved(partial(snapshot_of, self.ended, self.settings), self.ended.model)


def refusal(result: Result | RunError, experiment: Experiment) -> str:
    """The code of the error that kept a run from starting; empty if it started."""
    if isinstance(result, RunError):
        return result.code
    failure = result.failure
    return failure.error().code if failure is not None and failure.at == experiment.start else ""
