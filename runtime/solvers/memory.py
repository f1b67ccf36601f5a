"""Stores what methods keep from one segment of a run to the next. Integrates nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field, replace
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Values, Vector

# Relative to the nominal value: an unknown that was never larger is zero up to rounding.
ROUNDING = 1e-7


@dataclass(eq=False)
class Stiffness:
    """Where a model has proved stiff. `border` and `gentle` count the steps of an explicit method at the border of its
    stability, and those in a row that were not, also across events. `since` is the first instant at which it was stiff,
    None so far; `segments` counts all segments, `stiff` those with stiff parts; `implicit` is the method that
    integrated these. `left` is the number of coming segments that are expected to be stiff, less those since; `trust`
    is that number after the next segment that proves stiff; an event before that proves nothing if steps were at the
    border. The loop of events in C updates all of these."""

    border: int = 0
    gentle: int = 0
    since: float | None = None
    segments: int = 0
    stiff: int = 0
    implicit: str = ""
    trust: int = 1
    left: int = 0

    def name_of_method(self, explicit: str) -> str:
        """The full name of the automatic method, which starts with the explicit one of this name."""
        if self.since is None:
            return f"{explicit} (not stiff)"
        parts = f", in {self.stiff} of {self.segments} intervals between events" if self.segments > 1 else ""
        return f"{explicit}, then {self.implicit} (the model is stiff from t = {self.since:.4g} s on{parts})"


@dataclass(eq=False)
class Memory:
    """The memory of one run. `now` (1,) is the time of the latest evaluation, for other threads to read. `pace` is the
    distance at which crossings may be sampled next, in s; 0 if that is not known."""

    now: Vector = field(default_factory=lambda: np.zeros(1))
    stiffness: Stiffness = field(default_factory=Stiffness)
    pace: float = 0.0
    _sizes: Vector | None = None
    _crossings: Vector | None = None

    def copy(self) -> Memory:
        """An independent copy."""
        sizes = None if self._sizes is None else self._sizes.copy()
        crossings = None if self._crossings is None else self._crossings.copy()
        stiffness = replace(self.stiffness)
        return replace(self, now=self.now.copy(), stiffness=stiffness, _sizes=sizes, _crossings=crossings)

    def data(self) -> dict[str, Any]:
        """Everything that is not computed anew, as plain data."""
        sizes = [None if a is None else a.tolist() for a in (self._sizes, self._crossings)]
        return {"stiffness": asdict(self.stiffness), "pace": self.pace, "sizes": sizes}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Memory:
        """The memory with these data."""
        sizes, crossings = (None if a is None else np.array(a) for a in data["sizes"])
        return cls(stiffness=Stiffness(**data["stiffness"]), pace=data["pace"], _sizes=sizes, _crossings=crossings)

    def set_sizes(self, guesses: Vector | None, crossings: Vector) -> None:
        """Take over the sizes of guesses, if there are any, and of crossings."""
        self._sizes, self._crossings = guesses, crossings

    def crossing_sizes(self, info: ModelInfo) -> Vector:
        """The largest absolute value of each crossing in the run, updated by the code that samples them, infinite for
        those that are evaluated only at ends of steps; then that of each since it crossed."""
        if self._crossings is None:
            self._crossings = first_sizes(info)
        return self._crossings

    def sizes(self, info: ModelInfo, values: Values) -> Vector:
        """The largest absolute value of each guess of an iteration, (n_guesses,), updated by the methods. An unknown
        near zero has no size of its own: its rounding is compared with its nominal value."""
        if self._sizes is None:
            self._sizes = ROUNDING * nominal_values(info, values)
        return self._sizes


def first_sizes(info: ModelInfo) -> Vector:
    """The sizes of crossings at the start of a run."""
    largest = [np.inf if info.relations[k].at_ends else 0.0 for k in info.crossings]
    return np.array([*largest, *(0.0 for _ in largest)])


def nominal_values(info: ModelInfo, values: Values) -> Vector:
    """The nominal value of each unknown of an iteration, in the place of its guess, (n_guesses,); 1 in other places."""
    nominal, first = np.ones(info.n_guesses), 0
    for n in info.iterations:  # n guesses, an orientation, and n nominal values
        given = np.abs(values.w[first + n + 1 : first + 2 * n + 1])
        nominal[first : first + n] = np.where(given > 0.0, given, 1.0)
        first += 2 * n + 1
    return nominal
