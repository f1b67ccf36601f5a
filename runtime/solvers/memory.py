"""Holds what a method outside shares with the run in C. Integrates nothing."""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector


@dataclass(eq=False)
class Memory:
    """`now` (1,) is the time of the latest evaluation, for other threads to read. `pace` is the distance at which
    crossings may be sampled next, in s; 0 if that is not known. `sizes` are the largest absolute values of each guess
    in the run, `crossing_sizes` those of each crossing, then since it crossed; code that samples them updates them."""

    now: Vector
    pace: float
    sizes: Vector
    crossing_sizes: Vector


def first_sizes(info: ModelInfo) -> Vector:
    """The sizes of crossings at the start of a run, infinite for those that are evaluated only at ends of steps."""
    largest = [np.inf if info.relations[k].at_ends else 0.0 for k in info.crossings]
    return np.array([*largest, *(0.0 for _ in largest)])
