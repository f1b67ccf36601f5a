"""Makes simulators of one run or of many: a model, the settings of runs -> `Simulator`, `Simulators`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cutset.api.runs.batch import chosen_outputs, given_values, lanes_for, variant_for
from cutset.api.runs.settings import ManySettings, StepSettings
from cutset.api.translate.given_values import elements
from cutset.api.translate.own_settings import completed
from cutset.api.translated_model import TranslatedModel, attempted
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.runs.simulator import Simulator
from cutset.runtime.runs.simulators import Simulators
from cutset.runtime.targets.c_functions import required_compiler


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

    made = attempted(suited, parameters, attempt)
    made.remake = partial(_with_inputs, model, parameters, target, settings)
    return made


def _with_inputs(
    model: TranslatedModel,
    parameters: Mapping[str, float],
    target: str,
    settings: StepSettings,
    inputs: Mapping[str, InputSignal],
) -> Simulator:
    return simulator_of(model, parameters, target, {**settings, "inputs": inputs})


def simulators_of(model: TranslatedModel, n: int, settings: ManySettings) -> Simulators:
    """`n` runs of the model that advance together. RunError as those of `Simulators`, and for wrong names and
    settings."""
    if not isinstance(n, int) or n < 1:
        raise RunError("E605", f"simulators: expected a number of runs, at least 1, not {n!r}")
    required_compiler()
    info = model.translated.info
    given = given_values(info, model.translated.domains, settings, n)
    if given.signals:
        hint = "give numbers, and other ones at each step"
        raise RunError("E605", f"the input '{next(iter(given.signals))}' of simulators must be a number", hint)
    inputs = {**dict.fromkeys(info.inputs, np.zeros(1)), **given.inputs}
    own = {**settings, "parameters": None, "initial": None, "inputs": None, "outputs": None, "workers": None}
    experiment = completed(model.experiment, **own)
    experiment = replace(experiment, stop=experiment.start, points=None, interval=None, times=None)
    one = variant_for(model, given)
    lanes = lanes_for(one, experiment, given)
    kinds = [
        {name: np.broadcast_to(values, n).copy() for name, values in part.items()}
        for part in (given.parameters, given.initial, inputs)
    ]
    given = replace(given, parameters=kinds[0], initial=kinds[1], inputs=kinds[2])

    def single(run: int) -> Simulator:
        own = given.of_run(run, experiment)
        return Simulator(one.build("c"), own, one.description, partial(elements, info), one.signals)

    values = {**kinds[0], **kinds[1], **kinds[2]}
    outputs = chosen_outputs(info, settings.get("outputs"), info.outputs)
    arguments = one.build("c"), given.of_run(0, experiment), values, outputs, single
    return Simulators(n, *arguments, lanes, settings.get("workers"))
