"""Integrates a segment with CVODE (BDF or Adams) or IDA of SUNDIALS, each with Newton's method.

If the model is C, the loop over the outputs is in C; if it is Python, the library calls back. Without SUNDIALS, scipy's
similar methods are used, and the statistics tell so.

A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM TOMS 31 (2005)
363-396.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable
from ctypes import CFUNCTYPE, byref, c_double, c_int, c_void_p
from dataclasses import replace
from typing import Any

import numpy as np

from cutset.runtime.c_model import CModel
from cutset.runtime.c_records import Control, address
from cutset.runtime.errors import RunError
from cutset.runtime.forcing import ADDING_UP
from cutset.runtime.inputs import InputFailure
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import scipy_methods, sundials
from cutset.runtime.solvers.c_loops import c_run
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.delayed_steps import Recorder
from cutset.runtime.solvers.implicit import solver_for
from cutset.runtime.solvers.jacobian import Slopes as ScriptedSlopes
from cutset.runtime.solvers.jacobian import origin
from cutset.runtime.solvers.matrix_layout import Layout
from cutset.runtime.solvers.method import Counts, Family, Problem, Segment, SegmentResult
from cutset.runtime.solvers.poles import Poles
from cutset.runtime.solvers.right_side import RightHandSide
from cutset.runtime.solvers.session import (
    Callbacks,
    Session,
    layout_for,
    opened,
    to_places,
    to_states,
)
from cutset.runtime.solvers.sundials import Sundials

_STOPPED, _ONE_STEP, _TOO_MUCH_WORK, _STEP_TOO_SMALL, _NO_RATES = 1, 2, -1, -3, -8
# As in c/sundials.h.
_PATIENCE, _WINDOW, _LEAST = 200, 1000, 4
# The flags that CVODE and IDA share.
_OUTCOMES = {
    -1: Outcome.TOO_MANY_STEPS,
    -2: Outcome.STEP_TOO_SMALL,  # the requested accuracy exceeds that of the arithmetic
    -3: Outcome.STEP_TOO_SMALL,
    -4: Outcome.NO_CONVERGENCE,
    -5: Outcome.NO_CONVERGENCE,
    -6: Outcome.NO_CONVERGENCE,
    -7: Outcome.NO_CONVERGENCE,
    -8: Outcome.NOT_FINITE,
    -9: Outcome.NOT_FINITE,
    -10: Outcome.NOT_FINITE,
    -11: Outcome.NOT_FINITE,
    -12: Outcome.NOT_FINITE,
}


def integrate(family: Family, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate the segment by one family of methods."""
    library = sundials.load()
    if library is None and problem.model.info.n_algebraic:
        hint = "install it (pip install scikit-sundae), or take another method, such as radau"
        raise RunError("E605", "the method bdf needs SUNDIALS, which is not installed", hint)
    if library is None:
        return scipy_methods.in_place_of_sundials(family.name, problem, segment)
    if isinstance(problem.model, CModel):
        return _native(family, problem, segment)
    return _scripted(library, family, problem, segment)


def _native(family: Family, problem: Problem, segment: Segment) -> SegmentResult:
    model = problem.model
    assert isinstance(model, CModel)
    with c_run(model, problem, segment) as run:
        solver = solver_for(model, family, run.data, problem.values.n)
        assert solver is not None, "the caller has loaded SUNDIALS"
        limits = segment.max_step, problem.nearest, problem.max_steps
        control = Control(problem.rtol, address(problem.atol), *limits)
        arguments = len(run.times), address(run.times), address(run.out), byref(run.report)
        place = segment.start, address(run.x)
        flag = model.functions.implicit(byref(solver.record), byref(control), *place, *arguments)
        name = solver.name
        solver.free()
    return _result_with_outcome(run.result(Outcome.COMPLETED, name), flag, run.data.interrupted != 0)


def _numbers_of(library: Sundials, layout: Layout) -> Any:
    """The function that gives the numbers of a matrix with this layout."""
    if layout.indices is not None:
        return library.ida.SUNSparseMatrix_Data
    return library.cvode.SUNBandMatrix_Data if layout.banded else library.cvode.SUNDenseMatrix_Data


def _name(family: Family, layout: Layout, exact: bool, by_differences: int) -> str:
    return f"{family.name}, {layout.kind}, {origin(layout, exact, by_differences)}"


