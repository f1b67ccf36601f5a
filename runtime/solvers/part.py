"""Describes what a method outside integrates: a part of a segment of a run in C, by the arrays of the run."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple

from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.targets.c_records import Control, Data, EventData, address, constant, numbers_at

DONE, STEP_TOO_SMALL, TOO_MANY_STEPS = map(constant, ("DONE", "STEP_TOO_SMALL", "TOO_MANY_STEPS"))
NOT_FINITE, INTERRUPTED, NO_CONVERGENCE = map(constant, ("NOT_FINITE", "INTERRUPTED", "NO_CONVERGENCE"))


class _Mark(NamedTuple):
    """A point of a part to which it can return: pairs of a record with a field and its value."""

    x: Vector
    bad_x: Vector
    place: tuple[int, int, int]
    fields: list[tuple[Any, str, Any]]


class Part:
    """A segment from the time t on, or what is left of it, which a method integrates to the `times`, or until a
    relation crosses. `x` are the states at t, `out` are the rows for those at the times; a method writes both, or C if
    that makes the steps, which `places` tells where. `model` is the model as it is, `atol` the absolute tolerance of
    each state. `start` is where it began, `method` the name of what has integrated."""

    def __init__(
        self, model: CompiledModel, values: Values, inputs: Inputs, data: Data, events: EventData, row: int, n: int
    ):
        self.model, self.info, self.values, self.inputs = model, model.info, values, inputs
        self.data, self.functions = data, model.engine.functions
        self._events, self._first, self._row, self._end = events, row, row, row + n
        self._steps = self._rejected = 0
        size = len(model.info.states)
        self.x, self.modes = numbers_at(events.state.x, size), numbers_at(events.state.m, model.info.n_modes)
        self.control = Control.from_buffer_copy(events.careful)
        self.atol = numbers_at(self.control.atol, size).copy()
        self.control.atol = address(self.atol)
        self.start, self.method = float(events.state.t), ""
        self._clear(self.start)

    def _clear(self, t: float) -> None:
        report = self.report
        report.t, report.h, report.reached, report.steps, report.rejected, report.crossed = t, 0.0, 0, 0, 0, 0

    @property
    def report(self) -> Any:
        """What C tells of the steps: the time, how many `times` are `reached`, and whether a relation has crossed."""
        return self._events.report

    @property
    def t(self) -> float:
        """The time reached."""
        return float(self.report.t)

    @property
    def times(self) -> Vector:
        """The times that are not reached yet when C was called last."""
        return numbers_at(self._events.row_t, self._end)[self._row :]

    @property
    def out(self) -> Vector:
        """The states at these times, a row for each."""
        n = len(self.x)
        return numbers_at(self._events.row_x, self._end * n).reshape(self._end, n)[self._row :]

    @property
    def places(self) -> tuple[Any, ...]:
        """The number of times, where C finds them, where it writes the states, and what it tells."""
        row_x = self._events.row_x + self._row * self.x.nbytes if len(self.x) else self._events.row_x
        return self._end - self._row, self._events.row_t + 8 * self._row, row_x, byref(self.report)

    def restart(self, t: float) -> None:
        """Let a method start again at t, after the times that are reached."""
        report = self.report
        self._row, self._steps = self._row + report.reached, self._steps + report.steps
        self._rejected += report.rejected
        self._clear(t)
        self.functions.restart_part(byref(self.data), byref(self._events), self._row)

    def mark(self) -> _Mark:
        """Where it is now, to return to."""
        data, report, branch = self.data, self.report, self.data.branch
        fields = [(report, name) for name in ("t", "reached", "steps", "rejected", "crossed")]
        fields += [(data, name) for name in ("evaluations", "bad_evaluations", "bad_t")]
        fields += [(branch, "lost"), (branch, "unsolved")]
        kept = [(record, name, getattr(record, name)) for record, name in fields]
        bad_x = numbers_at(data.bad_x, len(self.x)).copy()
        return _Mark(self.x.copy(), bad_x, (self._row, self._steps, self._rejected), kept)

    def back(self, mark: _Mark) -> None:
        """Return there."""
        self.x[:] = mark.x
        numbers_at(self.data.bad_x, len(self.x))[:] = mark.bad_x
        self._row, self._steps, self._rejected = mark.place
        for record, name, value in mark.fields:
            setattr(record, name, value)

    def end(self) -> None:
        """Let the report tell of all that was done."""
        report = self.report
        report.reached += self._row - self._first
        report.steps += self._steps
        report.rejected += self._rejected
