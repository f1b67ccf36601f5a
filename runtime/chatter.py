"""State events as they come in, an end of those that never stop out, and shorter steps where they come ever faster.

A relation chatters where it is true on each side for the reason that it is false there, and bounces ever faster (Zeno's
paradox) where infinitely many events come within a finite time. Both end with a message, not with a wrong result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cutset.runtime.events import EventFailure, described
from cutset.runtime.interface import ModelInfo
from cutset.runtime.outcome import Outcome

# So many events of one relation, each so little of the run after the one before.
_LIMITS = ((20, 1e-9), (3, 1e-11))


@dataclass
class _Record:
    """The events of one relation: the latest, how long after the one before, and of each of the limits how many in a row
    were within it, and since when."""

    last: float
    gap: float
    counts: list[int]
    since: list[float]


class Chatter:
    """What has crossed when in a run of `span` seconds."""

    def __init__(self, info: ModelInfo, span: float):
        self._info, self._span = info, span
        self._records: dict[int, _Record] = {}
        self._calm: tuple[float, float] | None = None

    def note(self, t: float, relations: Iterable[int]) -> None:
        """These relations have crossed at t. EventFailure where one does without end."""
        for k in relations:
            record = self._records.setdefault(k, _Record(-math.inf, math.inf, [0, 0], [t, t]))
            gap = t - record.last
            for i, (most, share) in enumerate(_LIMITS):
                near = gap <= share * self._span
                record.counts[i] = record.counts[i] + 1 if near else 1
                record.since[i] = record.since[i] if near else t
                if record.counts[i] > most:
                    raise self._failure(k, record.counts[i], record.since[i], t)
            if gap < record.gap < math.inf:
                # Events that come faster and faster: the next must not be stepped over.
                self._calm = (0.25 * max(gap, 1e-13 * self._span), t + 4.0 * gap)
            record.last, record.gap = t, gap

    def longest_step(self, t: float) -> tuple[float, float]:
        """The longest step from t on, and until when; inf where there is no bound."""
        if self._calm is None or t >= self._calm[1]:
            return math.inf, math.inf
        return self._calm

    def _failure(self, relation: int, count: int, since: float, t: float) -> EventFailure:
        text = self._info.relations[relation].text
        what = f"the relation {text} has changed {count} times within {t - since:.3g} s"
        details = [described(self._info, relation), f"from time {since!r} to {t!r}"]
        return EventFailure(Outcome.CHATTERING, what, details)
