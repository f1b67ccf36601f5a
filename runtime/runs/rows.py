"""Handles the rows of a run: times, states, held values, guesses, delayed values. Decides nothing."""

from __future__ import annotations

import numpy as np

from cutset.runtime.given.inputs import InputFailure, Inputs
from cutset.runtime.interface import Vector
from cutset.runtime.trajectory import Trajectory

# Times (n,), states (n, n_states), held values (n, n_modes), guesses (n, n_guesses), delayed values (n, n_delays).
Chunk = tuple[Vector, Vector, Vector, Vector, Vector]


def joined(chunks: list[Chunk]) -> Chunk:
    """The rows of all chunks, of which there is at least one."""
    if len(chunks) == 1:
        return chunks[0]
    t, x, m, guesses, delayed = (np.concatenate(arrays) for arrays in zip(*chunks, strict=True))
    return t, x, m, guesses, delayed


def before_event(rows: Chunk, t: float) -> tuple[Vector, Vector] | None:
    """The states and held values of the first of the last rows if these are at this instant."""
    times, x, m, *_ = rows
    first = int(np.searchsorted(times, t))
    return (x[first], m[first]) if first < len(times) and times[first] == t else None


def trajectory(rows: Chunk, inputs: Inputs, rounding: float) -> tuple[Trajectory, InputFailure | None]:
    """All rows with their inputs, up to the first one at which a function of an input fails; and this failure. Instants
    that differ by the `rounding` are equal."""
    t, x, m, guesses, delayed = rows
    u, failed = inputs.along(t, rounding)
    n = len(u)
    u = np.concatenate([u, delayed[:n]], axis=1)
    return Trajectory(t[:n], x[:n], u, m[:n], guesses[:n]), failed
