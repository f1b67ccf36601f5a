"""Detects chattering and Zeno behavior: state events -> errors for those without end, and limits on the step.

A relation chatters if being true makes it false and vice versa; it has Zeno behavior if infinitely many events happen
in a finite time, as in a bouncing ball. Both end the run with a message, not with a wrong result.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events import EventFailure, described
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
# This many events in a row at decreasing distances are Zeno behavior.
_FASTER = 5
_SHRINKING = 0.9999


@dataclass
class _Record:
    """The events of one relation: the latest time; the distance to the previous one; for each limit the number of
    events in a row within it, and since when (the last entry is for Zeno behavior); whether a branch acted at one; how
    often in a row it was found to cross without end, when last, and with which error."""

    last: float
    gap: float
    counts: list[int]
    since: list[float]
    acts: bool = False
    found: int = 0
    found_last: float = -math.inf
    failure: EventFailure | None = None


class Chatter:
    """The history of crossings in a run of `span` seconds."""

    def __init__(self, info: ModelInfo, span: float):
        self._info, self._span = info, span
        self._refusals: dict[int, tuple[float, int]] = {}
        self._records: dict[int, _Record] = {}
        self._calm: tuple[float, float] | None = None

    def copy(self, span: float) -> Chatter:
        """A copy for the rest of a run that is now `span` seconds long."""
        copied = Chatter(self._info, span)
        copied._refusals = dict(self._refusals)
        copied._records = {k: replace(r, counts=[*r.counts], since=[*r.since]) for k, r in self._records.items()}
        copied._calm = self._calm
        return copied

    def note(self, t: float, crossed: Mapping[int, int]) -> dict[int, EventFailure]:
        """Record that these relations crossed at t, with signs as in `SegmentResult`. Returns those that cross without
        end, with the error to report unless the tolerance causes it. EventFailure if it certainly does not."""
        failures = {}
        for k, sign in crossed.items():
            record = self._records.setdefault(k, _Record(-math.inf, math.inf, [0] * 4, [t] * 4))
            gap = t - record.last
            for i, (most, share) in enumerate((*_LIMITS, _STUCK)):
                near = gap <= share * self._span and (i < len(_LIMITS) or abs(sign) == 2)
                record.counts[i] = record.counts[i] + 1 if near else 1
                record.since[i] = record.since[i] if near else t
                if record.counts[i] > most:
                    failures[k] = self._failure(k, t, record.counts[i], record.since[i])
                    if record.acts:
                        raise failures[k]
            faster = gap <= _SHRINKING * record.gap < math.inf
            record.counts[-1] = record.counts[-1] + 1 if faster else 1
            record.since[-1] = record.since[-1] if faster else t
            if faster:
                # Zeno behavior: the next event must not be stepped over.
                self._calm = (0.25 * max(gap, 1e-13 * self._span), t + 4.0 * gap)
            record.last, record.gap = t, gap
            if k in failures:
                record.counts[:-1] = [1] * (len(record.counts) - 1)
                record.found = record.found + 1 if t - record.found_last <= _FORGIVEN[1] * self._span else 1
                record.found_last, record.failure = t, failures[k]
                if record.found > _FORGIVEN[0]:
                    raise failures[k]
        return failures

    def excused(self, t: float) -> EventFailure | None:
        """The error of a relation that the tolerance has just excused, or repeatedly up to t; None if there is none. It
        is the reason if the integration fails at t."""
        for record in self._records.values():
            share = _FORGIVEN[1] if record.found > 1 else _LIMITS[-1][1]
            if t - record.found_last <= share * self._span:
                return record.failure
        return None

    def act(self, relations: Collection[int]) -> None:
        """Record that a branch acted at the event of these relations, so that the tolerance is not the cause."""
        for k in relations:
            self._records[k].acts = True

    def refuse(self, t: float, relations: Collection[int]) -> list[int]:
        """Record that an integration error made these relations cross at t. Returns those for which it does so
        repeatedly. EventFailure if it always does."""
        again = []
        for k in relations:
            last, count = self._refusals.get(k, (t, 0))
            count = count + 1 if t - last <= _REFUSALS[1] * self._span else 1
            self._refusals[k] = t, count
            if count > _REFUSED and not (k in self._records and self._records[k].acts):
                again.append(k)
            if count > _REFUSALS[0]:
                record, text = self._records.get(k), self._info.relations[k].text
                if record is not None and record.counts[-1] > _FASTER:
                    raise self._failure(k, t, record.counts[-1], record.since[-1])
                what = f"the integration is not accurate enough to decide whether {text}"
                raise EventFailure(Outcome.CHATTERING, what, [described(self._info, k)])
        return again

    def longest_step(self, t: float) -> tuple[float, float]:
        """The longest step from t on, and until when it applies; inf if there is no limit."""
        if self._calm is None or t >= self._calm[1]:
            return math.inf, math.inf
        return self._calm

    def _failure(self, relation: int, t: float, count: int, since: float) -> EventFailure:
        text, record = self._info.relations[relation].text, self._records[relation]
        what = f"the relation {text} crossed {count} times within {t - since:.3g} s"
        if record.counts[-1] > _FASTER:
            count, since = record.counts[-1], record.since[-1]
            what = f"the relation {text} crosses at ever shorter intervals: {count} times within {t - since:.3g} s"
        details = [described(self._info, relation), f"from time {since!r} to {t!r}"]
        return EventFailure(Outcome.CHATTERING, what, details)
