"""A case -> its translation, its run, and what they are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil

import numpy as np

import cutset
from cases.case import FOLDER, Case
from cases.compare import Reference, distances, instants, read_reference

# Rows of ours for one of the reference, at least: where times differ, the lines between ours are nearer to the curve
# than the bound.
_FINER = 5


@dataclass(frozen=True)
class Measured:
    """`apart`: column -> distance; `events`: instants, as far as it is compared, at which the run stopped and went
    on."""

    apart: dict[str, float]
    events: int
    seconds: float

    @property
    def worst(self) -> float:
        """The largest distance of all columns."""
        return max(self.apart.values())


@cache
def translated(case_file: str, model: str) -> cutset.Model:
    """The translated object; each once."""
    return cutset.load(FOLDER / "models" / case_file, model)


@cache
def reference_of(name: str) -> Reference:
    """The table of this name; each once."""
    return read_reference(FOLDER / "reference" / name)


def measure(case: Case, tolerance: float | None = None) -> Measured:
    """Run a case, with the tolerance of the case where None is given."""
    model = translated(case.file, case.model)
    reference = reference_of(case.reference)
    tolerance = tolerance or case.tolerance
    run = model.simulate(
        stop=case.stop,
        interval=reference.step / max(_FINER, ceil(500 * reference.step / case.stop)),
        method=case.method,
        rtol=tolerance,
        atol=tolerance,
        parameters=dict(case.parameters),
    )
    events = np.union1d(instants(reference), np.array(case.events))
    until = np.inf if case.until is None else case.until
    apart = distances(reference, case.names, run.time, run.__getitem__, events, until)
    stops = int(np.sum((np.diff(run.time) == 0) & (run.time[1:] <= until)))
    return Measured(apart, stops, run.statistics.wall_seconds)
