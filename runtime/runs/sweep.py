"""Does runs of a sweep, in whatever process: model as source files, experiment, recorded quantities -> one row per run.

Recorded quantities are the last value of a variable (`x`), its `min(x)`, `max(x)`, `mean(x)` over time, or what a
function of the result returns: a number or an array. Starts no process.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.changeover import simulate_changing
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import refusal
from cutset.runtime.targets.build import build

_KEPT = re.compile(r"(min|max|mean)\((.*)\)")
_OF_COURSE: dict[str, Callable[[Vector, Vector], float]] = {
    "min": lambda t, y: float(y.min()),
    "max": lambda t, y: float(y.max()),
    "mean": lambda t, y: float(_integral(t, y) / (t[-1] - t[0])) if t[-1] > t[0] else float(y[-1]),
}


# A recorded quantity.
Kept = str | Callable[[Result], Any]


def _integral(t: Vector, y: Vector) -> float:
    # Summed from the first row to the last, as in c/run/many.h.
    return float(np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(t))[-1])


@dataclass(frozen=True)
class Texts:
    """A translated model for a target, as it is sent to a process. Equal models are built once per process."""

    files: tuple[tuple[str, str], ...]
    target: str


@dataclass(frozen=True)
class Task:
    """Run number `number` of a sweep, with model number `model`; `without_preferences` is the number of the
    model without preferences for states, -1 if that is the same."""

    number: int
    model: int
    experiment: Experiment
    keep: tuple[Kept, ...]
    without_preferences: int = -1


@dataclass(frozen=True)
class Row:
    """The outcome of a run: the recorded values (numbers or arrays; NaN if there are none), how it ended, why it failed
    (empty if it did not), its duration in seconds, and the code of the error that kept it from starting (empty if it
    started)."""

    number: int
    values: tuple[Any, ...]
    outcome: str
    reason: str = ""
    seconds: float = 0.0
    refusal: str = ""


def variable_of(kept: str) -> str:
    """`max(arm.q(1))` -> `arm.q(1)`, `x` -> `x`."""
    found = _KEPT.fullmatch(kept)
    return found[2] if found else kept


def how_kept(kept: str) -> str:
    """`max(arm.q(1))` -> `max`; an empty string for a last value."""
    found = _KEPT.fullmatch(kept)
    return found[1] if found else ""


def run_tasks(models: Sequence[Texts], tasks: Sequence[Task]) -> list[Row]:
    """Do the runs one after the other. An error in a run becomes part of its row."""
    return [_row(models, task) for task in tasks]


def _row(models: Sequence[Texts], task: Task) -> Row:
    began = time.perf_counter()
    values: tuple[Any, ...] = (math.nan,) * len(task.keep)
    outcome, reason, refused = "no start", "", ""
    try:
        result = simulate_changing(
            built(models[task.model]),
            lambda: (built(models[task.without_preferences]), Description()),
            task.experiment,
        )
        failure = result.failure or result.first_not_finite()
        outcome = (result.outcome if failure is None else failure.outcome).name.lower().replace("_", " ")
        reason = "" if failure is None else _sentence(failure.error())
        refused = refusal(result, task.experiment)
        values = tuple(recorded(result, kept) for kept in task.keep)
    except RunError as error:
        reason, refused = _sentence(error), error.code
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    return Row(task.number, values, outcome, reason, time.perf_counter() - began, refused)


def _sentence(error: RunError) -> str:
    return " ".join(f"{error.code}: {error.message}".split())


def recorded(result: Result, kept: Kept) -> Any:
    """The value of a recorded quantity: a number, or an array if a function returns one."""
    if not isinstance(kept, str):
        value = np.asarray(kept(result), dtype=float)
        return value if value.ndim else float(value)
    found = _KEPT.fullmatch(kept)
    if found is None:
        return float(result[kept][-1])
    return _OF_COURSE[found[1]](result.time, result[found[2]])


@lru_cache(maxsize=16)
def built(texts: Texts) -> CompiledModel:
    """The model, ready to run. Errors as those of `build`."""
    return build(dict(texts.files), texts.target)
