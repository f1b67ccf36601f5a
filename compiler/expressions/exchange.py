"""Which columns of a matrix to solve for: a procedure of the pool, by elimination and exchange.

Out of J (k rows, n columns) k columns B are chosen such that in inverse(B)*J no element is larger than 1: no exchange of one column for another
then gives a larger determinant (Goreinov, Oseledets, Savostyanov, Tyrtyshnikov and Zamarashkin, How to find a good submatrix, in:
Matrix Methods, World Scientific 2010, pp. 247-256). The tableau inverse(B)*J is that of Gauss and Jordan.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.procedure import Choice, Loop, Procedure, Set, Step

# Rounding must not keep an exchange of equals going.
_GAIN = 1.0 + 1e-6
# What is left of a matrix is nothing below this part of its largest element.
_ROUNDING = 1e-13


def exchange(pool: Pool, rows: int, columns: int) -> Procedure:
    """Arguments are J row by row, then for each column whether it is chosen now (1 or 0). Results: how good that choice is, from 0 (singular,
    or not k columns) to 1 (no element is larger than 1), as 1/(largest element), with the sign of the determinant of the chosen
    columns; then for each column whether it is chosen anew. A matrix without rank k has k columns of some kind."""
    return _Exchange(pool, rows, columns).procedure()


class _Exchange:
    """Two phases of one loop. First rows without a column choose the largest element among the columns that may be taken; then the
    largest element of the tableau tells which column takes the place of which."""

    def __init__(self, pool: Pool, rows: int, columns: int):
        self._pool = pool
        self._rows, self._columns = range(rows), range(columns)
        self._arguments = [[self._leaf(f"J{i},{j}") for j in self._columns] for i in self._rows]
        self._now = [self._leaf(f"now{j}") for j in self._columns]
        self._t = [[self._leaf(f"t{i},{j}") for j in self._columns] for i in self._rows]
        self._may = [self._leaf(f"may{j}") for j in self._columns]
        self._chosen = [self._leaf(f"chosen{j}") for j in self._columns]
        self._column_of = [self._leaf(f"column{i}") for i in self._rows]
        self._quality, self._known, self._sign = self._leaf("quality"), self._leaf("known"), self._leaf("sign")
        self._open, self._goes_on, self._turns = self._leaf("open"), self._leaf("goes_on"), self._leaf("turns")
        self._best, self._row, self._column = self._leaf("best"), self._leaf("row"), self._leaf("column")
        self._nothing = self._leaf("nothing")

    def _leaf(self, name: str) -> Expr:
        return self._pool.variable(f"exchange {name}")

    def procedure(self) -> Procedure:
        arguments = (*(e for row in self._arguments for e in row), *self._now)
        results = (self._quality, *self._chosen)
        loop = Loop(self._is(self._goes_on), (*self._search(), *self._act()), "the choice of states")
        return Procedure("choice of states", arguments, results, (self._begin(), loop))

    def _begin(self) -> Step:
        pool = self._pool
        values: dict[Expr, Expr] = {t: a for ts, row in zip(self._t, self._arguments) for t, a in zip(ts, row)}
        values |= dict(zip(self._may, self._now))
        values |= dict.fromkeys([*self._chosen, *self._column_of, self._quality, self._known], pool.zero)
        values |= {self._open: pool.constant(len(self._rows)), self._goes_on: pool.one, self._sign: pool.one}
        largest = pool.zero
        for a in dict.fromkeys(a for row in self._arguments for a in row):
            largest = pool.call("max", largest, pool.call("fabs", a))
        values[self._nothing] = pool.mul(pool.constant(_ROUNDING), largest)
        return self._set(values)

    def _search(self) -> list[Step]:
        """best, row, column: the largest element that may be taken; rows and columns count from 1."""
        pool = self._pool
        steps: list[Step] = [self._set({self._best: pool.zero, self._row: pool.zero, self._column: pool.zero})]
        exchanging = self._is_zero(self._open)
        for i in self._rows:
            waiting = self._is_zero(self._column_of[i])
            for j in self._columns:
                size = pool.call("fabs", self._t[i][j])
                larger = pool.relation(">", size, self._best, "noevent")
                may = pool.logical("or", exchanging, pool.logical("and", waiting, self._is(self._may[j])))
                condition = pool.logical("and", larger, pool.logical("and", self._is_zero(self._chosen[j]), may))
                found = {self._best: size, self._row: pool.constant(i + 1), self._column: pool.constant(j + 1)}
                steps.append(Choice(condition, (self._set(found),), ()))
        return steps

    def _act(self) -> tuple[Step, ...]:
        """One step: an element is taken, or the columns that may be taken do not suffice, or the choice is good."""
        pool = self._pool
        is_nothing = pool.logical("not", pool.relation(">", self._best, self._nothing, "noevent"))
        first = Choice(is_nothing, self._stuck(), (self._set({self._turns: pool.one}),))
        quality = pool.div(self._orientation(), pool.call("max", pool.one, self._best))
        measured = self._set({self._quality: quality, self._known: pool.one})
        gains = pool.relation(">", self._best, pool.constant(_GAIN), "noevent")
        second = (
            Choice(self._is_zero(self._known), (measured,), ()),
            self._set({self._turns: gains, self._goes_on: gains}),
        )
        return (
            self._set({self._turns: pool.zero}),
            Choice(self._is_zero(self._open), second, (first,)),
            Choice(self._is(self._turns), (self._pivot(),), ()),
        )

    def _orientation(self) -> Expr:
        """The sign of the determinant: that of the product of the pivots, turned once for each two rows whose columns stand the other way round."""
        pool, sign = self._pool, self._sign
        for i in self._rows:
            for other in self._column_of[i + 1 :]:
                turned = pool.relation(">", self._column_of[i], other, "noevent")
                sign = pool.choose(turned, pool.neg(sign), sign)
        return sign

    def _stuck(self) -> tuple[Step, ...]:
        """The columns that may be taken do not suffice: all may; or they, too, do not, then some fill up."""
        pool = self._pool
        again = self._set(dict.fromkeys([self._known, *self._may], pool.one))
        fill: list[Step] = [self._set({self._goes_on: pool.zero})]
        for j in self._columns:
            wanted = pool.logical("and", self._is(self._open), self._is_zero(self._chosen[j]))
            taken = self._set({self._chosen[j]: pool.one, self._open: pool.sub(self._open, pool.one)})
            fill.append(Choice(wanted, (taken,), ()))
        return (Choice(self._is_zero(self._known), (again,), tuple(fill)),)

    def _pivot(self) -> Step:
        """Column `column` becomes that of row `row`."""
        pool = self._pool
        here = [self._equal(self._row, i + 1) for i in self._rows]
        there = [self._equal(self._column, j + 1) for j in self._columns]
        row = [self._picked(here, [self._t[i][j] for i in self._rows]) for j in self._columns]
        column = [self._picked(there, self._t[i]) for i in self._rows]
        pivot = self._picked(here, column)
        leaves = self._picked(here, self._column_of)
        values: dict[Expr, Expr] = {}
        for i in self._rows:
            for j in self._columns:
                share = pool.div(row[j], pivot)
                values[self._t[i][j]] = pool.choose(here[i], share, pool.sub(self._t[i][j], pool.mul(column[i], share)))
        for j, chosen in enumerate(self._chosen):
            gone = pool.choose(self._equal(leaves, j + 1), pool.zero, chosen)
            values[chosen] = pool.choose(there[j], pool.one, gone)
        for i, column_of in enumerate(self._column_of):
            values[column_of] = pool.choose(here[i], self._column, column_of)
        values[self._open] = pool.call("max", pool.zero, pool.sub(self._open, pool.one))
        values[self._sign] = pool.choose(pool.relation("<", pivot, pool.zero, "noevent"), pool.neg(self._sign), self._sign)
        return self._set(values)

    # --- small words -----------------------------------------------------------------------------------

    def _picked(self, conditions: Sequence[Expr], values: Sequence[Expr]) -> Expr:
        """The value whose condition holds: one does."""
        chosen = values[0]
        for condition, value in zip(conditions[1:], values[1:]):
            chosen = self._pool.choose(condition, value, chosen)
        return chosen

    def _equal(self, e: Expr, number: int) -> Expr:
        return self._pool.relation("==", e, self._pool.constant(number), "noevent")

    def _is_zero(self, e: Expr) -> Expr:
        return self._pool.relation("==", e, self._pool.zero, "noevent")

    def _is(self, e: Expr) -> Expr:
        return self._pool.relation("<>", e, self._pool.zero, "noevent")

    def _set(self, values: dict[Expr, Expr]) -> Set:
        return Set(tuple(values), tuple(values.values()))
