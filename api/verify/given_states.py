"""Evaluates a model at given values of all its states: no start is solved, nothing is integrated."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutset.api.model import Model
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import resolve_inputs
from cutset.runtime.interface import all_finite
from cutset.runtime.results.result import Result, Statistics
from cutset.runtime.runs.initialize import held_at
from cutset.runtime.trajectory import Trajectory


class NoValue(Exception):
    """The model has no value at a point."""


def evaluated_at(model: Model, states: Mapping[str, float], inputs: Mapping[str, float], target: str) -> Result:
    """A result of one row, at time 0; `states` has all states. NoValue if the relations contradict each other there, or
    if a derivative is not finite."""
    compiled = model.build(target)
    info, values = compiled.info, compiled.bind({})
    x = np.array([states[name] for name in info.states])
    u = resolve_inputs(info, inputs).at(0.0)
    try:
        m = held_at(compiled, values, 0.0, x, u)
    except RunError as failure:
        raise NoValue(str(failure)) from failure
    if not all_finite(info, compiled.derivatives(0.0, x, u, values, m), values):
        raise NoValue("a derivative is not finite")
    guesses = values.w[: info.n_guesses]
    row = Trajectory(*(np.array(part)[None] for part in (0.0, x, u, m, guesses)))
    return Result(compiled, values, row, Statistics("", 0, 1, 0, 0.0), description=model.description)
