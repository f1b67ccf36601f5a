"""Detects contradictions: the values of several `init` of one variable at an event -> the two that differ."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector

# Values with a smaller relative difference are equal up to rounding.
_ROUNDING = 1e-12


def contradiction(info: ModelInfo, acting: Vector, given: Vector) -> tuple[str, list[str]] | None:
    """The error in words and its details, if two of `ModelInfo.rivals` whose branches act give a variable different
    values; None otherwise. `given` holds the value of each rival."""
    first: dict[str, int] = {}
    for k, rival in enumerate(info.rivals):
        if acting[rival.branch] == 0.0:
            continue
        other = first.setdefault(rival.variable, k)
        a, b = float(given[other]), float(given[k])
        if a != b and not abs(a - b) <= _ROUNDING * max(abs(a), abs(b)) and not np.isnan([a, b]).all():
            what = f"two 'init' give '{rival.variable}' different values at one instant"
            return what, [f"{r.place}: {v!r}, in {r.instance}" for r, v in ((info.rivals[other], a), (rival, b))]
    return None
