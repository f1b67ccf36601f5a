"""Parts of segments that methods outside integrate, without a run around them."""

from __future__ import annotations

from ctypes import byref

import numpy as np

from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.opened import bound_run, settings_of
from cutset.runtime.solvers.part import Part
from cutset.runtime.targets.c_records import numbers_at


def part_of(model: CompiledModel, x: Vector, start: float, end: float) -> Part:
    """From these states on, with all relations true, to one output at the end."""
    experiment = Experiment(10.0)
    run = bound_run(model, experiment)
    run.arguments(settings_of(run, experiment))
    events, info = run.events, model.info
    numbers_at(events.state.x, len(x))[:], numbers_at(events.state.m, info.n_modes)[:] = x, 1.0
    numbers_at(events.state.scales, len(info.crossings))[:] = 1.0
    numbers_at(events.state.reach, len(info.relations))[:] = -1.0
    numbers_at(events.state.widths, 2 * len(info.relations))[:] = -1.0
    numbers_at(events.row_t, 1)[0] = end
    tolerances = np.full(len(x), 1e-8)
    events.careful.rtol, events.careful.atol, events.careful.max_steps = 1e-6, tolerances.ctypes.data, 1000
    events.careful.max_step, events.state.t, run.data.m = np.inf, start, events.state.m
    part = Part(model, run.values, run.inputs, run.data, events, 0, 1)
    part.functions.restart_part(byref(run.data), byref(events), 0)
    part.run = run  # type: ignore[attr-defined]  # keep it alive
    return part
