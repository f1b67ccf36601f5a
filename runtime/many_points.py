"""Evaluates a compiled model, and its held values, at many points in one call. Integrates nothing."""

from __future__ import annotations

from ctypes import addressof, c_long
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.c_model import CModel
from cutset.runtime.c_records import address
from cutset.runtime.interface import Values, Vector
from cutset.runtime.relations import truths_of_signs


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


class HeldAtPoints:
    """Finds the held values of a model at points that no run has reached: relations that agree with each point, and
    discrete variables at their start values. Where they do not agree after a few rounds, `held_at` must search."""

    def __init__(self, model: CModel, values: Values):
        from cutset.runtime.isolation import Isolation

        info = model.info
        self._model, self._values, self._width = model, values, info.n_modes
        first, n = len(info.states), len(info.relations)
        self._undecided = np.concatenate([np.zeros(n), values.s[first : first + len(info.discrete)]])
        guesses, timed = values.w[: info.n_guesses].copy(), np.array(info.timed, dtype="l")
        widths = len(info.states), len(info.inputs) + len(info.delays), info.n_modes, info.n_results, info.n_variables
        sizes = np.array([*widths, info.n_guesses, n, len(info.time_events), len(info.isolated)], dtype="l")
        work, truths = np.zeros(info.n_results + 2 * len(timed) + n), truths_of_signs(info)
        isolation = Isolation(model, values, 1.0)
        self._kept = sizes, timed, truths, guesses, work, isolation
        self._first = (*map(address, (sizes, timed, truths)), addressof(isolation.data))
        self._places = (values.addresses[0], address(guesses), values.addresses[1], address(work))

    def at(self, t: Vector, x: Vector, u: Vector) -> tuple[Vector, NDArray[Any]]:
        """The held values at n points, (n, n_modes), and for each point whether they were found: t (n,), x (n,
        n_states), u (n, n_inputs), all contiguous. The guesses are then those at the last point."""
        m = np.empty((len(t), self._width))
        m[:] = self._undecided
        found = np.zeros(len(t), dtype="l")
        self._model.connect(self._values.controllers)
        places = (*self._first, address(t), address(x), address(u), *self._places, address(m), address(found))
        self._model.functions.held(len(t), *places)
        return m, found
