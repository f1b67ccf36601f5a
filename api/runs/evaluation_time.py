"""Measures how long one evaluation of a compiled model takes on this machine."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.errors import NotFinite
from cutset.runtime.interface import CompiledModel, Values
from cutset.runtime.runs.initialize import starting
from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.c_records import address

# Seconds per round: long for the clock, short for the user.
_AIM = 0.005


def seconds_per_evaluation(compiled: CompiledModel, values: Values, point: Point) -> float:
    """The time in s of one evaluation of the right-hand side at this point, or of all variables if the model has no
    states: the best of five rounds of about 5 ms."""
    number, spent = 1, _round(compiled, values, point, 1)
    while spent < _AIM:
        number *= 2
        spent = _round(compiled, values, point, number)
    return min(spent, *(_round(compiled, values, point, number) for _ in range(4))) / number


def seconds_at_start(compiled: CompiledModel) -> float:
    """The same at the start of the model with its own values; nan if runs translate it again for these values."""
    try:
        values = compiled.bind({})
    except NotFinite:
        return math.nan
    u = np.zeros(len(compiled.info.inputs) + len(compiled.info.delays))
    state = starting(compiled, values, 0.0, u)
    return seconds_per_evaluation(compiled, values, Point(0.0, state.x, u, state.m))


def _round(compiled: CompiledModel, values: Values, point: Point, number: int) -> float:
    if not compiled.info.states:
        rows = (np.full(number, point.t), np.zeros((number, 0)), np.tile(point.u, (number, 1)))
        began = perf_counter()
        compiled.variables(*rows, values, np.tile(point.modes, (number, 1)))
        return perf_counter() - began
    if isinstance(compiled, CModel):
        # One foreign call runs all evaluations, since a call from Python takes longer than one of them.
        held = [np.ascontiguousarray(each) for each in (point.x, point.u, values.c, point.modes)]
        dx = np.zeros(compiled.info.n_rates)
        arrays = [address(array) for array in (*held, values.w, dx)]
        began = perf_counter()
        compiled.functions.repeat(number, point.t, *arrays)
        return perf_counter() - began
    began = perf_counter()
    for _ in range(number):
        compiled.derivatives(point.t, point.x, point.u, values, point.modes)
    return perf_counter() - began
