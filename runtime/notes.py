"""Adds remarks to a result: those of the model, on start values not used or not reached, and on small states."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.experiment import Experiment
from cutset.runtime.given_starts import differ, gives_all_states, not_used
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.result import Result

_MOST_SHOWN = 3
# A state that is a smaller part of its tolerance is zero up to rounding.
_ROUNDING = 1e-5


def with_notes(result: Result, model: CompiledModel, experiment: Experiment, values: Values) -> Result:
    """The result with the remarks of the model, those on start values that were not used, one on guesses that the model
    writes and that the start is not at, and one on states that are too small for their tolerance."""
    info, more = model.info, list[str]()
    if gives_all_states(info, experiment.initial):
        more = not_used(info, values, experiment.initial, lambda name: float(result[name][0]))
    elif any(is_written for closing in info.closings for _, is_written in closing.started):
        more = _not_reached(info, values, result)
    more += _too_small(info, values.tolerances(experiment.rtol, experiment.atol), result.largest_states())
    result.notes = (*info.remarks, *more, *result.notes)
    return result


def _too_small(info: ModelInfo, tolerances: Vector, largest: Vector) -> list[str]:
    """The note on states that stay below their absolute tolerance, unless they are zero up to rounding."""
    small = np.flatnonzero((largest < tolerances) & (largest > _ROUNDING * tolerances)).tolist()
    if not small:
        return []
    shown = ", ".join(f"'{info.states[k]}' (at most {largest[k]:.3g})" for k in small[:_MOST_SHOWN])
    more = f" and {len(small) - _MOST_SHOWN} more" if len(small) > _MOST_SHOWN else ""
    told = f"states that stay below their absolute tolerance, so that they may have any value: {shown}{more}"
    return [f"{told}; give them a nominal value"]


def _not_reached(info: ModelInfo, values: Values, result: Result) -> list[str]:
    """The note on written start values among several solutions, for those that the solution does not have."""
    first = len(values.s) - info.n_guesses - info.n_started
    names = [started for closing in info.closings for started in closing.started]
    wanted = zip(names, values.s[first : first + info.n_started].tolist(), strict=True)
    written = {name: value for (name, is_written), value in wanted if is_written and value}
    begun = result.first_row(written)
    away = [
        f"'{name}' = {value:.6g} (starts at {begun[name] if differ(begun[name], 0.0) else 0.0:.6g})"
        for name, value in written.items()
        if name in begun and differ(begun[name], value)
    ]
    if not away:
        return []
    more = f" and {len(away) - _MOST_SHOWN} more" if len(away) > _MOST_SHOWN else ""
    shown = ", ".join(away[:_MOST_SHOWN])
    return [f"start values that choose among several solutions, none of which has them: {shown}{more}"]
