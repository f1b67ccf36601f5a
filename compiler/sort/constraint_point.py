"""Finds points where the constraints between coordinates hold, and which constraints are redundant there, numerically.

Most of the equations give a variable in terms of coordinates, one after the other; the remaining ones close loops. A
point where they hold is found by smallest changes of the coordinates (Gauss-Newton) from the start values, at the
values of the parameters; further points by random changes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from operator import mul
from random import Random

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.least_change import Basis, InOrder, basis, complement, in_order
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import TIME, Expr, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import EquationSystem
from cutset.contract.quick_dataclass import dataclass

# The relative size of a row that counts as rounding; and, for a first search, of one that is nearly zero: loops that
# move because of a special geometry have rows that vanish at the solution.
_NOTHING, _LITTLE = 1e-8, 1e-2
_ACCURATE, _CLOSE = 1e-11, 1e-7
# What rounding makes of a change that is zero.
_STILL = 1e-14
# A row of this size relative to the largest consists of rounding alone: a rotation by pi leaves 1e-16 of a direction.
_ROUNDING = 1e-13
_ROUNDS, _MOST_TRIED = 60, 4
# A search alternates between two points if the residuals of so many pairs of rounds agree to this part of them.
_PAIRS, _EQUAL = 4, 1e-2
# The largest change of a coordinate is 1 at first, or this part of its value. It grows by the factor while the
# residuals change as the slopes predict.
_PART, _GROWTH, _PREDICTED = 1 / 3, 8.0, 1e-2
# The number of points on either side of the first one, for up to so many closing equations, fewer for more of them; the
# least number; and their distance.
_POINTS, _OF_EQUATIONS, _FEWEST, _STEP = 32, 60, 4, 0.2
_FAR = 1e15


class NotKnown(Exception):
    """These constraints cannot be decided."""


@dataclass(frozen=True)
class Orders:
    """For each variable the highest order of its derivatives in the model, its own order, and the number of the
    variable that it is a derivative of."""

    highest: Mapping[Expr, int]
    own: Mapping[Expr, int]
    chain: Mapping[Expr, int]


def raised(rows: Mapping[int, Sequence[Expr]], orders: Orders) -> dict[Expr, int]:
    """The highest orders, raised to those at which equations give a variable by others: a frame that only closes a loop
    has no accelerations as long as the loop is open, but its position can be differentiated as often as those of the
    bodies that it follows from."""
    highest, most = dict(orders.highest), max(orders.highest.values(), default=0)
    members: dict[int, list[Expr]] = {}
    for v in dict.fromkeys(v for row in rows.values() for v in row):
        members.setdefault(orders.chain[v], []).append(v)
    changed = True
    while changed:
        changed = False
        for row in filter(None, rows.values()):
            free = sorted((highest[v] - orders.own[v], k) for k, v in enumerate(row))
            lowest, least = row[free[0][1]], free[1][0] if len(free) > 1 else most
            to = min(most, least + orders.own[lowest])
            if to > highest[lowest]:
                highest |= dict.fromkeys(members[orders.chain[lowest]], to)
                changed = True
    return highest


@dataclass(frozen=True)
class _Local:
    """The values of all variables, the residuals of the closing equations, their slopes along the coordinates, and the
    sizes of these."""

    residuals: list[float]
    slopes: list[list[float]]
    sizes: list[float]

    def first(self, most: int | None) -> _Local:
        """The same for the first equations only."""
        return self if most is None else _Local(self.residuals[:most], self.slopes[:most], self.sizes[:most])

    def holds(self, at: Sequence[float]) -> bool:
        """True if the residuals are zero up to rounding of their terms."""
        terms = [max((abs(a * x) for a, x in zip(row, at, strict=True)), default=0.0) for row in self.slopes]
        scales = map(max, self.sizes, terms)
        return all(abs(r) <= _ACCURATE * max(1.0, s) for r, s in zip(self.residuals, scales, strict=True))

    def after(self, step: Sequence[float]) -> list[tuple[float, float]]:
        """The residuals after this change of the coordinates if the equations were linear, each with the difference
        below which they count as that."""
        length = max(map(abs, step), default=0.0)
        return [
            (r + sum(map(mul, row, step)), _PREDICTED * size * length)
            for r, row, size in zip(self.residuals, self.slopes, self.sizes, strict=True)
        ]


class Constraints:
    """`closing` are the positions of the equations that close loops; `order` is how often each equation can be
    differentiated with the derivatives that the coordinates have. Equations of `conditions` are closing ones whatever
    their variables are. NotKnown if the equations are not of this kind."""

    def __init__(
        self,
        system: EquationSystem,
        rows: Mapping[int, Sequence[Expr]],
        orders: Orders,
        numbers: Mapping[Expr, float],
        conditions: Collection[int] = (),
    ):
        self._system, self._rows, self._own, self._chain = system, rows, orders.own, orders.chain
        self._conditions = set(conditions)
        self._highest = raised(rows, orders)
        self.order: dict[int, int] = {}
        self.sizes: list[float] = []
        self._pool = system.pool
        self._base = {**numbers, self._pool.time: 0.0, **dict.fromkeys(system.inputs, 0.0)}
        self._base |= {self._pool.mode(k): 0.0 for k in range(len(system.relations))}
        self._coordinates: list[Expr] = []
        self._sequence: list[tuple[int, Expr, Expr]] = []
        self._tolerances = [_LITTLE, _NOTHING]
        self.closing = self._arranged()
        try:
            self._slope = {e: self._slopes_of(e) for e in rows}
        except (NotDifferentiable, Undefined) as error:
            raise NotKnown from error
        self._know_constants()

    # --- which equation gives which variable --------------------------------------------------------------

    def _arranged(self) -> list[int]:
        """Find which equation gives which variable in terms of coordinates, which are variables with a derivative,
        derivatives, and variables that no equation gives. Returns the remaining equations, which close loops."""
        derivatives = self._system.derivatives
        moving = {*derivatives, *derivatives.values()}
        variables = dict.fromkeys(v for row in self._rows.values() for v in row)
        self._coordinates = [v for v in variables if v in moving]
        unknown = {e: {v for v in row if v not in moving} for e, row in self._rows.items()}
        users: dict[Expr, list[int]] = {}
        for e, left in unknown.items():
            for v in left:
                users.setdefault(v, []).append(e)
        used: set[int] = set()
        queue = [e for e, left in unknown.items() if len(left) == 1]
        free = [v for v in variables if v not in moving]
        while True:
            for e in queue:  # grows during the loop
                if len(unknown[e]) != 1 or e in used:
                    continue
                (v,) = unknown[e]
                given = self._explicit(e, v)
                if given is not None:
                    used.add(e)
                    self.order[e] = self._highest[v] = self._differentiable(e, v)
                    self._sequence.append((e, v, given))
                    queue += self._known(v, users, unknown)
            given_ones = {v for _, v, _ in self._sequence}.union(self._coordinates)
            open_ones = [v for v in free if v not in given_ones]
            if not open_ones:
                closing = [e for e in self._rows if e not in used]
                self.order |= {e: self._differentiable(e, None) for e in closing}
                return closing
            self._coordinates.append(open_ones[0])
            queue = self._known(open_ones[0], users, unknown)

    def _known(self, v: Expr, users: Mapping[Expr, list[int]], unknown: Mapping[int, set[Expr]]) -> list[int]:
        ready = []
        for e in users.get(v, ()):
            unknown[e].discard(v)
            if len(unknown[e]) == 1:
                ready.append(e)
        return ready

    def _explicit(self, e: int, v: Expr) -> Expr | None:
        if e in self._conditions:
            return None
        try:
            (form,) = linear_forms(self._pool, [self._system.equations[e].residual], [v])
            factor = form.coefficients.get(v, self._pool.zero)
            if factor.level == TIME or RandomPoint(self._base).value(factor) == 0.0:
                return None
            return self._pool.div(self._pool.neg(form.rest), factor)
        except (Nonlinear, Undefined):
            return None

    def _differentiable(self, e: int, without: Expr | None) -> int:
        """How often the equation can be differentiated; as often as any other if it gives a constant."""
        often = max((self._highest[v] - self._own[v] for v in self._coordinates), default=0)
        return min((self._highest[v] - self._own[v] for v in self._rows[e] if v is not without), default=often)

    def _slopes_of(self, e: int) -> dict[Expr, Expr]:
        residual = self._system.equations[e].residual
        slopes = {v: partial_derivative(self._pool, residual, v) for v in self._rows[e]}
        return {v: slope for v, slope in slopes.items() if slope is not self._pool.zero}

    def _know_constants(self) -> None:
        """Evaluate once what depends on parameters only: it is the same at each point."""
        slopes = (slope for own in self._slope.values() for slope in own.values())
        residuals = (self._system.equations[e].residual for e in self.closing)
        probe = RandomPoint(self._base)
        nodes = reachable([*slopes, *residuals, *(value for *_, value in self._sequence)])
        self._base |= {node: probe.value(node) for node in nodes if node.level < TIME}

    # --- numbers --------------------------------------------------------------------------------------------

    def _local(self, at: Sequence[float], tops: bool) -> _Local:
        """With `tops` the slopes are those of the differentiated equations, along the highest derivatives."""
        probe = RandomPoint({**self._base, **dict(zip(self._coordinates, at, strict=False))})
        for _, v, value in self._sequence:
            probe.know(v, probe.value(value))
        # After differentiation to the highest order, x and der(x) count as one.
        place = {c: k for k, c in enumerate(dict.fromkeys(self._chain[v] if tops else v for v in self._coordinates))}
        along = {v: {place[self._chain[v] if tops else v]: 1.0} for v in self._coordinates}
        for e, v, _ in self._sequence:
            row, _ = self._along(e, along, probe, tops, v)
            own = probe.value(self._slope[e][v])
            if own == 0.0:
                raise NotKnown
            along[v] = {k: -x / own for k, x in row.items()}
        rows = [self._along(e, along, probe, tops, None) for e in self.closing]
        residuals = [probe.value(self._system.equations[e].residual) for e in self.closing]
        if not all(map(math.isfinite, (*residuals, *(x for row, size in rows for x in (*row.values(), size))))):
            raise NotKnown
        slopes = [[row.get(k, 0.0) for k in range(len(place))] for row, _ in rows]
        rounding = _ROUNDING * max((size for _, size in rows), default=0.0)
        return _Local(residuals, slopes, [max(size, rounding) for _, size in rows])

    def _along(
        self, e: int, along: Mapping[Expr, dict[int, float]], probe: RandomPoint, tops: bool, without: Expr | None
    ) -> tuple[dict[int, float], float]:
        """The slopes of an equation along the coordinates that it depends on, and the size of the largest if nothing
        canceled."""
        total, size = dict[int, float](), 0.0
        for v, slope in self._slope[e].items():
            # The differentiated equation contains the highest derivatives of some variables.
            if v is without or (tops and self._own[v] + self.order[e] != self._highest[v]):
                continue
            own = along[v]
            if not any(own.values()):
                continue
            factor = probe.value(slope)
            for k, x in own.items():
                total[k] = total.get(k, 0.0) + factor * x
            size = max(size, abs(factor) * max(map(abs, own.values())))
        return total, size

    def _near(self, at: Sequence[float], tolerance: float, most: int | None) -> list[float] | None:
        """A point where the first `most` of the closing equations hold, reached by smallest changes."""
        at, reach = list(at), 1.0
        expected: list[tuple[float, float]] = []
        worst: list[float] = []
        for _ in range(_ROUNDS):
            here = self._local(at, tops=False).first(most)
            worst.append(max(map(abs, here.residuals), default=0.0))
            if _alternates(worst):
                return None
            if max(map(abs, at), default=0.0) > _FAR:
                return None
            if expected:
                linear = all(abs(r - e) <= margin for r, (e, margin) in zip(here.residuals, expected, strict=True))
                reach = reach * _GROWTH if linear else max(1.0, reach / _GROWTH)
            change = basis(here.slopes, here.sizes, tolerance).change([-r for r in here.residuals])
            size = max(map(abs, change), default=0.0)
            if here.holds(at) and all(abs(d) < _CLOSE * max(1.0, abs(x)) for x, d in zip(at, change, strict=False)):
                return at
            if size < _STILL * max([1.0, *map(abs, at)]):  # no change is left, and some equations contradict each other
                return None
            limits = (reach * max(1.0, _PART * abs(x)) / abs(d) for x, d in zip(at, change, strict=False) if d)
            damping = min((1.0, *limits))
            step = [damping * d for d in change]
            expected = here.after(step)
            at = [x + d for x, d in zip(at, step, strict=False)]
        return None

    def place(self, most: int | None = None, tries: int = _MOST_TRIED) -> list[float] | None:
        """A point near the start values where all closing equations (or the first ones) hold; None if none is found."""
        first = self._guess()
        generator, start = Random(1), first
        for k in range(tries):
            at = self._closed(start, most)
            if at is not None:
                return at
            far = 0.1 * (1 + k)
            start = [x + generator.uniform(-far, far) * max(1.0, min(abs(x), 3.0)) for x in first]
        return None

    def _guess(self) -> list[float]:
        """The coordinates at their start values. Those without one follow from others where an equation gives them, as
        the coordinates of a part follow from those of its joint; the rest is zero."""
        left = {e: set(row) for e, row in self._rows.items()}
        users: dict[Expr, list[int]] = {}
        for e, row in left.items():
            for v in row:
                users.setdefault(v, []).append(e)
        values, probe = dict[Expr, float](), RandomPoint(self._base)
        queue: list[int] = []

        def learn(v: Expr, value: float) -> None:
            values[v] = value
            probe.know(v, value)
            queue.extend(self._known(v, users, left))

        own = RandomPoint(self._base)
        starts = {u.node: own.value(u.start) for u in self._system.unknowns if u.start is not None and u.node in users}
        for v, start in starts.items():
            learn(v, start if math.isfinite(start) else 0.0)
        given = {(e, v): value for e, v, value in self._sequence}
        for next_one in self._coordinates:
            while queue:
                e = queue.pop()
                for v in tuple(left[e]):
                    value = given[e, v] if (e, v) in given else self._explicit(e, v)
                    if value is not None and math.isfinite(probe.value(value)):
                        learn(v, probe.value(value))
            if next_one not in values:
                learn(next_one, 0.0)
        return [values[v] for v in self._coordinates]

    def motion(self, at: list[float]) -> list[list[float]]:
        """Adjacent points where all equations hold, on both sides of `at`, which is among them."""
        generator = Random(2)
        # The work for each point grows with the third power of the number of equations.
        points = max(_FEWEST, min(_POINTS, int(_POINTS * (_OF_EQUATIONS / max(1, len(self.closing))) ** 3)))
        way = [generator.uniform(-1.0, 1.0) for _ in at]
        sides: list[list[list[float]]] = []
        for _ in range(2):
            if sides and sides[0]:  # away from the first side: the direction alone is ambiguous
                way = [a - b for a, b in zip(at, sides[0][0], strict=False)]
            here, ahead, found = at, way, []
            for _ in range(points):
                size = max(map(abs, ahead), default=0.0) or 1.0
                there = self._closed([x + _STEP / size * w for x, w in zip(here, ahead, strict=False)])
                if there is None:
                    break
                found.append(there)
                ahead, here = [b - a for a, b in zip(here, there, strict=False)], there
            sides.append(found)
        return [*reversed(sides[0]), at, *sides[1]]

    def _closed(self, start: Sequence[float], most: int | None = None) -> list[float] | None:
        """A point near `start` where all equations hold; the previous successful settings are tried first."""
        for tolerance in tuple(self._tolerances):
            at = self._tried(start, tolerance, most)
            if at is not None:
                self._tolerances.sort(key=lambda each: each != tolerance)
                return at
        return None

    def _tried(self, start: Sequence[float], tolerance: float, most: int | None) -> list[float] | None:
        try:
            return self._near(start, tolerance, most)
        except (NotKnown, OverflowError):
            return None

    def independent(self, at: Sequence[float], tolerance: float) -> InOrder:
        """The closing equations that are independent there; the first ones take precedence."""
        here = self._local(at, tops=False)
        return in_order(here.slopes, here.sizes, tolerance)

    def spanned(self, at: Sequence[float]) -> Basis:
        """The span of the closing equations there."""
        here = self._local(at, tops=True)
        return basis(here.slopes, here.sizes, _NOTHING)

    def dependences(self, places: Sequence[Sequence[float]]) -> list[list[list[float]]]:
        """For each point the factors (one for each closing equation, scaled by its size at the first point) with which
        the equations add up to zero there: an orthonormal basis."""
        there = [self._local(at, tops=True) for at in places]
        self.sizes = [size or 1.0 for size in there[0].sizes]
        found = []
        for local in there:
            scaled = [[x / size for x in row] for row, size in zip(local.slopes, self.sizes, strict=False)]
            columns = [list(column) for column in zip(*scaled, strict=False)]
            found.append(complement(basis(columns, [1.0] * len(columns), _NOTHING).vectors, len(scaled)))
        return found


def _alternates(residuals: Sequence[float]) -> bool:
    """True if the last residuals repeat in pairs, so that the search makes no progress."""
    last = residuals[-2 * _PAIRS :]
    return len(last) == 2 * _PAIRS and all(abs(b - a) <= _EQUAL * abs(a) for a, b in zip(last, last[2:], strict=False))
