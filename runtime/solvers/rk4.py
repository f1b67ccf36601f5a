"""The classical Runge-Kutta method of order 4 (W. Kutta 1901): one step from output to output. Controls no error."""

from __future__ import annotations

import numpy as np

from cutset.runtime.native import NativeModel
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.loop import run_explicit
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, RightHandSide, Stretch


def integrate(problem: Problem, stretch: Stretch) -> Piece:
    """In C where the model is C, else here, with the same operations."""
    if isinstance(problem.model, NativeModel):
        return run_explicit(problem, stretch, "rk4")[1]
    f = RightHandSide(problem, stretch)
    t, x = stretch.start, stretch.x
    states: list[np.ndarray] = []
    for end in stretch.times.tolist():
        h = end - t
        k1 = f(t, x)
        k2 = f(t + 0.5 * h, x + 0.5 * h * k1)
        k3 = f(t + 0.5 * h, x + 0.5 * h * k2)
        k4 = f(t + h, x + h * k3)
        if f.bad is not None:
            break
        x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        t = end
        states.append(x)
    outcome = Outcome.COMPLETED if f.bad is None else Outcome.NOT_FINITE
    rows = np.array(states).reshape(len(states), len(x))
    return Piece(rows, t, x, outcome, Counts(len(states), f.evaluations), f.bad, "rk4")


RK4 = Method("rk4", "classical Runge-Kutta of order 4, one step from output to output", integrate, adaptive=False)
