"""Integrates a segment with methods of scipy.integrate: Radau, and replacements if SUNDIALS is missing.

Python runs in every step here; what is not the method's own is in C, as for all methods.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.c_loops import c_run
from cutset.runtime.solvers.hosted import CROSSES, PASSES_POLE, HostedSegment, Interrupted
from cutset.runtime.solvers.method import Problem, Segment, SegmentResult

# LSODA is no replacement for Adams: it does not notice a right-hand side that is not finite.
_INSTEAD = {"cvode-bdf": "BDF", "cvode-adams": "DOP853", "ida": "BDF", "bdf": "BDF"}
# In roundings of time: the shortest limit of a step; scipy takes none shorter than 10.
_SHORT = 20.0


def in_place_of_sundials(name: str, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate with the scipy method that is most similar to this one."""
    return integrate(_INSTEAD[name], f"scipy {_INSTEAD[name]}, for {name} without SUNDIALS", problem, segment)


def integrate(solver_name: str, method: str, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate with the solver class of this name in scipy.integrate."""
    with c_run(problem, segment) as run:
        hosted = HostedSegment(run, problem, segment, _SHORT)
        try:
            with run.noting_interrupts():
                outcome = _steps(solver_name, hosted, problem, segment, run.report)
        except Interrupted:
            outcome = Outcome.INTERRUPTED
    name = method if solver_name == "DOP853" else f"{method}, {hosted.kind_of_jacobian}"
    return run.result(outcome, name)


def _steps(solver_name: str, hosted: HostedSegment, problem: Problem, segment: Segment, report: Any) -> Outcome:
    import scipy.integrate  # slow to import

    solver = getattr(scipy.integrate, solver_name)(
        *(hosted.rates, segment.start, segment.x, float(segment.times[-1])),
        **({} if solver_name == "DOP853" else {"jac": hosted.jacobian}),
        max_step=segment.max_step,
        rtol=max(problem.rtol, 3e-14),
        atol=problem.atol,
    )
    since, reached = 0, 0
    while solver.status == "running":
        if since == problem.max_steps:
            return Outcome.TOO_MANY_STEPS
        solver.max_step, share = hosted.longest(float(solver.t), solver.h_abs)
        if solver.max_step == 0.0:  # no room for delayed values: the segment ends here
            break
        solver.rtol, solver.atol = max(share * problem.rtol, 3e-14), share * problem.atol
        outcome, steps, since = _step(solver, hosted), report.steps + 1, since + 1
        if outcome is not Outcome.COMPLETED:
            report.steps = steps
            return outcome
        what = hosted.accept(float(solver.t), solver.y, _rates_at_end(solver, hosted), solver.dense_output())
        if what == CROSSES:
            break
        if what == PASSES_POLE:
            report.steps = steps
            return Outcome.NOT_FINITE
        since, reached = (0 if report.reached > reached else since), report.reached
    return Outcome.COMPLETED


def _step(solver: Any, hosted: HostedSegment) -> Outcome:
    bad_before = hosted.bad_evaluations
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except ValueError:  # the matrix of a Newton iteration holds inf or nan
        return Outcome.NOT_FINITE
    if hosted.ends_here:
        return Outcome.NOT_FINITE
    if solver.status != "failed":
        return Outcome.COMPLETED
    return Outcome.STEP_TOO_SMALL if hosted.bad_evaluations == bad_before else Outcome.NOT_FINITE


def _rates_at_end(solver: Any, hosted: HostedSegment) -> Vector:
    return solver.f if hasattr(solver, "f") else hosted.rates(float(solver.t), solver.y)
