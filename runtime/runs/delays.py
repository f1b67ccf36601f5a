"""Maintains the history of delayed signals at the events of a run, as delays.h does. Interpolates nothing itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutset.runtime.given.history import History, most_levels
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.solvers.method import Method, Problem

# The largest absolute tolerance of a delayed signal.
_LEAST_ATOL = 1e-8


def with_history(model: CompiledModel, values: Values, inputs: Inputs) -> Inputs:
    """The inputs with a history of the delayed signals. RunError for a delay that is not positive."""
    info = model.info
    if not info.delays:
        return inputs
    u = np.zeros(len(info.inputs) + len(info.delays))
    delayed = model.delayed(0.0, np.zeros(len(info.states)), u, values, np.zeros(info.n_modes))
    history = History(info.delays, delayed[:, 1])
    history.restart(0.0, np.zeros(len(info.delays)))
    return replace(inputs, history=history)


def delayed_values(problem: Problem, t: float, x: Vector, m: Vector) -> Vector:
    """The signals to delay, at this point."""
    return problem.model.delayed(t, x, problem.inputs.at(t), problem.values, m)[:, 0]


def set_up(problem: Problem, method: Method, span: float) -> None:
    """Prepare the history for a run of this length by this method."""
    history = problem.inputs.history
    assert history is not None
    history.rtol, history.atol = problem.rtol, float(problem.atol.min(initial=_LEAST_ATOL))
    history.span, history.most_levels = span or 1.0, most_levels(len(history.delays), method.tableau is not None)
