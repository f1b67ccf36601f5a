"""Defines the settings of a run, and checks them. Runs nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from cutset.contract.experiment_settings import MOST_OUTPUTS
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.events.time_event_queue import check_times, given_output_times, output_times
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import Vector
from cutset.runtime.solvers import find_method
from cutset.runtime.targets.binding import finite_number


@dataclass(frozen=True)
class Experiment:
    """The settings of a run. Times in seconds. The result has rows at `points` evenly spaced output times (default
    501), or at one every `interval`; each event adds rows at its instant, before and after it.

    rtol, atol     the error tolerance of a step for each state x is atol*nominal + rtol*|x|; for a state without that
                   attribute min(atol, rtol*|start|) + rtol*|x|, or atol + rtol*|x| if it starts at 0
    parameters     values by name that override the model's
    inputs         numbers or functions of time by name; other inputs are 0
    initial        start values by name that override the model's: of states, other variables with a derivative, and
                   discrete variables
    max_steps      the largest number of steps between two output times
    max_step       the largest step in seconds
    times          ascending instants with rows, besides the start and the stop, instead of points or interval

    RunError E605 for settings that make no sense.
    """

    stop: float = 1.0
    start: float = 0.0
    points: int | None = None
    interval: float | None = None
    method: str = "auto"
    rtol: float = 1e-6
    atol: float = 1e-8
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, InputSignal] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    max_steps: int = 1_000_000
    max_step: float = math.inf
    times: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.method, str):
            raise RunError("E605", f"method must be a string, such as 'auto', not {self.method!r}")
        find_method(self.method)
        for what, value in (("points", self.points), ("interval", self.interval)):
            if value is not None:
                finite_number(what, value)
        if self.points is not None and self.points != int(self.points):
            raise RunError("E605", f"points must be a number of output times, not {self.points!r}")
        for what, values in (("parameters", self.parameters), ("inputs", self.inputs), ("initial", self.initial)):
            if not isinstance(values, dict | Mapping):
                raise RunError("E605", f"{what} must be values by name, such as {{'R.R': 100.0}}, not {values!r}")
        for what, value in (("start", self.start), ("stop", self.stop), ("rtol", self.rtol), ("atol", self.atol)):
            finite_number(what, value)
        if self.stop < self.start:
            raise RunError("E605", f"the run stops at {self.stop} before it starts at {self.start}")
        if self.rtol <= 0.0 or self.atol <= 0.0:
            raise RunError("E605", "rtol and atol must be greater than 0")
        if not isinstance(self.max_steps, int) or self.max_steps < 1:
            raise RunError("E605", f"max_steps must be a whole number of at least 1, not {self.max_steps!r}")
        if not isinstance(self.max_step, int | float) or not self.max_step > 0.0:
            raise RunError("E605", f"max_step must be a time greater than 0, not {self.max_step!r}")
        if (self.points, self.interval, self.times).count(None) < 2:
            raise RunError("E605", "give only one of points, interval and times")
        outputs = self.points or (self.stop - self.start) / (self.interval or math.inf)
        if outputs > MOST_OUTPUTS:
            raise RunError("E605", f"too many output times: {outputs:.3g}; the limit is {MOST_OUTPUTS:.0e}")
        if self.points is not None and self.points < 2:
            raise RunError("E605", "a run must have at least 2 output times: its start and its stop")
        if self.interval is not None and not 0.0 < self.interval < math.inf:
            raise RunError("E605", "the interval between output times must be greater than 0")
        if self.times is not None:
            check_times(self.times, self.start, self.stop)


def output_times_of(experiment: Experiment) -> Vector:
    """The output times of a run with these settings, ascending."""
    if experiment.times is not None:
        return given_output_times(experiment.times, experiment.start, experiment.stop)
    return output_times(experiment.start, experiment.stop, experiment.points, experiment.interval)
