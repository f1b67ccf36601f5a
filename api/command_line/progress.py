"""Shows the progress of a long run on the terminal: a bar with the remaining time, on standard error.

The run itself knows nothing of it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from rich.progress import Progress

# A shorter run needs no bar, in s.
_PATIENCE = 1.0


@contextmanager
def shown_progress(start: float, stop: float, said: str = "time {:.6g} of {:.6g} s") -> Iterator[Vector | None]:
    """Yields an array of one number into which the run writes its current time, or what else is `said` before the bar;
    None if standard error is no terminal. The bar appears after a second and disappears at the end."""
    if not sys.stderr.isatty() or not stop > start:
        yield None
        return
    now = np.array([start])
    bar = _Bar(now, start, stop, said)
    timer = threading.Timer(_PATIENCE, bar.begin)
    timer.daemon = True
    timer.start()
    try:
        yield now
    finally:
        timer.cancel()
        bar.end()


class _Bar:
    """The bar. Two threads may call `begin` and `end` at the same time."""

    def __init__(self, now: Vector, start: float, stop: float, said: str):
        self._of = now, start, stop, said
        self._lock = threading.Lock()
        self._shown: Progress | None = None
        self._over = False

    def begin(self) -> None:
        """Show the bar, unless the run has ended."""
        with self._lock:
            if not self._over:
                self._shown = _progress(*self._of)
                self._shown.start()

    def end(self) -> None:
        """Remove the bar."""
        with self._lock:
            self._over = True
            if self._shown is not None:
                self._shown.stop()


def _progress(now: Vector, start: float, stop: float, said: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    class Shown(Progress):
        """Reads the current time of the run at each redraw."""

        def get_renderables(self):  # type: ignore[no-untyped-def]
            for task in self.task_ids:
                self.update(task, completed=max(0.0, float(now[0]) - start), at=said.format(now[0], stop))
            return super().get_renderables()

    columns = (
        TextColumn("{task.fields[at]}"), BarColumn(), TextColumn("{task.percentage:.0f} %"),
        TextColumn("elapsed"), TimeElapsedColumn(), TextColumn("to go"), TimeRemainingColumn(),
    )  # fmt: skip
    shown = Shown(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)
    # The time before the bar appeared says nothing about the speed of the run.
    completed: Any = max(0.0, float(now[0]) - start)  # rich takes any number
    shown.add_task("run", total=stop - start, completed=completed, at="")
    return shown
