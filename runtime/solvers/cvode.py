"""CVODE of SUNDIALS, BDF or Adams with a dense Newton iteration: a stretch in, a piece out. Finds no library itself.

The loop over the outputs is that of C where the model is C; where it is Python, CVODE calls back.

A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM TOMS 31 (2005)
363-396. Where SUNDIALS is not installed scipy's methods of the same kind take over, and the statistics say so.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, byref, c_double, c_int, c_long, c_void_p
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.native import Cvode, NativeModel, address
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import scipy_methods, sundials
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.loop import native_run
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, RightHandSide, Stretch
from cutset.runtime.solvers.sundials import Sundials

_ADAMS, _BDF, _NORMAL, _ONE_STEP, _TOO_MUCH_WORK = 1, 2, 1, 2, -1
_PATIENCE = 200  # as in c/driver.c
_Rhs = CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_void_p)
_OUTCOMES = {
    -1: Outcome.TOO_MANY_STEPS,
    -2: Outcome.STEP_TOO_SMALL,  # more accuracy asked for than the arithmetic has
    -3: Outcome.STEP_TOO_SMALL,
    -4: Outcome.NO_CONVERGENCE,
    -5: Outcome.NO_CONVERGENCE,
    -6: Outcome.NO_CONVERGENCE,
    -7: Outcome.NO_CONVERGENCE,
    -8: Outcome.NOT_FINITE,
    -9: Outcome.NOT_FINITE,
    -10: Outcome.NOT_FINITE,
    -11: Outcome.NOT_FINITE,
}


def integrate(family: int, name: str, problem: Problem, stretch: Stretch) -> Piece:
    """The stretch by one family of CVODE's methods."""
    library = sundials.load()
    if library is None:
        return scipy_methods.in_place_of_cvode(name, problem, stretch)
    if isinstance(problem.model, NativeModel):
        return _native(library, family, name, problem, stretch)
    return _scripted(library, family, name, problem, stretch)


def _native(library: Sundials, family: int, name: str, problem: Problem, stretch: Stretch) -> Piece:
    model = problem.model
    assert isinstance(model, NativeModel)
    with native_run(model, problem, stretch) as run:
        run.data.array = _address(library.core.N_VGetArrayPointer)
        user = ctypes.addressof(run.data)
        with _memory(library, family, problem, stretch, run.x, model.functions.cvode_rhs, user) as (memory, vector):
            y, outputs = vector(run.x), (len(run.times), address(run.times), address(run.out), byref(run.report))
            step = _address(library.cvode.CVode)
            if model.info.crossings:
                state, z = _address(library.cvode.CVodeGetDky), vector(run.z)
                cvode = Cvode(step, state, memory.value, y, z, address(run.x), problem.max_steps)
                flag = model.functions.cvode_steps(byref(cvode), byref(run.data), *outputs)
            else:
                flag = model.functions.cvode(step, memory, byref(run.data), y, address(run.x), *outputs)
            run.report.steps, run.report.rejected = _counts(library, memory)
    return _piece_with_outcome(run.piece(Outcome.COMPLETED, name), flag, run.data.interrupted != 0)


def _scripted(library: Sundials, family: int, name: str, problem: Problem, stretch: Stretch) -> Piece:
    f = RightHandSide(problem, stretch)
    callback = _Callback(library, f, len(stretch.x))
    errors, pointer = callback.errors, _Rhs(callback)
    x, watch = np.array(stretch.x), Watch(problem, stretch)
    loop = _steps if problem.model.info.crossings else _outputs
    with _memory(library, family, problem, stretch, x, pointer, None) as (memory, vector):
        states, t, flag = loop(_Steps(library, memory, vector, x, callback, problem.max_steps), stretch, watch)
        steps, refused = _counts(library, memory)
    interrupted = any(isinstance(error, KeyboardInterrupt) for error in errors)
    if errors and not interrupted:
        raise errors[0]
    rows = np.array(states).reshape(len(states), len(x))
    counts = Counts(steps, f.evaluations, refused)
    piece = Piece(rows, t, x, Outcome.COMPLETED, counts, f.bad, name, watch.crossed)
    return _piece_with_outcome(piece, flag, interrupted)


@dataclass(frozen=True, eq=False)
class _Steps:
    """What a loop in Python needs of CVODE; x are the numbers of its vector."""

    library: Sundials
    memory: c_void_p
    vector: Callable[[Vector], int]
    x: Vector
    callback: _Callback
    max_steps: int


def _outputs(cvode: _Steps, stretch: Stretch, _watch: Watch) -> tuple[list[Vector], float, int]:
    """The twin of `cutset_cvode`: states at the outputs, the time reached and the last flag."""
    t, y = c_double(stretch.start), cvode.vector(cvode.x)
    states: list[Vector] = []
    for time in stretch.times.tolist():
        cvode.callback.refusals = 0
        flag = cvode.library.cvode.CVode(cvode.memory, time, y, byref(t), _NORMAL)
        if flag < 0:
            return states, t.value, flag
        states.append(cvode.x.copy())
    return states, t.value, 0


