"""Keeps everything else at rest while co-simulated FMUs seek values that agree with the model, see `coupling`.

Their outputs are provisional then: no other branch acts, and no other discrete variable changes.
"""

from __future__ import annotations

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.event_state import EventState
from cutset.runtime.interface import Vector


class Rounds:
    """The branches of the rounds of a model."""

    def __init__(self, info: ModelInfo):
        self._branches = np.array(info.rounds, dtype=int)
        self._variables = np.array(info.settled, dtype=int)

    def first(self, acting: Vector) -> tuple[Vector, bool]:
        """The branches that act in this pass: only those of rounds, if there are any (then True)."""
        own = np.zeros(len(acting))
        own[self._branches] = acting[self._branches]
        return (own, True) if own.any() else (acting, False)

    def settled(self, discrete: Vector, before: Vector) -> Vector:
        """The discrete variables after a round."""
        found = before.copy()
        found[self._variables] = discrete[self._variables]
        return found

    def conditions(self, now: Vector, before: EventState) -> Vector:
        """The conditions that the next pass compares with: others have not been seen in a round."""
        found = before.conditions.copy()
        found[self._branches] = now[self._branches]
        return found
