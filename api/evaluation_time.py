"""Measures how long one evaluation of a compiled model takes on this machine."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from cutset.runtime.c_model import CModel
from cutset.runtime.c_records import address
from cutset.runtime.event_state import EventState
from cutset.runtime.initialize import starting
from cutset.runtime.interface import CompiledModel, Values, Vector

# Seconds per round: long for the clock, short for the user.
_AIM = 0.02


def seconds_per_evaluation(compiled: CompiledModel) -> float:
    """The time in s of one evaluation of the right-hand side at the start of the model, or of all variables if it has
    no states: the best of five rounds of about 20 ms."""
    values = compiled.bind({})
    u = np.zeros(len(compiled.info.inputs) + len(compiled.info.delays))
    state = starting(compiled, values, 0.0, u)
    number, spent = 1, _round(compiled, values, state, u, 1)
    while spent < _AIM:
        number *= 2
        spent = _round(compiled, values, state, u, number)
    return min(spent, *(_round(compiled, values, state, u, number) for _ in range(4))) / number


def _round(compiled: CompiledModel, values: Values, state: EventState, u: Vector, number: int) -> float:
    if not compiled.info.states:
        rows = (np.zeros(number), np.zeros((number, 0)), np.tile(u, (number, 1)))
        began = perf_counter()
        compiled.variables(*rows, values, np.tile(state.m, (number, 1)))
        return perf_counter() - began
    if isinstance(compiled, CModel):
        # One foreign call runs all evaluations, since a call from Python takes longer than one of them.
        dx = np.zeros(len(compiled.info.states))
        arrays = [address(array) for array in (state.x, u, values.c, state.m, values.w, dx)]
        began = perf_counter()
        compiled.functions.repeat(number, 0.0, *arrays)
        return perf_counter() - began
    began = perf_counter()
    for _ in range(number):
        compiled.derivatives(0.0, state.x, u, values, state.m)
    return perf_counter() - began
