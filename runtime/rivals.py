"""What several `init` of one variable give at one event in, the two that contradict each other out. Decides nothing
else."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector

# Values that differ by this part of the larger are the same: rounding has made them differ.
_ROUNDING = 1e-12


def contradiction(info: ModelInfo, acting: Vector, given: Vector) -> tuple[str, list[str]] | None:
    """What is wrong and where, in words, if two of `ModelInfo.rivals` whose branches act give a variable two values;
    `given` has the value of each."""
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
