"""Shows an `Exploration` in a notebook, as a widget of the package anywidget. Loaded by `Model.explore` only."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anywidget
import traitlets

from cutset.api.notebook.exploration import Exploration
from cutset.runtime.bundled import bundled
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import Result


class Explorer(anywidget.AnyWidget):
    """Sliders, curves and the animation of a model; what one of them changes, the others follow.

    `values` holds the changed values by name, `shown` the names of the curves, `stop` the end of the runs: the page and
    Python may set them. `run` is the latest result.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    about = traitlets.Dict().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    shown: traitlets.List[str] = traitlets.List().tag(sync=True)
    stop = traitlets.Float().tag(sync=True)
    # The page counts its requests, and sends the next one when it has the picture of the last one.
    asked = traitlets.Int(0).tag(sync=True)
    picture = traitlets.Dict().tag(sync=True)
    # The page may interrupt the kernel only while it does a run of this widget.
    is_running = traitlets.Bool(False).tag(sync=True)

    def __init__(self, exploration: Exploration, title: str):
        self._exploration = exploration
        self._made_of: tuple[dict[str, float], float] = ({}, exploration.stop)
        self._given_up: tuple[tuple[dict[str, float], float], int] | None = None
        self._error: str | None = None
        first = exploration.picture(exploration.shown)
        about = {"title": title, "sliders": exploration.rows, "first": exploration.n_first, "names": exploration.names}
        super().__init__(
            _esm=_code(has_scene=bool(first["scene"])), _css=bundled("explore.css"), about=about, stop=exploration.stop,
            shown=exploration.shown, picture={**first, "number": 0, "error": None},
        )  # fmt: skip
        # A kernel may answer pages in another thread, where no interrupt arrives: the runs stay in this one.
        self._thread = threading.current_thread()
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self.observe(self._follow, names=["values", "shown", "stop", "asked"])

    def __repr__(self) -> str:
        return f"<sliders of {self.about['title']}: a notebook shows them>"

    @property
    def run(self) -> Result:
        """The result of the latest run."""
        return self._exploration.run

    def _follow(self, _: Any) -> None:
        """Answer a change. One message of the page may change several traits, each of which calls this."""
        if self._loop is None or threading.current_thread() is self._thread:
            self._answer()
        else:
            self._loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        """Run again if values have changed, and show the result."""
        made_of = (dict(self.values), float(self.stop))
        if made_of != self._made_of and (made_of, self.asked) != self._given_up:
            self._run(made_of)
        elif self.picture["number"] == self.asked and self.picture["names"] == self.shown:
            return
        self.picture = {**self._exploration.picture(self.shown), "number": self.asked, "error": self._error}

    def _run(self, made_of: tuple[dict[str, float], float]) -> None:
        self.is_running = True
        self._given_up = None
        try:
            with _interruptible():
                self._error = self._exploration.again(*made_of)
            failure = self.run.failure
            is_interrupted = failure is not None and failure.outcome is Outcome.INTERRUPTED
        except KeyboardInterrupt:  # the page must get an answer
            self._error, is_interrupted = "the run was interrupted", True
        finally:
            self.is_running = False
        if is_interrupted and self._error is not None:
            self._given_up = made_of, self.asked  # a later message may ask for the same again
        else:
            self._made_of = made_of


@contextmanager
def _interruptible() -> Iterator[None]:
    """Within it an interrupt of the kernel is a KeyboardInterrupt; outside of cells a kernel ignores it."""
    before = signal.getsignal(signal.SIGINT)
    is_ignored = before is signal.SIG_IGN and threading.current_thread() is threading.main_thread()
    if is_ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if is_ignored:
            signal.signal(signal.SIGINT, before)


def _code(has_scene: bool) -> str:
    """One JavaScript module. It has three.js only for models that can be drawn."""
    return "\n".join(bundled(name) for name in ["three.min.js"] * has_scene + ["explore.js"])
