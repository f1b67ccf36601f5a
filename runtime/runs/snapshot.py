"""Stores the state of a run, so that the same or another one can continue from it as if it had not stopped."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from cutset.contract.metadata import Assertion
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.given.history import History
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.result import Statistics
from cutset.runtime.runs.event_memory import events_of
from cutset.runtime.runs.failures import Reason
from cutset.runtime.solvers.method import Method
from cutset.runtime.targets.c_records import Tally
from cutset.runtime.targets.controllers import Controllers


@dataclass(eq=False)
class Snapshot:
    """The state of a run that began at `origin`: its numbers, in a block. `history` has its delayed signals, `tally` is
    what it has counted, `pace` the distance of the next samples of crossings, `implicit` the name of the method for
    stiff parts that it used. `ending` is the assertion with which the model ended it, `reason` why it failed. A point
    at most `nearest` before the end of a branch of solutions counts as its end."""

    model: CompiledModel
    block: Vector
    _slices: dict[str, slice]
    _inputs: Inputs
    history: History | None
    origin: float
    nearest: float
    tally: Tally
    t: float
    acted: bool
    pace: float
    implicit: str
    controllers: Controllers | None
    ending: Assertion | None
    reason: Reason

    def part(self, name: str) -> Vector:
        """The numbers of this name, as `RunBlock` lists them."""
        return self.block[self._slices[name]]

    @property
    def x(self) -> Vector:
        """The states."""
        return self.part("now.x")

    @property
    def m(self) -> Vector:
        """The held values."""
        return self.part("now.m")

    @cached_property
    def values(self) -> Values:
        """The values of the run, with the guesses now."""
        p, c, s, w, n = map(self.part, ("p", "c", "s", "w", "nominals"))
        return Values(p, c, s, w, n, self.controllers)

    @property
    def first_values(self) -> Values:
        """The values of the run, with the guesses of its start."""
        p, c, s, w, n = map(self.part, ("p", "c", "s", "first_w", "nominals"))
        return Values(p, c, s, w, n, self.controllers)

    @cached_property
    def inputs(self) -> Inputs:
        """The inputs and the delayed values."""
        constant = self.part("u")[: len(self.model.info.inputs)]
        return Inputs(constant, self._inputs.functions, self.history, self.part("window"))

    @property
    def events(self) -> Counter[str]:
        """How many events of each kind there were."""
        return events_of(self.tally)

    def statistics(self, method: Method, seconds: float) -> Statistics:
        """The cost of the run, which took so many seconds."""
        tally = self.tally
        work = tally.steps, tally.evaluations, tally.rejected
        return Statistics(self.name_of(method), *work, seconds, dict(self.events))

    def name_of(self, method: Method) -> str:
        """The full name of the method that has integrated."""
        tally = self.tally
        if not self.model.info.states:
            return "none (no states)"
        if not method.detects_stiffness or not tally.advances or method.tableau is None:
            return self.implicit or method.name
        if math.isnan(tally.stiff_since):
            return f"{method.tableau.name} (not stiff)"
        number = f", in {tally.stiff_segments} of {tally.segments} intervals between events"
        since = f"the model is stiff from t = {tally.stiff_since:.4g} s on{number if tally.segments > 1 else ''}"
        return f"{method.tableau.name}, then {self.implicit} ({since})"

    def changed(self, numbers: Mapping[int, float] = MappingProxyType({}), **parts: Any) -> Snapshot:
        """A copy whose parts of these names are replaced, and these `numbers` among those that change in a step."""
        block, first = self.block.copy(), self._slices["w"].start
        for k, value in numbers.items():
            block[first + k] = value
        for name, part in parts.items():
            block[self._slices[name]] = part
        own = self.model, block, self._slices, self._inputs, self.history, self.origin, self.nearest
        return Snapshot(*own, self.tally, self.t, self.acted, self.pace, self.implicit, self.controllers, None, None)
