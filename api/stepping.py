"""Makes simulators: a translated model and the settings of a run -> a `Simulator`. Integrates nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypedDict

from cutset.given_values import elements
from cutset.input_tables import InputsOfRun, input_signals
from cutset.retranslation import attempted
from cutset.runtime.experiment import Experiment
from cutset.runtime.simulator import Simulator


class StepSettings(TypedDict, total=False):
    """The settings of a simulator besides parameters, as in `Model.simulate`."""

    start: float
    method: str
    rtol: float
    atol: float
    inputs: InputsOfRun
    initial: Mapping[str, float]
    max_steps: int
    max_step: float


class _Model(Protocol):
    """What is used of a `Model`."""

    @property
    def translated(self) -> Any: ...

    @property
    def experiment(self) -> Experiment: ...

    def settled(self, experiment: Experiment) -> Experiment: ...

    def with_values(self, given: Mapping[str, float]) -> Any: ...


def simulator_of(model: _Model, parameters: Mapping[str, float], target: str, settings: StepSettings) -> Simulator:
    """The simulator of the model. RunError as in `Model.simulate` if a setting is wrong or the start fails."""
    settings["inputs"] = input_signals(model.translated.info, settings.get("inputs", {}))
    own = model.experiment
    start = settings.get("start", own.start)
    at_start = replace(own, start=start, stop=start, points=None, interval=None)
    experiment = model.settled(replace(at_start, parameters=parameters, **settings))
    suited = model.with_values(parameters).with_starts(experiment.initial)

    def attempt(model: Any) -> Simulator:
        info = model.translated.info
        expand, signals = partial(elements, info), partial(input_signals, info)
        return Simulator(model.build(target), experiment, model.description, expand, signals)

    return attempted(suited, parameters, attempt)
