"""A point at which a solution of a nonlinear system has ended in, the solution that goes on from there out. Integrates nothing.

Where a branch of solutions ends, it meets another one (a fold), beyond which neither exists: the unknowns leap. They go on in the
direction in which they were moving, as they would if they took a little time for it; so that is where the next solution is
looked for first, then in the direction of each unknown. What is found counts where the determinant of the equations has the
same sign as before: the solutions between two such branches are those that nothing moves to.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cutset.runtime.interface import ModelInfo, Vector, all_finite
from cutset.runtime.solvers.memory import ROUNDING, nominal_values
from cutset.runtime.solvers.method import Problem

# How far from where the branch has ended a solution is looked for, as parts of the sizes of its unknowns.
_STRIDES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
# What is nearer than that is the branch that has ended.
_NEAR = 0.02
_MOST_UNKNOWNS = 20


def leap(problem: Problem, t: float, x: Vector, modes: Vector, lost: tuple[Vector, Vector], ahead: float) -> list[Vector]:
    """The guesses at (t, x) before the leap, where these can be solved there still, and after it, which stand in w too; none
    where there is no other solution, there and `ahead` of it in time. `lost` has the guesses at the end of the branch, and
    how they have moved to there."""
    model, values, n = problem.model, problem.values, problem.model.info.n_guesses
    last, motion = lost
    size, nominal = problem.memory.sizes(model.info, values), nominal_values(model.info, values)
    unknown, signs = _places(model.info)
    scale = np.where(unknown & (size > ROUNDING * nominal), size, nominal)

    def distance() -> float:
        return float((np.abs(values.w[:n] - last) / scale)[unknown].max(initial=0.0))

    def solved(t: float, x: Vector) -> bool:
        dx = model.derivatives(t, x, problem.inputs.at(t), values, modes)
        return all_finite(model.info, dx, values) and distance() > _NEAR and np.array_equal(values.w[:n][signs], last[signs])

    values.w[:n] = last
    rates = np.nan_to_num(model.derivatives(t, x, problem.inputs.at(t), values, modes))
    before = [values.w[:n].copy()] if distance() <= _NEAR else []
    for direction in _directions(motion, scale, unknown):
        for stride in _STRIDES:
            values.w[:n] = last + stride * scale * direction
            if solved(t + ahead, x + ahead * rates) and solved(t, x):
                return [*before, values.w[:n].copy()]
    values.w[:n] = last
    return [*before, values.w[:n].copy()] if solved(t + ahead, x + ahead * rates) and solved(t, x) else []


def _places(info: ModelInfo) -> tuple[Vector, Vector]:
    """Among the guesses those of unknowns, and the orientations: as arrays of truth values."""
    unknown = np.array([k < n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    signs = np.array([k == n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    return unknown, signs


def _directions(motion: Vector, scale: Vector, unknown: Vector) -> Iterator[Vector]:
    """Of at most 1 in each unknown, as part of its size: that of the motion, then those of the unknowns."""
    shares = np.where(unknown, motion / scale, 0.0)
    largest = np.abs(shares).max(initial=0.0)
    if largest > 0.0:
        yield shares / largest
    places = np.flatnonzero(unknown)
    for place in places[:_MOST_UNKNOWNS].tolist():
        for sign in (1.0, -1.0):
            direction = np.zeros(len(motion))
            direction[place] = sign
            yield direction
