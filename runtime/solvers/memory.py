"""What methods keep from one segment of a run to the next. Integrates nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Values, Vector
from cutset.runtime.solvers.matrix_layout import Layout, layout_of

_LONGEST = 64
# Of the nominal value: an unknown that has not been larger is zero but for rounding.
ROUNDING = 1e-7


@dataclass(eq=False)
class Stiffness:
    """Where a model has proved stiff. `border` and `gentle` count the steps of an explicit method at the border of its
    stability, and those in a row that were not, also across events. `since` is the first instant at which it was stiff,
    None so far; `segments` and `stiff` are how many segments there were, and how many of them had stiff parts;
    `implicit` is what integrated these."""

    border: int = 0
    gentle: int = 0
    since: float | None = None
    segments: int = 0
    stiff: int = 0
    implicit: str = ""
    _trust: int = 1
    _left: int = 0

    def expected(self) -> bool:
        """Whether the next segment is taken for stiff from its start: so many segments as have proved so without a
        break, each time twice as many, until the explicit method is tried again."""
        self._left -= 1
        return self._left >= 0

    def note(self, stiff: bool, since: float) -> None:
        """What an explicit method has found in a segment."""
        if stiff:
            self.since = since if self.since is None else self.since
            self._left, self._trust = self._trust, min(2 * self._trust, _LONGEST)
            self.border = self.gentle = 0
        else:
            self._trust = 1


@dataclass(eq=False)
class Memory:
    """Of one run. `now` (1,) is the latest instant at which something was evaluated: another thread may read it. `pace`
    is how far apart crossings may be sampled next, in s; 0 where that is not known."""

    now: Vector = field(default_factory=lambda: np.zeros(1))
    stiffness: Stiffness = field(default_factory=Stiffness)
    pace: float = 0.0
    _layout: Layout | None = None
    _sizes: Vector | None = None
    _crossings: Vector | None = None

    def copy(self) -> Memory:
        """One that goes on by itself."""
        sizes = None if self._sizes is None else self._sizes.copy()
        crossings = None if self._crossings is None else self._crossings.copy()
        stiffness = replace(self.stiffness)
        return replace(self, now=self.now.copy(), stiffness=stiffness, _sizes=sizes, _crossings=crossings)

    def crossing_sizes(self, info: ModelInfo) -> Vector:
        """The largest that each crossing has been in the run, which whoever evaluates them keeps; infinite for those
        that are looked at where steps end alone."""
        if self._crossings is None:
            self._crossings = np.array([np.inf if info.relations[k].at_ends else 0.0 for k in info.crossings])
        return self._crossings

    def sizes(self, info: ModelInfo, values: Values) -> Vector:
        """The largest that each guess of an iteration has been, (n_guesses,), which methods go on writing. An unknown
        near zero has no size of its own: what rounding leaves of it is compared with its nominal value."""
        if self._sizes is None:
            self._sizes = ROUNDING * nominal_values(info, values)
        return self._sizes

    def layout(self, info: ModelInfo) -> Layout:
        """How the matrix of an implicit method is stored."""
        if self._layout is None:
            self._layout = layout_of(info)
        return self._layout


def nominal_values(info: ModelInfo, values: Values) -> Vector:
    """That of each unknown of an iteration, in the place of its guess, (n_guesses,); 1 in other places."""
    nominal, first = np.ones(info.n_guesses), 0
    for n in info.iterations:  # n guesses, an orientation, and n nominal values
        given = np.abs(values.w[first + n + 1 : first + 2 * n + 1])
        nominal[first : first + n] = np.where(given > 0.0, given, 1.0)
        first += 2 * n + 1
    return nominal
