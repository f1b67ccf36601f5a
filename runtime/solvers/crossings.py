"""A step with its state at every instant in, the first crossing in it out: c/crossings.h, operation for operation.

Each crossing is the difference g of the two sides of a relation. While the relation keeps its value, side*g is not
negative. One that starts at zero, or that little on the other side that locating it has left, is not armed: it takes part
once it has been positive, or where the step ends and it never was.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

from cutset.runtime.interface import ModelInfo, Vector
from cutset.runtime.solvers.method import Problem, Stretch

_HALVINGS = 40


def sides(info: ModelInfo, modes: Vector) -> Vector:
    """The sign that each crossing keeps while the relations have these values; 0 where either is possible."""
    signs = {"<": -1.0, "<=": -1.0, ">": 1.0, ">=": 1.0}
    return np.array([signs.get(info.relations[k].operator, 0.0) * (1.0 if modes[k] else -1.0) for k in info.crossings])


class Watch:
    """The crossings of one stretch. `crossed` is what an event leaves: the sign that each takes, 0 for the others."""

    def __init__(self, problem: Problem, stretch: Stretch):
        self._problem, self._modes = problem, stretch.modes
        self._side: list[float] = sides(problem.model.info, stretch.modes).tolist()
        self.crossed: tuple[int, ...] = ()
        self._low = self._signed(stretch.start, stretch.x)
        self._high = self._low
        self._armed = [value > 0.0 for value in self._low]

    def crosses(
        self, state: Callable[[float], Vector], a: float, b: float, first: bool = False
    ) -> tuple[float, Vector] | None:
        """The first crossing in the step from a to b, in which the states are `state`: an instant just behind it, and the
        state there. The step is looked at in its middle and at its end, the first of a stretch at many instants after
        its start where something is not armed yet."""
        if not self._side:
            return None
        last, early, root = a, b, None
        for halvings in range(_HALVINGS if first and not all(self._armed) else 1, -1, -1):
            t = a + math.ldexp(b - a, -halvings) if halvings else b
            if halvings and not t > last:
                continue
            high = self._signed(t, state(t))
            early = min(early, t)
            if self._has_crossed(high):
                root, high = self._locate(state, last, t, high)
                break
            self._low, last = high, t
        late = any(not armed and value < 0.0 for armed, value in zip(self._armed, high))
        if root is None and not late:
            return None
        self.crossed = tuple(
            int(-side) if value < 0.0 and (not armed) == late else 0
            for side, armed, value in zip(self._side, self._armed, high)
        )
        at = early if late or root is None else root
        return at, state(at)

    def _signed(self, t: float, x: Vector) -> list[float]:
        if not self._side:
            return []
        problem = self._problem
        g = problem.model.crossings(t, x, problem.inputs.at(t), problem.values, self._modes).tolist()
        for k, value in enumerate(g):
            if self._side[k] == 0.0:
                self._side[k] = float(value > 0.0) - float(value < 0.0)
        return [side * value for side, value in zip(self._side, g)]

    def _has_crossed(self, g: list[float]) -> bool:
        """Arms what is positive in g; whether something armed is negative."""
        crossed = False
        for k, value in enumerate(g):
            if value > 0.0:
                self._armed[k] = True
            elif value < 0.0 and self._armed[k]:
                crossed = True
        return crossed

    def _locate(
        self, state: Callable[[float], Vector], a: float, b: float, high: list[float]
    ) -> tuple[float, list[float]]:
        """The bracket made as small as rounding allows: the Illinois method on the crossing that comes first, with a
        bisection in every third round. Gives its end, behind the crossing, and g there."""
        tolerance = 4.0 * sys.float_info.epsilon * max(abs(a), abs(b))
        low, low_weight, high_weight, last = self._low, 1.0, 1.0, 0
        for number in range(1, 201):
            if not b - a > tolerance:
                break
            part = 1.0
            for armed, left, right in zip(self._armed, low, high):
                if armed and right < 0.0:
                    below, above = low_weight * max(left, 0.0), high_weight * right
                    part = min(part, below / (below - above))
            part = 0.5 if number % 3 == 0 else part
            t = min(max(a + part * (b - a), a + 0.5 * tolerance), b - 0.5 * tolerance)
            trial = self._signed(t, state(t))
            if self._has_crossed(trial):
                b, high = t, trial
                low_weight, high_weight, last = (0.5 * low_weight if last == 1 else 1.0), 1.0, 1
            else:
                a, low = t, trial
                high_weight, low_weight, last = (0.5 * high_weight if last == -1 else 1.0), 1.0, -1
        return b, high
