"""Completes the settings of a run: what the caller gives, else what the model gives (`experiment`), else defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cutset.api.translate.given_values import given_times
from cutset.contract.experiment_settings import OUTPUT_TIMES
from cutset.runtime.runs.experiment import Experiment

# Each of them gives the output times: one that the caller gives replaces that of the model.
_ROWS = OUTPUT_TIMES | {"times"}


def own_experiment(own: Mapping[str, Any]) -> Experiment:
    """The experiment of a model that gives these settings, of which all are valid."""
    whole = {name: int(own[name]) for name in ("points", "max_steps") if name in own}
    return Experiment(**{**own, **whole})


def completed(experiment: Experiment, **given: Any) -> Experiment:
    """The experiment of a model with the settings that are given, not None. RunError E605 for settings that make no
    sense."""
    chosen = {name: value for name, value in given.items() if value is not None}
    if "times" in chosen:
        chosen["times"] = given_times(chosen["times"])
    if not _ROWS.isdisjoint(chosen):
        chosen = {"points": None, "interval": None, "times": None, **chosen}
    return replace(experiment, **chosen)
