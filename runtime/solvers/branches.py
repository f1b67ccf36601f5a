"""Follows solutions of nonlinear systems along a trajectory, for solvers in Python, as c/branches.h does.

Equations may have several solutions. The relevant one is connected with the last point that the integrator has
accepted: the iteration starts from that point's extrapolated guesses, whatever was tried since. If it does not converge
fast, or converges to a distant solution, the solution is followed on the straight line from that point, in steps that
shorten until it changes little in them or changes like a continuous function. If not even the shortest step achieves
that, the branch ends before: the evaluation has no value, and the integrator takes a shorter step. The operations are
the same as in C, in the same order.
"""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.solvers.delayed_steps import inputs_at
from cutset.runtime.solvers.method import Problem

# Relative to the largest value (memory.py): smaller changes of a solution need no check.
_NEAR = 0.05
# How far a continuous function may lie from the mean of its ends in the middle of a short step, relative to its change:
# the square root has 0.21, a jump 0.5.
_BENT = 0.35
# Relative to the largest value: a smaller change is rounding.
_MOVED = 1e-7
_TRIES, _SHORTEST = 100, 1.0 / 2048.0
# Without states no step of an integrator can be shortened instead.
_TRIES_ALONE, _SHORTEST_ALONE = 1000, 1e-12


class Branch:
    """The branch of solutions at the last accepted point: guesses, time and states there, and those of the point
    before. `motion` is the latest change of the guesses, `lost` is True if an evaluation since then found no solution
    on the branch, `unsolved` is the number of the message of the system that was not solved latest, `evaluations`
    counts evaluations."""

    def __init__(self, problem: Problem, modes: Vector, t: float, x: Vector):
        self._problem, self._modes = problem, modes
        self._n = problem.model.info.n_guesses
        self._w, self._size = problem.values.w, problem.memory.sizes(problem.model.info, problem.values)
        self.lost, self.evaluations, self._ended, self.unsolved = False, 0, t, 0
        if self._n:
            problem.model.derivatives(t, x, inputs_at(problem, t, x, modes), problem.values, modes)
        self._t, self._x = t, x
        self._t_before, self._solved = t, True
        self.last = self.before = self._found = self._w[: self._n].copy()
        self._anchor, self.motion = self.last, np.zeros(self._n)
        np.maximum(self._size, np.abs(self.last), out=self._size)

    def extrapolate(self, t: float) -> Vector:
        """The guesses for time t, extrapolated linearly from the last two accepted points; also written to w."""
        if not self._n:
            return self._w[:0]
        way = self._t - self._t_before
        part = min(max((t - self._t) / way if way != 0.0 else 0.0, -1.0), 10.0)
        self._w[: self._n] = self.last + part * (self.last - self.before)
        return self._w[: self._n].copy()

    def shorter(self, h: float) -> float:
        """The step to try after a step of size h met a point without values: up to the end of the branch, if that is
        known."""
        return min(0.5 * h, max(0.1 * h, 0.9 * (self._ended - self._t))) if self.lost else 0.1 * h

    def ends_here(self) -> bool:
        """True if the branch ends so close to the last accepted point that no step is possible."""
        return self.lost and self._ended - self._t <= self._problem.nearest

    def accept(self, t: float, x: Vector) -> None:
        """Accept the point (t, x) with the solutions of the latest evaluation."""
        self._t_before, self._t, self._x, self.lost, self._solved = self._t, t, x, False, False
        self.before, self.last = self.last, self._found
        np.maximum(self._size, np.abs(self.last), out=self._size)
        if (np.abs(self.last - self._anchor) > _MOVED * self._size).any():
            self.motion, self._anchor = self.last - self._anchor, self.last

    def derivatives(self, t: float, x: Vector) -> Vector | None:
        """dx/dt at (t, x); None if the branch ends before. After an instant at which it ended it is not sought."""
        if self.lost and t >= self._ended:
            return None
        guess = self.extrapolate(t)
        dx, found = self._try(t, x)
        near = dx if found and self._is_near(guess) else self._continued(t, x)
        if near is not None:
            self._found = self._w[: self._n].copy()
            return near
        self.lost = True
        self._w[: self._n] = self.last
        return None

    def _try(self, t: float, x: Vector, care: int = 1) -> tuple[Vector, bool]:
        problem = self._problem
        self.evaluations += 1
        u = inputs_at(problem, t, x, self._modes)
        dx, unsolved = problem.model.careful_derivatives(float(t), x, u, problem.values, self._modes, care)
        self.unsolved = unsolved or self.unsolved
        return dx, not unsolved

    def _is_near(self, guess: Vector) -> bool:
        return bool((np.abs(self._w[: self._n] - guess) <= _NEAR * self._size).all())

    def _solve_at_accepted_point(self) -> None:
        """Solve the guesses at the accepted point itself if a step becomes difficult: implicit methods accept a point
        near to the last evaluated one. If the branch ended before it, they stay: another solution is on another
        branch."""
        if self._solved:
            return
        self._solved = True
        self._w[: self._n] = self.last
        if self._try(self._t, self._x)[1] and self._is_near(self.last):
            self.last = self._w[: self._n].copy()

    def _continued(self, t: float, x: Vector) -> Vector | None:
        """The derivatives with the solution that continues to (t, x); None if there is none. Kinks need damped
        iterations."""
        self._solve_at_accepted_point()
        found = self._follow(t, x, 1)
        return self._follow(t, x, 2) if found is None else found

    def _follow(self, t: float, x: Vector, care: int) -> Vector | None:
        """The same with iterations of this kind."""
        most, shortest = (_TRIES, _SHORTEST) if len(x) else (_TRIES_ALONE, _SHORTEST_ALONE)
        done = done_before = 0.0
        start, base, stride = self._t, self._x, 1.0
        from_ = from_before = self.last

        def between(part: float) -> tuple[Vector, Vector, bool]:
            way = done - done_before
            ahead = (part - done) / way if way != 0.0 else 0.0
            guess = from_ + ahead * (from_ - from_before)
            self._w[: self._n] = guess
            return guess, *self._try(start + part * (t - start), base + part * (x - base), care)

        def is_continuous(part: float) -> bool:
            end = self._w[: self._n].copy()
            if not between(0.5 * (done + part))[2]:
                return False
            bend = self._w[: self._n] - 0.5 * (end + from_)
            self._w[: self._n] = end
            return bool((np.abs(bend) <= _BENT * np.abs(end - from_) + _NEAR * self._size).all())

        for _ in range(most):
            if not stride > shortest:
                break
            part = min(1.0, done + stride)
            guess, dx, found = between(part)
            if found and (self._is_near(guess) or is_continuous(part)):
                if part == 1.0:
                    return dx
                from_before, from_ = from_, self._w[: self._n].copy()
                done_before, done, stride = done, part, 2.0 * stride
            else:
                stride *= 0.5
        self._ended = start + min(1.0, done + 2.0 * stride) * (t - start)
        return None
