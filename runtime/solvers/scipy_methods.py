"""Integrates a segment with methods of scipy.integrate: Radau, and replacements if SUNDIALS is missing.

Python runs in every step here; what is not the method's own is in C, as for all methods.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.hosted import CROSSES, PASSES_POLE, HostedSegment, Interrupted
from cutset.runtime.solvers.part import DONE, INTERRUPTED, NOT_FINITE, STEP_TOO_SMALL, TOO_MANY_STEPS, Part

# LSODA is no replacement for Adams: it does not notice a right-hand side that is not finite.
_INSTEAD = {"cvode-bdf": "BDF", "cvode-adams": "DOP853", "ida": "BDF", "bdf": "BDF"}
# In roundings of time: the shortest limit of a step; scipy takes none shorter than 10.
_SHORT = 20.0


def in_place_of_sundials(name: str, part: Part) -> int:
    """Integrate with the scipy method that is most similar to this one."""
    return integrate(_INSTEAD[name], f"scipy {_INSTEAD[name]}, for {name} without SUNDIALS", part)


def integrate(solver_name: str, method: str, part: Part) -> int:
    """Integrate with the solver class of this name in scipy.integrate: how it ended, as in driver.h."""
    hosted = HostedSegment(part, _SHORT)
    try:
        return _steps(solver_name, hosted, part)
    except Interrupted:
        return INTERRUPTED
    finally:
        part.method = method if solver_name == "DOP853" else f"{method}, {hosted.kind_of_jacobian}"


def _steps(solver_name: str, hosted: HostedSegment, part: Part) -> int:
    import scipy.integrate  # slow to import

    report, limits = part.report, part.control
    solver = getattr(scipy.integrate, solver_name)(
        *(hosted.rates, part.t, part.x.copy(), float(part.times[-1])),
        **({} if solver_name == "DOP853" else {"jac": hosted.jacobian}),
        max_step=limits.max_step,
        rtol=max(limits.rtol, 3e-14),
        atol=part.atol,
    )
    since, reached = 0, 0
    while solver.status == "running":
        if since == limits.max_steps:
            return TOO_MANY_STEPS
        solver.max_step, share = hosted.longest(float(solver.t), solver.h_abs)
        if solver.max_step == 0.0:  # no room for delayed values: the segment ends here
            break
        solver.rtol, solver.atol = max(share * limits.rtol, 3e-14), share * part.atol
        outcome, steps, since = _step(solver, hosted), report.steps + 1, since + 1
        if outcome != DONE:
            report.steps = steps
            return outcome
        what = hosted.accept(float(solver.t), solver.y, _rates_at_end(solver, hosted), solver.dense_output())
        if what == CROSSES:
            break
        if what == PASSES_POLE:
            report.steps = steps
            return NOT_FINITE
        since, reached = (0 if report.reached > reached else since), report.reached
    return DONE


def _step(solver: Any, hosted: HostedSegment) -> int:
    bad_before = hosted.bad_evaluations
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except ValueError:  # the matrix of a Newton iteration holds inf or nan
        return NOT_FINITE
    if hosted.ends_here:
        return NOT_FINITE
    if solver.status != "failed":
        return DONE
    return STEP_TOO_SMALL if hosted.bad_evaluations == bad_before else NOT_FINITE


def _rates_at_end(solver: Any, hosted: HostedSegment) -> Vector:
    return solver.f if hasattr(solver, "f") else hosted.rates(float(solver.t), solver.y)
