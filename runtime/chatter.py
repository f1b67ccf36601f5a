"""Keeps what C knows of the crossings of a run, see c/chatter.h, and the limits beyond which they are without end.

A relation chatters if being true makes it false and vice versa; it has Zeno behavior if infinitely many events happen
in a finite time, as in a bouncing ball. Both end the run with a message, not with a wrong result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo

# More events of one relation in a row than this, each within this fraction of the run after the previous one, are
# without end; the last limit counts events between which the relation has not left its crossing.
LIMITS = np.array([(20, 1e-9), (3, 1e-11), (5, 1e-3)], dtype=float)
# The numbers of a crossing: the latest event, its distance from the one before, and others of c/chatter.h.
NUMBERS = 20


class Chatter:
    """The history of crossings in a run. `history` has 20 numbers for each crossing, and `calm` the longest step and
    until when it applies; C updates both."""

    def __init__(self, crossings: int):
        self.history = np.zeros((crossings, NUMBERS))
        self.history[:, 0], self.history[:, 1] = -math.inf, math.inf
        self.calm = (math.inf, -math.inf)

    def copy(self) -> Chatter:
        """An independent copy."""
        copied = Chatter(0)
        copied.history, copied.calm = self.history.copy(), self.calm
        return copied

    def data(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {"history": self.history.tolist(), "calm": self.calm}

    @classmethod
    def from_data(cls, info: ModelInfo, data: Mapping[str, Any]) -> Chatter:
        """The history with these data."""
        made = cls(len(info.crossings))
        for row, numbers in zip(made.history, data["history"], strict=True):  # of earlier versions there are fewer
            row[: len(numbers)] = numbers
        made.calm = (data["calm"][0], data["calm"][1])
        return made
