"""CVODE of SUNDIALS, BDF or Adams with a dense Newton iteration: a stretch in, a piece out. Finds no library itself.

The loop over the outputs is that of C where the model is C; where it is Python, CVODE calls back.

A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM TOMS 31 (2005)
363-396. Where SUNDIALS is not installed scipy's methods of the same kind take over, and the statistics say so.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, byref, c_double, c_int, c_long, c_void_p
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.native import NativeModel, address
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import scipy_methods, sundials
from cutset.runtime.solvers.loop import native_run
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, RightHandSide, Stretch
from cutset.runtime.solvers.sundials import Sundials

_ADAMS, _BDF, _NORMAL = 1, 2, 1
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
        with _memory(library, family, problem, stretch, run.x, model.functions.cvode_rhs, user) as (memory, y):
            flag = model.functions.cvode(
                *(_address(library.cvode.CVode), memory, byref(run.data), y, address(run.x)),
                *(len(run.times), address(run.times), address(run.out), byref(run.report)),
            )
            run.report.steps, run.report.rejected = _counts(library, memory)
    return _piece_with_outcome(run.piece(Outcome.COMPLETED, name), flag, run.data.interrupted != 0)


def _scripted(library: Sundials, family: int, name: str, problem: Problem, stretch: Stretch) -> Piece:
    f = RightHandSide(problem, stretch)
    callback = _Callback(library, f, len(stretch.x))
    errors, pointer = callback.errors, _Rhs(callback)
    x = np.array(stretch.x)
    states: list[Vector] = []
    t, flag = c_double(stretch.start), 0
    with _memory(library, family, problem, stretch, x, pointer, None) as (memory, y):
        for time in stretch.times.tolist():
            callback.refusals = 0
            flag = library.cvode.CVode(memory, time, y, byref(t), _NORMAL)
            if flag < 0:
                break
            states.append(x.copy())
        steps, refused = _counts(library, memory)
    interrupted = any(isinstance(error, KeyboardInterrupt) for error in errors)
    if errors and not interrupted:
        raise errors[0]
    rows = np.array(states).reshape(len(states), len(x))
    counts = Counts(steps, f.evaluations, refused)
    return _piece_with_outcome(Piece(rows, t.value, x, Outcome.COMPLETED, counts, f.bad, name), flag, interrupted)


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
) -> Iterator[tuple[c_void_p, int]]:
    """CVODE's memory and the vector over `x`, set up for the stretch; all of it is freed in the end."""
    core, cv, n = library.core, library.cvode, len(x)
    context, memory = c_void_p(), c_void_p()
    y = atol = matrix = linear = None
    core.SUNContext_Create(0, byref(context))
    try:
        core.SUNContext_ClearErrHandlers(context)  # what goes wrong comes back as a flag, not on the terminal
        y = cv.N_VMake_Serial(n, address(x), context)
        memory.value = cv.CVodeCreate(family, context)
        cv.CVodeInit(memory, _address(rhs), stretch.start, y)
        atol = cv.N_VMake_Serial(n, address(problem.atol), context)
        cv.CVodeSVtolerances(memory, problem.rtol, atol)
        cv.CVodeSetUserData(memory, user)
        cv.CVodeSetMaxNumSteps(memory, problem.max_steps)
        cv.CVodeSetMaxHnilWarns(memory, -1)  # warnings do go to the terminal
        # Below this a step no longer moves time; without it CVODE creeps on towards an infinite solution.
        reach = max(abs(stretch.start), abs(float(stretch.times[-1])))
        cv.CVodeSetMinStep(memory, 1e-3 * sys.float_info.epsilon * reach)
        cv.CVodeSetStopTime(memory, float(stretch.times[-1]))
        # Newton for Adams too: a fixed-point iteration needs no Jacobian, but fails where a model is a little stiff.
        matrix = cv.SUNDenseMatrix(n, n, context)
        linear = cv.SUNLinSol_Dense(y, matrix, context)
        cv.CVodeSetLinearSolver(memory, linear, matrix)
        yield memory, y
    finally:
        cv.CVodeFree(byref(memory))
        core.SUNLinSolFree(linear)
        core.SUNMatDestroy(matrix)
        core.N_VDestroy(y)
        core.N_VDestroy(atol)
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
