"""Initializes a run: start values -> its first state, solving the initial system together with the relations.

C finds it, see c/run/start.h. A condition that is true at the start has not become true, so no branch acts here. Steps
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.runs.many_points import HeldAtPoints
from cutset.runtime.runs.opened import memory_for
from cutset.runtime.runs.run import Run
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.start_failures import check_given, raise_reason


def starting(model: CompiledModel, values: Values, t: float, u: Vector) -> Snapshot:
    """The start of a run with constant inputs; the guesses of the values become those of the start. RunError,
    EventFailure if there is none."""
    run = memory_for(model)
    try:
        run.take(values, Inputs(u, {}), {})
        begin(run, t, {})
        found = run.snapshot()
    finally:
        run.free()
    values.w[:] = found.values.w
    return found


def begin(run: Run, t: float, initial: Mapping[str, float], rtol: float = 1e-6) -> None:
    """Find the start of a run with the values that it has. RunError if a start value in `initial` is not that of the
    solution, EventFailure or InputFailure if there is no solution."""
    if not run.find_start(t, 0.0, rtol):
        raise_reason(run, {}, initial)
    check_given(run, initial)


def held_at(model: CompiledModel, values: Values, t: float, x: Vector, u: Vector) -> Vector:
    """The held values at a point that no run has reached: relations that agree with it, discrete variables at their
    start values. RunError if there are none."""
    if not model.info.relations:
        return values.s[len(model.info.states) :][: len(model.info.discrete)].copy()
    return HeldAtPoints(model, values).at(np.array([t]), x, u).reshape(-1)
