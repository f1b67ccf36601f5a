"""Sets up CVODE or IDA for one segment: tolerances, limits, matrix, Jacobian. Takes no step."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import byref, c_double, c_long, c_void_p
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.c_records import address
from cutset.runtime.interface import Vector
from cutset.runtime.solvers.matrix_layout import Layout
from cutset.runtime.solvers.method import Family, Problem, Segment
from cutset.runtime.solvers.sundials import CSC, Sparse, Sundials, index_size

# For models with unknowns that are not integrated: how accurately a step is solved, relative to its tolerance (0.33 in
# SUNDIALS). Some unknowns, such as the current of a diode, enlarge the rest.
_NEWTON = 0.01
# How often a step may be rejected (7 in SUNDIALS) or not be solved (10): it may be far too long where a diode turns on.
_MOST_TRIES = 40
# The tolerance of an unknown that may have any error.
_ANY = 1e100


@dataclass(frozen=True)
class Callbacks:
    """Functions that the library calls: right-hand side or residual, the Jacobian, and the pointer that both
    receive."""

    equations: Any
    jacobian: Any
    user: int | None


@dataclass(frozen=True, eq=False)
class Session:
    """A solver ready for its first step. `y` and `z` are the numbers of two vectors, in the order of the layout: the
    states, and room for those at an earlier instant; `atol` are those of the absolute tolerances."""

    library: Any
    family: Family
    layout: Layout
    memory: c_void_p
    y: Vector
    z: Vector
    atol: Vector
    rtol: float
    y_vector: int
    z_vector: int
    slopes_vector: int | None
    atol_vector: int

    def call(self, name: str, *arguments: Any) -> Any:
        """The function of the solver with this name after its prefix."""
        return getattr(self.library, self.family.prefix + name)(self.memory, *arguments)

    def advance(self, until: float, t: c_double, task: int) -> int:
        """Take steps until this time, or one step; returns the flag."""
        if self.family.of_cvode is None:
            flag: int = self.library.IDASolve(self.memory, until, byref(t), self.y_vector, self.slopes_vector, task)
        else:
            flag = self.library.CVode(self.memory, until, self.y_vector, byref(t), task)
        return flag

    def use(self, share: float) -> None:
        """Use this part of the tolerances, before the first step."""
        self.atol[:] *= share
        self.call("SVtolerances", self.rtol * share, self.atol_vector)

    def counts(self) -> tuple[int, int]:
        """The number of steps, and of rejected steps."""
        steps, refused = c_long(), c_long()
        self.call("GetNumSteps", byref(steps))
        self.call("GetNumErrTestFails", byref(refused))
        return steps.value, refused.value


def layout_for(sundials: Sundials, family: Family, problem: Problem) -> Layout:
    """The matrix layout of this family."""
    size = index_size() if family.sparse and sundials.sparse is not None else 0
    return problem.memory.layout(problem.model.info, size)


def to_states(layout: Layout, numbers: Vector) -> Vector:
    """The states in a vector, as a new array."""
    x = numbers.copy()
    if layout.order is not None:
        x[layout.order] = numbers
    return x


def to_places(layout: Layout, x: Vector) -> Vector:
    """The numbers of a vector with these states, as a new array."""
    return np.array(x if layout.order is None else x[layout.order])


@contextmanager
def opened(
    sundials: Sundials, family: Family, problem: Problem, segment: Segment, callbacks: Callbacks
) -> Iterator[Session]:
    """The session; everything that it has allocated is freed at the end."""
    core, library = sundials.core, sundials.ida if family.of_cvode is None else sundials.cvode
    layout, n = layout_for(sundials, family, problem), len(segment.x)
    context, memory = c_void_p(), c_void_p()
    vectors: list[int] = []
    kept: list[Vector] = []  # SUNDIALS receives addresses, which hold no array alive
    matrix = linear = None

    def vector(numbers: Vector) -> int:
        kept.append(numbers)
        vectors.append(library.N_VMake_Serial(n, address(numbers), context))
        return vectors[-1]

    y, z, atol = to_places(layout, segment.x), np.empty(n), to_places(layout, _tolerances(problem))
    core.SUNContext_Create(0, byref(context))
    try:
        core.SUNContext_ClearErrHandlers(context)  # errors come back as flags, not on the terminal
        y_vector, slopes_vector = vector(y), None
        if family.of_cvode is None:
            slopes_vector = vector(to_places(layout, _slopes(problem, segment)))
            memory.value = library.IDACreate(context)
            library.IDAInit(memory, _address(callbacks.equations), segment.start, y_vector, slopes_vector)
        else:
            memory.value = library.CVodeCreate(family.of_cvode, context)
            library.CVodeInit(memory, _address(callbacks.equations), segment.start, y_vector)
            library.CVodeSetMaxHnilWarns(memory, -1)  # warnings would go to the terminal
        made = vector(z), slopes_vector, vector(atol)
        session = Session(library, family, layout, memory, y, z, atol, problem.rtol, y_vector, *made)
        _set_bounds(session.call, problem, segment, session.atol_vector, callbacks.user)
        session.call("SetMaxErrTestFails", _MOST_TRIES)
        session.call("SetMaxConvFails", _MOST_TRIES)
        if problem.model.info.n_algebraic:
            session.call("SetId", vector(_tested(problem.model.info)))
            session.call("SetSuppressAlg", 1)
            session.call("SetNonlinConvCoef", _NEWTON)
        # Newton for Adams too: fixed-point iteration needs no Jacobian, but fails on slightly stiff models.
        if layout.indices is not None:
            assert sundials.sparse is not None, "a layout is sparse only with a solver for it"
            matrix = library.SUNSparseMatrix(n, n, len(layout.indices), CSC, context)
            linear = sundials.sparse.solver(y_vector, matrix, context)
            _factorize_identity(library, sundials.sparse, matrix, linear, n)
        elif layout.banded:
            matrix = library.SUNBandMatrix(n, layout.upper, layout.lower, context)
            linear = library.SUNLinSol_Band(y_vector, matrix, context)
        else:
            matrix = library.SUNDenseMatrix(n, n, context)
            linear = library.SUNLinSol_Dense(y_vector, matrix, context)
        session.call("SetLinearSolver", linear, matrix)
        session.call("SetJacFn", _address(callbacks.jacobian))
        yield session
    finally:
        getattr(library, family.prefix + "Free")(byref(memory))
        core.SUNLinSolFree(linear)
        core.SUNMatDestroy(matrix)
        for one in vectors:
            core.N_VDestroy(one)
        core.SUNContext_Free(byref(context))


def _tested(info: ModelInfo) -> Vector:
    """1 for the unknowns whose error is tested, 0 for the derivatives among them: in a stiff model their error is that
    of a state, many times enlarged. Nor is that of multipliers: it is that of a state, divided by the step."""
    n = len(info.states)
    return np.where(np.arange(n) < n - info.n_slopes - info.n_multipliers, 1.0, 0.0)


def _tolerances(problem: Problem) -> Vector:
    """The absolute tolerances; multipliers have none, so that Newton's method ends when all else is found: equations
    contain them linearly, and a solution without error has the value 0."""
    atol, first = problem.atol.copy(), len(problem.atol) - problem.model.info.n_multipliers
    atol[first:] = _ANY
    return atol


def _factorize_identity(library: Any, sparse: Sparse, matrix: int, linear: int, n: int) -> None:
    """Factorize once: a solver that has never done so crashes when it is freed, as after a run that fails at once."""
    index = ctypes.c_int32 if index_size() == 4 else ctypes.c_int64
    (c_double * n).from_address(library.SUNSparseMatrix_Data(matrix))[:] = [1.0] * n
    (index * n).from_address(library.SUNSparseMatrix_IndexValues(matrix))[:] = range(n)
    (index * (n + 1)).from_address(library.SUNSparseMatrix_IndexPointers(matrix))[:] = range(n + 1)
    sparse.library.SUNLinSolInitialize_SuperLUMT(linear)
    sparse.library.SUNLinSolSetup_SuperLUMT(linear, matrix)


def _set_bounds(call: Callable[..., Any], problem: Problem, segment: Segment, atol: int, user: int | None) -> None:
    call("SVtolerances", problem.rtol, atol)
    call("SetUserData", user)
    call("SetMaxNumSteps", problem.max_steps)
    # A shorter step does not advance time; without this limit the solver would creep towards an infinite solution.
    reach = max(abs(segment.start), abs(float(segment.times[-1])))
    call("SetMinStep", 1e-3 * sys.float_info.epsilon * reach)
    if math.isfinite(segment.max_step):
        call("SetMaxStep", segment.max_step)
    call("SetStopTime", float(segment.times[-1]))


def _slopes(problem: Problem, segment: Segment) -> Vector:
    """The derivatives at the start; zero for unknowns that are not integrated, which the first step finds."""
    u, info = problem.inputs.at(segment.start), problem.model.info
    slopes = problem.model.derivatives(segment.start, segment.x, u, problem.values, segment.modes)
    slopes[len(info.states) - info.n_algebraic :] = 0.0
    return slopes


def _address(function: Any) -> int | None:
    return ctypes.cast(function, c_void_p).value
