"""Lets the run in C integrate segments by methods outside: segments.h calls back. Contains no steps."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int, c_long
from dataclasses import replace

from cutset.runtime.runs.run_block import RunBlock
from cutset.runtime.solvers.part import INTERRUPTED, Part
from cutset.runtime.solvers.solved_unknowns import integrated

SegmentCallback = CFUNCTYPE(c_int, c_long, c_long)


class OutsideMethod:
    """A method that integrates the segments of a run in C; `name` is its full name."""

    def __init__(self, integrate: Callable[[Part], int], run: RunBlock):
        self._method, self._run, self.name = integrate, run, ""
        self.callback = SegmentCallback(self._integrate)

    def _integrate(self, row: int, n: int) -> int:
        """Integrate from the state over the n times from this row on; a status of driver.h."""
        run, status = self._run, INTERRUPTED
        model, values = integrated(run.model), replace(run.values, controllers=run.controllers)
        part = Part(model, values, run.inputs, run.data, run.events, row, n)
        model.engine.connect(run.controllers, run.stop)
        try:
            status = self._method(part)
        except BaseException as error:  # no exception can pass through C
            run.stop(error)
        part.end()
        self.name = part.method or self.name
        run.connect()
        return status
