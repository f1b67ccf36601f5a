"""The classical Runge-Kutta method of order 4 (W. Kutta 1901): equal steps from output to output. Controls no error."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.native import NativeModel
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.loop import run_explicit
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, Stretch
from cutset.runtime.solvers.right_side import RightHandSide


def integrate(problem: Problem, stretch: Stretch) -> Piece:
    """In C where the model is C, else here, with the same operations."""
    if isinstance(problem.model, NativeModel):
        return run_explicit(problem, stretch, "rk4")[1]
    return _Loop(problem, stretch).run()


class _Loop:
    """One stretch in Python, the twin of `cutset_rk4`."""

    def __init__(self, problem: Problem, stretch: Stretch):
        self.f = RightHandSide(problem, stretch)
        self.watch = Watch(problem, stretch, self.f.branch)
        self.t, self.x = stretch.start, stretch.x
        self.dx = self.f(self.t, self.x)
        self.times, self.max_step = stretch.times.tolist(), stretch.max_step
        self.steps = 0

    def run(self) -> Piece:
        states: list[Vector] = []
        for end in self.times:
            if not self._reaches(end):
                break
            states.append(self.x)
            self.f.keep_guesses(len(states))
        outcome = Outcome.COMPLETED if self.f.bad is None else Outcome.NOT_FINITE
        rows = np.array(states).reshape(len(states), len(self.x))
        counts = Counts(self.steps, self.f.evaluations)
        f = self.f
        guesses = f.guesses(len(rows))
        f.branch.extrapolate(self.t)
        return Piece(rows, guesses, self.t, self.x, outcome, counts, f.bad, "rk4", self.watch.crossed, f.lost)

    def _reaches(self, end: float) -> bool:
        """Steps to `end`; False where a crossing or a place without values is before it."""
        start, count = self.t, max(math.ceil((end - self.t) / self.max_step - 1e-9), 1)
        h = (end - start) / count
        for number in range(1, count + 1):
            until = end if number == count else start + number * h
            z = self._step(h)
            dz = self.f(until, z) if self.f.bad is None else z
            if self.f.bad is not None:
                return False
            self.f.branch.accept(until, z)
            state = partial(_cubic, self.t, h, self.x, self.dx, z, dz)
            crossing = self.watch.crosses(state, self.t, until, self.steps == 0)
            self.steps += 1
            self.t, self.x = crossing or (until, z)
            self.dx = dz
            if crossing:
                return False
        return True

    def _step(self, h: float) -> Vector:
        f, t, x, k1 = self.f, self.t, self.x, self.dx
        k2 = f(t + 0.5 * h, x + 0.5 * h * k1)
        k3 = f(t + 0.5 * h, x + 0.5 * h * k2)
        k4 = f(t + h, x + h * k3)
        return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def _cubic(start: float, h: float, x: Vector, dx: Vector, z: Vector, dz: Vector, t: float) -> Vector:
    """The state at t by the cubic of Hermite through both ends of a step."""
    theta = (t - start) / h
    rest, rise = 1.0 - theta, z - x
    left, right = h * dx - rise, rise - h * dz
    return x + theta * (rise + rest * (rest * left + theta * right))


RK4 = Method("rk4", "classical Runge-Kutta of order 4, one step from output to output", integrate, adaptive=False)
