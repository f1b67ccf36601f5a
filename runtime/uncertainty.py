"""Finds relations that cross by rounding alone: their sides are equal up to it.

Such a relation keeps its value while its sides differ by no more. The errors of the integration are no reason: what a
small difference decides, as in an ideal diode that conducts, may depend on it. A symmetric network that starts in
balance is an example: whatever its relations decide, the exact solution never does.
"""

from __future__ import annotations

from collections.abc import Mapping

from cutset.runtime.chatter import Chatter
from cutset.runtime.crossings import ROUNDED
from cutset.runtime.event_state import EventState
from cutset.runtime.events import Events
from cutset.runtime.relations import AtCrossing
from cutset.runtime.solvers.method import Problem

# A difference is small if it was never larger than this many tolerances since it crossed.
_HARDLY = 100.0
# The rounding of a difference in that of the largest number.
_GLOBAL = 10.0


def held_by_errors(
    events: Events, chatter: Chatter, problem: Problem, state: EventState, crossed: Mapping[int, int]
) -> dict[int, AtCrossing]:
    """Those of the crossed relations that keep their value, and up to which difference."""
    info = problem.model.info
    places = {k: j for j, k in enumerate(info.crossings)}
    peaks = problem.memory.crossing_sizes(info)[len(places) :]
    held = {}
    for k in crossed:
        j = places[k]
        largest = events.magnitude(state)
        hardly = _HARDLY * (float(problem.atol.max(initial=0.0)) + problem.rtol * largest)
        if chatter.is_uncertain(k, state.t, float(peaks[j]), hardly):
            error = _GLOBAL * ROUNDED * largest
            if peaks[j] <= error:
                held[k] = AtCrossing(float(state.m[k]), 4.0 * error)
        peaks[j] = 0.0
    return held


def widths_of(events: Events, chatter: Chatter, now: EventState) -> dict[int, float]:
    """How far each relation may be beyond its crossing with its current value."""
    info, noise = events.info, events.noise(now)
    width = {k: float(noise[j]) for j, k in enumerate(info.crossings) if noise[j]}
    held = {k: own.get(float(now.m[k]), 0.0) for k, own in now.hysteresis.items()}
    uncertain = chatter.uncertain()
    for k, here in now.at_crossing.items():  # equal sides, or almost equal ones
        part = 1.0 if k in uncertain else 0.25 if info.relations[k].opposite >= 0 else 0.0
        held[k] = max(held.get(k, 0.0), part * here.distance)
    return {k: max(width.get(k, 0.0), held.get(k, 0.0)) for k in width | held}