def _scripted(library: Sundials, family: Family, problem: Problem, segment: Segment) -> SegmentResult:
    f, layout = RightHandSide(problem, segment), layout_for(library, family, problem)
    slopes = ScriptedSlopes(problem, segment, f, layout)
    guest = _Guest(library, layout, f, slopes, problem, segment)
    watch = Watch(problem, segment, f.branch)
    with opened(library, family, problem, segment, guest.callbacks(family)) as session:
        aim = -1 if problem.model.info.crossings or problem.model.info.n_guesses else 0
        states, t, x, flag = _steps(session, guest, segment, watch, aim, problem.max_steps)
        flag = _STEP_TOO_SMALL if flag < 0 and guest.is_stuck() else flag
        steps, refused = session.counts()
    interrupted = any(isinstance(error, KeyboardInterrupt) for error in guest.errors)
    failed = next((error for error in guest.errors if isinstance(error, InputFailure)), None)
    if guest.errors and not interrupted and failed is None:
        raise guest.errors[0]
    rows = np.array(states).reshape(len(states), len(x))
    counts = Counts(steps, f.evaluations, refused)
    name = _name(family, layout, problem.model.info.has_jacobian, slopes.by_differences)
    guesses = f.guesses(len(rows))
    f.branch.extrapolate(t)
    result = SegmentResult(rows, guesses, t, x, Outcome.COMPLETED, counts, f.bad, name, watch.crossed, f.lost, failed)
    return _result_with_outcome(result, flag, interrupted)


_End = tuple[list[Vector], float, Vector, int]


def _steps(session: Session, guest: _Guest, segment: Segment, watch: Watch, aim: int, max_steps: int) -> _End:
    """The equivalent of `cutset_sundials_steps`: states at the outputs up to the first crossing, time and states
    reached, and the last flag. The output that `aim` says limits the first step."""
    t, size, times, since = c_double(segment.start), c_double(0.0), segment.times.tolist(), 0
    states: list[Vector] = []

    def state(time: float) -> Vector:
        if time >= t.value:
            return to_states(session.layout, session.y)
        session.call("GetDky", time, 0, session.z_vector)
        return to_states(session.layout, session.z)

    guest.refusals, first, flag = 0, True, 0
    if guest.forcing is not None:
        guest.forcing.within(segment.start, segment.x, times[-1] - segment.start)
        session.use(guest.forcing.share(ADDING_UP))
    while len(states) < len(times):
        before = t.value
        if math.isfinite(longest := guest.longest_step()):
            session.call("SetMaxStep", longest)
        if guest.forcing is not None:
            session.call("GetCurrentStep", byref(size))
            # CVODE does not give the size of the next step if it has stopped within the last one.
            following = size.value if size.value > 0.0 and flag != _STOPPED else times[-1] - before
            step = guest.forcing.within(before, state(before), following)
            session.call("SetStopTime", min(before + step, times[-1]) if step < following else times[-1])
        flag = session.advance(times[aim], t, _ONE_STEP)
        if flag < 0:
            return states, t.value, to_states(session.layout, session.y), flag
        if guest.has_passed_pole(session, t.value):
            return states, before, state(before), _NO_RATES
        guest.accept(t.value, to_states(session.layout, session.y))
        crossing = watch.crosses(state, before, t.value, first)
        guest.recorder.store(state, before, crossing[0] if crossing else t.value)
        while len(states) < len(times) and times[len(states)] <= t.value:
            if crossing and times[len(states)] >= crossing[0]:
                break
            states.append(state(times[len(states)]))
            guest.reached(len(states))
            since = guest.refusals = 0
        if crossing:
            return states, *crossing, 0
        first, since = False, since + 1
        if since > max_steps:
            return states, t.value, to_states(session.layout, session.y), _TOO_MUCH_WORK
    return states, t.value, to_states(session.layout, session.y), 0


