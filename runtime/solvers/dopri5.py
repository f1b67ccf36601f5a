"""Dormand-Prince 5(4) with dense output, where nothing is stiff: a stretch in, a piece out. Solves no equations.

The loop is that of C where the model is C, and the one below where it is Python.

J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19-26; the control
of the step after E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.4-II.6.
The operations are those of c/driver.c in the same order.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.native import NativeModel
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.loop import STATUS, run_explicit
from cutset.runtime.solvers.memory import Stiffness
from cutset.runtime.solvers.method import Counts, Method, Piece, Problem, Stretch
from cutset.runtime.solvers.right_side import RightHandSide

# Stages 2 to 6 and the solution of order 5: (node, weights of the stages before).
TABLEAU = (
    (0.2, (0.2,)),
    (0.3, (3 / 40, 9 / 40)),
    (0.8, (44 / 45, -56 / 15, 32 / 9)),
    (8 / 9, (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729)),
    (1.0, (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)),
    (1.0, (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)),
)
# Fifth minus fourth order, and the last term of the continuous extension; over all seven stages.
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
BUMP = (
    *(-12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072),
    *(701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423),
)


def integrate(problem: Problem, stretch: Stretch) -> Piece:
    """The stretch by Dormand-Prince, however stiff it is."""
    return attempt(problem, stretch, detect_stiffness=False)[0]


def attempt(problem: Problem, stretch: Stretch, detect_stiffness: bool) -> tuple[Piece, bool]:
    """The stretch up to its end or, where asked, to the point at which the model proves stiff (then True)."""
    if isinstance(problem.model, NativeModel):
        status, piece = run_explicit(problem, stretch, "dopri5", detect_stiffness)
        return piece, STATUS[status] is None
    return _Loop(problem, stretch).run(detect_stiffness)


@dataclass(frozen=True, eq=False)
class _Step:
    """A step tried: its stages, the next state and the argument of the sixth stage; None: some stage not finite."""

    k: list[Vector]
    next: Vector
    sixth: Vector


class _Loop:
    """One stretch in Python, the twin of `cutset_dopri5`."""

    def __init__(self, problem: Problem, stretch: Stretch):
        self.f = RightHandSide(problem, stretch)
        self.watch = Watch(problem, stretch, self.f.branch)
        self.rtol, self.atol, self.max_steps = problem.rtol, problem.atol, problem.max_steps
        self.max_step, self.stiffness = stretch.max_step, problem.memory.stiffness
        self.t, self.x = stretch.start, stretch.x
        self.times = stretch.times.tolist()
        self.states: list[Vector] = []
        self.steps = self.rejected = 0
        self.first_over = False

    def run(self, detect_stiffness: bool) -> tuple[Piece, bool]:
        end, previous, refused = self.times[-1], 1e-4, Outcome.COMPLETED
        since = 0
        k1 = self.f(self.t, self.x)
        h = self._first_step(k1, end - self.t)
        while True:
            h = min(h, self.max_step)
            last = self.t + 1.01 * h >= end
            h = end - self.t if last else h
            since += 1
            if since > self.max_steps:
                return self._piece(Outcome.TOO_MANY_STEPS), False
            if 0.1 * h <= abs(self.t) * sys.float_info.epsilon and not last:
                return self._piece(_too_small(refused)), False
            step = self._stages(k1, h)
            self.steps += 1
            error = math.inf if step is None else self._error_norm(step, h)
            if step is None or not error <= 1.0:
                h = self.f.branch.shorter(h) if step is None else h * max(0.2, 0.9 * error**-0.17)
                refused = Outcome.NOT_FINITE if step is None else Outcome.STEP_TOO_SMALL
                self.rejected += 1
                if self.t + h == self.t or (step is None and self.f.branch.ends_here()):
                    return self._piece(refused), False
                continue
            if detect_stiffness:
                _count_stiffness(step, h, self.stiffness)
                if self.stiffness.border == 15:
                    return self._piece(Outcome.COMPLETED), True
            until = end if last else self.t + h
            self.f.branch.accept(until, step.next)
            crossing = self.watch.crosses(partial(self._state, step, h), self.t, until, not self.first_over)
            self.first_over = True
            since = 0 if self._write(step, h, last, crossing[0] if crossing else math.inf) else since
            self.f.keep_guesses(len(self.states))
            self.t, self.x = crossing or (until, step.next)
            self.f.branch.extrapolate(self.t)
            k1 = step.k[6]
            if last or crossing:
                return self._piece(Outcome.COMPLETED), False
            factor = 0.9 * (error or 1e-300) ** -0.17 * previous**0.04
            factor = min(10.0, max(0.2, factor))
            h *= factor if refused is Outcome.COMPLETED else min(1.0, factor)
            previous, refused = max(error, 1e-4), Outcome.COMPLETED

    def _stages(self, k1: Vector, h: float) -> _Step | None:
        k, z, sixth = [k1], self.x, self.x
        for node, weights in TABLEAU:
            sixth, z = z, self.x + h * _combine(weights, k)
            k.append(self.f(self.t + node * h, z))
            if not np.isfinite(k[-1]).all():
                return None
        return _Step(k, z, sixth)

    def _error_norm(self, step: _Step, h: float) -> float:
        scale = self.atol + self.rtol * np.maximum(abs(self.x), abs(step.next))
        return _mean_square(h * _combine(ERROR, step.k) / scale)

    def _first_step(self, k1: Vector, span: float) -> float:
        scale = self.atol + self.rtol * abs(self.x)
        size, slope = _mean_square(self.x / scale), _mean_square(k1 / scale)
        guess = 1e-6 if size < 1e-5 or slope < 1e-5 else 0.01 * (size / slope)
        guess = min(max(guess, 1e4 * sys.float_info.epsilon * abs(self.t)), span)
        k2 = self.f(self.t + guess, self.x + guess * k1)
        if not np.isfinite(k2).all():
            return 0.01 * guess
        steepest = max(slope, _mean_square((k2 - k1) / scale) / guess)
        following = max(1e-6, guess * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** 0.2
        return min(100.0 * guess, following, span)

    def _state(self, step: _Step, h: float, t: float) -> Vector:
        return step.next if t >= self.t + h else _interpolate(step, self.x, h, (t - self.t) / h)

    def _write(self, step: _Step, h: float, last: bool, until: float) -> bool:
        """The outputs within the step and before `until`; whether there were any."""
        before = len(self.states)
        for time in self.times[before:]:
            if (not last and time > self.t + h) or time >= until:
                break
            done = last and time == self.times[-1]
            self.states.append(step.next if done else _interpolate(step, self.x, h, (time - self.t) / h))
        return len(self.states) > before

    def _piece(self, outcome: Outcome) -> Piece:
        states = np.array(self.states).reshape(len(self.states), len(self.x))
        counts = Counts(self.steps, self.f.evaluations, self.rejected)
        f = self.f
        crossed, guesses = self.watch.crossed, f.guesses(len(states))
        return Piece(states, guesses, self.t, self.x, outcome, counts, f.bad, "dopri5", crossed, f.lost)


def _too_small(refused: Outcome) -> Outcome:
    return Outcome.NOT_FINITE if refused is Outcome.NOT_FINITE else Outcome.STEP_TOO_SMALL


def _combine(weights: tuple[float, ...], k: list[Vector]) -> Vector:
    total = weights[0] * k[0]
    for weight, stage in zip(weights[1:], k[1:], strict=False):
        if weight != 0.0:
            total = total + weight * stage
    return total


def _mean_square(v: Vector) -> float:
    # A running sum, as C adds; numpy's own sum goes in pairs.
    return math.sqrt(float(np.cumsum(v * v)[-1]) / len(v))


def _interpolate(step: _Step, x: Vector, h: float, theta: float) -> Vector:
    """The state at theta in the step by the continuous extension of order 4 (II.6)."""
    rise = step.next - x
    left = h * step.k[0] - rise
    right = rise - h * step.k[6] - left
    rest = 1.0 - theta
    return x + theta * (rise + rest * (left + theta * (right + rest * (h * _combine(BUMP, step.k)))))


def _count_stiffness(step: _Step, h: float, stiffness: Stiffness) -> None:
    """Steps at the border of stability (IV.2), and how many in a row were not."""
    way = float(np.cumsum((step.next - step.sixth) ** 2)[-1])
    rise = float(np.cumsum((step.k[6] - step.k[5]) ** 2)[-1])
    if way > 0.0 and h * math.sqrt(rise / way) > 3.25:
        stiffness.border, stiffness.gentle = stiffness.border + 1, 0
    else:
        stiffness.gentle += 1
        stiffness.border = 0 if stiffness.gentle == 6 else stiffness.border


DOPRI5 = Method("dopri5", "Dormand-Prince of order 5(4), explicit", integrate)
