"""Methods of scipy.integrate: Radau, and what takes CVODE's place without SUNDIALS. Python runs in every step here."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, RightHandSide, Stretch

# Not LSODA for Adams: it does not see a right-hand side that is not finite.
_INSTEAD = {"cvode-bdf": "BDF", "cvode-adams": "DOP853"}


def in_place_of_cvode(name: str, problem: Problem, stretch: Stretch) -> Piece:
    """The method of scipy that is most like a method of CVODE."""
    return integrate(_INSTEAD[name], f"scipy {_INSTEAD[name]}, for {name} without SUNDIALS", problem, stretch)


def integrate(solver_name: str, method: str, problem: Problem, stretch: Stretch) -> Piece:
    """The stretch by the solver class of this name in scipy.integrate."""
    import scipy.integrate  # slow to import

    f = RightHandSide(problem, stretch)
    end = float(stretch.times[-1])
    watch, times = Watch(problem, stretch), stretch.times.tolist()
    solver = getattr(scipy.integrate, solver_name)(
        f, stretch.start, stretch.x, end, max_step=stretch.max_step, rtol=max(problem.rtol, 3e-14), atol=problem.atol
    )
    states: list[Vector] = []
    steps = since = 0
    outcome, crossing = Outcome.COMPLETED, None
    while solver.status == "running" and outcome is Outcome.COMPLETED and crossing is None:
        if since == problem.max_steps:
            outcome = Outcome.TOO_MANY_STEPS
        else:
            outcome = _step(solver, f)
            steps, since = steps + 1, since + 1
            if problem.model.info.crossings and outcome is Outcome.COMPLETED:
                crossing = watch.crosses(solver.dense_output(), float(solver.t_old), float(solver.t), steps == 1, times)
            since = 0 if _write(solver, stretch.times, states, crossing[0] if crossing else np.inf) else since
    rows = np.array(states).reshape(len(states), len(stretch.x))
    t, x = crossing or (float(solver.t), np.array(solver.y))
    return Piece(rows, t, x, outcome, Counts(steps, f.evaluations), f.bad, method, watch.crossed)


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


def _write(solver: Any, times: Vector, states: list[Vector], until: float) -> bool:
    """Append the states at the output times that the last step reached, before `until`; whether there were any."""
    if solver.status == "failed" or solver.t_old is None:
        return False
    first, beyond = len(states), int(np.searchsorted(times, solver.t, side="right"))
    beyond = min(beyond, int(np.searchsorted(times, until)))
    if beyond > first:
        dense = solver.dense_output()
        states += [np.array(solver.y) if t == solver.t else dense(t) for t in times[first:beyond].tolist()]
    return beyond > first


RADAU = Method("radau", "Radau IIA of order 5, implicit, in scipy", partial(integrate, "Radau", "scipy Radau"))
