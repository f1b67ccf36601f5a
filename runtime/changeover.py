"""A run that has ended where the preferred states became singular -> the same run with states that are chosen in it. Translates nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.result import Result
from cutset.runtime.simulate import Experiment, simulate

# Starts that differ by no more than this part of their size are the same.
_SAME = 1e-6


def chosen_anew(
    ended: Result, experiment: Experiment, model: CompiledModel, description: Description = Description(), now: Vector | None = None
) -> Result:
    """The run of the experiment with the `model`, which is translated without wishes for states, and a note; or the one that has `ended`
    where the model would not begin as that did."""
    failure = ended.failure
    assert failure is not None
    slots = [model.info.names.get(name) for name in experiment.initial]
    if any(slot is None or slot.array not in ("x", "m") for slot in slots):
        return ended
    result = simulate(model, experiment, description, now)
    if not _begin_alike(failure.states, ended, result):
        return ended
    note = f"{failure.what} (time {failure.time:g}): the run was done again with states that are chosen in it"
    result.notes = (note, *result.notes)
    return result


def _begin_alike(states: Iterable[str], one: Result, other: Result) -> bool:
    """Have these the same values at the start?"""
    known = set(other.names())
    names = [name for name in states if name in known]
    pairs = np.array([(one[name][0], other[name][0]) for name in names])
    return bool(np.allclose(*pairs.T, rtol=_SAME, atol=_SAME * np.abs(pairs).max(initial=0.0))) if names else True
