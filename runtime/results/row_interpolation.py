"""Interpolates a run between its rows: states on cubic polynomials with their derivatives, inputs on lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.instants import cubic, linear, rows_before
from cutset.runtime.trajectory import Trajectory


def rows_at(model: CompiledModel, values: Values, rows: Trajectory, times: Vector) -> Trajectory:
    """The rows at these instants, which lie in the run. Relations and discrete variables have the values of the row
    before; at an event, of the row after it. A run by the method bdf is interpolated on lines."""
    left, right, part = rows_before(rows.t, times)
    u = linear(rows.u, left, right, part)
    if model.info.n_algebraic or not len(model.info.states) or not part.any():
        x = linear(rows.x, left, right, part)
    else:
        needed = np.unique(np.concatenate([left[part > 0.0], right[part > 0.0]]))
        slopes = np.zeros_like(rows.x)
        values = replace(values, w=values.w.copy())
        for row in needed.tolist():
            slopes[row] = _slope(model, values, rows, row)
        way = rows.t[right] - rows.t[left]
        x = cubic(part, way, (rows.x[left], rows.x[right]), (slopes[left], slopes[right]))
    return Trajectory(times, x, u, rows.modes[left], rows.guesses[left])


def _slope(model: CompiledModel, values: Values, rows: Trajectory, row: int) -> Vector:
    values.w[: rows.guesses.shape[1]] = rows.guesses[row]
    return model.derivatives(float(rows.t[row]), rows.x[row], rows.u[row], values, rows.modes[row])
