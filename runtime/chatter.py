"""Detects chattering and Zeno behavior: state events -> errors for those without end, and limits on the step.

A relation chatters if being true makes it false and vice versa; it has Zeno behavior if infinitely many events happen
in a finite time, as in a bouncing ball. Both end the run with a message, not with a wrong result.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.event_state import EventFailure, described
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome

# More events of one relation in a row than this, each within this fraction of the run after the previous one, are
# without end; the limit for _STUCK counts events between which the relation has not left its crossing.
_LIMITS = ((20, 1e-9), (3, 1e-11))
_STUCK = (5, 1e-3)
_REFUSALS = (30, 1e-6)
# The tolerance excuses at most this many chattering events in a row, each within this fraction of the run after the
# previous one.
_FORGIVEN = (10, 1e-6)
# After this many refusals, the tolerance alone may have caused a crossing.
_REFUSED = 3
# After so many crossings in a row between which its sides hardly differed, rounding may be the cause; and how many
# times that difference sides may change in a run that rest.
_UNCERTAIN, _SLOWLY = 3, 100.0
# This many events in a row at decreasing distances are Zeno behavior.
_FASTER = 5
_SHRINKING = 0.9999


class _Column:
    """The numbers of a crossing in `Chatter.history`: the latest event; its distance from the one before; for each
    limit the number of events in a row within it, and since when (the last entry is for Zeno behavior); whether a
    branch acted at one; the number of crossings in a row between which its sides hardly differed."""

    LAST, GAP, COUNTS, SINCE, ACTS, UNCERTAIN = 0, 1, slice(2, 6), slice(6, 10), 10, 11
    COUNT = 12


@dataclass
class _Excuse:
    """How often in a row a relation was found to cross without end, when last, and with which error."""

    count: int
    last: float
    failure: EventFailure


class Chatter:
    """The history of crossings in a run of `span` seconds. `history` has 12 numbers for each crossing, and `calm` the
    longest step and until when it applies; the loop of events in C (c/run.h) updates both."""

    LIMITS = np.array([*_LIMITS, _STUCK], dtype=float)

    def __init__(self, info: ModelInfo, span: float):
        self._info, self._span = info, span
        self._places = {k: j for j, k in enumerate(info.crossings)}
        self._refusals: dict[int, tuple[float, int]] = {}
        self._excuses: dict[int, _Excuse] = {}
        self.history = np.zeros((len(info.crossings), _Column.COUNT))
        self.history[:, _Column.LAST], self.history[:, _Column.GAP] = -math.inf, math.inf
        self.calm = (math.inf, -math.inf)

    def copy(self, span: float) -> Chatter:
        """A copy for the rest of a run that is now `span` seconds long."""
        copied = Chatter(self._info, span)
        copied._refusals = dict(self._refusals)
        copied._excuses = {k: replace(excuse) for k, excuse in self._excuses.items()}
        copied.history, copied.calm = self.history.copy(), self.calm
        return copied

    def data(self) -> dict[str, Any]:
        """Everything but the span, as plain data."""
        excuses = [
            [k, e.count, e.last, e.failure.outcome.name, e.failure.what, e.failure.details, e.failure.relations]
            for k, e in self._excuses.items()
        ]
        refusals = [[k, *each] for k, each in self._refusals.items()]
        return {"history": self.history.tolist(), "calm": self.calm, "excuses": excuses, "refusals": refusals}

    @classmethod
    def from_data(cls, info: ModelInfo, span: float, data: Mapping[str, Any]) -> Chatter:
        """The history with these data."""
        made = cls(info, span)
        made.history[:] = np.array(data["history"]).reshape(made.history.shape)
        made.calm = (data["calm"][0], data["calm"][1])
        made._refusals = {k: (t, count) for k, t, count in data["refusals"]}
        for k, count, last, outcome, what, details, relations in data["excuses"]:
            made._excuses[k] = _Excuse(count, last, EventFailure(Outcome[outcome], what, details, relations))
        return made

    def note(self, t: float, crossed: Mapping[int, int]) -> dict[int, EventFailure]:
        """Record that these relations crossed at t, with signs as in `SegmentResult`. Returns those that cross without
        end, with the error to report unless the tolerance causes it. EventFailure if it certainly does not."""
        failures = {}
        for k, sign in crossed.items():
            row = self.history[self._places[k]]
            counts, since = row[_Column.COUNTS], row[_Column.SINCE]
            gap = t - float(row[_Column.LAST])
            for i, (most, share) in enumerate((*_LIMITS, _STUCK)):
                near = gap <= share * self._span and (i < len(_LIMITS) or abs(sign) == 2)
                counts[i] = counts[i] + 1.0 if near else 1.0
                since[i] = since[i] if near else t
                if counts[i] > most:
                    failures[k] = self._failure(k, t, int(counts[i]), float(since[i]))
                    if row[_Column.ACTS]:
                        raise failures[k]
            faster = gap <= _SHRINKING * float(row[_Column.GAP]) < math.inf
            counts[-1] = counts[-1] + 1.0 if faster else 1.0
            since[-1] = since[-1] if faster else t
            if faster:
                # Zeno behavior: the next event must not be stepped over.
                self.calm = (0.25 * max(gap, 1e-13 * self._span), t + 4.0 * gap)
            row[_Column.LAST], row[_Column.GAP] = t, gap
            if k in failures:
                counts[:-1] = 1.0
                self._excuse(k, t, failures[k])
        return failures

    def _excuse(self, relation: int, t: float, failure: EventFailure) -> None:
        """Record that a relation crosses without end; EventFailure if it has done so too often in a row."""
        before = self._excuses.get(relation)
        count = before.count + 1 if before and t - before.last <= _FORGIVEN[1] * self._span else 1
        self._excuses[relation] = _Excuse(count, t, failure)
        if count > _FORGIVEN[0]:
            raise failure

    def excused(self, t: float) -> EventFailure | None:
        """The error of a relation that the tolerance has just excused, or repeatedly up to t; None if there is none. It
        is the reason if the integration fails at t."""
        for excuse in self._excuses.values():
            share = _FORGIVEN[1] if excuse.count > 1 else _LIMITS[-1][1]
            if t - excuse.last <= share * self._span:
                return excuse.failure
        return None

    def is_uncertain(self, relation: int, t: float, peak: float, hardly: float) -> bool:
        """Record that a relation crossed at t, after its sides differed by up to `peak`. True if that was so `hardly`
        several times in a row."""
        row = self.history[self._places[relation]]
        # What chatters moves to its crossing, or has acted there.
        rests = peak * self._span <= _SLOWLY * hardly * (t - float(row[_Column.LAST])) and not row[_Column.ACTS]
        row[_Column.UNCERTAIN] = row[_Column.UNCERTAIN] + 1.0 if peak <= hardly and rests else 0.0
        return bool(row[_Column.UNCERTAIN] >= _UNCERTAIN)

    def uncertain(self) -> list[int]:
        """The relations whose sides are equal up to the errors of the run."""
        rows = self.history[:, _Column.UNCERTAIN] >= _UNCERTAIN
        return [self._info.crossings[j] for j in np.flatnonzero(rows).tolist()]

    def act(self, relations: Collection[int]) -> None:
        """Record that a branch acted at the event of these relations, so that the tolerance is not the cause."""
        for k in relations:
            self.history[self._places[k], _Column.ACTS] = 1.0

    def refuse(self, t: float, relations: Collection[int]) -> list[int]:
        """Record that an integration error made these relations cross at t. Returns those for which it does so
        repeatedly. EventFailure if it always does."""
        again = []
        for k in relations:
            last, count = self._refusals.get(k, (t, 0))
            count = count + 1 if t - last <= _REFUSALS[1] * self._span else 1
            self._refusals[k] = t, count
            row = self.history[self._places[k]]
            if count > _REFUSED and not row[_Column.ACTS]:
                again.append(k)
            if count > _REFUSALS[0]:
                faster, since = self._shrinking(row)
                if faster > _FASTER:
                    raise self._failure(k, t, faster, since)
                what = f"the integration is not accurate enough to decide whether {self._info.relations[k].text}"
                raise EventFailure(Outcome.CHATTERING, what, [described(self._info, k)])
        return again

    def longest_step(self, t: float) -> tuple[float, float]:
        """The longest step from t on, and until when it applies; inf if there is no limit."""
        return self.calm if t < self.calm[1] else (math.inf, math.inf)

    def _failure(self, relation: int, t: float, count: int, since: float) -> EventFailure:
        text, (faster, began) = (
            self._info.relations[relation].text,
            self._shrinking(self.history[self._places[relation]]),
        )
        what = f"the relation {text} crossed {count} times within {t - since:.3g} s"
        if faster > _FASTER:
            count, since = faster, began
            what = f"the relation {text} crosses at ever shorter intervals: {count} times within {t - since:.3g} s"
        details = [described(self._info, relation), f"from time {since!r} to {t!r}"]
        return EventFailure(Outcome.CHATTERING, what, details)

    def _shrinking(self, row: Vector) -> tuple[int, float]:
        """The number of events in a row at decreasing distances, and since when."""
        return int(row[_Column.COUNTS][-1]), float(row[_Column.SINCE][-1])
