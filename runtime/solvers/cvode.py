"""Integrates a segment with CVODE (BDF or Adams) or IDA of SUNDIALS, each with Newton's method.

The loop over the outputs is sundials.h. Without SUNDIALS, similar methods of scipy are used; the statistics tell so.

A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM TOMS 31 (2005)
363-396.
"""

from __future__ import annotations

from ctypes import byref
from dataclasses import replace

from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import scipy_methods, sundials
from cutset.runtime.solvers.c_loops import c_run
from cutset.runtime.solvers.implicit import solver_for
from cutset.runtime.solvers.method import Family, Problem, Segment, SegmentResult
from cutset.runtime.targets.c_records import Control, address

# The flags that CVODE and IDA share.
_OUTCOMES = {
    -1: Outcome.TOO_MANY_STEPS,
    -2: Outcome.STEP_TOO_SMALL,  # the requested accuracy exceeds that of the arithmetic
    -3: Outcome.STEP_TOO_SMALL,
    -4: Outcome.NO_CONVERGENCE,
    -5: Outcome.NO_CONVERGENCE,
    -6: Outcome.NO_CONVERGENCE,
    -7: Outcome.NO_CONVERGENCE,
    -8: Outcome.NOT_FINITE,
    -9: Outcome.NOT_FINITE,
    -10: Outcome.NOT_FINITE,
    -11: Outcome.NOT_FINITE,
    -12: Outcome.NOT_FINITE,
}


def integrate(family: Family, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate the segment by one family of methods."""
    has_sundials = sundials.load() is not None
    if not has_sundials and problem.model.info.n_algebraic:
        hint = "install it (pip install scikit-sundae), or take another method, such as radau"
        raise RunError("E605", "the method bdf needs SUNDIALS, which is not installed", hint)
    if not has_sundials:
        return scipy_methods.in_place_of_sundials(family.name, problem, segment)
    with c_run(problem, segment) as run:
        solver = solver_for(problem.model.engine, family, run.data, problem.values.n)
        assert solver is not None, "the caller has loaded SUNDIALS"
        limits = segment.max_step, problem.nearest, problem.max_steps
        control = Control(problem.rtol, address(problem.atol), *limits)
        arguments = len(run.times), address(run.times), address(run.out), byref(run.report)
        place = segment.start, address(run.x)
        with run.noting_interrupts():
            flag = run.functions.implicit(byref(solver.record), byref(control), *place, *arguments)
        name = solver.name
        solver.free()
    return _result_with_outcome(run.result(Outcome.COMPLETED, name), flag, run.data.interrupted != 0)


def _result_with_outcome(result: SegmentResult, flag: int, interrupted: bool) -> SegmentResult:
    if interrupted:  # the flag tells only in which part of SUNDIALS the interrupt came
        return replace(result, outcome=Outcome.INTERRUPTED)
    outcome = Outcome.COMPLETED if flag >= 0 else _OUTCOMES.get(flag, Outcome.NO_CONVERGENCE)
    # Ever smaller steps before a point without values may end with any of the failures.
    stuck = outcome in (Outcome.STEP_TOO_SMALL, Outcome.NO_CONVERGENCE)
    if stuck and result.bad is not None and result.bad[0] >= result.t:
        outcome = Outcome.NOT_FINITE
    return replace(result, outcome=outcome)
