"""How long one evaluation of a compiled model takes on this machine."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.native import NativeModel, address

# Long enough for the clock, short enough to wait for.
_AIM = 0.02


def seconds_per_evaluation(compiled: CompiledModel) -> float:
    """The time of one right-hand side at the model's start: the best of five rounds of about 20 ms each."""
    values = compiled.bind({})
    modes = starting(compiled, values, 0.0).modes
    number, spent = 1, _round(compiled, values, modes, 1)
    while spent < _AIM:
        number *= 2
        spent = _round(compiled, values, modes, number)
    return min(spent, *(_round(compiled, values, modes, number) for _ in range(4))) / number


def _round(compiled: CompiledModel, values: Values, modes: Vector, number: int) -> float:
    u = np.zeros(len(compiled.info.inputs))
    if isinstance(compiled, NativeModel):
        # One call for all, since a call from Python costs more than what is measured.
        work, dx = np.zeros(compiled.info.n_work), np.zeros(len(compiled.info.states))
        arrays = [address(array) for array in (values.x0, u, values.c, modes, work, dx)]
        began = perf_counter()
        compiled.functions.repeat(number, 0.0, *arrays)
        return perf_counter() - began
    began = perf_counter()
    for _ in range(number):
        compiled.derivatives(0.0, values.x0, u, values, modes)
    return perf_counter() - began
