"""Replaces one of several dependent equations by the combination in which the dependence cancels.

Tan, Nedialkov and Pryce, Conversion methods for improving structural analysis of differential-algebraic equation
systems, BIT 57 (2017), pp. 845-865, the linear combination method: of equations f(i) that are differentiated c(i)
times, with constant factors u(i), the sum of u(i) times the derivative of order c(i) - c of f(i) replaces f(l), where c
= c(l) is the smallest of them and u(l) is not zero. Each replacement decreases the sum of the orders that the structure
has to find, so the process ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.differentiate import derivative_name, differentiate
from cutset.compiler.expressions.finite_field_evaluation import PRIME, inverse
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.reduce.blocks import Candidates
from cutset.compiler.reduce.exact import Coefficient, Field, Row, factors_of
from cutset.compiler.reduce.terms import Terms, combined, residual_of, slopes_of, terms_of
from cutset.contract.quick_dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Combination:
    """The number of the equation `replaced`, its replacement, and the equations of which that consists, with
    factors."""

    replaced: int
    residual: Expr
    parts: tuple[tuple[int, Expr], ...]


class NotKnown(Exception):
    """A derivative that cannot be formed."""


class Combiner:
    """Combines equation by equation, on demand. `slopes` are the derivatives of variables; `made` are those that were
    created on the way."""

    def __init__(self, system: EquationSystem, field: Field, orders: list[int]):
        self._system, self._field, self._orders = system, field, orders
        self._slopes = dict(system.derivatives)
        self._discrete = {d.node for d in system.discrete}
        self._delays = {d.node for d in system.delays}
        self.made: dict[Expr, Expr] = {}

    def combinations(self, found: Candidates) -> Iterator[Combination]:
        """One combination for each equation that depends on others."""
        try:
            if are_independent(list(self._slopes_of(found).values())):
                return
            rows = self._rows(found)
            numbers = sorted(rows, key=lambda e: (-self._orders[e], len(rows[e]), e))
            ordered = [rows[e] for e in numbers]
            dependent = dependent_rows([{j: c.residue for j, c in row.items()} for row in ordered], range(len(ordered)))
        except TooLong:  # too long to decide: solving reports it if it is singular
            return
        for dependence in dependent:
            factors = factors_of(self._field, dependence, ordered, max(dependence))
            try:
                yield self._combination({numbers[i]: factor for i, factor in factors.items()}, numbers[max(dependence)])
            except (NotDifferentiable, Undefined, NotKnown):
                continue

    def _slopes_of(self, found: Candidates) -> dict[int, dict[int, int]]:
        """The rows of `_rows` by their residues."""
        columns: dict[object, int] = {}
        return {
            e: {
                columns.setdefault(key, len(columns)): slope
                for key, slope in self._leading(found, e, self._residues(e))
            }
            for e in found.leading
        }

    def _rows(self, found: Candidates) -> dict[int, Row]:
        """The coefficients of each equation along the variables that it should determine, and along nonlinear
        expressions of them."""
        columns: dict[object, int] = {}
        return {
            e: {columns.setdefault(key, len(columns)): c for key, c in self._leading(found, e, self._terms(e))}
            for e in found.leading
        }

    def _leading(self, found: Candidates, e: int, terms: Mapping[Expr, T]) -> Iterator[tuple[object, T]]:
        leading = {self._system.unknowns[v].node: column for v, column in found.leading[e].items()}
        for atom, c in terms.items():
            if atom in leading:
                yield leading[atom], c
            elif atom.op != "variable" and any(v in leading for v in variables_of(atom)):
                yield (atom, self._orders[e]), c

    def _residues(self, e: int) -> dict[Expr, int]:
        return slopes_of(self._field, self._system.equations[e].residual)

    def _terms(self, e: int) -> Terms:
        return terms_of(self._field, self._system.equations[e].residual)

    def _combination(self, factors: Mapping[int, Coefficient], last: int) -> Combination:
        least = self._orders[last]
        parts = [(factor, self._differentiated(e, self._orders[e] - least)) for e, factor in sorted(factors.items())]
        residual = residual_of(self._system.pool, combined(self._field, parts))
        return Combination(last, residual, tuple((e, factor.value) for e, factor in sorted(factors.items())))

    def _differentiated(self, e: int, order: int) -> Terms:
        residual = self._system.equations[e].residual
        for _ in range(order):
            residual = differentiate(self._system.pool, residual, self._slope)
        return terms_of(self._field, residual)

    def _slope(self, v: Expr) -> Expr:
        if v in self._discrete:
            return self._system.pool.zero  # held between events
        if v in self._delays:
            raise NotKnown
        if v not in self._slopes:
            self._slopes[v] = self.made[v] = self._system.pool.variable(derivative_name(str(v.data)))
        return self._slopes[v]


# --- rank -----------------------------------------------------------------------------------------

# The column that the fewest rows contain is eliminated first, by its shortest row (Markowitz, Management Science 3
# (1957), pp. 255-269), so that rows of a ladder or of a tree stay short.


# The limit on entries that one elimination may visit: some seconds.
_MOST_WORK = 3_000_000


def are_independent(rows: Sequence[dict[int, int]]) -> bool:
    """True if the rows are independent; the rows are consumed. Raises TooLong."""
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for column in row:
            users.setdefault(column, set()).add(i)
    if any(not row for row in rows):
        return False
    order = [(len(own), column) for column, own in users.items()]
    heapify(order)
    work = 0
    while order:
        count, column = heappop(order)
        own = users[column]
        if len(own) != count or not own:  # it is in the queue again with its new length
            continue
        pivot = min(own, key=lambda i: (len(rows[i]), i))
        pivot_row = rows[pivot]
        scale = inverse(pivot_row.pop(column))
        own.discard(pivot)
        for other in pivot_row:
            users[other].discard(pivot)
        for i in sorted(own):
            row = rows[i]
            factor = row.pop(column) * scale % PRIME
            work += len(pivot_row)
            for other, value in pivot_row.items():
                before = row.get(other)
                after = ((before or 0) - factor * value) % PRIME
                if after:
                    row[other] = after
                    if before is None:
                        users[other].add(i)
                elif before is not None:
                    del row[other]
                    users[other].discard(i)
            if not row:
                return False
        own.clear()
        if work > _MOST_WORK:
            raise TooLong
        for other in pivot_row:
            heappush(order, (len(users[other]), other))
    return True
