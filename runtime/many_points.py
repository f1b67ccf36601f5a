"""Evaluates the right-hand side of a compiled model at many points in one call. Integrates nothing."""

from __future__ import annotations

from ctypes import c_long

import numpy as np

from cutset.runtime.c_model import CModel
from cutset.runtime.c_records import address
from cutset.runtime.interface import Values, Vector


def rates_at(model: CModel, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector) -> Vector:
    """The derivatives at n points: t (n,), x (n, n_states), u (n, n_inputs), modes (n, n_modes) -> (n, n_rates). Each
    starts from the same guesses (n_guesses,); a row has a nan if a derivative or a guarded number is not finite."""
    model.connect(values.controllers)
    info, (c, w) = model.info, values.addresses
    dx = np.zeros((len(t), info.n_rates))
    widths = (len(info.states), u.shape[1], info.n_modes, info.n_rates, info.n_guesses, info.n_guards)
    held = [np.ascontiguousarray(array, dtype=float) for array in (t, x, u, modes, guesses)]
    places = list(map(address, held))
    model.functions.rates(len(t), (c_long * 6)(*widths), *places[:3], c, *places[3:], w, address(dx))
    return dx
