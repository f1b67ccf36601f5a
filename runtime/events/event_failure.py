"""Defines the failure of an event."""

from __future__ import annotations

from collections.abc import Collection

from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import Fault
from cutset.runtime.outcome import Outcome


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


def described(info: ModelInfo, relation: int) -> str:
    """A relation in words: text, place and instance."""
    r = info.relations[relation]
    return f"{r.place}: {r.text}" + (f", in {r.instance}" if r.instance else "")
