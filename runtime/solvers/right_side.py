"""Evaluates the right-hand side of a segment for solvers in Python: (t, x) -> derivatives. Takes no step."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector, all_finite
from cutset.runtime.solvers.branches import Branch
from cutset.runtime.solvers.delayed_steps import inputs_at
from cutset.runtime.solvers.method import Lost, Problem, Segment


class RightHandSide:
    """The right-hand side, which counts its evaluations and records the latest point at which it was not finite."""

    def __init__(self, problem: Problem, segment: Segment):
        self._problem = problem
        self._modes = segment.modes
        self._times = segment.times
        self._guesses: list[Vector] = []
        self._count = 0
        self.branch = Branch(problem, segment.modes, segment.start, segment.x)
        self.bad: tuple[float, Vector] | None = None

    @property
    def evaluations(self) -> int:
        """The number of evaluations of the model."""
        return self._count + self.branch.evaluations

    @property
    def lost(self) -> Lost | None:
        """As in `SegmentResult`."""
        branch = self.branch
        return Lost(branch.last, branch.motion, branch.unsolved) if branch.lost else None

    def __call__(self, t: float, x: Vector) -> Vector:
        """dx/dt, a new array; contains inf or nan if the model has no value."""
        problem = self._problem
        problem.memory.now[0] = t
        if problem.model.info.n_guesses:
            found = self.branch.derivatives(t, x)
        else:
            self._count += 1
            found = problem.model.derivatives(
                float(t), x, inputs_at(problem, t, x, self._modes), problem.values, self._modes
            )
        dx = np.full(len(x), np.nan)
        if found is not None and all_finite(problem.model.info, found, problem.values):
            dx = found
        else:
            self.bad = (float(t), np.array(x, dtype=float))
        return dx

    def keep_guesses(self, count: int) -> None:
        """Store the guesses of the step accepted last for the outputs from the last one that has some up to number
        `count`."""
        self._guesses += [self.branch.extrapolate(t) for t in self._times[len(self._guesses) : count].tolist()]

    def guesses(self, count: int) -> Vector:
        """The guesses of the first outputs: shape (count, n_guesses)."""
        self.keep_guesses(count)
        return np.array(self._guesses[:count]).reshape(count, self._problem.model.info.n_guesses)

    def glance(self, t: float, x: Vector) -> Vector:
        """dx/dt, without recording a point that is not finite."""
        problem = self._problem
        self._count += 1
        self.branch.extrapolate(t)
        return problem.model.derivatives(
            float(t), x, inputs_at(problem, t, x, self._modes), problem.values, self._modes
        )
