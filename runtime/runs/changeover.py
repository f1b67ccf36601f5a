"""Runs a model that prefers states; if these become singular, repeats the run with states that are chosen dynamically.

Every user interface runs models by `simulate_changing`; continuing its result works in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import GoesOn, Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate

# Start values with a smaller relative difference are equal; and those that are zero up to rounding.
_SAME, _NOTHING = 1e-6, 1e-13
# Two runs go the same way if states differ by less, relative to the largest: errors of integration are smaller.
_NEAR = 1e-2
# The model without preferences for states, and the description of its results.
Other = Callable[[], tuple[CompiledModel, Description]]
# The same run with states chosen dynamically; None if its start would differ, or if it does not get as far.
_Again = Callable[[], Result | None]


def simulate_changing(
    model: CompiledModel,
    without_preferences: Other,
    experiment: Experiment,
    description: Description = Description(),
    now: Vector | None = None,
) -> Result:
    """`simulate` the model; if the states that it prefers become singular, the one `without_preferences`, and add
    a note. A continued run that changes over is repeated from its start. RunError as in `simulate`."""
    result = simulate(model, experiment, description, now)
    if not _prefers(model):
        return result

    def again() -> Result | None:
        other, own = without_preferences()
        if not _takes(other, experiment):
            return None
        try:
            found = simulate(other, experiment, own, now)
        except RunError:
            return None
        return found if _goes_the_same_way(model.info, result, found) else None

    return _changing(result, cache(again), "the run")


def steady_changing(
    model: CompiledModel, without_preferences: Other, experiment: Experiment, description: Description = Description()
) -> Result:
    """`steady`; if the model cannot start with the states that it prefers, or finds no rest with them, with the one
    `without_preferences`. RunError as there."""
    from cutset.runtime.runs.steady import NO_REST, steady

    try:
        return steady(model, experiment, description)
    except RunError as error:
        if error.code not in (Outcome.PREFERENCE_SINGULAR.code, NO_REST) or not _prefers(model):
            raise
        other, own = without_preferences()
        if not _takes(other, experiment):
            raise
        try:
            return steady(other, experiment, own)
        except RunError as second:
            raise (error if error.code == NO_REST else second) from None


def _prefers(model: CompiledModel) -> bool:
    """True if the model has states for which it could choose others."""
    return any(assertion.of_preference for assertion in model.info.assertions)


def _takes(model: CompiledModel, experiment: Experiment) -> bool:
    """True if start values are given only for states, or for variables for which the model was translated."""
    names, known = model.info.names, model.info.given_starts
    return all(name in known or (name in names and names[name].array in ("x", "m")) for name in experiment.initial)


def _changing(result: Result, again: _Again, what: str) -> Result:
    """The result, or that of `again` if the preferred states became singular."""
    if result.failure is None or result.outcome is not Outcome.PREFERENCE_SINGULAR:
        if result.goes_on is not None:
            result.goes_on = partial(_continued, result.goes_on, again)
        return result
    other = again()
    if other is None:
        return result
    note = (
        f"{result.failure.what} (time {result.failure.time:g}): {what} was repeated with state selection during the run"
    )
    other.add_notes((note,))
    return other


def _continued(
    goes_on: GoesOn,
    again: _Again,
    stop: float,
    points: int | None,
    interval: float | None,
    inputs: Mapping[str, InputSignal],
) -> Result:
    """Continue a run, if necessary in the other model from its start."""

    def further() -> Result | None:
        before = again()
        if before is None or before.goes_on is None or before.outcome is not Outcome.COMPLETED:
            return None
        return before.goes_on(stop, points, interval, inputs)

    return _changing(goes_on(stop, points, interval, inputs), cache(further), "all of the run")


def _goes_the_same_way(info: ModelInfo, one: Result, other: Result) -> bool:
    """True if the states of the first model, and what its dynamic states are chosen from, begin equally in both, and
    are near at the last output that both have."""
    known, chosen = set(other.compiled.info.names), dict(info.picked)
    among = dict.fromkeys(name for variables in chosen.values() for name, _ in variables)
    states = (name for number, name in enumerate(info.states) if number not in chosen)
    names = [name for name in (*states, *among) if name in known]
    if not names:
        return True
    last = np.intersect1d(one.time, other.time)[-1]
    for t, part in ((one.time[0], _SAME), (last, _NEAR)):
        k, j = np.searchsorted(one.time, t), np.searchsorted(other.time, t)
        was, now = (np.array([run[name][at] for name in names]) for run, at in ((one, k), (other, j)))
        least = max(part * float(np.abs((was, now)).max()), _NOTHING)
        if not np.allclose(was, now, rtol=part, atol=least):
            return False
    return True
