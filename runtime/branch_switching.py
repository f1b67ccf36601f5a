"""A point at which a solution of a nonlinear system has ended in, the solution that goes on from there out. Integrates
nothing.

Where a branch of solutions ends, it meets another one (a fold), beyond which neither exists: the unknowns leap. They go
on in the direction in which they were moving, as they would if they took a little time for it; so that is where the
next solution is looked for first, then in the direction of each unknown. What is found counts where the determinant of
the equations has the same sign as before: the solutions between two such branches are those that nothing moves to.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector, all_finite
from cutset.runtime.solvers.memory import ROUNDING, nominal_values
from cutset.runtime.solvers.method import Problem

Truths = NDArray[np.bool_]

# How far from where the branch has ended a solution is looked for, as parts of the sizes of its unknowns.
_STRIDES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
# What is nearer than that is the branch that has ended.
_NEAR = 0.02
_MOST_UNKNOWNS = 20
# By how much a variable with a derivative may differ besides, in its unit.
_SMALL = 1e-6


def leap(
    problem: Problem, t: float, x: Vector, modes: Vector, lost: tuple[Vector, Vector], ahead: float
) -> list[Vector]:
    """The guesses at (t, x) before the leap, where these can be solved there still, and after it, which stand in w too;
    none where there is no other solution, there and `ahead` of it in time. `lost` has the guesses at the end of the
    branch, and how they have moved to there."""
    model, values, n = problem.model, problem.values, problem.model.info.n_guesses
    last, motion = lost
    size, nominal = problem.memory.sizes(model.info, values), nominal_values(model.info, values)
    unknown, signs = _places(model.info)
    scale = np.where(unknown & (size > ROUNDING * nominal), size, nominal)

    def distance() -> float:
        return float((np.abs(values.w[:n] - last) / scale)[unknown].max(initial=0.0))

    def solved(t: float, x: Vector) -> bool:
        dx = model.derivatives(t, x, problem.inputs.at(t), values, modes)
        return (
            all_finite(model.info, dx, values)
            and distance() > _NEAR
            and np.array_equal(values.w[:n][signs], last[signs])
        )

    def goes_on() -> bool:
        return solved(t + ahead, x + ahead * rates) and solved(t, x) and not _moves(problem, t, x, modes, last)

    values.w[:n] = last
    slopes = model.derivatives(t, x, problem.inputs.at(t), values, modes)
    rates = np.nan_to_num(slopes)
    before = [values.w[:n].copy()] if distance() <= _NEAR and all_finite(model.info, slopes, values) else []
    for direction in _directions(motion, scale, unknown):
        for stride in _STRIDES:
            values.w[:n] = last + stride * scale * direction
            if goes_on():
                return [*before, values.w[:n].copy()]
    values.w[:n] = last
    return [*before, values.w[:n].copy()] if goes_on() else []


def _moves(problem: Problem, t: float, x: Vector, modes: Vector, last: Vector) -> bool:
    """Whether a variable with a derivative, a position of a mechanism say, would leap from the guesses `last` to those
    in w. It cannot: its rate, which follows from those of the states, says how it goes on."""
    info, values = problem.model.info, problem.values
    if not info.moving:
        return False
    after = values.w[: info.n_guesses].copy()
    instants, states, u = np.array([t, t]), np.array([x, x]), np.tile(problem.inputs.at(t), (2, 1))
    y = problem.model.variables(instants, states, u, values, np.array([modes, modes]), np.array([last, after]))
    values.w[: info.n_guesses] = after
    was, now = y[:, list(info.moving)]
    return not bool((np.abs(now - was) <= _NEAR * np.maximum(np.abs(was), np.abs(now)) + _SMALL).all())


def _places(info: ModelInfo) -> tuple[Truths, Truths]:
    """Among the guesses those of unknowns, and the orientations."""
    unknown = np.array([k < n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    signs = np.array([k == n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    return unknown, signs


def _directions(motion: Vector, scale: Vector, unknown: Truths) -> Iterator[Vector]:
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
