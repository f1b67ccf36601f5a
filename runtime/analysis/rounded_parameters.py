"""Names the variables that follow from the values of parameters only up to the rounding of these."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cutset.contract.abridged import abridged
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel, Values
from cutset.runtime.trajectory import Trajectory

_MOST_SHOWN = 3
# A larger number may be the quotient of one that is rounding only.
_LARGE = 1e6
# By how much parameters change that are not whole, as by rounding, and what then changes by this part is unknown.
_ROUNDING, _UNKNOWN = 2.0**-50, 1e-3


def undetermined(model: CompiledModel, values: Values, rows: Trajectory) -> list[str]:
    """The note on large variables in the first row that change if the last digit of parameters does, as an angle of
    pi/2 whose cosine is 6e-17: the equations are singular."""
    info = model.info
    if not len(rows.t) or not (np.abs(values.c) > _LARGE).any():
        return []
    signs = _ROUNDING * (-1.0) ** np.arange(len(info.parameters))
    free = [k for k, origin in enumerate(info.parameter_origins) if origin is None and values.p[k] % 1.0]
    try:
        other = model.bind({info.parameters[k]: float(values.p[k] * (1.0 + signs[k])) for k in free})
    except RunError:
        return []
    if len(other.c) != len(values.c) or not _unknown(values.c, other.c).any():
        return []
    first = rows.t[:1], rows.x[:1], rows.u[:1]
    y, z = (model.variables(*first, v, rows.modes[:1], rows.guesses[:1])[0] for v in (values, other))
    found = np.flatnonzero(_unknown(y, z)[: info.n_variables]).tolist()
    names: dict[int, str] = {}
    for name, slot in info.names.items():
        if slot.array == "y":
            names.setdefault(slot.index, name)
    shown = [f"'{names[k]}' = {y[k]:.3g}, or {z[k]:.3g}" for k in found if k in names]
    if not shown:
        return []
    what = "parameters determine variables only up to the rounding of their values, so the equations are singular"
    return [f"{what}: {abridged(shown, _MOST_SHOWN)}; check for an angle such as pi/2"]


def _unknown(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    large: NDArray[np.bool_] = np.abs(one) > _LARGE
    return large & ~(np.abs(one - other) <= _UNKNOWN * np.abs(one))
