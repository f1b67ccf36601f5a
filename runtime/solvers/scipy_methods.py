"""Integrates a segment with methods of scipy.integrate: Radau, and replacements if SUNDIALS is missing.

Python runs in every step here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cutset.runtime.forcing import BALANCED
from cutset.runtime.inputs import InputFailure
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.delayed_steps import Recorder
from cutset.runtime.solvers.jacobian import Slopes, origin
from cutset.runtime.solvers.method import Counts, Problem, Segment, SegmentResult
from cutset.runtime.solvers.poles import Evaluated, Poles
from cutset.runtime.solvers.right_side import RightHandSide

# LSODA is no replacement for Adams: it does not notice a right-hand side that is not finite.
_INSTEAD = {"cvode-bdf": "BDF", "cvode-adams": "DOP853", "ida": "BDF", "bdf": "BDF"}
# In roundings of time: the shortest limit of a step; scipy takes none shorter than 10.
_SHORT = 20.0


def in_place_of_sundials(name: str, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate with the scipy method that is most similar to this one."""
    return integrate(_INSTEAD[name], f"scipy {_INSTEAD[name]}, for {name} without SUNDIALS", problem, segment)


def integrate(solver_name: str, method: str, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate with the solver class of this name in scipy.integrate."""
    import scipy.integrate  # slow to import

    f = RightHandSide(problem, segment)
    end = float(segment.times[-1])
    history, recorder = problem.inputs.history, Recorder(problem, segment.modes, f.branch.extrapolate)
    watch, poles = Watch(problem, segment, f.branch), Poles(f)
    jacobian, name = (None, method) if solver_name == "DOP853" else _jacobian(problem, segment, f, method)
    solver = getattr(scipy.integrate, solver_name)(
        *(f, segment.start, segment.x, end),
        **({"jac": jacobian} if jacobian else {}),
        max_step=segment.max_step,
        rtol=max(problem.rtol, 3e-14),
        atol=problem.atol,
    )
    states: list[Vector] = []
    steps = since = 0
    if problem.forcing is not None:
        problem.forcing.begin(segment.start, segment.modes, segment.x)
    outcome, crossing = Outcome.COMPLETED, None
    failed: InputFailure | None = None
    reached = segment.start, segment.x
    while solver.status == "running" and outcome is Outcome.COMPLETED and crossing is None:
        if since == problem.max_steps:
            outcome = Outcome.TOO_MANY_STEPS
        else:
            _limit(solver, problem, segment)
            try:
                outcome = _step(solver, f)
            except InputFailure as error:
                failed = error
                break
            steps, since = steps + 1, since + 1
            if f.branch.ends_here():
                outcome = Outcome.NOT_FINITE
                break
            if outcome is Outcome.COMPLETED:
                if poles.passed(_evaluated(solver, f)):
                    outcome = Outcome.NOT_FINITE
                    break
                reached = float(solver.t), np.array(solver.y)
                f.branch.accept(*reached)
            if problem.model.info.crossings and outcome is Outcome.COMPLETED:
                crossing = watch.crosses(solver.dense_output(), float(solver.t_old), float(solver.t), steps == 1)
            if outcome is Outcome.COMPLETED and history is not None:
                recorder.store(solver.dense_output(), float(solver.t_old), crossing[0] if crossing else float(solver.t))
            since = 0 if _write(solver, segment.times, states, crossing[0] if crossing else np.inf) else since
            f.keep_guesses(len(states))
    rows = np.array(states).reshape(len(states), len(segment.x))
    t, x = crossing or reached
    guesses = f.guesses(len(rows))
    f.branch.extrapolate(t)
    counts = Counts(steps, f.evaluations)
    return SegmentResult(rows, guesses, t, x, outcome, counts, f.bad, name, watch.crossed, f.lost, failed)


def _limit(solver: Any, problem: Problem, segment: Segment) -> None:
    """Limit the next step, and what it may use of the tolerance, where delays and forcing ask for it."""
    history, forcing = problem.inputs.history, problem.forcing
    longest = segment.max_step if history is None else history.limited(segment.max_step)
    solver.max_step = longest
    if forcing is not None:
        t, least = float(solver.t), _SHORT * np.spacing(abs(solver.t))
        step = forcing.within(t, solver.y, max(min(solver.h_abs, longest, solver.t_bound - t), least))
        solver.max_step = max(step, least)
        share = forcing.share(BALANCED)
        solver.rtol, solver.atol = max(share * problem.rtol, 3e-14), share * problem.atol


def _jacobian(
    problem: Problem, segment: Segment, f: RightHandSide, method: str
) -> tuple[Callable[[float, Vector], Any], str]:
    """The Jacobian for scipy, sparse if other methods would use a band; and the method with the Jacobian's origin, in
    words."""
    from scipy.sparse import csc_array  # slow to import

    info, layout = problem.model.info, problem.memory.layout(problem.model.info)
    slopes = Slopes(problem, segment, f, layout)

    def jacobian(t: float, x: Vector) -> Any:
        found = slopes(t, x)
        numbers = np.full(len(layout.rows), np.nan) if found is None else found
        matrix = csc_array((numbers, (layout.rows, layout.columns)), shape=(layout.n, layout.n))
        return matrix if layout.banded else matrix.toarray()

    return jacobian, f"{method}, {'sparse' if layout.banded else 'dense'}, {origin(layout, info.has_jacobian, 0)}"


def _step(solver: Any, f: RightHandSide) -> Outcome:
    bad_before = f.bad
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except ValueError:  # the matrix of a Newton iteration holds inf or nan
        return Outcome.NOT_FINITE
    if solver.status != "failed":
        return Outcome.COMPLETED
    return Outcome.STEP_TOO_SMALL if f.bad is bad_before else Outcome.NOT_FINITE


def _evaluated(solver: Any, f: RightHandSide) -> Evaluated:
    """The point reached, and the derivatives there."""
    t, x = float(solver.t), np.array(solver.y)
    return t, x, np.array(solver.f) if hasattr(solver, "f") else f.glance(t, x)


def _write(solver: Any, times: Vector, states: list[Vector], until: float) -> bool:
    """Append the states at the output times that the last step reached, before `until`; True if there were any."""
    if solver.status == "failed" or solver.t_old is None:
        return False
    first, beyond = len(states), int(np.searchsorted(times, solver.t, side="right"))
    beyond = min(beyond, int(np.searchsorted(times, until)))
    if beyond > first:
        dense = solver.dense_output()
        states += [np.array(solver.y) if t == solver.t else dense(t) for t in times[first:beyond].tolist()]
    return beyond > first
