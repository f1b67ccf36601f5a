"""Lets a method in Python use what the loops in C have: derivatives on the branch, Jacobian, limits, ends of steps.

c/steps/hosted.h does the work. A step is offered when it is made: C looks for poles and crossings in it, stores delayed
values, and writes the outputs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_double

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.implicit import layout_for, memory_sizes, origin, slopes_in
from cutset.runtime.solvers.part import INTERRUPTED, Part
from cutset.runtime.targets.c_records import StateCallback, address, constant, numbers_at, place_memory

# What becomes of a step.
CROSSES, PASSES_POLE = constant("STEP_CROSSES"), constant("STEP_PASSES_POLE")


class Interrupted(Exception):
    """An evaluation found that the run must end: the data of the run tell why."""


class HostedSegment:
    """A part of a segment, for a method that takes no steps shorter than `shortest` roundings of time."""

    def __init__(self, part: Part, shortest: float):
        engine = part.model.engine
        self._part, self._functions, self._shortest = part, engine.functions, shortest
        self._layout = layout_for(engine)
        self._slopes = slopes_in(engine.info, self._layout)
        self._slopes.nominals = address(part.values.n)
        self._memory = place_memory((self._slopes,), memory_sizes(self._layout))
        self._numbers = numbers_at(self._slopes.values, len(self._layout.rows))
        self._share, self._end = c_double(1.0), float(part.times[-1])
        self._calls = byref(part.data), byref(part.control)
        self._functions.begin(self._calls[0], part.t, address(part.x))

    def rates(self, t: float, x: Vector) -> Vector:
        """dx/dt, a new array, nan if the model has no value. Interrupted if the run must end."""
        dx, x = np.empty(len(x)), np.ascontiguousarray(x, dtype=float)
        if self._functions.hosted_rates(self._calls[0], t, address(x), address(dx)) == INTERRUPTED:
            raise Interrupted
        return dx

    def jacobian(self, t: float, x: Vector) -> object:
        """The matrix, sparse if other methods would use a band; nan if there is none."""
        from scipy.sparse import csc_array  # slow to import

        layout, x = self._layout, np.ascontiguousarray(x, dtype=float)
        found = self._functions.hosted_slopes(self._calls[0], byref(self._slopes), t, address(x))
        numbers = self._numbers[: len(layout.rows)].copy() if found else np.full(len(layout.rows), np.nan)
        matrix = csc_array((numbers, (layout.rows, layout.columns)), shape=(layout.n, layout.n))
        return matrix if layout.banded else matrix.toarray()

    @property
    def kind_of_jacobian(self) -> str:
        """How it is stored, and its origin, in words."""
        return f"{'sparse' if self._layout.banded else 'dense'}, {origin(self._layout, self._slopes)}"

    @property
    def bad_evaluations(self) -> int:
        """How many derivatives were not finite."""
        count: int = self._part.data.bad_evaluations
        return count

    @property
    def ends_here(self) -> bool:
        """True if the branch of solutions ends so close to the last point that no step is possible."""
        return bool(self._functions.ends_here(*self._calls))

    def longest(self, t: float, h: float) -> tuple[float, float]:
        """The longest step from t, of h if possible, or 0 if the segment must end there; and the part of the tolerances
        that it may use."""
        least = self._shortest * float(np.spacing(abs(t)))
        longest = self._functions.longest(*self._calls, t, min(h, self._end - t), least, byref(self._share))
        return longest, self._share.value

    def accept(self, t: float, x: Vector, dx: Vector, state: Callable[[float], Vector]) -> int:
        """Offer a step that ends at (t, x) with these derivatives, and within which the `state` is known."""
        part, x, dx = self._part, np.ascontiguousarray(x, dtype=float), np.ascontiguousarray(dx, dtype=float)

        def write(_: object, time: float, place: int) -> None:
            found = np.ascontiguousarray(state(time), dtype=float)  # alive until it is copied
            ctypes.memmove(place, address(found), x.nbytes)

        step = StateCallback(write), t, address(x), address(dx), address(part.x)
        what: int = self._functions.accept(self._calls[0], *step, *part.places)
        return what
