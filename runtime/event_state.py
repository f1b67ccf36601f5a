"""Defines the state just after an event, and the failure of an event."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from cutset.contract.metadata import Assertion, ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import Fault
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import AtCrossing, Hysteresis

# Of each relation the rules in C, see ``struct cutset_moment``.
Rules = tuple[Mapping[int, AtCrossing], Hysteresis]


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


@dataclass(frozen=True, eq=False)
class EventState:
    """The state just after an event.

    x            the states
    m            the held values until the next event: relations, discrete variables
    conditions   the conditions of the branches after the last pass
    truths       for each relation of kind 'edge', whether its condition is true
    samples      (first instant, interval) of each sample
    scales       the sizes of the sides of each crossing
    ending       the assertion with which the model ended the run
    at_crossing  relations whose sides meet, by number
    hysteresis   relations whose values the errors leave undecided, by number
    acted        whether a branch acted during the event
    """

    t: float
    x: Vector
    m: Vector
    conditions: Vector
    truths: Vector
    samples: Vector
    scales: Vector
    ending: Assertion | None = None
    at_crossing: Mapping[int, AtCrossing] = field(default_factory=dict)
    hysteresis: Hysteresis = field(default_factory=dict)
    acted: bool = False


def rules_of(at: Vector, reach: Vector, widths: Vector) -> Rules:
    """The relations at their crossing and the hysteresis that C keeps in these arrays."""
    values, pairs = at.tolist(), widths.reshape(-1, 2).tolist()
    held = {k: AtCrossing(values[k], distance) for k, distance in enumerate(reach.tolist()) if distance >= 0.0}
    return held, {k: {0.0: low, 1.0: high} for k, (low, high) in enumerate(pairs) if low >= 0.0}


def described(info: ModelInfo, relation: int) -> str:
    """A relation in words: text, place and instance."""
    r = info.relations[relation]
    return f"{r.place}: {r.text}" + (f", in {r.instance}" if r.instance else "")
