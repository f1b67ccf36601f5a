"""Counts what runs, independently of the machine and its load."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Callable
from types import FrameType


def calls_of(work: Callable[[], object]) -> int:
    """How many calls of functions in Python `work` makes."""
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def lines_of(work: Callable[[], object], place: str) -> int:
    """How many lines of files whose names begin with `place` run, each round of a loop counted."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> Callable | None:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: object) -> Callable | None:
        return line if frame.f_code.co_filename.startswith(place) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
