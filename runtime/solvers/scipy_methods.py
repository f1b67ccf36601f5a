"""Integrates a segment with methods of scipy.integrate: Radau, and replacements if SUNDIALS is missing.

Python runs in every step here; what is not the method's own is in C, as for all methods.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_double
from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.implicit import layout_for, memory_sizes, origin, slopes_in
from cutset.runtime.solvers.part import DONE, INTERRUPTED, NOT_FINITE, STEP_TOO_SMALL, TOO_MANY_STEPS, Part
from cutset.runtime.targets.c_records import StateCallback, address, constant, numbers_at, place_memory

# --- methods in Python use what the loops in C have -----------------------------------------------

# c/steps/hosted.h does the work. A step is offered when it is made: C looks for poles and crossings in it, stores
# delayed values, and writes the outputs.

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


# LSODA is no replacement for Adams: it does not notice a right-hand side that is not finite.
_INSTEAD = {"cvode-bdf": "BDF", "cvode-adams": "DOP853", "ida": "BDF", "bdf": "BDF"}
# In roundings of time: the shortest limit of a step; scipy takes none shorter than 10.
_SHORT = 20.0


def in_place_of_sundials(name: str, part: Part) -> int:
    """Integrate with the scipy method that is most similar to this one."""
    return integrate(_INSTEAD[name], f"scipy {_INSTEAD[name]}, for {name} without SUNDIALS", part)


def integrate(solver_name: str, method: str, part: Part) -> int:
    """Integrate with the solver class of this name in scipy.integrate: how it ended, as in driver.h."""
    hosted = HostedSegment(part, _SHORT)
    try:
        return _steps(solver_name, hosted, part)
    except Interrupted:
        return INTERRUPTED
    finally:
        part.method = method if solver_name == "DOP853" else f"{method}, {hosted.kind_of_jacobian}"


def _steps(solver_name: str, hosted: HostedSegment, part: Part) -> int:
    import scipy.integrate  # slow to import

    report, limits = part.report, part.control
    solver = getattr(scipy.integrate, solver_name)(
        *(hosted.rates, part.t, part.x.copy(), float(part.times[-1])),
        **({} if solver_name == "DOP853" else {"jac": hosted.jacobian}),
        max_step=limits.max_step,
        rtol=max(limits.rtol, 3e-14),
        atol=part.atol,
    )
    since, reached = 0, 0
    while solver.status == "running":
        if since == limits.max_steps:
            return TOO_MANY_STEPS
        solver.max_step, share = hosted.longest(float(solver.t), solver.h_abs)
        if solver.max_step == 0.0:  # no room for delayed values: the segment ends here
            break
        solver.rtol, solver.atol = max(share * limits.rtol, 3e-14), share * part.atol
        outcome, steps, since = _step(solver, hosted), report.steps + 1, since + 1
        if outcome != DONE:
            report.steps = steps
            return outcome
        what = hosted.accept(float(solver.t), solver.y, _rates_at_end(solver, hosted), solver.dense_output())
        if what == CROSSES:
            break
        if what == PASSES_POLE:
            report.steps = steps
            return NOT_FINITE
        since, reached = (0 if report.reached > reached else since), report.reached
    return DONE


def _step(solver: Any, hosted: HostedSegment) -> int:
    bad_before = hosted.bad_evaluations
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except ValueError:  # the matrix of a Newton iteration holds inf or nan
        return NOT_FINITE
    if hosted.ends_here:
        return NOT_FINITE
    if solver.status != "failed":
        return DONE
    return STEP_TOO_SMALL if hosted.bad_evaluations == bad_before else NOT_FINITE


def _rates_at_end(solver: Any, hosted: HostedSegment) -> Vector:
    return solver.f if hasattr(solver, "f") else hosted.rates(float(solver.t), solver.y)
