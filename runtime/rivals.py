"""Detects contradictions: the values of several `init` of one variable at an event -> the two that differ."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector

# Values with a smaller relative difference are equal up to rounding.
_ROUNDING = 1e-12


def contradiction(info: ModelInfo, acting: Vector, given: Vector) -> tuple[tuple[int, int], tuple[float, float]] | None:
    """The numbers and values of two of `ModelInfo.rivals` whose branches act and give a variable different
    values; None if there are none. `given` holds the value of each rival."""
    first: dict[str, int] = {}
    for k, rival in enumerate(info.rivals):
        if acting[rival.branch] == 0.0:
            continue
        other = first.setdefault(rival.variable, k)
        a, b = float(given[other]), float(given[k])
        if a != b and not abs(a - b) <= _ROUNDING * max(abs(a), abs(b)) and not np.isnan([a, b]).all():
            return (other, k), (a, b)
    return None
