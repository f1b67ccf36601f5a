"""Defines the state just after an event, and the failure of an event."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from cutset.contract.metadata import Assertion, ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import Fault
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.targets.c_records import Tally


class EventFailure(Exception):
    """An event failed: the outcome of the run, the message, its details (one per line), or the `fault` of a function of
    the model."""

    def __init__(
        self,
        outcome: Outcome,
        what: str,
        details: Collection[str] = (),
        fault: Fault | None = None,
    ):
        self.outcome, self.what, self.fault = outcome, what, fault
        self.details = tuple(details)
        super().__init__(what)


# The arrays of a moment in C, see ``struct cutset_moment``.
ARRAYS = ("x", "m", "conditions", "truths", "samples", "scales", "at", "reach", "widths")


@dataclass(frozen=True, eq=False)
class EventState:
    """The state just after an event.

    x            the states
    m            the held values until the next event: relations, discrete variables
    conditions   the conditions of the branches after the last pass
    truths       for each relation of kind 'edge', whether its condition is true
    samples      first instant and interval of each sample
    scales       the sizes of the sides of each crossing
    at           of each relation its value while its sides meet
    reach        of each relation by how much its sides may differ there, -1 if they do not meet
    widths       of each relation how far its sides may be beyond the crossing while it is false and true; -1: no rule
    history      what C knows of each crossing, see c/events/chatter.h
    calm         the longest step and until when it applies
    latest_event the time of the latest event
    tightening   the factor on the tolerances
    ending       the assertion with which the model ended the run
    acted        whether a branch acted during the event
    """

    t: float
    x: Vector
    m: Vector
    conditions: Vector
    truths: Vector
    samples: Vector
    scales: Vector
    at: Vector
    reach: Vector
    widths: Vector
    history: Vector
    calm: tuple[float, float] = (math.inf, -math.inf)
    latest_event: float = -math.inf
    tightening: float = 1.0
    ending: Assertion | None = None
    acted: bool = False

    @classmethod
    def of(
        cls,
        t: float,
        arrays: Mapping[str, Vector],
        history: Vector,
        tally: Tally,
        ending: Assertion | None,
        acted: bool,
    ) -> EventState:
        """The state that C keeps in these arrays, which are copied."""
        x, m, conditions, truths, samples, scales, *rules = (arrays[name].copy() for name in ARRAYS)
        at, reach, widths = rules
        held, calm = (at, reach, widths, history.copy()), (float(tally.calm_step), float(tally.calm_until))
        latest, tightening = float(tally.latest_event), float(tally.tightening)
        return cls(t, x, m, conditions, truths, samples, scales, *held, calm, latest, tightening, ending, acted)


def described(info: ModelInfo, relation: int) -> str:
    """A relation in words: text, place and instance."""
    r = info.relations[relation]
    return f"{r.place}: {r.text}" + (f", in {r.instance}" if r.instance else "")
