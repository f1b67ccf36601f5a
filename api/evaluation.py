"""Evaluates the derivatives of the states at one point: CompiledModel, numbers -> array. Integrates nothing."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.given_values import array_of
from cutset.runtime.binding import finite_number
from cutset.runtime.explain import Point, explain
from cutset.runtime.initialize import held_at
from cutset.runtime.inputs import resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector, all_finite
from cutset.runtime.outcome import Outcome


def derivatives_at(
    compiled: CompiledModel,
    values: Values,
    time: float,
    states: Sequence[float] | Vector,
    inputs: Sequence[float] | Vector | None,
) -> Vector:
    """The derivatives (n,) for `states` (n,) and `inputs`, 0 by default. ValueError for arrays of the wrong length,
    RunError if a result is not finite."""
    info = compiled.info
    t = finite_number("time", time)
    x = array_of("states", states, info.states)
    u = array_of("inputs", inputs, info.inputs) if inputs is not None else resolve_inputs(info, {}).at(t)
    modes = held_at(compiled, values, t, x, u)
    dx = compiled.derivatives(t, x, u, values, modes)
    if not all_finite(info, dx, values):
        raise explain(compiled, values, Outcome.NOT_FINITE, Point(t, x, u, modes), None).error()
    return dx
