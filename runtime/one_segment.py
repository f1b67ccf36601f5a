"""Integrates one segment between events by the method of the run; handles everything that the method need not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.last_points import close_to_the_end, last_instant
from cutset.runtime.outcome import Outcome
from cutset.runtime.solved_unknowns import integrated
from cutset.runtime.solvers import find_method
from cutset.runtime.solvers.method import Counts, Method, Problem, Segment, SegmentResult
from cutset.runtime.solvers.tableaus import RK4


def integrate_segment(problem: Problem, method: Method, segment: Segment, care: float) -> SegmentResult:
    """The result up to the end of the segment, to a crossing, or to the last point that has values. `care` is a factor
    on the tolerances."""
    info, x, times = problem.model.info, segment.x, segment.times
    if not len(x) and not info.crossings and not info.n_guards and problem.inputs.history is None:
        rows, guesses = np.tile(x, (len(times), 1)), np.tile(guesses_of(problem), (len(times), 1))
        return SegmentResult(rows, guesses, float(times[-1]), x, Outcome.COMPLETED, Counts(), None, "")
    if not len(x):  # without states there is no error by which a method could choose its steps
        method = find_method(RK4.name)
    if care < 1.0:
        problem = replace(problem, rtol=max(care * problem.rtol, 1e-13), atol=care * problem.atol)
    model = integrated(problem.model)
    try:
        result = method.integrate(problem if model is problem.model else replace(problem, model=model), segment)
        return _to_the_last_point(problem, method, segment, result)
    except KeyboardInterrupt:  # the loops in C stop by themselves and return the outputs of this segment
        guesses, outcome = guesses_of(problem)[:0], Outcome.INTERRUPTED
        return SegmentResult(x[None, :][:0], guesses, segment.start, x, outcome, Counts(), None, method.name)


def _to_the_last_point(problem: Problem, method: Method, segment: Segment, result: SegmentResult) -> SegmentResult:
    """The result, continued to the last point with values if the method has ended before one without."""
    has_failed = result.outcome is not Outcome.COMPLETED and result.failed is None
    if result.bad is None or not has_failed or (result.lost is None and method.adaptive):
        return result
    bad, _ = result.bad
    if len(segment.x):
        return close_to_the_end(problem, segment, result, bad, not method.adaptive)
    return last_instant(problem, segment, result, bad)


def guesses_of(problem: Problem) -> Vector:
    """The guesses of the last evaluation: shape (1, n_guesses)."""
    return problem.values.w[None, : problem.model.info.n_guesses].copy()
