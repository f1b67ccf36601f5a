"""Solves equations of a linear block for single unknowns and substitutes them; equal values stay one node.

Pivots are the constants 1 and -1, parameters, and masses: factors with one sign and a good size at random states, which
in a tree of elements with inertia cannot become zero. Knows no order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Container, Iterable

from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.same_values import SameValues
from cutset.compiler.sort.connection_tree import ACROSS, CLOSING, THROUGH

Row = dict[int, Expr]
# A parameter or mass that is smaller than this, relative to the largest factor in its equation, is no pivot.
_SMALL = 1e-3
# With few states a factor that is no mass would have one sign by chance; and each takes other branches of what changes
# at events.
_STATES = 32


class Elimination:
    """The equations that are left, and those that are solved: `steps` has (equation, unknown, row, rest, pivot) for
    unknown = -(row*others + rest)/pivot; `pivots` are parameters by which was divided, with the other factors of their
    equations. `numbers` are the model's values of its parameters, by leaf. Equations `without` are left out."""

    def __init__(
        self,
        pool: Pool,
        rows: list[Row],
        rests: list[Expr],
        kinds: list[str],
        numbers: dict[Expr, float],
        values: SameValues | None = None,
        without: Container[int] = (),
    ):
        self.rows = {e: dict(row) for e, row in enumerate(rows) if e not in without}
        self.rests, self.kinds = list(rests), kinds
        self.pool, self.values = pool, values or SameValues(pool)
        for known in (*(c for row in rows for c in row.values()), *rests):
            self.values.merged(known)
        self.columns: list[set[int]] = [set() for _ in kinds]
        for e, row in self.rows.items():
            for k in row:
                self.columns[k].add(e)
        self.steps: list[tuple[int, int, Row, Expr, Expr]] = []
        self.pivots: list[tuple[Expr, list[Expr]]] = []
        self.states = [RandomPoint(numbers, number) for number in range(1, _STATES + 1)]
        self._masses: dict[tuple[Expr, tuple[Expr, ...]], bool] = {}

    def solution(self, values: dict[int, Expr]) -> dict[int, Expr]:
        """The values of all unknowns, in the order of their dependences, from those that are left."""
        pool, found = self.pool, dict(values)
        for _, k, row, rest, pivot in reversed(self.steps):
            total = rest
            for other, c in row.items():
                total = pool.add(total, pool.mul(c, found[other]))
            found[k] = pool.div(pool.neg(total), pivot)
        return found

    def pivot(self, e: int, k: int) -> None:
        """Solve equation e for unknown k, and substitute it."""
        values, pool = self.values, self.pool
        row, rest = self.rows.pop(e), self.rests[e]
        pivot = row.pop(k)
        self.columns[k].discard(e)
        for j in row:
            self.columns[j].discard(e)
        if pivot.level < TIME:
            self.pivots.append((pivot, list(row.values())))
        if not self.is_unit(pivot):
            row, rest = {j: values.div(a, pivot) for j, a in row.items()}, values.div(rest, pivot)
        elif pivot.data < 0.0:
            row, rest = {j: pool.neg(a) for j, a in row.items()}, pool.neg(rest)
        self.steps.append((e, k, row, rest, pool.one))
        for other in sorted(self.columns[k]):
            target = self.rows[other]
            factor = target.pop(k)
            for j, a in row.items():
                total = values.sub(target.pop(j, pool.zero), values.mul(factor, a))
                if total is pool.zero:
                    self.columns[j].discard(other)
                else:
                    target[j] = total
                    self.columns[j].add(other)
            self.rests[other] = values.sub(self.rests[other], values.mul(factor, rest))
        self.columns[k] = set()

    def _pivot_by_factors(self, e: int, k: int) -> None:
        """The same with a quotient for each equation in which k is substituted, not for each other unknown."""
        values, pool = self.values, self.pool
        row, rest = dict(self.rows[e]), self.rests[e]
        self.replace(e, {}, pool.zero)
        del self.rows[e]
        pivot = row.pop(k)
        self.steps.append((e, k, row, rest, pivot))
        for other in sorted(self.columns[k]):
            target = dict(self.rows[other])
            factor = values.div(target.pop(k), pivot)
            for j, a in row.items():
                target[j] = values.sub(target.get(j, pool.zero), values.mul(factor, a))
            target = {j: c for j, c in target.items() if c is not pool.zero}
            self.replace(other, target, values.sub(self.rests[other], values.mul(factor, rest)))

    def pivot_with_switch(self, e: int, k: int) -> bool:
        """Solve equation e for unknown k, a motion, where another one gives k from a variable that is either the force
        that locks it or the acceleration, as friction does: both are solved together, with the pivot (1 - L)*M + L of
        (12). False if there is no such equation, or if that may be zero."""
        values, zero = self.values, self.pool.zero
        for other in sorted(self.columns[k] - {e}):
            given, own = self.rows[other], dict(self.rows[e])
            if not self.is_unit(given[k]):
                continue
            joints = ACROSS, THROUGH, CLOSING
            switches = [
                s
                for s in sorted(given.keys() & own.keys() - {k})
                if self.kinds[s] not in joints and not self.is_unit(given[s])
            ]
            factor = values.mul(given[k], own.pop(k))
            for j, c in given.items() if switches else ():
                if j != k:
                    own[j] = values.sub(own.get(j, zero), values.mul(factor, c))
            own = {j: c for j, c in own.items() if c is not zero}
            for s in switches:
                if s in own and self._is_mass(own[s], own):
                    self.replace(e, own, values.sub(self.rests[e], values.mul(factor, self.rests[other])))
                    self._pivot_by_factors(e, s)
                    self.pivot(other, k)
                    return True
        return False

    def replace(self, e: int, row: Row, rest: Expr) -> None:
        """Put another equation in the place of one."""
        for k in self.rows[e]:
            self.columns[k].discard(e)
        self.rows[e], self.rests[e] = row, rest
        for k in row:
            self.columns[k].add(e)

    # --- pivots ------------------------------------------------------------------------------------

    def is_unit(self, c: Expr) -> bool:
        """True for 1 and -1."""
        return c.level == CONSTANT and abs(abs(c.data) - 1.0) < 1e-15

    def has_force(self, e: int) -> bool:
        """True if an equation has a through variable."""
        return any(self.kinds[k] == THROUGH for k in self.rows[e])

    def has_unit_of_motion(self, e: int) -> bool:
        """True if a motion has the factor 1 or -1."""
        return any(self.is_unit(c) and self.kinds[k] not in (THROUGH, CLOSING) for k, c in self.rows[e].items())

    def is_factor(self, e: int, k: int, with_parameters: bool) -> bool:
        """True if an unknown has the factor 1 or -1, or a constant or parameter that is not small."""
        c = self.rows[e][k]
        if self.is_unit(c) or not with_parameters:
            return self.is_unit(c)
        if c.level == CONSTANT:
            return True
        sizes = (abs(self.states[0].value(x)) for x in self.rows[e].values() if x.level < TIME)
        return c.level < TIME and abs(self.states[0].value(c)) > _SMALL * max(sizes)

    def cost(self, e: int, k: int) -> int:
        """The number of factors that may be added (Markowitz)."""
        return (len(self.rows[e]) - 1) * (len(self.columns[k]) - 1)

    def symmetry(self, e: int, k: int) -> int:
        """How many values the row and the column of a pivot share up to sign: all on the diagonal of a symmetric
        matrix."""
        row = Counter(map(self.values.size, self.rows[e].values()))
        return sum((row & Counter(self.values.size(self.rows[o][k]) for o in self.columns[k])).values())

    def is_mass(self, e: int, k: int) -> bool:
        """True for a factor with one sign and a good size at all random states."""
        return self._is_mass(self.rows[e][k], self.rows[e])

    def _is_mass(self, c: Expr, row: Row) -> bool:
        others = [x for j, x in row.items() if self.kinds[j] != CLOSING]
        key = c, tuple(sorted(others, key=lambda x: x.id))
        if key not in self._masses:
            self._masses[key] = _is_large(c, others, self.states)
        return self._masses[key]


def _is_large(c: Expr, row: Collection[Expr], states: Iterable[RandomPoint]) -> bool:
    sign = 0.0
    for state in states:
        value = state.value(c)
        if value == 0.0 or value * sign < 0.0 or not abs(value) >= _SMALL * max(abs(state.value(x)) for x in row):
            return False
        sign = math.copysign(1.0, value)
    return True
