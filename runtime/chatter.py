"""Detects chattering and Zeno behavior: state events -> errors for those without end, and limits on the step.

A relation chatters if being true makes it false and vice versa; it has Zeno behavior if infinitely many events happen
in a finite time, as in a bouncing ball. Both end the run with a message, not with a wrong result.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.event_state import EventFailure
from cutset.runtime.failures import chattering_relation, inaccurate_crossing
from cutset.runtime.interface import Vector

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
    branch acted at one; the number of crossings in a row between which its sides hardly differed; the latest crossing
    that was an error of the integration, and how many there were in a row; the latest time that it crossed without end,
    by the tolerance, how often in a row, and the first time; and what happened then: the number of crossings, since
    when, and whether their distances decreased."""

    LAST, GAP, COUNTS, SINCE, ACTS, UNCERTAIN = 0, 1, slice(2, 6), slice(6, 10), 10, 11
    REFUSED, REFUSALS, EXCUSED, EXCUSES, FIRST_EXCUSED, ENDLESS = 12, 13, 14, 15, 16, slice(17, 20)
    COUNT = 20


class Chatter:
    """The history of crossings in a run of `span` seconds. `history` has 20 numbers for each crossing, and `calm` the
    longest step and until when it applies; the loop of events in C (c/chatter.h) updates both."""

    LIMITS = np.array([*_LIMITS, _STUCK], dtype=float)

    def __init__(self, info: ModelInfo, span: float):
        self._info, self._span = info, span
        self._places = {k: j for j, k in enumerate(info.crossings)}
        self.history = np.zeros((len(info.crossings), _Column.COUNT))
        self.history[:, _Column.LAST], self.history[:, _Column.GAP] = -math.inf, math.inf
        self.calm = (math.inf, -math.inf)

    def copy(self, span: float) -> Chatter:
        """A copy for the rest of a run that is now `span` seconds long."""
        copied = Chatter(self._info, span)
        copied.history, copied.calm = self.history.copy(), self.calm
        return copied

    def data(self) -> dict[str, Any]:
        """Everything but the span, as plain data."""
        return {"history": self.history.tolist(), "calm": self.calm}

    @classmethod
    def from_data(cls, info: ModelInfo, span: float, data: Mapping[str, Any]) -> Chatter:
        """The history with these data."""
        made = cls(info, span)
        for row, numbers in zip(made.history, data["history"], strict=True):  # of earlier versions there are fewer
            row[: len(numbers)] = numbers
        made.calm = (data["calm"][0], data["calm"][1])
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
                    self._note_endless(row, int(counts[i]), float(since[i]))
                    failures[k] = self._failure(k, t)
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
        row = self.history[self._places[relation]]
        count, last = float(row[_Column.EXCUSES]), float(row[_Column.EXCUSED])
        if not count:
            row[_Column.FIRST_EXCUSED] = t
        row[_Column.EXCUSES] = count + 1.0 if count and t - last <= _FORGIVEN[1] * self._span else 1.0
        row[_Column.EXCUSED] = t
        if row[_Column.EXCUSES] > _FORGIVEN[0]:
            raise failure

    def excused(self, t: float) -> EventFailure | None:
        """The error of a relation that the tolerance has just excused, or repeatedly up to t; None if there is none. It
        is the reason if the integration fails at t."""
        for j in np.argsort(self.history[:, _Column.FIRST_EXCUSED], kind="stable").tolist():
            count, last = float(self.history[j, _Column.EXCUSES]), float(self.history[j, _Column.EXCUSED])
            share = _FORGIVEN[1] if count > 1 else _LIMITS[-1][1]
            if count and t - last <= share * self._span:
                return self._failure(self._info.crossings[j], last)
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
            row = self.history[self._places[k]]
            near = t - float(row[_Column.REFUSED]) <= _REFUSALS[1] * self._span
            row[_Column.REFUSALS] = row[_Column.REFUSALS] + 1.0 if near else 1.0
            row[_Column.REFUSED] = t
            if row[_Column.REFUSALS] > _REFUSED and not row[_Column.ACTS]:
                again.append(k)
            if row[_Column.REFUSALS] > _REFUSALS[0]:
                faster, since = self._shrinking(row)
                if faster > _FASTER:
                    self._note_endless(row, faster, since)
                    raise self._failure(k, t)
                raise inaccurate_crossing(self._info, k)
        return again

    def longest_step(self, t: float) -> tuple[float, float]:
        """The longest step from t on, and until when it applies; inf if there is no limit."""
        return self.calm if t < self.calm[1] else (math.inf, math.inf)

    def _note_endless(self, row: Vector, count: int, since: float) -> None:
        """Record what happened: so many crossings since then, or those at decreasing distances."""
        faster, began = self._shrinking(row)
        is_faster = faster > _FASTER
        row[_Column.ENDLESS] = (faster, began, 1.0) if is_faster else (count, since, 0.0)

    def _failure(self, relation: int, t: float) -> EventFailure:
        count, since, is_faster = self.history[self._places[relation], _Column.ENDLESS].tolist()
        return chattering_relation(self._info, relation, int(count), (since, t), is_faster != 0.0)

    def _shrinking(self, row: Vector) -> tuple[int, float]:
        """The number of events in a row at decreasing distances, and since when."""
        return int(row[_Column.COUNTS][-1]), float(row[_Column.SINCE][-1])
