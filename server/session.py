"""Holds a translated model and the results of its runs, for one page of the workbench. Used in a child process."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from cutset.api.model import Model, loaded
from cutset.api.translate.translation_options import translation_options
from cutset.compiler.options import Options
from cutset.compiler.syntax.read import Unreadable, is_robot_file, read_text
from cutset.runtime.errors import RunError
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.server.folder import by_place
from cutset.server.worker import Channel

# Older results are forgotten; a page keeps the numbers of the runs that it shows.
MOST_RESULTS = 12
_SECONDS_BETWEEN_NEWS = 0.1


@dataclass(frozen=True)
class Loaded:
    """A translated model and what it was made of."""

    file: str
    text: str
    model: Model


class Session:
    """The model that the page shows and the results of its runs by number."""

    def __init__(self, channel: Channel, library_path: Iterable[str]):
        self._channel = channel
        self._options = translation_options({"library_path": tuple(library_path)})
        self._loaded: Loaded | None = None
        self._results: dict[int, Result] = {}
        self._latest = 0

    @property
    def options(self) -> Options:
        """The options of all translations."""
        return self._options

    @property
    def file(self) -> str:
        """The path of the model file, relative to the folder that was opened."""
        return self._now().file

    @property
    def model(self) -> Model:
        """The model. RunError if none has been opened."""
        return self._now().model

    def _now(self) -> Loaded:
        if self._loaded is None:
            raise RunError("E605", "no model is open", "open a model file first")
        return self._loaded

    def open(self, file: str, text: str, name: str | None, unsaved: Mapping[str, str] = MappingProxyType({})) -> Model:
        """Translate an object of this text, which belongs to the file; the last object if `name` is None. `unsaved` has
        the texts of other files in the editor. Results of an earlier model stay."""
        options = replace(self._options, unsaved=by_place(unsaved))
        # The translation of the text on the disk is in the disk cache.
        options = options if _is_on_disk(Path(file), text) else replace(options, text=text or "\n")
        self._loaded = None
        model = loaded(Path(file), name, options, {})
        model.build()
        self._loaded = Loaded(file, text, model)
        return model

    def own(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of the page."""
        known = ("stop", "start", "points", "method", "rtol", "atol", "parameters", "initial", "max_step")
        return {name: given[name] for name in known if given.get(name) is not None}

    def experiment(self, given: Mapping[str, Any]) -> Experiment:
        """The experiment with the settings of the page; the others are those of the model. RunError E605 for settings
        that make no sense."""
        own = self.own(given)
        return replace(self.model.experiment, **({"interval": None} if "points" in own else {}) | own)

    def run(self, experiment: Experiment, number: int | None) -> tuple[int, Result]:
        """Run the model, and keep the result under a new number, or in place of an earlier one. A run that ends early
        has a result with a failure; RunError if it does not start."""
        result = self._reported(experiment)
        if number is None:
            self._latest += 1
            number = self._latest
        self._results.pop(number, None)
        self._results[number] = result
        while len(self._results) > MOST_RESULTS:
            del self._results[next(iter(self._results))]
        return number, result

    def _reported(self, experiment: Experiment) -> Result:
        with self.progress(experiment.start, experiment.stop) as now:
            return self.model.run(experiment, now=now)

    @contextmanager
    def progress(self, start: float, stop: float) -> Iterator[Any]:
        """Yields an array of one number, the current time of a run, and tells the page of it now and then."""
        now, is_over = np.array([start]), threading.Event()

        def tell() -> None:
            while not is_over.wait(_SECONDS_BETWEEN_NEWS):
                self._channel.news({"time": float(now[0]), "start": start, "stop": stop})

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield now
        finally:
            is_over.set()
            teller.join()

    def result(self, number: int) -> Result:
        """The result of a run. RunError if it was forgotten."""
        if number not in self._results:
            raise RunError("E605", f"the result of run {number} is no longer kept", "run the model again")
        return self._results[number]

    def drop(self, numbers: Iterable[int]) -> None:
        """Forget results."""
        for number in numbers:
            self._results.pop(number, None)


def _is_on_disk(path: Path, text: str) -> bool:
    """True if the file has this text, or is a robot, whose text is not edited."""
    try:
        return is_robot_file(path) or read_text(path) == text
    except (OSError, Unreadable):
        return False
