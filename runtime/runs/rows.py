"""Collects the rows of a run: times, states, held values, guesses, delayed values. Decides nothing."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.event_state import EventState
from cutset.runtime.given.inputs import InputFailure, Inputs
from cutset.runtime.interface import Vector
from cutset.runtime.trajectory import Trajectory

# Times (n,), states (n, n_states), held values (n, n_modes), guesses (n, n_guesses), delayed values (n, n_delays).
Chunk = tuple[Vector, Vector, Vector, Vector, Vector]


class Rows:
    """The rows of a run of a model, which are appended in pieces."""

    def __init__(self, info: ModelInfo):
        self._chunks: list[Chunk] = []
        sizes = len(info.states), info.n_modes, info.n_guesses, len(info.delays)
        self._none = (np.zeros(0), *(np.zeros((0, size)) for size in sizes))

    def __bool__(self) -> bool:
        """True if there is a row."""
        return bool(self._chunks)

    @property
    def last_time(self) -> float:
        """The time of the last row."""
        return float(self._chunks[-1][0][-1])

    def before_event(self, t: float) -> tuple[Vector, Vector] | None:
        """The states and held values of the first of the last rows if these are at this instant."""
        found = None
        for times, x, m, *_ in reversed(self._chunks):
            for row in range(len(times) - 1, -1, -1):
                if times[row] != t:
                    return found
                found = x[row], m[row]
        return found

    def append(self, chunk: Chunk) -> None:
        """Add rows, of which there is at least one."""
        self._chunks.append(chunk)

    def record(self, state: EventState, guesses: Vector, delayed: Vector) -> None:
        """Add one row; `guesses` are (1, n_guesses), `delayed` (1, n_delays)."""
        self._chunks.append((np.array([state.t]), state.x[None, :], state.m[None, :], guesses, delayed))

    def record_once(self, state: EventState, guesses: Vector, delayed: Vector) -> None:
        """Add one row unless the last row is at this instant."""
        if not self._chunks or self.last_time != state.t:
            self.record(state, guesses, delayed)

    def trajectory(self, inputs: Inputs, rounding: float) -> tuple[Trajectory, InputFailure | None]:
        """All rows with their inputs, up to the first one at which a function of an input fails; and this failure.
        Instants that differ by the `rounding` are equal."""
        t, x, m, guesses, delayed = (np.concatenate(arrays) for arrays in zip(self._none, *self._chunks, strict=True))
        u, failed = inputs.along(t, rounding)
        n = len(u)
        u = np.concatenate([u, delayed[:n]], axis=1)
        return Trajectory(t[:n], x[:n], u, m[:n], guesses[:n]), failed
