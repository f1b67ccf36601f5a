"""Converts the sparse Jacobian of a model to arrays and to a dense matrix. Evaluates nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo

Indices = NDArray[np.int64]


def places(info: ModelInfo) -> tuple[Indices, Indices]:
    """(rows, columns) of the entries of `ModelInfo.jacobian`, row by row."""
    rows = np.repeat(np.arange(len(info.jacobian)), [len(row) for row in info.jacobian])
    return rows, np.array([j for row in info.jacobian for j in row], dtype=np.int64)


def dense(info: ModelInfo, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The dense matrix (n_states, n_states) with these numbers in the places of the pattern."""
    matrix = np.zeros((len(info.states), len(info.states)))
    matrix[places(info)] = slopes
    return matrix
