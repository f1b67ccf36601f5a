"""Chooses the method automatically: Dormand-Prince until the model proves stiff, then BDF. Contains no algorithm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.solvers import cvode
from cutset.runtime.solvers.c_loops import attempt
from cutset.runtime.solvers.families import CVODE_BDF
from cutset.runtime.solvers.memory import Stiffness
from cutset.runtime.solvers.method import Problem, Segment, SegmentResult
from cutset.runtime.solvers.tableaus import DOPRI5


def integrate(problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate the segment, with at most one change of method. After an event it starts with BDF if earlier segments
    were stiff."""
    stiffness = problem.memory.stiffness
    stiffness.segments += 1
    if stiffness.expected():
        stiffness.stiff += 1
        return _named(cvode.integrate(CVODE_BDF, problem, segment), stiffness)
    first, stiff = attempt(DOPRI5, problem, segment, detect_stiffness=True)
    stiffness.note(stiff, first.t)
    if not stiff:
        return _named(first, stiffness)
    stiffness.stiff += 1
    done = len(first.states)
    rest = cvode.integrate(CVODE_BDF, problem, replace(segment, start=first.t, x=first.x, times=segment.times[done:]))
    states, guesses = np.concatenate([first.states, rest.states]), np.concatenate([first.guesses, rest.guesses])
    return _named(replace(rest, states=states, guesses=guesses, counts=first.counts + rest.counts), stiffness)


def _named(result: SegmentResult, stiffness: Stiffness) -> SegmentResult:
    """The result with the names of the methods used so far, and the reason."""
    if result.method != DOPRI5.name:
        stiffness.implicit = result.method
    return replace(result, method=stiffness.name_of_method(DOPRI5.name))
