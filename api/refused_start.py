"""Explains a run that cannot start because its equations are not solved there: Result or RunError -> Result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from cutset.runtime.errors import RunError
from cutset.runtime.experiment import Experiment
from cutset.runtime.result import Result

if TYPE_CHECKING:
    from cutset.runtime.python_model import PythonModel


def started(result: Result | RunError, experiment: Experiment, in_python: Callable[[], PythonModel]) -> Result:
    """The result, with an explanation if its equations could not be solved at the start. Raises the RunError, with the
    same explanation if that is its reason. `in_python` builds the model as Python code."""
    if isinstance(result, RunError):
        raise result.after(_openness(in_python, experiment)) if result.code == "E633" else result
    failure = result.failure
    if failure is not None and failure.is_unsolved and failure.at == experiment.start:
        result.failure = replace(failure, openness=_openness(in_python, experiment))
    return result


def _openness(in_python: Callable[[], PythonModel], experiment: Experiment) -> tuple[str, ...]:
    from cutset.runtime.open_loops import openness

    return openness(in_python(), experiment)
