"""Explains a run that cannot start because its equations are not solved there: Result or RunError -> Result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment

if TYPE_CHECKING:
    from cutset.api.translated_model import TranslatedModel
    from cutset.runtime.targets.python_model import PythonModel


def started(result: Result | RunError, experiment: Experiment, model: TranslatedModel) -> Result:
    """The result, with an explanation if its equations could not be solved at the start. Raises the RunError, with the
    same explanation if that is its reason."""
    if isinstance(result, RunError):
        raise result.after(_openness(model, experiment)) if result.code == "E633" else result
    failure = result.failure
    if failure is not None and failure.at == experiment.start:
        if failure.is_unsolved:
            result.failure = replace(failure, openness=_openness(model, experiment))
        elif failure.outcome in (Outcome.NOT_FINITE_AT_START, Outcome.NO_START):
            from cutset.api.mechanics.massless_motion import massless_motion

            result.failure = replace(failure, advice=massless_motion(model, failure.tried))
    return result


def _openness(model: TranslatedModel, experiment: Experiment) -> tuple[str, ...]:
    from cutset.runtime.runs.open_loops import openness

    return openness(cast("PythonModel", model.build("python")), experiment)
