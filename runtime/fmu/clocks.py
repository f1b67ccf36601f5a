"""Ticks the input clocks of an FMU for co-simulation, in its event mode.

A clock with an interval ticks at its instants, within a step or at its end; a triggered one where an input of the model
becomes true. Clocked variables are set and read while one of their clocks is active only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_double, c_int
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.contract.fmu_elements import element_names
from cutset.runtime.fmu.instance import CoSimulationInstance, FmuFailure

# Instants that differ by this much, relative to the larger of the time and the interval, are the same.
_SAME = 1e-9
# The limit on updates of the discrete states in one event.
_UPDATES = 1000
# What fmi3GetIntervalDecimal tells.
_CHANGED = 2
# Clocks whose interval is in the description.
_KNOWN = frozenset({"constant", "fixed"})


def has_input_clocks(folder: Path) -> bool:
    """True if the FMU that is extracted in this folder has clocks that it does not tick itself."""
    from fmpy import read_model_description

    return bool(_input_clocks(read_model_description(str(folder), validate=False)))


def _input_clocks(description: Any) -> list[Any]:
    return [v for v in description.modelVariables if (v.type, v.causality) == ("Clock", "input")]


@dataclass
class _Clock:
    """A clock with its instants first + k*interval, of which k is the next; inf if none is known."""

    variable: Any
    first: float = math.inf
    interval: float = math.inf
    k: int = 0

    @property
    def next(self) -> float:
        """The instant of the next tick."""
        return self.first + self.k * self.interval if self.k else self.first

    def is_due(self, time: float) -> bool:
        """True at the next instant, or after it."""
        size = max(abs(time), self.interval if math.isfinite(self.interval) else 0.0)
        return self.next <= time + _SAME * size


class ClockedInstance(CoSimulationInstance):
    """An instance with input clocks. The operations are those of `CoSimulationInstance`; a step cannot be repeated."""

    uses_events = True

    def __init__(self, folder: Path, before: Callable[[str], None]):
        super().__init__(folder, before)
        self._clocks = [_Clock(v) for v in _input_clocks(self._description)]
        self._was: dict[str, float] = {}  # the values of triggered clocks at the latest point
        clocked: list[Any] = [v for v in self._description.modelVariables if v.clocks]
        numbers = [(name, v) for v in clocked for name in element_names(v.name, v.shape or ())]
        self._clocked = {name: {clock.name for clock in v.clocks} for name, v in numbers}
        starts = {v.name: str(v.start if v.start is not None else "").split() for v in clocked}
        self._latest = {name: _number(dict(enumerate(starts[v.name])).get(self._of[name][1])) for name, v in numbers}

    def facts(self, outputs: Sequence[str]) -> dict[str, Any]:
        """As `CoSimulationInstance.facts`."""
        return {**super().facts(outputs), "repeats": False, "clocks": True}

    def start(self, time: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """Initialize at this time; the outputs there."""
        self._initialize(time, *self._parted(values))
        for clock in self._clocks:
            if clock.variable.intervalVariability not in ("triggered", "countdown"):
                self._describe(clock, time)
        self._settle(time)
        return self._outputs(outputs)

    def advance(self, time: float, step: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """Step from `time` with these inputs, with the ticks before its end. The outputs at the end."""
        until = time + step
        self._set(values)
        self.ends = False
        while time < until and not self.ends:
            following = min(clock.next for clock in self._clocks)
            stop = following if following < until - _SAME * max(step, abs(until)) else until
            event, self.ends, *_ = self._stepped(time, stop - time)
            time = stop
            if event and not self.ends:
                self._called("enterEventMode", self._fmu.enterEventMode)
                self._settle(time)
            if time < until and not self.ends:
                self._tick(time, values)
        return self._outputs(outputs)

    def tick(self, time: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """Let the clocks tick that are due at this communication point. The outputs after that."""
        self._set(values)
        self._tick(time, values)
        self._was = {name: values[name] for name in values if self._of[name][0].type == "Clock"}
        return self._outputs(outputs)

    def _tick(self, time: float, inputs: Mapping[str, float]) -> None:
        due = [clock for clock in self._clocks if self._is_due(clock, time, inputs)]
        if not due:
            return
        fmu, active = self._fmu, {clock.variable.name for clock in due}
        self._called("enterEventMode", fmu.enterEventMode)
        self._called("setClock", lambda: fmu.setClock([c.variable.valueReference for c in due], [True] * len(due)))
        super()._set({name: u for name, u in inputs.items() if active & self._clocked.get(name, set())})
        read = [name for name, clocks in self._clocked.items() if active & clocks and self._of[name][0].type != "Clock"]
        self._latest.update(zip(read, super()._values(read), strict=True))
        for clock in due:
            clock.k += 1
            if clock.variable.intervalVariability in ("changing", "tunable"):
                self._change(clock, time)
        self._settle(time)

    def _is_due(self, clock: _Clock, time: float, inputs: Mapping[str, float]) -> bool:
        name = clock.variable.name
        if clock.variable.intervalVariability == "triggered":
            return inputs.get(name, 0.0) > 0.5 and not self._was.get(name, 0.0) > 0.5
        return clock.is_due(time)

    def _settle(self, time: float) -> None:
        """Update the discrete states until they rest, and leave the event mode."""
        for _ in range(_UPDATES):
            needed, ends, *_ = self._called("updateDiscreteStates", self._fmu.updateDiscreteStates)
            self.ends = self.ends or bool(ends)
            if not needed or ends:
                break
        else:
            raise FmuFailure(f"updateDiscreteStates asks for more than {_UPDATES} updates at one instant")
        for clock in self._clocks:
            if clock.variable.intervalVariability == "countdown":
                self._change(clock, time)
        self._called("enterStepMode", self._fmu.enterStepMode)

    def _describe(self, clock: _Clock, start: float) -> None:
        """Find the instants of a clock: those of its description, or those that the FMU tells."""
        v = clock.variable
        interval, shift = _decimal(v.intervalDecimal, v.intervalCounter, v.resolution), v.shiftDecimal
        if v.intervalVariability not in _KNOWN or interval is None:
            interval = self._told(v)[0]
            numbers = (c_double * 1)()
            self._called("getShiftDecimal", lambda: self._fmu.getShiftDecimal(_references(v), numbers))
            shift = numbers[0]
        elif shift is None:
            shift = _decimal(None, v.shiftCounter, v.resolution)
        if not interval > 0.0:
            raise FmuFailure(f"the interval of its clock {v.name} is {interval!r}")
        clock.first, clock.interval = start + float(shift or 0.0), float(interval)

    def _change(self, clock: _Clock, time: float) -> None:
        """Take a new interval, from this instant, if the FMU tells one."""
        interval, qualifier = self._told(clock.variable)
        counts_down = clock.variable.intervalVariability == "countdown"
        if qualifier == _CHANGED and not counts_down and not interval > 0.0:
            raise FmuFailure(f"the interval of its clock {clock.variable.name} is {interval!r}")
        if qualifier == _CHANGED and (counts_down or interval != clock.interval):
            clock.first, clock.k = time + interval, 0
            clock.interval = math.inf if counts_down else interval
        elif counts_down and clock.k:
            clock.first, clock.k = math.inf, 0

    def _told(self, variable: Any) -> tuple[float, int]:
        intervals, qualifiers = (c_double * 1)(), (c_int * 1)()
        ask = self._fmu.getIntervalDecimal
        self._called("getIntervalDecimal", lambda: ask(_references(variable), intervals, qualifiers))
        return intervals[0], qualifiers[0]

    def _set(self, values: Mapping[str, float]) -> None:
        """Set those that are neither clocks nor clocked."""
        plain = {n: v for n, v in values.items() if self._of[n][0].type != "Clock" and n not in self._clocked}
        super()._set(plain)

    def _values(self, names: Sequence[str]) -> list[float]:
        found = dict(self._latest)
        plain = [name for name in names if name not in self._clocked]
        found.update(zip(plain, super()._values(plain), strict=True))
        return [found[name] for name in names]

    def save(self) -> bytes:
        """The state of the FMU and its clocks."""
        clocks = [[clock.first, clock.interval, clock.k] for clock in self._clocks]
        own = {"clocks": clocks, "was": self._was, "latest": self._latest}
        return json.dumps(own).encode() + b"\n" + super().save()

    def restore(self, saved: bytes) -> None:
        """Continue from a state that `save` has returned."""
        own, _, state = saved.partition(b"\n")
        told = json.loads(own)
        self._was, self._latest = told["was"], told["latest"]
        for clock, numbers in zip(self._clocks, told["clocks"], strict=True):
            clock.first, clock.interval, clock.k = float(numbers[0]), float(numbers[1]), int(numbers[2])
        super().restore(state)


def _references(variable: Any) -> Any:
    from fmpy.fmi3 import fmi3ValueReference

    return (fmi3ValueReference * 1)(variable.valueReference)


def _decimal(decimal: Any, counter: Any, resolution: Any) -> float | None:
    if decimal is not None:
        return float(decimal)
    return int(counter) / int(resolution) if counter is not None and resolution else None


def _number(start: Any) -> float:
    text = str(start if start is not None else "0").strip()
    if text in ("true", "false"):
        return float(text == "true")
    try:
        return float(text)
    except ValueError:
        return 0.0
