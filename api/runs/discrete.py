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
from cutset.runtime.targets.binding import finite_number

# The relative error of elements of A, as a fraction of the largest: differences of runs with the tolerance below.
_ROUNDING = 1e-8
# Derivatives by steps that are smaller by this factor may differ by that part of the largest.
_SMALLER, _DIFFERENT = 0.1, 1e-3
TOLERANCE = 1e-11


def discrete(
    sim: Simulator, interval: float, outputs: Sequence[str], samples: Sequence[tuple[float, float]]
) -> Linearization:
    """The linear model about the state of the simulator, which is the same afterwards. `outputs` are names of
    variables, `samples` first instant and interval of each sample. RunError E637 if a derivative is not finite, E605
    for delays and for samples without a common interval, and for a run that fails."""
    info, start = sim.info, sim.snapshot()
    _require_common_samples(sim, interval, samples)
    kept, at = (*info.states, *info.discrete), Point(sim.time, sim.x, sim.u, start.m[: len(info.relations)])
    x, u = np.array([sim[name] for name in kept]), sim.u
    n = len(x)

    def after(z: Vector) -> Vector:
        """The states after the interval, followed by the outputs before it."""
        sim.take(start)
        sim.set(dict(zip((*kept, *info.inputs), z.tolist(), strict=True)))
        before = [sim[name] for name in outputs]
        sim.step(interval)
        if sim.terminated:
            raise RunError(
                "E605", f"the model ends before {start.t + interval:g} s: {sim.terminated}", "give an earlier time"
            )
        return np.array([*(sim[name] for name in kept), *before])

    whole = np.concatenate([x, u])
    largest = np.maximum(np.abs(x), [*start.values.n, *np.ones(len(info.discrete))])
    by_states = slopes(lambda z: after(np.concatenate([z, u])), x, largest, n)
    smaller = slopes(lambda z: after(np.concatenate([z, u])), x, _SMALLER * largest, n)
    _require_smooth(by_states, smaller, [*kept, *outputs], kept, start.t)
    by_inputs = slopes(lambda z: after(np.concatenate([x, z])), u, np.maximum(np.abs(u), 1.0), len(u), SCALES)
    matrix = np.hstack([by_states, by_inputs])
    sim.take(start)
    require_finite(matrix, [*kept, *outputs], [*kept, *info.inputs], at.t)
    if not np.isfinite(whole).all():
        raise RunError("E637", f"the state at time {at.t!r} is not finite")
    y = np.array([sim[name] for name in outputs])
    parts = matrix[:n, :n], matrix[:n, n:], matrix[n:, :n], matrix[n:, n:]
    return Linearization(at, kept, tuple(info.inputs), tuple(outputs), *parts, u, y, _ROUNDING, interval=interval)


def _require_common_samples(sim: Simulator, interval: float, samples: Sequence[tuple[float, float]]) -> None:
    """RunError E605 for delays, and if the interval is not a multiple of those of all samples."""
    if sim.info.delays:
        hint = "replace `delay` by past samples in discrete variables"
        raise RunError("E605", f"past values of {sim.info.delays[0]} are no states of a sampled model", hint)
    if not finite_number("the interval", interval) > 0.0:
        raise RunError("E605", f"the interval must be positive, not {interval!r}")
    for _, own in samples:
        ratio = interval / own if own > 0.0 and np.isfinite(own) else 1.0
        if ratio < 0.5 or abs(ratio - round(ratio)) > 1e-9 * ratio:
            what = f"the model samples every {own:g} s, and {interval:g} s is no multiple of that"
            raise RunError("E605", what, "give a common multiple of the intervals of all samples")


def _require_smooth(first: Vector, smaller: Vector, rows: Sequence[str], columns: Sequence[str], time: float) -> None:
    """RunError E637 if an element depends on the size of the step."""
    wrong = np.abs(first - smaller) > _DIFFERENT * max(1.0, float(np.abs(smaller).max(initial=0.0)))
    if wrong.any():
        names = [f"next {rows[i]} by {columns[j]}" for i, j in np.argwhere(wrong).tolist()]
        hint = "take another time, where small changes make no jump"
        raise RunError("E637", f"the loop has no derivatives at time {time!r}: it jumps nearby", hint, names[:12])
