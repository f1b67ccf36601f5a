"""Evaluates a compiled model, and its held values, at many points in one call. Integrates nothing."""

from __future__ import annotations

from ctypes import byref, c_long

import numpy as np

from cutset.runtime.events.relations import sides_of_relations, truths_of_signs
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.targets.c_functions import required_compiler
from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.c_records import address
from cutset.runtime.targets.toolchain import find_compiler


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
    discrete variables at their start values."""

    def __init__(self, model: CompiledModel, values: Values):
        from cutset.runtime.runs.run import Run

        self._model, self._values = model, values
        self._guesses = values.w[: model.info.n_guesses].copy()
        self._has_compiler = find_compiler() is not None
        if not self._has_compiler:
            return
        run = self._run = Run(model, model.engine)
        run.take(values, Inputs(np.zeros(len(model.info.inputs)), {}), {})
        run.data.w = values.addresses[1]
        run.events.span = run.events.run_span = 1.0
        self._engine, self._width = model.engine, model.info.n_modes
        self._first, self._begin = (byref(run.data), byref(run.events)), address(self._guesses)

    def at(self, t: Vector, x: Vector, u: Vector) -> Vector:
        """The held values at n points, (n, n_modes): t (n,), x (n, n_states), u (n, n_inputs), all contiguous. The
        guesses are then those at the last point. RunError if there are none at one of them."""
        if not self._has_compiler:
            return self._repeatedly(t, x.reshape(len(t), -1), u.reshape(len(t), -1))
        m, found = np.empty((len(t), self._width)), np.zeros(len(t), dtype="l")
        self._engine.connect(self._values.controllers)
        places = address(t), address(x), address(u), u.size // len(t), self._begin, address(m), address(found)
        self._engine.functions.held(*self._first, len(t), *places)
        if found.all():
            return m
        from cutset.runtime.runs.start_failures import refused

        wrong = found.tolist().index(0)
        if len(t) > 1:
            of_one = slice(wrong, wrong + 1)
            self.at(t[of_one], x.reshape(len(t), -1)[of_one], u.reshape(len(t), -1)[of_one])
        raise refused(self._run, {}, {})

    def _repeatedly(self, t: Vector, x: Vector, u: Vector) -> Vector:
        """The same without a compiler: the relations that the equations imply are held until they imply the same.
        RunError E608 if that does not end."""
        info, n = self._model.info, len(self._model.info.relations)
        starts = self._values.s[len(info.states) :][: len(info.discrete)]
        m = np.tile(np.concatenate([np.zeros(n), starts]), (len(t), 1))
        values, guesses = truths_of_signs(info), np.tile(self._guesses, (len(t), 1))
        for _ in range(2 * n + 2):
            before = m[:, :n].copy()
            rows = self._model.variables(t, x, u, self._values, m, guesses)
            for k, row in enumerate(rows):
                left, right = sides_of_relations(info, row).T
                m[k, :n] = values[np.arange(n), 1 + np.sign(np.nan_to_num(left - right)).astype(int)]
            if (m[:, :n] == before).all():
                return m
        required_compiler()
        return m
