"""What methods keep from one stretch of a run to the next. Integrates nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cutset.runtime.interface import ModelInfo, Vector
from cutset.runtime.solvers.linear import Layout, layout_of

_LONGEST = 64


@dataclass(eq=False)
class Stiffness:
    """Where a model has proved stiff. `border` and `gentle` count the steps of an explicit method at the border of its
    stability, and those in a row that were not, also across events. `since` is the first instant at which it was stiff, None so
    far; `stretches` and `stiff` are how many stretches there were, and how many of them had stiff parts; `implicit` is what
    integrated these."""

    border: int = 0
    gentle: int = 0
    since: float | None = None
    stretches: int = 0
    stiff: int = 0
    implicit: str = ""
    _trust: int = 1
    _left: int = 0

    def expected(self) -> bool:
        """Whether the next stretch is taken for stiff from its start: so many stretches as have proved so without a break, each time
        twice as many, until the explicit method is tried again."""
        self._left -= 1
        return self._left >= 0

    def note(self, stiff: bool, since: float) -> None:
        """What an explicit method has found in a stretch."""
        if stiff:
            self.since = since if self.since is None else self.since
            self._left, self._trust = self._trust, min(2 * self._trust, _LONGEST)
            self.border = self.gentle = 0
        else:
            self._trust = 1


@dataclass(eq=False)
class Memory:
    """Of one run. `now` (1,) is the latest instant at which something was evaluated: another thread may read it."""

    now: Vector = field(default_factory=lambda: np.zeros(1))
    stiffness: Stiffness = field(default_factory=Stiffness)
    _layout: Layout | None = None

    def layout(self, info: ModelInfo) -> Layout:
        """How the matrix of an implicit method is stored."""
        if self._layout is None:
            self._layout = layout_of(info)
        return self._layout
