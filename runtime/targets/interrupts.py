"""Notes Ctrl-C while C calls Python: an exception that comes there cannot pass through C, and would be lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from cutset.runtime.targets.engine import Stop


@contextmanager
def noted(stop: Stop) -> Iterator[None]:
    """Tell `stop` instead of raising an exception wherever Python is at that moment."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException as error:
            stop(error)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
