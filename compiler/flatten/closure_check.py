"""Compares the solution of a loop that a model states, and its derivatives, with the conditions of the loop at points.

The points are near the start. Where a solution is wrong, it fails at almost every point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from cutset.compiler.diagnostics import Label, ModelError
from cutset.compiler.expressions.dense import solved
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import EquationSystem, Origin, ScalarEquation

# How far the coordinates are from the start, at one point after the other.
_DISTANCES = (0.0, 0.02, 0.1, 0.3, 0.05, 0.2, 0.5, 1.0)
_CHANGE = 1.03
_TOLERANCE, _STEP, _ITERATIONS, _SINGULAR = 1e-5, 1e-4, 20, 1e-9

Point = Mapping[Expr, float]


class Closure(NamedTuple):
    """variable = value; the model calls it `name`, which is `sign` times the variable."""

    variable: Expr
    value: Expr
    origin: Origin
    name: str
    sign: int


class Loop(NamedTuple):
    """What a model states about a loop: `closures` for the `variables` and their derivatives in terms of `coordinates`,
    the `conditions` that contain all these, and perhaps `others`, between which there may be conditions, too; closures
    for what `follows` from all of them, with what follows."""

    closures: Mapping[Expr, Closure]
    variables: Sequence[Expr]
    coordinates: Sequence[Expr]
    others: Sequence[Expr]
    are_bound: bool
    conditions: Sequence[ScalarEquation]
    following: Sequence[tuple[Closure, Expr]]


def check_closures(loop: Loop, system: EquationSystem, numbers: Point) -> list[int] | None:
    """The numbers of as many conditions as there are variables, which determine these. None if conditions between other
    coordinates leave no point to compare at; ModelError if a solution has no value at any of the points, or if it
    contradicts the conditions."""
    check = _Check(loop, system, numbers)
    chosen: list[int] | None = None
    tried = False
    for seed, distance in enumerate(_DISTANCES):
        point = check.point(distance, Random(seed))
        found = check.solution(point)
        if found is None:
            continue
        tried = True
        chosen = chosen or check.independent(point, found)
        if chosen is None and loop.are_bound:
            return None
        if chosen is not None:
            check.require(point, found, chosen)
    first = next(iter((*loop.closures.values(), *(closure for closure, _ in loop.following))))
    place = first.origin.span, first.origin.instance or system.name
    names = [loop.closures[v].name for v in loop.variables]
    if not tried:
        raise ModelError([messages.closed_without_value(names, *place)])
    if chosen is None:
        raise ModelError([messages.loop_not_closed(names, [str(x.data) for x in loop.coordinates], 0, *place)])
    return chosen


def tight_parameters(loop: Loop, system: EquationSystem, numbers: Point, chosen: Sequence[int]) -> list[Expr]:
    """The parameters whose values the solution takes for granted: with another value of one it contradicts the
    conditions, because it contains a number, or another parameter, instead."""
    values = [
        *(c.value for c in loop.closures.values()),
        *(e for pair in loop.following for e in (pair[0].value, pair[1])),
    ]
    roots = [*values, *(e.residual for e in loop.conditions)]
    present = [leaf for leaf in reachable(roots) if leaf.op == "parameter"]
    changed = {leaf: numbers[leaf] * _CHANGE or _CHANGE for leaf in present}
    tight = [leaf for leaf in present if not _holds(loop, system, {**numbers, leaf: changed[leaf]}, chosen)]
    free = {leaf: value for leaf, value in changed.items() if leaf not in tight}
    return tight if _holds(loop, system, {**numbers, **free}, chosen) else present


def _holds(loop: Loop, system: EquationSystem, numbers: Point, chosen: Sequence[int]) -> bool:
    check, tried = _Check(loop, system, numbers), False
    for seed, distance in enumerate(_DISTANCES[1:4]):
        point = check.point(distance, Random(seed))
        if (found := check.solution(point)) is not None:
            tried = True
            try:
                check.require(point, found, chosen)
            except ModelError:
                return False
    return tried


class _Check:
    def __init__(self, loop: Loop, system: EquationSystem, numbers: Point):
        self._loop = loop
        self._closures, self._variables, self._conditions = loop.closures, loop.variables, loop.conditions
        self._system, self._numbers = system, numbers
        self._starts = {u.node: u.start for u in system.unknowns if u.start is not None}

    def point(self, distance: float, draw: Random) -> dict[Expr, float]:
        """The parameters, time, and the coordinates with two derivatives: those of the solution so far from the start,
        the others anywhere."""
        made = dict(self._numbers)
        coordinates = (*self._loop.coordinates, *self._loop.others)
        derivatives = self._system.derivatives
        for x in coordinates:
            start = RandomPoint(self._numbers).value(self._starts[x]) if x in self._starts else 0.0
            away = 1.0 if x in self._loop.others else distance * (abs(start) or 1.0)
            made[x] = start + away * draw.uniform(-1.0, 1.0)
        for x in coordinates:
            for d in (derivatives.get(x), derivatives.get(derivatives.get(x, x))):
                if d is not None and d not in made:
                    made[d] = draw.uniform(-1.0, 1.0)
        made[self._system.pool.time] = draw.uniform(0.0, 1.0)
        return made

    def solution(self, point: Point) -> list[float] | None:
        """The values that the solutions give, one after the other; None where one has no value."""
        found: dict[Expr, float] = {}
        for _ in self._variables:
            for v in self._variables:
                found[v] = RandomPoint({**point, **found}).value(self._closures[v].value)
        return [*found.values()] if all(map(math.isfinite, found.values())) else None

    def independent(self, point: Point, solution: Sequence[float]) -> list[int] | None:
        """Conditions that determine the variables, whatever the other coordinates are: a loop on a part that moves may
        contain the motion of that part, but does not depend on it where it is closed."""
        left = list(range(len(self._conditions)))
        if not solution:
            return []
        while (chosen := self._regular(left, self._jacobian(point, solution, left))) is not None:
            closing = self._newton(point, solution, chosen)
            if closing is None and self._loop.are_bound:
                return None
            moving = [k for k in chosen if closing is not None and self._moves(point, closing, k)]
            if not moving:
                break
            left = [k for k in left if k not in moving]
        return chosen

    @staticmethod
    def _regular(numbers: Sequence[int], jacobian: Sequence[Sequence[float]]) -> list[int] | None:
        """The numbers of independent rows, as many as there are columns, by elimination with row pivots."""
        rows = dict(zip(numbers, map(list, jacobian), strict=True))
        chosen: list[int] = []
        for column in range(len(jacobian[0]) if jacobian else 1):
            pivot = max(rows, key=lambda k: abs(rows[k][column]), default=None)
            if pivot is None or not abs(rows[pivot][column]) > _SINGULAR:
                return None
            chosen.append(pivot)
            taken = rows.pop(pivot)
            for k, row in rows.items():
                factor = row[column] / taken[column]
                rows[k] = [a - factor * b for a, b in zip(row, taken, strict=True)]
        return sorted(chosen)

    def _moves(self, point: Point, closing: Sequence[float], number: int) -> bool:
        """True if a condition that is fulfilled is not so any more where another coordinate changes."""
        for x in self._loop.others:
            (value,) = self._values({**point, x: point[x] + 0.1}, closing, [number])
            if not abs(value) <= _TOLERANCE:
                return True
        return False

    def require(self, point: Point, solution: Sequence[float], chosen: Sequence[int]) -> None:
        """ModelError if the conditions need another solution, or its derivatives others than those that are stated."""
        closing = self._newton(point, solution, chosen)
        pairs = zip(self._variables, solution, closing or (), strict=False)
        condition = self._conditions[chosen[0]].origin if chosen else None
        for v, stated, needed in pairs:
            self._agree(point, self._closures[v], stated, needed, condition)
        if closing is None:
            self._agree(point, self._closures[self._variables[0]], solution[0], math.nan, condition)
        at = dict(point) | dict(zip(self._variables, solution, strict=True))
        for order in (1, 2):
            for v, needed in self._rates(point, solution, order):
                if v in self._closures:
                    stated = RandomPoint(at).value(self._closures[v].value)
                    self._agree(at, self._closures[v], stated, needed, self._closures[self._variables[0]].origin)
                at[v] = needed
        for closure, value in self._loop.following:
            stated, needed = (RandomPoint(at).value(e) for e in (closure.value, value))
            self._agree(at, closure, stated, needed, condition)

    def _agree(self, point: Point, closure: Closure, stated: float, needed: float, other: Origin | None) -> None:
        if abs(stated - needed) <= _TOLERANCE * (1.0 + abs(needed)):
            return
        v = closure.variable
        derivatives = self._system.derivatives.values()
        leaves = [x for x in point if x not in self._numbers and x.op == "variable" and x not in self._variables]
        shown = leaves if v not in self._variables else [x for x in leaves if x not in derivatives] or leaves
        values = {str(x.data): point[x] for x in shown}
        words = f"must hold in '{other.instance}'" if other and other.instance else "must hold"
        labels = (Label(other.span, words),) if other else ()
        instance = closure.origin.instance or self._system.name
        shown_values = closure.sign * stated, closure.sign * needed
        wrong = messages.closed_wrongly(closure.name, *shown_values, values, closure.origin.span, instance, labels)
        raise ModelError([wrong])

    def _rates(self, point: Point, solution: Sequence[float], order: int) -> Iterator[tuple[Expr, float]]:
        """The first or second derivatives of the variables, from solutions at neighboring instants."""
        ahead, behind = (self.solution(self._moved(point, step)) for step in (_STEP, -_STEP))
        if ahead is None or behind is None:
            return
        derivatives = self._system.derivatives
        for k, v in enumerate(self._variables):
            rate = (ahead[k] - behind[k]) / (2 * _STEP)
            if order == 2:
                v, rate = derivatives.get(v, v), (ahead[k] - 2 * solution[k] + behind[k]) / _STEP**2
            if v in derivatives:
                yield derivatives[v], rate

    def _moved(self, point: Point, step: float) -> Point:
        moved, derivatives = dict(point), self._system.derivatives
        for x in point:
            if x in derivatives and derivatives[x] in point:
                second = point.get(derivatives.get(derivatives[x], x), 0.0)
                moved[x] += step * point[derivatives[x]] + step**2 / 2 * second
        moved[self._system.pool.time] += step
        return moved

    # --- conditions -----------------------------------------------------------------------------------

    def _values(self, point: Point, solution: Sequence[float], numbers: Sequence[int]) -> list[float]:
        at = RandomPoint({**point, **dict(zip(self._variables, solution, strict=True))})
        return [at.value(self._conditions[k].residual) for k in numbers]

    def _jacobian(self, point: Point, solution: Sequence[float], numbers: Sequence[int]) -> list[list[float]]:
        columns = []
        for k, value in enumerate(solution):
            step = _STEP * (1.0 + abs(value)) * 0.1
            ahead, behind = ([*solution[:k], value + sign * step, *solution[k + 1 :]] for sign in (1, -1))
            pairs = zip(self._values(point, ahead, numbers), self._values(point, behind, numbers), strict=True)
            columns.append([(a - b) / (2 * step) for a, b in pairs])
        return [list(row) for row in zip(*columns, strict=True)]

    def _newton(self, point: Point, solution: Sequence[float], chosen: Sequence[int]) -> list[float] | None:
        """The solution of the conditions near the stated one; None if there is none."""
        found = list(solution)
        for _ in range(_ITERATIONS):
            values = self._values(point, found, chosen)
            changes = solved(self._jacobian(point, found, chosen), [[value] for value in values])
            if changes is None:
                return None
            found = [x - change for x, (change,) in zip(found, changes, strict=True)]
            if all(abs(change) <= 1e-9 * (1.0 + abs(x)) for x, (change,) in zip(found, changes, strict=True)):
                return found
        return None
