"""Tells C how the crossings of a segment are watched: their signs, margins, and what equal sides mean.

c/crossings.h explains it.
"""

from __future__ import annotations

import sys

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.relations import truths_of_signs
from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Segment


def sides(info: ModelInfo, modes: Vector) -> Vector:
    """The sign that each crossing keeps while the relations have these values; 0 where either is possible."""
    signs = {"<": -1.0, "<=": -1.0, ">": 1.0, ">=": 1.0}
    return np.array([signs.get(info.relations[k].operator, 0.0) * (1.0 if modes[k] else -1.0) for k in info.crossings])


def margins(info: ModelInfo, segment: Segment) -> Vector:
    """The distance from zero that rounding, or the hysteresis, allows each crossing."""
    rounding = 8.0 * sys.float_info.epsilon * segment.scales
    if not segment.hysteresis:
        return rounding
    return np.maximum(rounding, [segment.hysteresis.get(k, 0.0) for k in info.crossings])


def touching(info: ModelInfo, modes: Vector) -> Vector:
    """For each crossing 0 if its relation changes where its sides are equal, 1 if rounding may keep these apart, and -1
    for others."""
    at_zero, pairs = truths_of_signs(info)[:, 1], np.array([r.opposite >= 0 for r in info.relations])
    touch = np.where(at_zero == modes[: len(at_zero)], -1.0, pairs)
    return touch[list(info.crossings)]
