"""Finds the next solution of a nonlinear system where a branch of solutions ends.

A branch ends where it meets another one (a fold); beyond that point neither exists, and the unknowns jump. They
continue in the direction in which they were moving, as they would if the jump took a short time; so the next solution
is first sought in that direction, then in the direction of each unknown. A solution is accepted if the determinant of
the equations has the same sign as before: solutions between two such branches are unstable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector, all_finite
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.memory import ROUNDING, nominal_values
from cutset.runtime.solvers.method import Lost, Problem, SegmentResult

Truths = NDArray[np.bool_]

# Distances from the end of the branch at which a solution is sought, relative to the sizes of its unknowns.
_STRIDES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
# A nearer solution is the branch that has ended.
_NEAR = 0.02
_MOST_UNKNOWNS = 20
# The absolute change allowed for a variable with a derivative.
_SMALL = 1e-6
# Jumps within this fraction of the run are at one instant; the limit on their number.
_SAME_INSTANT, _MOST_LEAPS = 1e-9, 20


class Leaps:
    """Finds the jumps from one solution to another in a run of length `span` in s; at most a few at one instant."""

    def __init__(self, problem: Problem, span: float):
        self._problem, self._span = problem, span
        self._latest, self._number = -math.inf, 0

    def at(self, t: float, result: SegmentResult, modes: Vector) -> list[Vector]:
        """As `leap`, at the end of a segment that ends at t. Empty if no branch of solutions has ended there."""
        here = _SAME_INSTANT * self._span
        self._number = self._number + 1 if t - self._latest <= here else 0
        if result.lost is None or result.outcome is Outcome.INTERRUPTED or self._number > _MOST_LEAPS:
            return []
        self._latest = t
        return leap(self._problem, t, result.x, modes, result.lost, here)


def leap(problem: Problem, t: float, x: Vector, modes: Vector, lost: Lost, ahead: float) -> list[Vector]:
    """The guesses at (t, x) before the jump (if they can still be solved there) and after it; w holds the last ones.
    Empty if there is no other solution, both there and `ahead` of it in time. `lost` tells where the branch ended."""
    model, values, n = problem.model, problem.values, problem.model.info.n_guesses
    last, motion, _ = lost
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
    """True if a variable with a derivative, such as a position of a mechanism, would jump from the guesses `last` to
    those in w. That is impossible: its derivative follows from those of the states."""
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
    """Masks of the guesses: unknowns, and orientations."""
    unknown = np.array([k < n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    signs = np.array([k == n for n in info.iterations for k in range(2 * n + 1)], dtype=bool)
    return unknown, signs


def _directions(motion: Vector, scale: Vector, unknown: Truths) -> Iterator[Vector]:
    """Directions with components of at most 1, relative to the sizes: that of the motion, then each unknown's."""
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
