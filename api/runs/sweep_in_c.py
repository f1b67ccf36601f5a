"""Does the runs of a sweep in C, in threads: points -> rows. Translates nothing.

A run that does not reach its end there has no row: it is done again as a run by itself, which has the messages.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutset.api.translate.parameter_values import Setting
from cutset.runtime.errors import RunError
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.many_runs import DONE, ManyRuns, Runs, many_runs
from cutset.runtime.runs.sweep import Row, Texts, built, how_kept, variable_of

if TYPE_CHECKING:
    from cutset.api.translate.cached_translation import Translated
    from cutset.contract.metadata import ModelInfo

Points = Sequence[Mapping[str, Setting]]


@dataclass(frozen=True, eq=False)
class InC:
    """The runs in C: those of the points with these `numbers` among all `n` points."""

    runs: ManyRuns
    numbers: Sequence[int]
    n: int

    def rows(self, workers: int) -> Iterator[Row]:
        """Do the runs in this many threads: a row for each that reaches its end, as they arrive."""
        found, places = self.runs.numbers, self.numbers
        with closing(self.runs.done(workers)) as done:
            for first, end in done:
                finished = [k for k in range(first, end) if found.status[k] == DONE]
                values, seconds = found.values[finished].tolist(), found.seconds[finished].tolist()
                for k, kept, took in zip(finished, values, seconds, strict=True):
                    yield Row(places[k], tuple(kept), "completed", "", took)

    def left(self) -> list[int]:
        """The numbers of the points that have no row."""
        finished = np.zeros(self.n, dtype=bool)
        finished[self.numbers] = self.runs.numbers.status == DONE
        found: list[int] = np.flatnonzero(~finished).tolist()
        return found


def in_c(
    texts: Texts, translated: Translated, at: Experiment, names: Sequence[str], points: Points, kept: Sequence[str]
) -> InC | None:
    """The runs of these points; None if C cannot do them. `at` is the experiment at the first point. RunError for a
    value that the type of a parameter excludes."""
    info = translated.info
    wanted = [(variable_of(each), how_kept(each)) for each in kept]
    if not _are_plain(info, names, at) or not all(
        name in info.names or name in info.folded or name == "time" for name, _ in wanted
    ):
        return None
    checked = [name for name in names if name in translated.domains]
    if checked:
        points = [{**point, **translated.numbers({name: point[name] for name in checked})} for point in points]
    values = np.array([[_number(point[name]) for name in names] for point in points])
    able = np.flatnonzero(np.isfinite(values).all(axis=1))
    try:
        model = built(texts)
    except RunError:
        return None
    given = [(name, np.ascontiguousarray(values[able, j])) for j, name in enumerate(names)]
    runs = many_runs(model, at, Runs(len(able), given, wanted)) if len(able) else None
    return None if runs is None else InC(runs, able.tolist(), len(points))


def _are_plain(info: ModelInfo, names: Sequence[str], at: Experiment) -> bool:
    """True if all names are numbers of a run, and no two start values are those of one quantity: these may contradict
    each other. False with code from elsewhere, which may end the process."""
    if info.externals or not all(name in info.names and info.names[name].array in "pxmu" for name in names):
        return False
    slots = [(info.names[name].array, info.names[name].index) for name in at.initial if name in info.names]
    return len(set(slots)) == len(slots)


def _number(value: Setting) -> float:
    """The number; nan if it is none."""
    return float(value) if isinstance(value, int | float | np.number) else math.nan
