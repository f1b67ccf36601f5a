"""Finds what a program begins its search for the start with: relations and guesses of iterations. Integrates nothing.

The runtime chooses among several solutions at the start; a program follows one: it starts from what the runtime found
for the values of the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutset.runtime.errors import RunError
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.interface import CompiledModel
from cutset.runtime.runs.initialize import starting


@dataclass(frozen=True)
class FirstPoint:
    """The relations at the start, and the guesses of iterations, without numbers if those of the model lead to the
    start."""

    relations: tuple[float, ...]
    guesses: tuple[float, ...]


@dataclass(frozen=True)
class StartValues:
    """The values of parameters, and of states at the start and their nominal values, for the values of the model."""

    parameters: tuple[float, ...]
    states: tuple[float, ...]
    nominals: tuple[float, ...]


def start_values(model: CompiledModel) -> StartValues:
    """The values at the start; without a start, states have those that are given to them."""
    values = model.bind({})
    try:
        states = starting(model, values, 0.0, np.zeros(len(model.info.inputs))).x
    except (EventFailure, RunError):
        states = values.s
    n = len(model.info.states)
    return StartValues(tuple(values.p.tolist()), tuple(states[:n].tolist()), tuple(values.n.tolist()))


def first_point(model: CompiledModel) -> FirstPoint:
    """The first point of the model with its own values; without a start, all relations are false."""
    info = model.info
    nothing = FirstPoint((0.0,) * len(info.relations), ())
    if not (info.choosing_starts or any(closing.started for closing in info.closings)):
        return nothing
    values = model.bind({})
    try:
        state = starting(model, values, 0.0, np.zeros(len(info.inputs)))
    except (EventFailure, RunError):
        return nothing
    relations = tuple(state.m[: len(info.relations)].tolist()) if info.choosing_starts else nothing.relations
    return FirstPoint(relations, tuple(values.w[: info.n_guesses].tolist()))
