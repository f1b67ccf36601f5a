"""Integrates a segment with an explicit Runge-Kutta method, given by its tableau. Solves no equations.

If the model is C, the loop is c/runge_kutta.h; if it is Python, the loop below, with the same operations in the same
order. Step size control, first step, continuous extension, stiffness test: E. Hairer, S. P. Norsett, G. Wanner, Solving
Ordinary Differential Equations I, 2nd ed., II.4-II.6, and II, IV.2.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import partial

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.c_model import CModel
from cutset.runtime.forcing import BALANCED, Forcing
from cutset.runtime.inputs import InputFailure
from cutset.runtime.interface import Vector
from cutset.runtime.newton import Care
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.c_loops import STATUS, run_explicit
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.delayed_steps import Recorder
from cutset.runtime.solvers.memory import Stiffness
from cutset.runtime.solvers.method import Counts, Problem, Segment, SegmentResult
from cutset.runtime.solvers.poles import Poles
from cutset.runtime.solvers.right_side import RightHandSide
from cutset.runtime.solvers.tableau import Tableau

# The estimate of the error counts so many times if a stage was beyond a crossing, on another branch of the equations.
_BEYOND = 100.0


def integrate(tableau: Tableau, problem: Problem, segment: Segment) -> SegmentResult:
    """Integrate the segment, even if it is stiff."""
    return attempt(tableau, problem, segment, detect_stiffness=False)[0]


def attempt(tableau: Tableau, problem: Problem, segment: Segment, detect_stiffness: bool) -> tuple[SegmentResult, bool]:
    """Integrate the segment to its end or, with `detect_stiffness`, to the point at which the model proves stiff (then
    True)."""
    if isinstance(problem.model, CModel):
        status, result = run_explicit(problem, segment, tableau, detect_stiffness)
        return result, STATUS[status] is None
    loop = _Loop(tableau, problem, segment)
    try:
        return loop.adapted_steps(detect_stiffness) if tableau.error else (loop.fixed_steps(), False)
    except InputFailure as failed:
        return loop.stopped(failed), False
    except KeyboardInterrupt:
        return loop.stopped(None), False


@dataclass(frozen=True, eq=False)
class _Step:
    """A trial step: its stages, the next state and the argument of the stage before the last."""

    k: list[Vector]
    next: Vector
    before: Vector


class _Loop:
    """One segment in Python, the equivalent of `cutset_explicit`."""

    def __init__(self, tableau: Tableau, problem: Problem, segment: Segment):
        self.tableau = tableau
        self.f = RightHandSide(problem, segment)
        self.watch = Watch(problem, segment, self.f.branch)
        self.recorder = Recorder(problem, segment.modes, self.f.branch.extrapolate)
        self.rtol, self.atol, self.max_steps = problem.rtol, problem.atol, problem.max_steps
        self._history, self.stiffness = problem.inputs.history, problem.memory.stiffness
        self._longest, self._forcing = segment.max_step, problem.forcing
        self._care: Care = getattr(problem.model, "care", None) or Care()
        self.t, self.x = segment.start, segment.x
        if self._forcing is not None:
            self._forcing.begin(self.t, segment.modes, self.x)
        self.k1 = self.f(self.t, self.x)
        self.poles = Poles(self.f, None if tableau.error and not segment.has_grown else self.k1)
        self.times = segment.times.tolist()
        self.states: list[Vector] = []
        self.steps = self.rejected = self.since = 0
        self.first_over = False

    def longest(self, fixed: bool = False) -> float:
        """The longest step now."""
        return self._longest if self._history is None else self._history.limited(self._longest, fixed)

    def fixed_steps(self) -> SegmentResult:
        """Equal steps from each output to the next, none longer than the longest allowed; no error control."""
        longest = self.longest(fixed=True)
        while len(self.states) < len(self.times):
            start, end = self.t, self.times[len(self.states)]
            count = max(math.ceil((end - start) / longest - 1e-9), 1)
            h = (end - start) / count
            for number in range(1, count + 1):
                step = self._stages(h) if self.f.bad is None else None
                if step is None or self.f.bad is not None:  # a model without states may be undefined too
                    return self._result(Outcome.NOT_FINITE)
                self.steps += 1
                ends = number == count
                until = end if ends else start + number * h
                if self._stages_pass_pole(step, h) or self._passes_pole(step, until):
                    return self._result(Outcome.NOT_FINITE)
                if self._make(step, h, ends, until):
                    return self._result(Outcome.COMPLETED)
        return self._result(Outcome.COMPLETED)

    def adapted_steps(self, detect_stiffness: bool) -> tuple[SegmentResult, bool]:
        """Steps controlled by the estimated error: PI control with the exponents 1/order - 0.75*0.04 and 0.04."""
        end, previous, refused = self.times[-1], 1e-4, Outcome.COMPLETED
        exponent = 1.0 / self.tableau.order - 0.03
        h, bend, last_bend = self._first_step(end - self.t), 0.0, math.inf
        while True:
            longest = self.longest()
            h = min(h, longest)
            h = h if self._forcing is None else min(self._forcing.within(self.t, self.x, h, may_pass=True), longest)
            last = self.t + 1.01 * h >= end
            h = end - self.t if last else h
            self.since += 1
            if self.since > self.max_steps:
                return self._result(Outcome.TOO_MANY_STEPS), False
            if 0.1 * h <= abs(self.t) * sys.float_info.epsilon and not last:
                return self._result(_too_small(refused)), False
            self._care.beyond = False
            step = self._stages(h)
            self.steps += 1
            error = math.inf if step is None else (_BEYOND if self._care.beyond else 1.0) * self._error_norm(step, h)
            if step is not None and self._forcing is not None:
                error, bend = self._forced_error(self._forcing, step, h, error, (last_bend, bend))
            if step is None or not error <= 1.0:
                h = self.f.branch.shorter(h) if step is None else h * max(0.2, 0.9 * error**-exponent)
                refused = Outcome.NOT_FINITE if step is None else Outcome.STEP_TOO_SMALL
                self.rejected += 1
                if self.t + h == self.t or (step is None and self.f.branch.ends_here()):
                    return self._result(refused), False
                continue
            if detect_stiffness:
                _count_stiffness(step, h, self.stiffness)
                if self.stiffness.border == 15:
                    return self._result(Outcome.COMPLETED), True
            if self._passes_pole(step, end if last else self.t + h):
                assert self.f.bad is not None
                # Approach the pole, which may be far within a step if its effect is within the tolerance.
                h, refused = 0.9 * (self.f.bad[0] - self.t), Outcome.NOT_FINITE
                self.rejected += 1
                if self.t + h <= self.t:
                    return self._result(refused), False
                continue
            if self._make(step, h, last, end if last else self.t + h) or last:
                return self._result(Outcome.COMPLETED), False
            factor = 0.9 * (error or 1e-300) ** -exponent * previous**0.04
            factor = min(10.0, max(0.2, factor))
            h *= factor if refused is Outcome.COMPLETED else min(1.0, factor)
            previous, last_bend, refused = max(error, 1e-4), bend, Outcome.COMPLETED

    def stopped(self, failure: InputFailure | None) -> SegmentResult:
        """The result after a function of an input has failed, or Ctrl-C."""
        return replace(self._result(Outcome.INTERRUPTED), failed=failure)

    def _passes_pole(self, step: _Step, end: float) -> bool:
        """True if there is a pole between the ends of the step."""
        return self.poles.between((self.t, self.x, self.k1), (end, step.next, step.k[-1]))

    def _stages_pass_pole(self, step: _Step, h: float) -> bool:
        """Without error control a step may pass poles and come back, or end between others: the stages show that."""
        stages = enumerate(self.tableau.rows, 1)
        points = (
            (self.t + node * h, self.x + h * _combine(weights, step.k), step.k[k]) for k, (node, weights) in stages
        )
        return any(self.poles.on_long_way((self.t, self.x, self.k1), point) for point in points)

    def _make(self, step: _Step, h: float, ends: bool, end: float) -> bool:
        """Accept the step: branches, crossings, outputs. True if a crossing ends the segment here."""
        self.f.branch.accept(end, step.next)
        state = partial(self._state, step, self.t, self.x, h)
        crossing = self.watch.crosses(state, self.t, end, not self.first_over)
        self.first_over = True
        self.recorder.store(state, self.t, crossing[0] if crossing else end)
        self._write(state, step, h, ends, end, crossing[0] if crossing else math.inf)
        self.t, self.x = crossing or (end, step.next)
        self.f.branch.extrapolate(self.t)
        self.k1 = step.k[-1]
        return crossing is not None

    def _stages(self, h: float) -> _Step | None:
        """The stages of a step of size h; None if one is not finite."""
        k, z, before = [self.k1], self.x, self.x
        for node, weights in self.tableau.rows:
            before, z = z, self.x + h * _combine(weights, k)
            k.append(self.f(self.t + node * h, z))
            if not np.isfinite(k[-1]).all():
                return None
        return _Step(k, z, before)

    def _error_norm(self, step: _Step, h: float) -> float:
        scale = self.atol + self.rtol * np.maximum(abs(self.x), abs(step.next))
        return _mean_square(h * _combine(self.tableau.error, step.k) / scale)

    def _forced_error(
        self, forcing: Forcing, step: _Step, h: float, error: float, bends: tuple[float, float]
    ) -> tuple[float, float]:
        """The error of a step of a forced model, in what it may use of the tolerance, and by how much the slopes change
        within it; `bends` are those of the step before and of the last attempt."""
        share = forcing.share(BALANCED)
        error, (last, bend) = error / share, bends
        if error <= 1.0:
            bend = h * _mean_square((step.k[-1] - self.k1) / (self.atol + self.rtol * abs(self.x)))
            for part in reversed(forcing.doubtful_parts(self.t, h, bend > 8.0 * last)):
                error = max(error, self._error_inside(step, h, part) / share)
        return error, bend

    def _error_inside(self, step: _Step, h: float, part: float) -> float:
        """The error that a step shows where it is `part` of the way: how far the derivatives there differ from those of
        its continuous extension, in tolerances; 0 where that is small, and may be rounding."""
        weight, small, rest = 0.03, 1e-3, 1.0 - part
        slope = self.f.glance(self.t + part * h, self._interpolate(step, self.x, h, part))
        if not np.isfinite(slope).all():
            return 0.0
        rise = step.next - self.x
        left = h * step.k[0] - rise
        right = rise - h * step.k[-1] - left
        bump = h * _combine(self.tableau.bump, step.k) if self.tableau.bump else 0.0
        way = rise + (rest - part) * left + part * (2.0 * rest - part) * right
        way = way + 2.0 * part * rest * (rest - part) * bump
        scale = self.atol + self.rtol * np.maximum(abs(self.x), abs(step.next))
        error = _mean_square(weight * (h * slope - way) / scale)
        return error if error > small else 0.0

    def _first_step(self, span: float) -> float:
        scale = self.atol + self.rtol * abs(self.x)
        size, slope = _mean_square(self.x / scale), _mean_square(self.k1 / scale)
        guess = 1e-6 if size < 1e-5 or slope < 1e-5 else 0.01 * (size / slope)
        guess = min(max(guess, 1e4 * sys.float_info.epsilon * abs(self.t)), span)
        k2 = self.f(self.t + guess, self.x + guess * self.k1)
        if not np.isfinite(k2).all():
            return 0.01 * guess
        steepest = max(slope, _mean_square((k2 - self.k1) / scale) / guess)
        following = max(1e-6, guess * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / self.tableau.order)
        return min(100.0 * guess, following, span)

    def _state(self, step: _Step, start: float, x: Vector, h: float, t: float) -> Vector:
        return step.next if t >= start + h else self._interpolate(step, x, h, (t - start) / h)

    def _interpolate(self, step: _Step, x: Vector, h: float, theta: float) -> Vector:
        """Cubic Hermite interpolation, with one more term if the tableau has it (II.6)."""
        rise = step.next - x
        left = h * step.k[0] - rise
        right = rise - h * step.k[-1] - left
        rest = 1.0 - theta
        bump = h * _combine(self.tableau.bump, step.k) if self.tableau.bump else 0.0
        result: Vector = x + theta * (rise + rest * (left + theta * (right + rest * bump)))
        return result

    def _write(self, state: partial[Vector], step: _Step, h: float, ends: bool, end: float, until: float) -> None:
        """Write the outputs within the step and before `until`."""
        before = len(self.states)
        for time in self.times[before:]:
            if (time > self.t + h and not (ends and time <= end)) or time >= until:
                break
            self.states.append(
                step.next if ends and time == end else self._interpolate(step, self.x, h, (time - self.t) / h)
            )
        if len(self.states) > before:
            self.since = 0
        self.f.keep_guesses(len(self.states))

    def _result(self, outcome: Outcome) -> SegmentResult:
        states = np.array(self.states).reshape(len(self.states), len(self.x))
        counts = Counts(self.steps, self.f.evaluations, self.rejected)
        f = self.f
        crossed, guesses = self.watch.crossed, f.guesses(len(states))
        return SegmentResult(
            states, guesses, self.t, self.x, outcome, counts, f.bad, self.tableau.name, crossed, f.lost
        )


def _too_small(refused: Outcome) -> Outcome:
    return Outcome.NOT_FINITE if refused is Outcome.NOT_FINITE else Outcome.STEP_TOO_SMALL


def _combine(weights: tuple[float, ...], k: list[Vector]) -> Vector:
    total = weights[0] * k[0]
    for weight, stage in zip(weights[1:], k[1:], strict=False):
        if weight != 0.0:
            total = total + weight * stage
    return total


def _mean_square(v: Vector) -> float:
    # A running sum adds in the order of C; numpy's own sum adds pairwise.
    return math.sqrt(float(np.cumsum(v * v)[-1]) / len(v))


def _count_stiffness(step: _Step, h: float, stiffness: Stiffness) -> None:
    """Count the steps at the border of stability (IV.2), and those in a row that were not."""
    way = float(np.cumsum((step.next - step.before) ** 2)[-1])
    rise = float(np.cumsum((step.k[-1] - step.k[-2]) ** 2)[-1])
    if way > 0.0 and h * math.sqrt(rise / way) > 3.25:
        stiffness.border, stiffness.gentle = stiffness.border + 1, 0
    else:
        stiffness.gentle += 1
        stiffness.border = 0 if stiffness.gentle == 6 else stiffness.border
