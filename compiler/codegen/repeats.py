"""Finds repetitions in a sequence of integers. Knows nothing of what the integers stand for."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.contract.quick_dataclass import dataclass

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
    keys = list(zip(*(sequence[k:] for k in range(_LOOK)), strict=False))
    places: dict[tuple[int, ...], list[int]] = {}
    rank: list[int] = []
    for k, key in enumerate(keys):
        same = places.setdefault(key, [])
        rank.append(len(same))
        same.append(k)
    repetitions: list[Repetition] = []
    ends: dict[int, int] = {}
    k = 0
    while k < len(keys):
        same, after = places[keys[k]], rank[k] + 1
        best = None
        # The last repetitions may end before the key does.
        if len(same) - after >= FEWEST - _LOOK:
            others = same[after : after + _TRIED]
            best = _longest(sequence, k, [other - k for other in others if other - k <= _LONGEST_PERIOD], ends)
        if best and best.count >= FEWEST and best.end - best.start >= _SHORTEST:
            repetitions.append(best)
            k = best.end
        else:
            k += 1
    return repetitions


def _longest(sequence: Sequence[int], start: int, periods: Sequence[int], ends: dict[int, int]) -> Repetition | None:
    """The repetition from `start` on with one of the periods that ends last; None if none is repeated often."""
    if not any(_may_repeat(sequence, start, period) for period in periods):
        return None
    best = None
    for period in periods:
        count = _repetitions(sequence, start, period, ends)
        if best is None or start + count * period > best.end + period:
            best = Repetition(start, period, count)
    return best


def _may_repeat(sequence: Sequence[int], start: int, period: int) -> bool:
    """False if the period cannot occur as often as a loop needs: a glance at its first element."""
    last = start + (FEWEST - 1) * period
    return last < len(sequence) and sequence[last] == sequence[start] == sequence[start + FEWEST // 2 * period]


def _repetitions(sequence: Sequence[int], start: int, period: int, ends: dict[int, int]) -> int:
    """How often the period occurs from `start` on. `ends` holds for each period the end of the last repetition found:
    all that start within it end there too."""
    k, end = start + period, len(sequence)
    if k > ends.get(period, -1):
        while k < end and sequence[k] == sequence[k - period]:
            k += 1
        ends[period] = k
    return (ends[period] - start) // period
