"""Finds a prescribed motion that jumps at an event: the states before and after it -> its name.

The derivatives of a prescribed motion are those of its pieces. If the pieces do not fit together, the moved parts
receive an impulse that no equation of the model contains.
"""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem

# The accuracy to which an instant is located lets a smooth motion change by this much: relative to its size, and in m,
# rad, m/s or rad/s.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-7


def jump(problem: Problem, t: float, x: Vector, before: Vector, after: Vector) -> tuple[str, list[str]] | None:
    """Which motion jumps and where it is declared, in words; None if none does. `before` and `after` are the held
    values m around an event that does not change the states."""
    info = problem.model.info
    if not info.continuous or np.array_equal(before, after):
        return None
    u, numbers = problem.inputs.at(t), list(info.continuous)
    was, now = (
        problem.model.variables(np.array([t]), x[None, :], u[None, :], problem.values, m[None, :])[0][numbers]
        for m in (before, after)
    )
    size = np.maximum(np.abs(was), np.abs(now))
    places = np.flatnonzero(np.abs(now - was) > _RELATIVE * size + _ABSOLUTE)
    if not len(places):
        return None
    k = int(places[0])
    origin = info.origins[numbers[k]]
    names = [name for name, slot in info.names.items() if slot.array == "y" and slot.index == numbers[k]]
    others = [name for name in names if name != origin.variable][:4]
    what = f"the prescribed motion '{origin.variable}' jumps from {float(was[k]):.6g} to {float(now[k]):.6g}"
    details = [f"prescribed by: {origin.equation}  ({origin.place}), in {origin.instance}"] if origin.place else []
    return what, details + ([f"other names: {', '.join(others)}"] if others else [])
