"""Finds the last point of a segment before a point without values, and that point. Decides nothing about the run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.interface import Vector, all_finite
from cutset.runtime.solvers.c_loops import integrate
from cutset.runtime.solvers.method import Problem, Segment, SegmentResult
from cutset.runtime.solvers.tableaus import DOPRI5


def last_instant(problem: Problem, segment: Segment, result: SegmentResult, bad: float) -> SegmentResult:
    """The result of a model without states, up to the last instant before `bad` at which all values are finite."""
    good, model = result.t, problem.model
    while good < 0.5 * (good + bad) < bad:
        middle = 0.5 * (good + bad)
        dx = model.derivatives(middle, result.x, problem.inputs.at(middle), problem.values, segment.modes)
        good, bad = (middle, bad) if all_finite(model.info, dx, problem.values) else (good, middle)
    return replace(result, t=good, bad=(bad, result.x))


def close_to_the_end(
    problem: Problem, segment: Segment, result: SegmentResult, bad: float, is_fixed: bool
) -> SegmentResult:
    """The result continued to the end of a branch of solutions or of the model's domain, by a method whose steps become
    as short as necessary; or a little farther, if it does not end there. A fixed step may meet a pole far ahead of the
    solution, much closer to its start: then it is the whole step that is done again."""
    has_met_pole = is_fixed and _has_values(problem, segment, result)
    farthest = max(bad, result.t + segment.max_step) if has_met_pole else max(bad, result.t)
    done, end = len(result.states), min(farthest, float(segment.times[-1]))
    values, n = problem.values, problem.model.info.n_guesses
    u = problem.inputs.at(result.t)
    if result.lost is not None:
        values.w[:n] = result.lost.last
    if end <= result.t or problem.model.careful_derivatives(result.t, result.x, u, values, segment.modes)[1]:
        return result  # the error of the method has taken it there already
    times = segment.times[done:]
    times = np.append(times[times < end], end)
    begun = replace(segment, start=result.t, x=result.x, times=times, hysteresis={}, has_grown=has_met_pole)
    rest = integrate(DOPRI5, problem, begun)
    if rest.lost is not None and result.lost is not None and not rest.lost.motion.any():  # it no longer moves
        rest = replace(rest, lost=rest.lost._replace(motion=result.lost.motion))
    asked = np.count_nonzero(segment.times[done:] <= end)  # the end itself is rarely an output
    states = np.concatenate([result.states, rest.states[:asked]])
    guesses = np.concatenate([result.guesses, rest.guesses[:asked]])
    return replace(rest, states=states, guesses=guesses, counts=result.counts + rest.counts, method=result.method)


def _has_values(problem: Problem, segment: Segment, result: SegmentResult) -> bool:
    """True if the segment ended before a pole: the last point before it has values."""
    if result.bad is None:
        return False
    t, x = result.bad
    values = replace(problem.values, w=problem.values.w.copy())
    dx = problem.model.derivatives(t, x, problem.inputs.at(t), values, segment.modes)
    return all_finite(problem.model.info, dx, values)


def point_without_values(problem: Problem, result: SegmentResult, modes: Vector) -> tuple[float, Vector] | None:
    """The point without values that ended the segment. Just before the end of a branch of solutions another branch
    exists too, so it is sought farther ahead."""
    if result.lost is None or result.bad is None:
        return result.bad
    bad_t, bad_x = result.bad
    for factor in (1.0, 10.0, 100.0, 1000.0):
        t, x = result.t + factor * (bad_t - result.t), result.x + factor * (bad_x - result.x)
        instants, u = np.array([t]), problem.inputs.at(t)[None, :]
        y = problem.model.variables(instants, x[None, :], u, problem.values, modes[None, :])
        if not np.isfinite(y[:, : problem.model.info.n_variables]).all():
            return t, x
    return result.bad
