"""Defines the interface of an integration method: a function from a `Segment` to a `SegmentResult`.

A method restarts at every event: everything that it allocates is freed when the function returns; what it learns for
the next segment is in the `Memory` of the run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import NamedTuple

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.given.inputs import InputFailure, Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.tableau import Tableau

# The end of a run that is too short to integrate, as a fraction of its length.
NEAREST = 1e-12
# The least number of steps of a fixed-step method in a run, if state events are watched.
FIXED_STEPS = 500
# The least number of steps in a run if a function without bounds drives the states: one in Python, or of the user.
OPAQUE_STEPS = 50


@dataclass(frozen=True, eq=False)
class Problem:
    """The constant data of a run. `atol` is the absolute tolerance of each state, (n_states,); `max_steps` is the limit
    between two outputs. A point at most `nearest` before the end of a branch of solutions counts as its end. `forcing`
    is the address of the functions of time that limit steps, in C; None if there are none."""

    model: CompiledModel
    values: Values
    inputs: Inputs
    rtol: float
    atol: Vector
    max_steps: int
    memory: Memory
    nearest: float = 0.0
    forcing: int | None = None


@dataclass(frozen=True, eq=False)
class Segment:
    """The time between two events: its start, the state there, the modes during it, and the ascending output times
    after `start`, at least one, the last of which is its end. The right-hand side is finite at the start. `scales` are
    the sizes of the sides of each crossing there. No step is longer than `max_step`. `hysteresis` tells how far
    relations may be beyond their crossing."""

    start: float
    x: Vector
    modes: Vector
    times: Vector
    scales: Vector
    max_step: float = math.inf
    hysteresis: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Counts:
    """The work of a method: steps tried, evaluations of the right-hand side, steps rejected by the error test."""

    steps: int = 0
    evaluations: int = 0
    error_test_failures: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.steps + other.steps,
            self.evaluations + other.evaluations,
            self.error_test_failures + other.error_test_failures,
        )


class Lost(NamedTuple):
    """Where a branch of solutions ended: the guesses at its last point, their last change, and the number of the
    message of the system that was not solved beyond it; 0 if another solution was found."""

    last: Vector
    motion: Vector
    unsolved: int


@dataclass(frozen=True, eq=False)
class SegmentResult:
    """The outcome of a segment: the states at the first output times, (reached, n_states), at all of them if it is
    COMPLETED; the guesses of the steps that contain these times, (reached, n_guesses); the last point (t, x); the
    latest point at which the right-hand side was not finite; and the name of the method that integrated.

    If a relation crosses, the segment ends just after it, before the output times from there on: `crossed` holds the
    new sign of the difference of its sides, twice that if it had not left zero before, 0 for the others; () if none
    crosses. If a branch of solutions of a nonlinear system ended, `lost` tells where. `failed` tells that a function of
    an input ended the segment; then the outcome does not matter.
    """

    states: Vector
    guesses: Vector
    t: float
    x: Vector
    outcome: Outcome
    counts: Counts
    bad: tuple[float, Vector] | None
    method: str
    crossed: tuple[int, ...] = ()
    lost: Lost | None = None
    failed: InputFailure | None = None


@dataclass(frozen=True)
class Family:
    """A family of methods of SUNDIALS: its name, the number of CVODE's multistep method (None for IDA), and whether its
    matrix is sparse if SUNDIALS has a solver for that."""

    name: str
    of_cvode: int | None
    sparse: bool = False

    @property
    def prefix(self) -> str:
        """The prefix of its functions."""
        return "IDA" if self.of_cvode is None else "CVode"


@dataclass(frozen=True)
class Method:
    """A named method. If it is not `adaptive` it ignores the tolerance. `order` is that of its errors if it is
    constant, and 5, which it may reach, if it varies. If it `is_explicit`, it takes short steps for a stiff model.

    `tableau` is that of an explicit method, or of the one that integrates until the model proves stiff, if it
    `detects_stiffness`; `family` is that of a method of SUNDIALS, or of the one that integrates from then on.
    `integrate` takes the steps of a method that is not in C."""

    name: str
    about: str
    integrate: Callable[[Problem, Segment], SegmentResult] | None = None
    adaptive: bool = True
    order: int = 5
    is_explicit: bool = False
    tableau: Tableau | None = None
    detects_stiffness: bool = False
    family: Family | None = None


def least_steps(info: ModelInfo, method: Method, inputs: Inputs) -> int:
    """The least number of steps in a run, 0 for any: without error control, only short steps resolve crossings between
    outputs; functions without bounds may hide pulses."""
    if info.crossings and not (method.adaptive and info.states):
        return FIXED_STEPS
    return OPAQUE_STEPS if info.has_opaque_forcing or inputs.scripted else 0
