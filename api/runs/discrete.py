"""Linearizes a model from sample to sample: a simulator, the time between samples -> matrices of differences.

    x(k + 1) = A*x(k) + B*u(k),  y(k) = C*x(k) + D*u(k)  for small deviations, x(k) just after sample k

x are the states and the discrete variables, u the inputs, which are constant between samples.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutset.runtime.analysis.linearize import SCALES, Linearization, require_finite, slopes
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.runs.simulator import Simulator

# The relative error of elements of A, as a fraction of the largest: differences of runs with the tolerance below.
_ROUNDING = 1e-8
TOLERANCE = 1e-11


def discrete(sim: Simulator, interval: float, outputs: Sequence[str]) -> Linearization:
    """The linear model about the state of the simulator, which is the same afterwards. `outputs` are names of
    variables. RunError E637 if a derivative is not finite, and for a run that fails."""
    info, start = sim.info, sim.snapshot()
    kept, at = (*info.states, *info.discrete), Point(sim.time, sim.x, sim.u, start.m[: len(info.relations)])
    x, u = np.array([sim[name] for name in kept]), sim.u
    n = len(x)

    def after(z: Vector) -> Vector:
        """The states after the interval, followed by the outputs before it."""
        sim.take(start)
        sim.set(dict(zip((*kept, *info.inputs), z.tolist(), strict=True)))
        before = [sim[name] for name in outputs]
        sim.step(interval)
        return np.array([*(sim[name] for name in kept), *before])

    whole = np.concatenate([x, u])
    largest = np.maximum(np.abs(x), [*start.values.n, *np.ones(len(info.discrete))])
    by_states = slopes(lambda z: after(np.concatenate([z, u])), x, largest, n)
    by_inputs = slopes(lambda z: after(np.concatenate([x, z])), u, np.maximum(np.abs(u), 1.0), len(u), SCALES)
    matrix = np.hstack([by_states, by_inputs])
    sim.take(start)
    require_finite(matrix, [*kept, *outputs], [*kept, *info.inputs], at.t)
    if not np.isfinite(whole).all():
        raise RunError("E637", f"the state at time {at.t!r} is not finite")
    y = np.array([sim[name] for name in outputs])
    parts = matrix[:n, :n], matrix[:n, n:], matrix[n:, :n], matrix[n:, n:]
    return Linearization(at, kept, tuple(info.inputs), tuple(outputs), *parts, u, y, _ROUNDING, interval=interval)
