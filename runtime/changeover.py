"""Runs of a model that prefers states; where these become singular, the same runs with states that are chosen in them.
Translates nothing.

Every host runs a model by `simulate_changing`, which also lets what it gives be continued so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.inputs import InputSignal
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.result import GoesOn, Result
from cutset.runtime.simulate import Experiment, simulate
from cutset.runtime.steady import steady

# Starts that differ by no more than this part of their size are the same.
_SAME = 1e-6
# The model without wishes for states, and what it says of its results.
Other = Callable[[], tuple[CompiledModel, Description]]
# The same with states that are chosen in the run; None where that would not begin alike, or does not come so far.
_Again = Callable[[], Result | None]


def simulate_changing(
    model: CompiledModel,
    without_wishes: Other,
    experiment: Experiment,
    description: Description = Description(),
    now: Vector | None = None,
) -> Result:
    """`simulate` the model, or, where the states that it prefers become singular, the one `without_wishes` for states,
    and a note. So it is where the run is continued: then it is done again from its start. RunError as in `simulate`."""
    result = simulate(model, experiment, description, now)
    if not _prefers(model):
        return result

    def again() -> Result | None:
        other, own = without_wishes()
        if not _takes(other, experiment):
            return None
        try:
            found = simulate(other, experiment, own, now)
        except RunError:
            return None
        return found if _begin_alike(model.info.states, result, found) else None

    return _changing(result, cache(again), "the run")


def steady_changing(
    model: CompiledModel, without_wishes: Other, experiment: Experiment, description: Description = Description()
) -> Result:
    """`steady`, where it cannot begin with the states that the model prefers by the one `without_wishes`. RunError as
    there."""
    try:
        return steady(model, experiment, description)
    except RunError as error:
        if error.code != Outcome.WISH_SINGULAR.code or not _prefers(model):
            raise
        other, own = without_wishes()
        if not _takes(other, experiment):
            raise
        return steady(other, experiment, own)


def _prefers(model: CompiledModel) -> bool:
    """Does it have states for which there are others?"""
    return any(assertion.of_wish for assertion in model.info.assertions)


def _takes(model: CompiledModel, experiment: Experiment) -> bool:
    """Are start values given for its states alone?"""
    slots = [model.info.names.get(name) for name in experiment.initial]
    return all(slot is not None and slot.array in ("x", "m") for slot in slots)


def _changing(result: Result, again: _Again, what: str) -> Result:
    """The result, or that of `again` where the preferred states have become singular."""
    if result.failure is None or result.outcome is not Outcome.WISH_SINGULAR:
        if result.goes_on is not None:
            result.goes_on = partial(_continued, result.goes_on, again)
        return result
    other = again()
    if other is None:
        return result
    note = (
        f"{result.failure.what} (time {result.failure.time:g}): {what} was done again with states that are chosen in it"
    )
    other.notes = (note, *other.notes)
    return other


def _continued(
    goes_on: GoesOn,
    again: _Again,
    stop: float,
    points: int | None,
    interval: float | None,
    inputs: Mapping[str, InputSignal],
) -> Result:
    """A run that goes on, in the other model from its start where it has to."""

    def further() -> Result | None:
        before = again()
        if before is None or before.goes_on is None or before.outcome is not Outcome.COMPLETED:
            return None
        return before.goes_on(stop, points, interval, inputs)

    return _changing(goes_on(stop, points, interval, inputs), cache(further), "all of the run, from its start,")


def _begin_alike(states: tuple[str, ...], one: Result, other: Result) -> bool:
    """Have these the same values at the start?"""
    known = set(other.names())
    names = [name for name in states if name in known]
    pairs = np.array([(one[name][0], other[name][0]) for name in names])
    if not names:
        return True
    return np.allclose(pairs[:, 0], pairs[:, 1], rtol=_SAME, atol=_SAME * float(np.abs(pairs).max(initial=0.0)))
