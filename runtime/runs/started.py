"""Starts a run in C: the memory of a run, an experiment -> its settings, its status or an error. Knows no method."""

from __future__ import annotations

from cutset.runtime.interface import Vector
from cutset.runtime.runs.experiment import Experiment, output_times_of
from cutset.runtime.runs.whole_run import Settings, WholeRun
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.method import NEAREST


def begun(memory: WholeRun, settings: Settings, experiment: Experiment) -> int:
    """Do the run that is placed: its status. RunError if it has no start."""
    status, info = memory.run(settings), memory.model.info
    if memory.has_started and not (experiment.initial and info.given_starts):
        return status
    from cutset.runtime.runs.start_failures import check_given, refused

    if not memory.has_started:
        raise refused(memory, experiment.parameters, experiment.initial)
    check_given(memory, experiment.initial)
    return status


def settings_of(memory: WholeRun, experiment: Experiment, now: Vector | None) -> Settings:
    """The settings of a run in this memory."""
    times = experiment.start, experiment.stop, experiment.points, experiment.interval, experiment.times
    outputs, limits = memory.outputs(times, lambda: output_times_of(experiment)), (experiment.rtol, experiment.atol)
    nearest = NEAREST * (experiment.stop - experiment.start)
    steps = experiment.max_steps, experiment.max_step
    return Settings(outputs, *limits, *steps, nearest, find_method(experiment.method), now)
