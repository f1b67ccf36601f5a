"""Makes simulators: a translated model and the settings of a run -> a `Simulator`. Integrates nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from cutset.api.runs.settings import StepSettings
from cutset.api.translate.given_values import elements
from cutset.api.translate.own_settings import completed
from cutset.api.translated_model import TranslatedModel, attempted
from cutset.runtime.runs.simulator import Simulator


def simulator_of(
    model: TranslatedModel, parameters: Mapping[str, float], target: str, settings: StepSettings
) -> Simulator:
    """The simulator of the model. RunError as in `Model.simulate` if a setting is wrong or the start fails."""
    driven = model.signals(settings.get("inputs") or {})
    given = completed(model.experiment, **{**settings, "parameters": parameters, "inputs": driven})
    experiment = model.settled(replace(given, stop=given.start, points=None, interval=None))
    suited = model.with_values(parameters).with_starts(experiment.initial)

    def attempt(model: Any) -> Simulator:
        info = model.translated.info
        expand, signals = partial(elements, info), model.signals
        return Simulator(model.build(target), experiment, model.description, expand, signals)

    return attempted(suited, parameters, attempt)