def _steps(cvode: _Steps, stretch: Stretch, watch: Watch) -> tuple[list[Vector], float, int]:
    """The twin of `cutset_cvode_steps`: the same, up to the first crossing."""
    t, y, z_numbers = c_double(stretch.start), cvode.vector(cvode.x), np.empty_like(cvode.x)
    z, times, states, since = cvode.vector(z_numbers), stretch.times.tolist(), [], 0  # type: ignore[var-annotated]

    def state(time: float) -> Vector:
        if time >= t.value:
            return cvode.x.copy()
        cvode.library.cvode.CVodeGetDky(cvode.memory, time, 0, z)
        return z_numbers.copy()

    cvode.callback.refusals, first = 0, True
    while len(states) < len(times):
        before = t.value
        flag = cvode.library.cvode.CVode(cvode.memory, times[-1], y, byref(t), _ONE_STEP)
        if flag < 0:
            return states, t.value, flag
        crossing = watch.crosses(state, before, t.value, first, times)
        while len(states) < len(times) and times[len(states)] <= t.value:
            if crossing and times[len(states)] >= crossing[0]:
                break
            states.append(state(times[len(states)]))
            since = cvode.callback.refusals = 0
        if crossing:
            cvode.x[:] = crossing[1]
            return states, crossing[0], 0
        first, since = False, since + 1
        if since > cvode.max_steps:
            return states, t.value, _TOO_MUCH_WORK
    return states, t.value, 0


class _Callback:
    """The right-hand side as CVODE calls it, the twin of `cutset_cvode_rhs`: 0, 1 for a smaller step, -1 to stop.
    No exception may leave it: they are kept."""

    def __init__(self, library: Sundials, f: RightHandSide, n: int):
        self._pointer, self._f = library.core.N_VGetArrayPointer, f
        self._n, self._array = n, c_double * n
        self.errors: list[BaseException] = []
        self.refusals = 0

    def __call__(self, t: float, y: int, ydot: int, _user: int) -> int:
        try:
            bad = self._f.bad
            self._numbers(ydot)[:] = self._f(t, self._numbers(y))
            if self._f.bad is bad:
                return 0
            self.refusals += 1
            return 1 if self.refusals < _PATIENCE else -1
        except BaseException as error:
            self.errors.append(error)
            return -1

    def _numbers(self, vector: int) -> Vector:
        return np.ndarray(self._n, float, memoryview(self._array.from_address(self._pointer(vector))))


@contextmanager
def _memory(
    library: Sundials,
    family: int,
    problem: Problem,
    stretch: Stretch,
    x: Vector,
    rhs: Any,
    user: int | None,
) -> Iterator[tuple[c_void_p, Callable[[Vector], int]]]:
    """CVODE's memory, set up for the stretch, and what makes a vector over numbers; the first over `x` is there already.
    All of it is freed in the end."""
    core, cv, n = library.core, library.cvode, len(x)
    context, memory = c_void_p(), c_void_p()
    vectors: dict[int, int] = {}
    matrix = linear = None

    def vector(numbers: Vector) -> int:
        at = address(numbers)
        if at not in vectors:
            vectors[at] = cv.N_VMake_Serial(n, at, context)
        return vectors[at]

    core.SUNContext_Create(0, byref(context))
    try:
        core.SUNContext_ClearErrHandlers(context)  # what goes wrong comes back as a flag, not on the terminal
        y = vector(x)
        memory.value = cv.CVodeCreate(family, context)
        cv.CVodeInit(memory, _address(rhs), stretch.start, y)
        cv.CVodeSVtolerances(memory, problem.rtol, vector(problem.atol))
        cv.CVodeSetUserData(memory, user)
        cv.CVodeSetMaxNumSteps(memory, problem.max_steps)
        cv.CVodeSetMaxHnilWarns(memory, -1)  # warnings do go to the terminal
        # Below this a step no longer moves time; without it CVODE creeps on towards an infinite solution.
        reach = max(abs(stretch.start), abs(float(stretch.times[-1])))
        cv.CVodeSetMinStep(memory, 1e-3 * sys.float_info.epsilon * reach)
        if math.isfinite(stretch.max_step):
            cv.CVodeSetMaxStep(memory, stretch.max_step)
        cv.CVodeSetStopTime(memory, float(stretch.times[-1]))
        # Newton for Adams too: a fixed-point iteration needs no Jacobian, but fails where a model is a little stiff.
        matrix = cv.SUNDenseMatrix(n, n, context)
        linear = cv.SUNLinSol_Dense(y, matrix, context)
        cv.CVodeSetLinearSolver(memory, linear, matrix)
        yield memory, vector
    finally:
        cv.CVodeFree(byref(memory))
        core.SUNLinSolFree(linear)
        core.SUNMatDestroy(matrix)
        for one in vectors.values():
            core.N_VDestroy(one)
        core.SUNContext_Free(byref(context))


def _piece_with_outcome(piece: Piece, flag: int, interrupted: bool) -> Piece:
    if interrupted:  # the flag tells only in which part of CVODE it came
        return replace(piece, outcome=Outcome.INTERRUPTED)
    outcome = Outcome.COMPLETED if flag >= 0 else _OUTCOMES.get(flag, Outcome.NO_CONVERGENCE)
    # A smaller and smaller step in front of a place without values may end as any of the failures.
    stuck = outcome in (Outcome.STEP_TOO_SMALL, Outcome.NO_CONVERGENCE)
    if stuck and piece.bad is not None and piece.bad[0] >= piece.t:
        outcome = Outcome.NOT_FINITE
    return replace(piece, outcome=outcome)


def _counts(library: Sundials, memory: c_void_p) -> tuple[int, int]:
    steps, refused = c_long(), c_long()
    library.cvode.CVodeGetNumSteps(memory, byref(steps))
    library.cvode.CVodeGetNumErrTestFails(memory, byref(refused))
    return steps.value, refused.value


def _address(function: Any) -> int | None:
    return ctypes.cast(function, c_void_p).value


CVODE_BDF = Method(
    "cvode-bdf",
    "SUNDIALS CVODE, BDF of order 1 to 5, for stiff models",
    partial(integrate, _BDF, "cvode-bdf"),
)
CVODE_ADAMS = Method(
    "cvode-adams",
    "SUNDIALS CVODE, Adams of order 1 to 12, for smooth models",
    partial(integrate, _ADAMS, "cvode-adams"),
)
