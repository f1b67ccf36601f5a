"""Observes a translation: calls listeners after each stage and measures the time of each. Changes no result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TypeVar

from cutset.compiler.diagnostics import Diagnostic

T = TypeVar("T")
# Takes the name of a stage and its result. An exception of it ends the translation.
Listener = Callable[[str, object], object]


class Observer:
    """Called after each stage; passes the result on. `seconds` holds the time of each stage, in order.

    The time that listeners take is not counted. The clock starts when the observer is created. `pause` is called often
    during the first stages; an exception of it ends the translation.
    """

    def __init__(self, listeners: Iterable[Listener] = (), pause: Callable[[], None] = lambda: None):
        self.seconds: dict[str, float] = {}
        self.pause = pause
        self._listeners = tuple(listeners)
        self._last = perf_counter()

    def __call__(self, stage: str, result: T) -> T:
        self.seconds[stage] = perf_counter() - self._last
        for listen in self._listeners:
            listen(stage, result)
        self._last = perf_counter()
        return result

    def errors(self, found: Sequence[Diagnostic]) -> None:
        """Give the listeners the errors so far, as 'errors', before the first stages end: an editor shows them."""
        for listen in self._listeners:
            listen("errors", tuple(found))
