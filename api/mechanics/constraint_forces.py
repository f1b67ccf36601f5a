"""Computes the forces that keep loops closed: mass matrices, forces and constraints -> forces. Knows no mechanism."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Constraints that are smaller than this, relative to the largest, follow from others.
_REDUNDANT = 1e-10
Array = NDArray[np.float64]


def forces_of_constraints(mass: Array, free: Array, directions: Array, opening: Array) -> Array:
    """G'*mu for which M*a = f + G'*mu and G*a + opening is zero: M (..., n, n), f (..., n), G (..., m, n), opening
    (..., m). The multipliers mu are the least ones if constraints are redundant. Shape (..., n)."""
    across = np.swapaxes(directions, -1, -2)
    moved = np.linalg.solve(mass, np.concatenate([across, free[..., None]], axis=-1))
    wanted = directions @ moved[..., -1:] + opening[..., None]
    multipliers = np.linalg.pinv(directions @ moved[..., :-1], rcond=_REDUNDANT, hermitian=True) @ wanted
    return -(across @ multipliers)[..., 0]
