"""Integrates a segment by the method bdf: IDA on all equations and unknowns of a model, across jumps of unknowns.

An unknown that makes no event may jump: an angle that comes out of atan2, from pi to -pi, while the quantity that is
computed from it is smooth. IDA extrapolates all unknowns, so its steps shrink to nothing before a jump. There the
integrated states take one tiny step by Euler's method, the other unknowns are solved for anew, and IDA starts again.

Nor does Newton's method converge where rounding errors are larger than the tolerances: a current of 10^4 A through a
closed switch changes the voltages at other resistors by its rounding. The tolerances of such unknowns are raised.
Derivatives have none then: their rounding grows as steps get shorter, and their errors are not tested.
"""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers import cvode
from cutset.runtime.solvers.consistent_point import ConsistentPoint
from cutset.runtime.solvers.families import Family
from cutset.runtime.solvers.part import NO_CONVERGENCE, STEP_TOO_SMALL, TOO_MANY_STEPS, Part

# The steps over a jump, as fractions of the segment, each if the one before was too short; and their largest number.
_HOPS, _MOST = (1e-10, 1e-9, 1e-8), 1000
# How much a state may change, relative to its size, in such a step, and an unknown in a second one behind the jump.
_SMOOTH = 1e-3
# How many times the rounding error of an unknown its tolerance is at least. A step is solved 100 times more accurately.
_ABOVE_ROUNDING = 1000.0
# They are not raised beyond this part of the largest unknown: rounding errors that large come from a pole ahead.
_COARSEST = 1e-4
# No tolerance.
_ANY = 1e100
_STUCK = (STEP_TOO_SMALL, NO_CONVERGENCE)
_SLOW = (*_STUCK, TOO_MANY_STEPS)


def integrate(family: Family, part: Part) -> int:
    """Integrate the part: how it ended, as in driver.h; a failure is one that no step over a jump removes."""
    _drop_multipliers(part)
    status, shortest = cvode.integrate(family, part), 0
    for _ in range(_MOST if part.info.n_algebraic else 0):
        if status in _SLOW and _raises_tolerances(part):
            _drop_multipliers(part)
            part.restart(part.t)
            status = cvode.integrate(family, part)
            continue
        if status not in _STUCK or shortest == len(_HOPS):
            break
        there = _over(part, _HOPS[shortest])
        if there is None:
            break
        mark, before = part.mark(), part.t
        part.x[:] = there[1]
        part.restart(there[0])
        after = cvode.integrate(family, part)
        far = after not in _STUCK or part.t - there[0] > there[0] - before
        shortest = 0 if far else shortest + 1
        if far:
            status = after
        else:
            part.back(mark)
    return status


def _raises_tolerances(part: Part) -> bool:
    """Raise tolerances above the rounding errors here; False if they are."""
    t, x, held, control = part.t, _without_multipliers(part), (part.values, part.modes), part.control
    u, point = part.inputs.at(t), ConsistentPoint(part.model)
    least = _ABOVE_ROUNDING * point.rounding(t, point.near(t, x, u, *held), u, *held)
    tested = len(x) - part.info.n_multipliers - part.info.n_slopes
    is_pole = not np.isfinite(least).all() or least[:tested].max(initial=0.0) > _COARSEST * np.abs(x).max(initial=0.0)
    rounded = least > part.atol + control.rtol * np.abs(x)
    if is_pole or not rounded.any():
        return False
    part.atol[:] = np.maximum(part.atol, 2.0 * least)
    part.atol[tested:][rounded[tested:]] = _ANY
    return True


def _over(part: Part, share: float) -> tuple[float, Vector] | None:
    """A point just ahead, at most at the next output; None if there is none."""
    times, start = part.times[part.report.reached :], part.start
    h = min(share * (float(times[-1]) - start), 0.5 * (float(times[0]) - part.t))
    t, x = part.t + h, _without_multipliers(part)
    found = _after(part, part.t, x, h)
    if not t > part.t or not np.isfinite(found).all():
        return None
    # The states are smooth across a jump, and all unknowns are behind it. Around a pole they are not.
    size, first = _SMOOTH * np.maximum(np.abs(found), part.values.n), len(x) - part.info.n_algebraic
    further = _after(part, t, found, h)
    if not ((np.abs(further - found) <= size).all() and (np.abs(found - x) <= size)[:first].all()):
        return None
    return t, found


def _after(part: Part, t: float, x: Vector, h: float) -> Vector:
    """The consistent point to which a step of Euler's method leads; nan for unknowns that have no value there."""
    held, first, inputs = (part.values, part.modes), len(x) - part.info.n_algebraic, part.inputs
    there = x.copy()
    there[:first] += h * part.model.derivatives(t, x, inputs.at(t), *held)[:first]
    found: Vector = ConsistentPoint(part.model).near(t + h, there, inputs.at(t + h), *held)
    return found


def _without_multipliers(part: Part) -> Vector:
    """The unknowns with multipliers of 0, as a copy: before a jump they are large, errors divided by tiny steps."""
    without = part.x.copy()
    without[len(without) - part.info.n_multipliers :] = 0.0
    return without


def _drop_multipliers(part: Part) -> None:
    part.x[:] = _without_multipliers(part)
