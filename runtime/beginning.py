"""A model and its start values in, the states at the start out, with the guesses of all iterations at one and the same solution. Checks nothing.

Newton's method may leave the guesses of a loop by many turns of its joints, or not come to a solution from where its bars lie in line. Then the start
is looked for again from the same position with fewer turns, and from beside the guesses.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from cutset.runtime.interface import CompiledModel, ModelInfo, Values, Vector

_TRIES, _FARTHEST = 24, 3.0


def begun(model: CompiledModel, t: float, u: Vector, values: Values, m: Vector) -> Vector:
    """What `start` says of the states and behind them, states not finite where its equations have no solution."""
    return _Beginning(model, t, u, values, m).states()


class _Beginning:
    def __init__(self, model: CompiledModel, t: float, u: Vector, values: Values, m: Vector):
        self._model, self._at, self._w = model, (u, values, m), values.w
        self._t, self._n = t, len(model.info.states)
        self._slots = _slots(model.info)
        self._loops = [k for k, (_, instances) in enumerate(model.info.closings) if _is_loop(model.info, instances)]
        self._first = values.w[: model.info.n_guesses].copy()

    def states(self) -> Vector:
        x = self._look({})
        if not self._loops or self._farthest(x) <= 2 * math.pi:
            return x
        self._model.fault()
        best, found = math.inf, self._w.copy()
        for shift in [self._turned(), *map(self._beside, range(_TRIES))]:
            tried = self._look(shift)
            self._model.fault()
            if (far := self._farthest(tried)) < best:
                best, found, x = far, self._w.copy(), tried
            if best <= math.pi:
                break
        if best > 2 * math.pi:
            return self._look({})
        self._w[:] = found
        return x

    def _look(self, shift: dict[str, float]) -> Vector:
        """The states from the guesses, those of loops shifted. What the start solves is where all other iterations for the same unknowns begin: from their
        own guesses they might come to another solution."""
        w, names = self._w, [names for names, _ in self._model.info.closings]
        w[: len(self._first)] = self._first
        for slot in self._slots:
            w[slot.stop] = 0.0  # the orientation of a branch: it is known of what has been solved
        for k in self._loops:
            w[self._slots[k]] += [shift.get(name, 0.0) for name in names[k]]
        x = self._model.start(self._t, *self._at)
        solved: dict[str, float] = {}
        for slot, own in zip(self._slots, names):
            solved |= zip(own, w[slot].tolist()) if w[slot.stop] else ()
        for slot, own in zip(self._slots, names):
            if not w[slot.stop]:
                w[slot] = [solved.get(name, value) for name, value in zip(own, w[slot].tolist())]
        if self._loops and np.isfinite(x[: self._n]).all():
            self._model.derivatives(self._t, x[: self._n], *self._at)
        return x

    def _farthest(self, x: Vector) -> float:
        """How far the unknowns of loops are from their guesses; infinite where there are none."""
        if not np.isfinite(x[: self._n]).all() or any(not self._w[self._slots[k].stop] for k in self._loops):
            return math.inf
        return max(float(np.abs(self._w[slot] - self._first[slot]).max()) for slot in map(self._slots.__getitem__, self._loops))

    def _turned(self) -> dict[str, float]:
        """From the guesses to where the loops are now, less whole turns."""
        shift = {}
        for k in self._loops:
            slot = self._slots[k]
            away = zip(self._model.info.closings[k][0], (self._w[slot] - self._first[slot]).tolist())
            shift |= {name: math.remainder(distance, 2 * math.pi) for name, distance in away if math.isfinite(distance)}
        return shift

    def _beside(self, k: int) -> dict[str, float]:
        """The same for each unknown whatever the order of the equations is."""
        reach = _FARTHEST * (k + 1) / _TRIES
        names = (name for loop in self._loops for name in self._model.info.closings[loop][0])
        return {name: Random(f"{name} {k}").uniform(-reach, reach) for name in names}


def _slots(info: ModelInfo) -> list[slice]:
    """Where the guesses of each iteration stand in w: behind them the orientation and the nominal values."""
    slots, first = [], 0
    for n in info.iterations:
        slots.append(slice(first, first + n))
        first += 2 * n + 1
    return slots


def _is_loop(info: ModelInfo, instances: tuple[str, ...]) -> bool:
    """Does an element close a loop of a mechanism by these equations?"""
    return any(f"{name}.ra(1)" in info.names for name in instances)
