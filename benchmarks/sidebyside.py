"""Measures CPU time of contestants that take turns, so that disturbances slow all of them.

The best time of each counts: other work on the machine can only add to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import thread_time

# Long compared with the resolution of the clock, short compared with the time slice of another process.
_AIM = 0.004


def per_repetition(contestants: Mapping[str, Callable[[int], object]], rounds: int) -> dict[str, float]:
    """CPU seconds of this thread per repetition, the best of all rounds. A contestant is a function that repeats its
    work n times."""
    numbers = {name: _number(work) for name, work in contestants.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            seconds[name].append(_timed(work, numbers[name]) / numbers[name])
    return {name: min(values) for name, values in seconds.items()}


def times(work: Callable[[], object]) -> Callable[[int], None]:
    """A contestant from a function that does its work once per call."""

    def repeat(number: int) -> None:
        for _ in range(number):
            work()

    return repeat


def _number(work: Callable[[int], object]) -> int:
    number = 1
    while _timed(work, number) < _AIM:
        number *= 2
    return number


def _timed(work: Callable[[int], object], number: int) -> float:
    began = thread_time()
    work(number)
    return thread_time() - began
