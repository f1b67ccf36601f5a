"""Finds repetitions in a sequence of integers. Knows nothing of what the integers stand for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

# Fewer repetitions, or shorter sequences, do not justify a loop.
FEWEST = 16
_SHORTEST = 40
# Longer periods make functions that C compilers compile slowly.
_LONGEST_PERIOD = 400
# How many elements are matched at once, and how many of the next matching positions are tried.
_LOOK = 3
_TRIED = 60


@dataclass(frozen=True)
class Repetition:
    """sequence[start + k*period + j] is the same for all k < count, for each j < period."""

    start: int
    period: int
    count: int

    @property
    def end(self) -> int:
        """The position after the last repetition."""
        return self.start + self.period * self.count


def find_repetitions(sequence: Sequence[int]) -> list[Repetition]:
    """Repetitions that do not overlap, in order: at each position the longest that starts there, of equal ones the one
    with the shortest period."""
    places: dict[tuple[int, ...], list[int]] = {}
    for k in range(len(sequence) - _LOOK + 1):
        places.setdefault(tuple(sequence[k : k + _LOOK]), []).append(k)
    repetitions: list[Repetition] = []
    ends: dict[int, int] = {}
    k = 0
    while k <= len(sequence) - _LOOK:
        same = places[tuple(sequence[k : k + _LOOK])]
        after = bisect_right(same, k)
        best = None
        for other in same[after : after + _TRIED]:
            if other - k > _LONGEST_PERIOD:
                break
            count = _repetitions(sequence, k, other - k, ends)
            if best is None or k + count * (other - k) > best.end + other - k:
                best = Repetition(k, other - k, count)
        if best and best.count >= FEWEST and best.end - best.start >= _SHORTEST:
            repetitions.append(best)
            k = best.end
        else:
            k += 1
    return repetitions


def _repetitions(sequence: Sequence[int], start: int, period: int, ends: dict[int, int]) -> int:
    """How often the period occurs from `start` on. `ends` holds for each period the end of the last repetition found:
    all that start within it end there too."""
    k, end = start + period, len(sequence)
    if k > ends.get(period, -1):
        while k < end and sequence[k] == sequence[k - period]:
            k += 1
        ends[period] = k
    return (ends[period] - start) // period
