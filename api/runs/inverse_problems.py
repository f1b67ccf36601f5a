"""Poses inverse problems with models: known quantities, and those to find instead. Runs nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from cutset.api.runs.settings import RunSettings, takes
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.results.result import Result

if TYPE_CHECKING:
    from cutset.api.runs.prescribed_motion import Problem

M = TypeVar("M", bound=TranslatedModel)


class InverseProblems(TranslatedModel):
    """The methods of `Model` that find other quantities than a simulation."""

    @takes(RunSettings)
    def inverse(
        self,
        known: Mapping[str, Any],
        find: Iterable[str] = (),
        stop: float | None = None,
        *,
        target: str = "auto",
        **settings: Unpack[RunSettings],
    ) -> Result:
        """Run with quantities that are `known` over time, and find others: ``inverse({"r*.q": result}, ["r*.lambda"])``
        are the torques of a motion. Names may be patterns. Without `find` it is the force for a coordinate of a cut, or
        the inputs of the model. `prescribed_motion.problem_of` lists the kinds of signals. The run has the span of
        tables among them, unless `start` and `stop` are given; other arguments are as in `simulate`. ModelError if the
        problem has no solution, RunError for wrong names and signals."""
        given = self._numbers(settings.get("parameters") or {})
        problem = posed(self.with_values(given), known, find)
        start, stop = problem.span(settings.get("start"), stop)
        inputs = {**problem.inputs, **(settings.get("inputs") or {})}
        own = {**settings, "start": start, "parameters": given, "inputs": inputs}
        run: Result = problem.model.simulate(stop, target=target, **own)
        return run


def posed(model: M, known: Mapping[str, Any] | None, find: Iterable[str]) -> Problem[M]:
    """The problem with these quantities known; errors as `prescribed_motion.problem_of`."""
    from cutset.api.runs.prescribed_motion import problem_of

    return problem_of(model, known or {}, find)
