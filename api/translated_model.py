"""Declares what other modules of this folder use of `Model`, which imports them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cutset.api.show.inspection import Inspection
    from cutset.api.translate.cached_translation import Translated
    from cutset.api.translate.parameter_values import Setting
    from cutset.compiler.options import Options
    from cutset.runtime.description import Description
    from cutset.runtime.interface import CompiledModel, Values
    from cutset.runtime.results.result import Result
    from cutset.runtime.runs.experiment import Experiment


class TranslatedModel(Protocol):
    """A translated model. `_observe` translates it again with a listener and a change of the options."""

    translated: Translated
    description: Description
    seconds: dict[str, float]
    _inspection: Inspection
    _observe: Callable[..., None]

    @property
    def name(self) -> str:
        """Its name in the file."""
        ...

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states."""
        ...

    @property
    def moving(self) -> tuple[str, ...]:
        """All variables that can be states."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs."""
        ...

    @property
    def folded(self) -> dict[str, float]:
        """Parameters whose values are part of the code."""
        ...

    @property
    def parameters(self) -> dict[str, float]:
        """All parameters that a run can change."""
        ...

    @property
    def experiment(self) -> Experiment:
        """The settings of runs that the model gives."""
        ...

    @property
    def simulate(self) -> Callable[..., Result]:
        """Runs with settings by name."""
        ...

    def settled(self, experiment: Experiment) -> Experiment:
        """The experiment with a number for each given scalar."""
        ...

    def run(self, experiment: Experiment) -> Result:
        """One run; its failure is part of the result."""
        ...

    def build(self, target: str = "auto") -> CompiledModel:
        """The model compiled for the target."""
        ...

    def bound(self, parameters: Mapping[str, Setting], target: str) -> tuple[TranslatedModel, CompiledModel, Values]:
        """The model for these parameter values, compiled for the target, with its values."""
        ...

    def mechanics(self) -> Any:
        """Its dynamics as functions, a `Mechanics`."""
        ...

    def retranslated(self, change: Options) -> TranslatedModel:
        """The model translated with this change."""
        ...

    def with_values(self, given: Mapping[str, Setting]) -> TranslatedModel:
        """The model for these parameter values."""
        ...

    def with_starts(self, initial: Iterable[str]) -> TranslatedModel:
        """The model for runs that give start values to these variables."""
        ...

    def for_values(self, given: Mapping[str, float]) -> Any:
        """The model translated for these values of parameters, if that changes its start."""
        ...

    def without_preferences(self) -> TranslatedModel:
        """The model in which preferences for states never select one that could become singular."""
        ...

    def for_problem(self, known: tuple[str, ...], find: tuple[str, ...]) -> Any:
        """The model with these scalars known and those found."""
        ...

    def _numbers(self, given: Mapping[str, Setting]) -> dict[str, float]:
        """The values of parameters as numbers, by scalar."""
        ...
