"""What an integration method is: one function from a `Segment` to a `SegmentResult`. No method is here.

A method starts anew at every event: all that it allocates is gone when the function returns, and what it learns for
the next segment is in the `Memory` of the run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.memory import Memory


@dataclass(frozen=True, eq=False)
class Problem:
    """What stays the same in all segments of a run. `atol` has the absolute tolerance of each state, (n_states,);
    `max_steps` holds between two outputs. A point that is no farther than `nearest` before the end of a branch of
    solutions is its end."""

    model: CompiledModel
    values: Values
    inputs: Inputs
    rtol: float
    atol: Vector
    max_steps: int
    memory: Memory = field(default_factory=Memory)
    nearest: float = 0.0


@dataclass(frozen=True, eq=False)
class Segment:
    """Time between two events: where it starts, the state there, the modes in it, and the ascending output times
    after `start`, at least one, of which the last is its end. The right-hand side is finite at the start. `scales` are
    the sizes of the sides of each crossing there. No step is longer than `max_step`. `hysteresis` has for relations how
    far beyond their crossing they may be."""

    start: float
    x: Vector
    modes: Vector
    times: Vector
    scales: Vector
    max_step: float = math.inf
    hysteresis: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Counts:
    """What a method did: steps tried, right-hand sides evaluated, steps refused by the error test."""

    steps: int = 0
    evaluations: int = 0
    error_test_failures: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.steps + other.steps,
            self.evaluations + other.evaluations,
            self.error_test_failures + other.error_test_failures,
        )


@dataclass(frozen=True, eq=False)
class SegmentResult:
    """What became of a segment: the states at the first output times, (reached, n_states), all of them where the
    outcome is COMPLETED; with them the guesses of the step in which each lies, (reached, n_guesses); the last point (t,
    x); the latest point at which the right-hand side was not finite; and the name of what integrated. Where a relation
    crosses the segment ends just behind it, and before the output times from there on: `crossed` has the sign that the
    difference of its sides takes, twice that where it had not left zero before, 0 for the others; () where none
    crosses. Where a solution of a nonlinear system was followed and has ended, `lost` has the guesses at the last
    point, and how they have moved to there."""

    states: Vector
    guesses: Vector
    t: float
    x: Vector
    outcome: Outcome
    counts: Counts
    bad: tuple[float, Vector] | None
    method: str
    crossed: tuple[int, ...] = ()
    lost: tuple[Vector, Vector] | None = None


@dataclass(frozen=True)
class Method:
    """A method by its name. One that is not `adaptive` takes no notice of the tolerance. `order` is that of its errors
    where it is the same everywhere, and 5, which it may reach, where it varies. One that `is_explicit` takes short
    steps where a model is stiff."""

    name: str
    about: str
    integrate: Callable[[Problem, Segment], SegmentResult]
    adaptive: bool = True
    order: int = 5
    is_explicit: bool = False
