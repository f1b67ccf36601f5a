"""Handles the rows of a run: times, states, held values, guesses, inputs. Decides nothing."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector

# Times (n,), states (n, n_states), held values (n, n_modes), guesses (n, n_guesses), inputs (n, n_inputs + n_delays).
Chunk = tuple[Vector, Vector, Vector, Vector, Vector]


def joined(chunks: list[Chunk]) -> Chunk:
    """The rows of all chunks, of which there is at least one."""
    if len(chunks) == 1:
        return chunks[0]
    t, x, m, guesses, u = (np.concatenate(arrays) for arrays in zip(*chunks, strict=True))
    return t, x, m, guesses, u


def before_event(rows: Chunk, t: float) -> tuple[Vector, Vector] | None:
    """The states and held values of the first of the last rows if these are at this instant."""
    times, x, m, *_ = rows
    first = int(np.searchsorted(times, t))
    return (x[first], m[first]) if first < len(times) and times[first] == t else None
