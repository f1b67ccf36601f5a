"""Opens runs: memory for a model, with the values and the settings of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cutset.runtime.given.given_starts import bound
from cutset.runtime.given.inputs import resolve_inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.runs.experiment import Experiment, output_times_of
from cutset.runtime.runs.run import Run, Settings
from cutset.runtime.solvers import find_method
from cutset.runtime.targets.engine import Engine


def memory_for(model: CompiledModel, engine: Engine | None = None) -> Run:
    """Memory for a run of the model by its engine, or by this one, which the run has alone until it is free again."""
    engine = engine or model.engine
    try:
        run: Run = engine.memories.free.pop()
    except IndexError:
        run = Run(model, engine)
    return run


def opened(model: CompiledModel, experiment: Experiment, begin: Mapping[str, float] | None = None) -> Run:
    """A run with the values of the experiment; `begin` has those of all unknowns at the start, if they are known.
    RunError for wrong names and values."""
    return bound_run(model, experiment, begin) if model.info.n_algebraic else placed_run(model, experiment)


def placed_run(model: CompiledModel, experiment: Experiment) -> Run:
    """A run with the values of the experiment, which C binds. RunError for wrong names and values."""
    run = memory_for(model)
    try:
        run.place(experiment.parameters, experiment.initial, experiment.inputs)
    except BaseException:
        run.free()
        raise
    return run


def bound_run(model: CompiledModel, experiment: Experiment, begin: Mapping[str, float] | None = None) -> Run:
    """The same, with values that are bound."""
    from cutset.runtime.solvers.solved_unknowns import solving, solving_engine

    model = solving(model, begin)
    info, controllers = model.info, model.fresh_controllers()
    model.use(controllers)
    values = replace(bound(model, experiment.parameters, experiment.initial), controllers=controllers)
    run = memory_for(model, solving_engine(model, values))
    run.take(values, resolve_inputs(info, experiment.inputs), experiment.initial)
    if info.delays:
        at_zero = np.zeros(len(info.states)), np.zeros(len(run.part["u"])), values, np.zeros(info.n_modes)
        run.part["delays"][:] = model.delayed(0.0, *at_zero)[:, 1]
    return run


def settings_of(run: Run, experiment: Experiment, now: Vector | None = None, origin: float | None = None) -> Settings:
    """The settings of the experiment, for a run in this memory that began at `origin`."""
    times = experiment.start, experiment.stop, experiment.points, experiment.interval, experiment.times
    outputs, limits = run.outputs(times, lambda: output_times_of(experiment)), (experiment.rtol, experiment.atol)
    steps = experiment.max_steps, experiment.max_step
    return Settings(outputs, *limits, *steps, find_method(experiment.method), now, origin)