class _Guest:
    """A Python model as SUNDIALS calls it, the equivalent of c/sundials.h. Functions return 0, 1 for a smaller step, -1
    to stop. They must not raise: exceptions are stored."""

    def __init__(
        self,
        library: Sundials,
        layout: Layout,
        f: RightHandSide,
        slopes: ScriptedSlopes,
        problem: Problem,
        segment: Segment,
    ):
        algebraic = problem.model.info.n_algebraic
        self._pointer, self._layout, self._f, self._slopes = library.core.N_VGetArrayPointer, layout, f, slopes
        self._library, self._matrix, self._rates = library, _numbers_of(library, layout), layout.n - algebraic
        # only these elements are ever written
        self._size = int(max(layout.places.max(initial=0), layout.diagonal.max(initial=0))) + 1
        self.errors: list[BaseException] = []
        self.refusals, self._tries, self._tried_t = 0, 0, 0.0
        self._limits, self.forcing = (problem.inputs.history, segment.max_step), problem.forcing
        if self.forcing is not None:
            self.forcing.begin(segment.start, segment.modes, segment.x)
        self.recorder = Recorder(problem, segment.modes, f.branch.extrapolate)
        self._tolerances = problem.rtol, problem.atol
        self._poles, self._evaluated = None if algebraic else Poles(f), (math.nan, np.zeros(0), np.zeros(0))

    def accept(self, t: float, x: Vector) -> None:
        """A step ended at this point."""
        self._f.branch.accept(t, x)

    def longest_step(self) -> float:
        """The longest step that delays allow; inf if there are none."""
        history, longest = self._limits
        return math.inf if history is None else history.limited(longest)

    def has_passed_pole(self, session: Session, t: float) -> bool:
        """True if the step just accepted has passed a pole or is false."""
        if self._poles is None:
            return False

        def slope() -> Vector:
            session.call("GetDky", t, 1, session.z_vector)
            return to_states(session.layout, session.z)

        return self._poles.passed_or_false(self._evaluated, slope, self._tolerances)

    def reached(self, count: int) -> None:
        """This number of outputs is known."""
        self._f.keep_guesses(count)

    def callbacks(self, family: Family) -> Callbacks:
        """C function pointers that call the methods below."""
        if family.of_cvode is None:
            equations = _function(4, lambda t, y, dy, r, _: self._kept(self._residual, t, y, dy, r))
            jacobian = CFUNCTYPE(c_int, c_double, c_double, *[c_void_p] * 8)(
                lambda t, cj, y, _dy, _r, matrix, *_: self._kept(self._jacobian, t, y, matrix, -1.0, cj)
            )
        else:
            equations = _function(3, lambda t, y, dy, _: self._kept(self._right_side, t, y, dy))
            jacobian = _function(7, lambda t, y, _dy, matrix, *_: self._kept(self._jacobian, t, y, matrix, 1.0, 0.0))
        return Callbacks(equations, jacobian, None)

    def _kept(self, call: Callable[..., int], *arguments: Any) -> int:
        try:
            return call(*arguments)
        except BaseException as error:
            self.errors.append(error)
            return -1

    def is_stuck(self) -> bool:
        """True if the solver was stopped because its evaluations did not advance the time."""
        return self._tries < 0

    def _advances(self, t: float) -> bool:
        """`is_stuck` of c/sundials.h, negated."""
        if 0 < self._tries < _WINDOW:
            self._tries += 1
            return True
        stuck = self._tries > 0 and abs(t - self._tried_t) <= _WINDOW * _LEAST * sys.float_info.epsilon * abs(t)
        self._tries, self._tried_t = -1 if stuck else 1, t
        return not stuck

    def _right_side(self, t: float, y: int, dy: int) -> int:
        if not self._advances(t):
            return -1
        bad, layout = self._f.bad, self._layout
        x = to_states(layout, self._numbers(y))
        dx = self._f(t, x)
        self._numbers(dy)[:] = to_places(layout, dx)
        if self._f.bad is bad:
            self._evaluated = t, x, dx
            return 0
        self.refusals += 1
        return 1 if self.refusals < _PATIENCE else -1

    def _residual(self, t: float, y: int, dy: int, residual: int) -> int:
        flag, r = self._right_side(t, y, residual), self._numbers(residual)
        r[: self._rates] -= self._numbers(dy)[: self._rates]
        r *= -1.0
        return flag

    def _jacobian(self, t: float, y: int, matrix: int, factor: float, diagonal: float) -> int:
        slopes = self._slopes(t, to_states(self._layout, self._numbers(y)))
        if slopes is None:
            return 1
        numbers = _array(self._matrix(matrix), self._size)
        numbers[self._layout.places] = factor * slopes
        numbers[self._layout.diagonal[: self._rates]] += diagonal
        for given, place in (
            (self._layout.pointers, self._library.ida.SUNSparseMatrix_IndexPointers),
            (self._layout.indices, self._library.ida.SUNSparseMatrix_IndexValues),
        ):
            if given is not None:  # SUNDIALS has set them to zero, with the numbers
                ctypes.memmove(place(matrix), address(given), given.nbytes)
        return 0

    def _numbers(self, vector: int) -> Vector:
        return _array(self._pointer(vector), self._layout.n)


def _function(pointers: int, call: Callable[..., int]) -> Any:
    return CFUNCTYPE(c_int, c_double, *[c_void_p] * pointers)(call)


def _array(at: int, n: int) -> Vector:
    return np.ndarray(n, float, memoryview((c_double * n).from_address(at)))


def _result_with_outcome(result: SegmentResult, flag: int, interrupted: bool) -> SegmentResult:
    if interrupted:  # the flag tells only in which part of SUNDIALS the interrupt came
        return replace(result, outcome=Outcome.INTERRUPTED)
    outcome = Outcome.COMPLETED if flag >= 0 else _OUTCOMES.get(flag, Outcome.NO_CONVERGENCE)
    # Ever smaller steps before a point without values may end with any of the failures.
    stuck = outcome in (Outcome.STEP_TOO_SMALL, Outcome.NO_CONVERGENCE)
    if stuck and result.bad is not None and result.bad[0] >= result.t:
        outcome = Outcome.NOT_FINITE
    return replace(result, outcome=outcome)
