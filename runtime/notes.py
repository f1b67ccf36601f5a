"""Adds remarks to a result: those of the model, and on start values that were not used."""

from __future__ import annotations

from cutset.runtime.experiment import Experiment
from cutset.runtime.given_starts import not_used
from cutset.runtime.interface import CompiledModel, Values
from cutset.runtime.result import Result


def with_notes(result: Result, model: CompiledModel, experiment: Experiment, values: Values) -> Result:
    """The result with the remarks of the model, and those on start values that were not used."""
    dropped: list[str] = []
    if experiment.initial:
        dropped = not_used(model.info, values, experiment.initial, lambda name: float(result[name][0]))
    result.notes = (*model.info.remarks, *dropped, *result.notes)
    return result
