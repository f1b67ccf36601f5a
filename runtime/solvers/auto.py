"""The method for those who name none: Dormand-Prince until the model proves stiff, then BDF. Holds no algorithm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.solvers.cvode import CVODE_BDF
from cutset.runtime.solvers.dopri5 import attempt
from cutset.runtime.solvers.method import Method, Piece, Problem, Stretch


def integrate(problem: Problem, stretch: Stretch) -> Piece:
    """The stretch, with at most one change of the method in it."""
    first, stiff = attempt(problem, stretch, detect_stiffness=True)
    if not stiff:
        return first
    done = len(first.states)
    rest = CVODE_BDF.integrate(problem, replace(stretch, start=first.t, x=first.x, times=stretch.times[done:]))
    return replace(
        rest,
        states=np.concatenate([first.states, rest.states]),
        counts=first.counts + rest.counts,
        method=f"{first.method}, then {rest.method}",
    )


AUTO = Method("auto", "dopri5, and cvode-bdf from where the model proves stiff", integrate)
