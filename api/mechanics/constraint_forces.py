"""Computes the forces that keep loops closed: mass matrices, forces and constraints -> forces. Knows no mechanism."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Constraints that are smaller than this, relative to the largest, follow from others.
_REDUNDANT = 1e-10
Array = NDArray[np.float64]


def forces_of_constraints(mass: Array, free: Array, directions: Array, opening: Array) -> Array:
    """G'*mu for which M*a = f + G'*mu and G*a + opening is zero: M (..., n, n), f (..., n), G (..., m, n), opening
    (..., m). The multipliers mu are the least ones if constraints are redundant. Shape (..., n);
    nan where M is singular."""
    across = np.swapaxes(directions, -1, -2)
    moved = solved(mass, np.concatenate([across, free[..., None]], axis=-1))
    wanted = directions @ moved[..., -1:] + opening[..., None]
    inner = directions @ moved[..., :-1]
    inner = np.where(np.isfinite(inner).all(axis=(-2, -1), keepdims=True), inner, 0.0)
    multipliers = np.linalg.pinv(inner, rcond=_REDUNDANT, hermitian=True) @ wanted
    return -(across @ multipliers)[..., 0]


def solved(matrix: Array, right: Array) -> Array:
    """The solutions x (..., n, k) of A*x = b: A (..., n, n), b (..., n, k); nan where A is singular."""
    with np.errstate(invalid="ignore"):
        is_regular = (np.abs(np.linalg.slogdet(matrix).sign) == 1.0)[..., None, None]
    found = np.linalg.solve(np.where(is_regular, matrix, np.eye(matrix.shape[-1])), right)
    return np.where(is_regular, found, np.nan)
