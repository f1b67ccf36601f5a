"""Locates the first crossing in a step, from its interpolated states, as c/crossings.h does.

Unlike there, nothing is skipped where no crossing is possible. Each crossing is the difference g of the two sides of a
relation. While the relation keeps its value, side*g is not negative. A crossing that starts at zero up to rounding (its
margin), or slightly on the other side after it was located, is not armed until it has been positive: until then it
crosses when it falls below its value at the start, its base. A relation that changes where its sides are equal crosses
where they become so, even if they stay equal.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector
from cutset.runtime.relations import truths_of_signs
from cutset.runtime.solvers.branches import Branch
from cutset.runtime.solvers.delayed_steps import inputs_at
from cutset.runtime.solvers.method import Problem, Segment

# Values below this fraction of the largest so far are noise and not resolved.
_FADED = 1e-10
# The sides of two relations that state that these are equal meet if they differ by less than this part of that value.
_TOUCHING, _SMALLEST = 1e-12, math.ulp(0.0)
# When samples come farther apart, and how many times (c/crossings.h explains it).
_SMOOTH, _FAST, _SLOW = 1e-3, 8.0, 1.5
_FINEST, _MOST_HIDDEN, _ALL_ARMED, _NOT_ARMED = 12, 250, 4, 40


def sides(info: ModelInfo, modes: Vector) -> Vector:
    """The sign that each crossing keeps while the relations have these values; 0 where either is possible."""
    signs = {"<": -1.0, "<=": -1.0, ">": 1.0, ">=": 1.0}
    return np.array([signs.get(info.relations[k].operator, 0.0) * (1.0 if modes[k] else -1.0) for k in info.crossings])


def margins(info: ModelInfo, segment: Segment) -> Vector:
    """The distance from zero that rounding, or the hysteresis, allows each crossing."""
    rounding = 8.0 * sys.float_info.epsilon * segment.scales
    if not segment.hysteresis:
        return rounding
    return np.maximum(rounding, [segment.hysteresis.get(k, 0.0) for k in info.crossings])


def touching(info: ModelInfo, modes: Vector) -> Vector:
    """For each crossing 0 if its relation changes where its sides are equal, 1 if rounding may keep these apart, and -1
    for others."""
    at_zero, pairs = truths_of_signs(info)[:, 1], np.array([r.opposite >= 0 for r in info.relations])
    touch = np.where(at_zero == modes[: len(at_zero)], -1.0, pairs)
    return touch[list(info.crossings)]


class Watch:
    """The crossings of one segment. `crossed` holds after an event the new sign of each crossing, twice that if it was
    not armed; 0 for the others."""

    def __init__(self, problem: Problem, segment: Segment, branch: Branch):
        self._problem, self._modes, self._memory, self._branch = problem, segment.modes, problem.memory, branch
        self._side: list[float] = sides(problem.model.info, segment.modes).tolist()
        self.crossed: tuple[int, ...] = ()
        self._sizes = problem.memory.crossing_sizes(problem.model.info)
        self._low = self._signed(segment.start, segment.x)
        self._margin: list[float] = margins(problem.model.info, segment).tolist()
        self._armed = [True] * len(self._side)
        self._base, self._floor = [0.0] * len(self._side), [0.0] * len(self._side)
        self._touch: list[float] = touching(problem.model.info, segment.modes).tolist()
        self._before: list[tuple[float, list[float]]] = []  # the samples before that in _low

    def crosses(
        self, state: Callable[[float], Vector], a: float, b: float, first: bool = False
    ) -> tuple[float, Vector] | None:
        """The first crossing in the step from a to b, in which `state` gives the states: an instant just after it, and
        the state there. The step is sampled at least in its middle and at its end, and so densely that the crossings
        are resolved; only at its end if none must be resolved; the first step of a segment at many instants after its
        start while a crossing that does not rest is not armed."""
        if not self._side:
            return None
        last, refused, hidden, inside, memory = a, 0, 0, 0, self._memory
        ends_alone = bool(np.isinf(self._sizes[: len(self._side)]).all())
        h, longest = (
            memory.pace if memory.pace > 0.0 and not ends_alone else b - a,
            (1.0 if ends_alone else 0.5) * (b - a),
        )
        fast = math.ldexp(b - a, -_ALL_ARMED) if first else 0.0
        if first:
            all_armed = self._arm(self._signed(b, state(b)))
            h = fast if all_armed else math.ldexp(b - a, -_NOT_ARMED)
            h = longest if ends_alone and all_armed else h
            memory.pace, self._before = max(memory.pace, h), []
        while last < b:
            h = min(h, longest)
            t = b if b - last <= 1.25 * h else last + h
            if not t > last:
                if h < longest:
                    h *= 2.0
                    continue
                t = b  # a step too short to have a middle
            high = self._signed(t, state(t))
            self._note(high)
            found = self._has_crossed(high) | self._touches(high)
            growth = self._resolved(last, t, high)
            if growth == 0.0 and refused < _FINEST and hidden < _MOST_HIDDEN:
                if inside < 2:  # samples of other steps contain their errors
                    self._before = []
                h = memory.pace = (0.125 if inside < 2 else 0.5) * (t - last)
                refused += 1
                hidden += 1
                if found:
                    self._release()
            elif found:
                if ends_alone and not first:  # in C `low` may be of an earlier step
                    self._low = self._signed(last, state(last))
                return self._found(state, last, t, high)
            else:
                h = max(min(growth * (t - last), fast), _SLOW * (t - last))
                h = longest if hidden == _MOST_HIDDEN else h  # what finer samples do not show is rounding
                memory.pace = max(memory.pace, h)
                self._before = [*self._before[-1:], (last, self._low)]
                self._low, last, refused, inside = high, t, 0, inside + 1
        return None

    def _found(self, state: Callable[[float], Vector], a: float, b: float, high: list[float]) -> tuple[float, Vector]:
        root, high = self._locate(state, a, b, high)
        self.crossed = tuple(
            int(-side if armed else -2.0 * side) if value < base else 0
            for side, armed, base, value in zip(self._side, self._armed, self._base, high, strict=False)
        )
        return root, state(root)

    def _resolved(self, start: float, end: float, high: list[float]) -> float:
        """By how much the distance of samples may grow if those at both instants and the two before show everything
        between them (c/crossings.h explains why), else 0."""
        if len(self._before) < 2:
            return _SLOW
        growth = _FAST * _FAST
        (t0, oldest), (t1, older) = self._before
        h = end - start
        of_older, of_oldest, of_bend, of_bent = h / (start - t1), h / (t1 - t0), h / (end - t1), h / (start - t0)
        of_doubt = 2.0 * (end - t1) / (end - t0)
        for k, base in enumerate(self._base):
            left, right = max(self._low[k] - base, 0.0), high[k] - base
            before = of_older * (self._low[k] - older[k])
            bend = of_bend * (high[k] - self._low[k] - before)  # these are multiplied by h^2
            bent = of_bent * (before - of_oldest * (older[k] - oldest[k]))
            doubt = of_doubt * abs(bend - bent)
            size, most = left + abs(right), abs(bend) + doubt
            if size < _FADED * self._sizes[k]:  # or it is evaluated only at ends of steps
                continue
            if doubt > 0.25 * size or (most > size and right < 0.0):
                return 0.0
            below = bend + doubt - size
            if below > 0.0 and below * below > 4.0 * left * right:
                return 0.0
            if not most <= _SMOOTH * size:
                growth = _SLOW
            elif not most <= _SMOOTH * _SMOOTH * size:
                growth = min(growth, _FAST)
        return growth

    def _signed(self, t: float, x: Vector) -> list[float]:
        if not self._side:
            return []
        problem = self._problem
        self._branch.extrapolate(t)
        g = problem.model.crossings(t, x, inputs_at(problem, t, x, self._modes), problem.values, self._modes).tolist()
        for k, value in enumerate(g):
            if self._side[k] == 0.0:
                self._side[k] = float(value > 0.0) - float(value < 0.0)
        return [side * value for side, value in zip(self._side, g, strict=False)]

    def _note(self, values: list[float]) -> None:
        """Update the sizes from a sample. Not from values close to a crossing that is located: they may be those at a
        pole."""
        sizes, peaks = self._sizes[: len(values)], self._sizes[len(values) :]
        np.maximum(sizes, np.abs(values), out=sizes)
        np.maximum(peaks, np.abs(values), out=peaks)

    def _touches(self, high: list[float]) -> bool:
        """True if a crossing becomes zero that was positive, and its relation changes there: sides may stay equal."""
        found = False
        for k, touch in enumerate(self._touch):
            most = touch * _TOUCHING * float(self._sizes[k]) if touch else 0.0
            if touch >= 0.0 and self._armed[k] and high[k] <= most < self._low[k]:
                self._base[k] = self._floor[k] = max(most, _SMALLEST)
                found = True
        return found

    def _release(self) -> None:
        """No crossing touches."""
        self._base = [0.0 if floor else base for base, floor in zip(self._base, self._floor, strict=True)]
        self._floor = [0.0] * len(self._floor)

    def _arm(self, end: list[float]) -> bool:
        """Arm crossings from the values at the start of the first step and at its end; True if all are armed, but for
        those that rest at zero."""
        for k, (low, high) in enumerate(zip(self._low, end, strict=False)):
            self._margin[k] += 8.0 * sys.float_info.epsilon * abs(high)
            self._armed[k] = low > 2.0 * self._margin[k]
            self._base[k] = 0.0 if self._armed[k] else min(low, 0.0) - self._margin[k]
        return all(armed or low == high == 0.0 for armed, low, high in zip(self._armed, self._low, end, strict=False))

    def _has_crossed(self, g: list[float]) -> bool:
        """Arm the crossings that are positive in g; True if one is below its base."""
        crossed = False
        for k, value in enumerate(g):
            if value > 2.0 * self._margin[k]:
                self._armed[k], self._base[k] = True, self._floor[k]
            elif value < self._base[k]:
                crossed = True
        return crossed

    def _locate(
        self, state: Callable[[float], Vector], a: float, b: float, high: list[float]
    ) -> tuple[float, list[float]]:
        """Narrow the bracket as far as rounding allows: the Illinois method on the crossing that comes first, with a
        bisection where three rounds did not halve the bracket. Returns its end, just after the crossing, and g."""
        tolerance = 4.0 * sys.float_info.epsilon * max(abs(a), abs(b))
        low, low_weight, high_weight, last, widths, end = self._low, 1.0, 1.0, 0, [math.inf] * 3, b
        for number in range(200):
            if not b - a > tolerance:
                break
            part = 1.0
            for base, left, right in zip(self._base, low, high, strict=False):
                if right < base:
                    before = low_weight * max(left - base, 0.0)
                    between = before - high_weight * (right - base)
                    part = min(part, before / between) if between > 0.0 else part  # the weight may underflow
            part = 0.5 if b - a > 0.5 * widths[number % 3] else part
            widths[number % 3] = b - a
            t = min(max(a + part * (b - a), a + 0.5 * tolerance), b - 0.5 * tolerance)
            trial = self._signed(t, state(t))
            if self._has_crossed(trial):
                b, high = t, trial
                low_weight, high_weight, last = (0.5 * low_weight if last == 1 else 1.0), 1.0, 1
            else:
                a, low = t, trial
                high_weight, low_weight, last = (0.5 * high_weight if last == -1 else 1.0), 1.0, -1
        while b < end and not all(map(math.isfinite, high)):  # at a pole: just after it
            b = min(b + tolerance, end)
            high = self._signed(b, state(b))
        return b, high
