"""Integrates a segment by the method bdf: IDA on all equations and unknowns of a model, across jumps of unknowns.

An unknown that makes no event may jump: an angle that comes out of atan2, from pi to -pi, while the quantity that is
computed from it is smooth. IDA extrapolates all unknowns, so its steps shrink to nothing before a jump. There the
integrated states take one tiny step by Euler's method, the other unknowns are solved for anew, and IDA starts again.

Nor does Newton's method converge where rounding errors are larger than the tolerances: a current of 10^4 A through a
closed switch changes the voltages at other resistors by its rounding. The tolerances of such unknowns are raised.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import cvode
from cutset.runtime.solvers.consistent_point import ConsistentPoint
from cutset.runtime.solvers.method import Family, Problem, Segment, SegmentResult

# The steps over a jump, as fractions of the segment, each if the one before was too short; and their largest number.
_HOPS, _MOST = (1e-10, 1e-9, 1e-8), 1000
# How much a state may change, relative to its size, in such a step, and an unknown in a second one behind the jump.
_SMOOTH = 1e-3
# How many times the rounding error of an unknown its tolerance is at least. A step is solved 100 times more accurately.
_ABOVE_ROUNDING = 1000.0
# They are not raised beyond this part of the largest unknown: rounding errors that large come from a pole ahead.
_COARSEST = 1e-4
_STUCK = (Outcome.STEP_TOO_SMALL, Outcome.NO_CONVERGENCE)


def integrate(family: Family, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate the segment; a failure is one that no step over a jump removes."""
    segment = replace(segment, x=_without_multipliers(problem, segment.x))
    result, shortest = cvode.integrate(family, problem, segment), 0
    for _ in range(_MOST if problem.model.info.n_algebraic else 0):
        if result.outcome not in _STUCK or shortest == len(_HOPS):
            break
        coarser = _above_rounding(problem, segment, result)
        if coarser is not None:
            problem, times = coarser, segment.times[len(result.states) :]
            again = replace(segment, start=result.t, x=_without_multipliers(problem, result.x), times=times)
            result = _joined(result, cvode.integrate(family, problem, again))
            continue
        there = _over(problem, segment, result, _HOPS[shortest])
        if there is None:
            break
        rest = cvode.integrate(family, problem, there)
        far = rest.outcome not in _STUCK or rest.t - there.start > there.start - result.t
        shortest = 0 if far else shortest + 1
        if far:
            result = _joined(result, rest)
    return result


def _above_rounding(problem: Problem, segment: Segment, before: SegmentResult) -> Problem | None:
    """The problem with tolerances above the rounding errors at the end of `before`; None if they are."""
    t, x, held = before.t, _without_multipliers(problem, before.x), (problem.values, segment.modes)
    u = problem.inputs.at(t)
    point = ConsistentPoint(problem.model)
    least = _ABOVE_ROUNDING * point.rounding(t, point.near(t, x, u, *held), u, *held)
    is_pole = not np.isfinite(least).all() or least.max(initial=0.0) > _COARSEST * np.abs(x).max(initial=0.0)
    if is_pole or not (least > problem.atol + problem.rtol * np.abs(x)).any():
        return None
    return replace(problem, atol=np.maximum(problem.atol, 2.0 * least))


def _over(problem: Problem, segment: Segment, before: SegmentResult, part: float) -> Segment | None:
    """The rest of the segment from a point just ahead, at most at the next output; None if there is none."""
    times = segment.times[len(before.states) :]
    h = min(part * (float(segment.times[-1]) - segment.start), 0.5 * (float(times[0]) - before.t))
    t, x = before.t + h, _without_multipliers(problem, before.x)
    found = _after(problem, segment, before.t, x, h)
    if not t > before.t or not np.isfinite(found).all():
        return None
    # The states are smooth across a jump, and all unknowns are behind it. Around a pole they are not.
    size, first = _SMOOTH * np.maximum(np.abs(found), problem.values.n), len(x) - problem.model.info.n_algebraic
    further = _after(problem, segment, t, found, h)
    if not ((np.abs(further - found) <= size).all() and (np.abs(found - x) <= size)[:first].all()):
        return None
    return replace(segment, start=t, x=found, times=times)


def _after(problem: Problem, segment: Segment, t: float, x: Vector, h: float) -> Vector:
    """The consistent point to which a step of Euler's method leads; nan for unknowns that have no value there."""
    held, first = (problem.values, segment.modes), len(x) - problem.model.info.n_algebraic
    there = x.copy()
    there[:first] += h * problem.model.derivatives(t, x, problem.inputs.at(t), *held)[:first]
    found: Vector = ConsistentPoint(problem.model).near(t + h, there, problem.inputs.at(t + h), *held)
    return found


def _without_multipliers(problem: Problem, x: Vector) -> Vector:
    """The unknowns with multipliers of 0, as a copy: before a jump they are large, errors divided by tiny steps."""
    without = np.array(x)
    without[len(x) - problem.model.info.n_multipliers :] = 0.0
    return without


def _joined(one: SegmentResult, other: SegmentResult) -> SegmentResult:
    states, guesses = np.concatenate([one.states, other.states]), np.concatenate([one.guesses, other.guesses])
    return replace(other, states=states, guesses=guesses, counts=one.counts + other.counts)
