"""Finds guesses for iterations: EquationSystem -> values of unknowns that follow from start values of others.

A joint has a start value, the position at its other end has none. Such a position is as good an iteration variable as
the joint itself, once its start value is computed, one equation after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice

from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, Pool, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.instantiate.instance import Strength, parameter_numbers

# The limits on unknowns that are determined together and on choices of equations for them; a determinant is zero below
# this part of its bound.
_MOST_TOGETHER, _MOST_TRIED, _SINGULAR = 3, 20, 1e-6


class IterationStarts(Mapping[Expr, Expr]):
    """Guesses of unknowns, as expressions of parameters: first what follows from time (0 at the start) and parameters
    alone; then start values, and what follows from them, by single equations or by two or three linear ones together.
    States without any start at zero. All are computed on first use."""

    def __init__(self, system: EquationSystem):
        self._system = system
        self._pool: Pool = system.pool
        # The guesses that the model gives.
        self.own: Mapping[Expr, Expr] = {u.node: u.start for u in system.unknowns if u.start is not None}
        self._written = {u.node for u in system.unknowns if u.fixed and u.strength >= Strength.MODEL}
        self._nominal = {u.node: u.nominal for u in system.unknowns if u.nominal is not None}
        self._all: dict[Expr, Expr] | None = None

    def __getitem__(self, unknown: Expr) -> Expr:
        return self._found()[unknown]

    def __iter__(self) -> Iterator[Expr]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def nominal(self, unknown: Expr) -> Expr:
        """The nominal value, an expression of parameters; 1 if the model gives none."""
        value = self._nominal.get(unknown, self._pool.one)
        return self._pool.one if value.op == "constant" and not value.data > 0.0 else value

    def is_written(self, unknown: Expr) -> bool:
        """True if the start value is given by the model or its run."""
        return unknown in self.own and unknown in self._written

    def _found(self) -> dict[Expr, Expr]:
        if self._all is None:
            self._all = _Propagation(self._system, self.own).found
        return self._all


class _Propagation:
    """Propagates guesses: an equation with one unknown left without a guess gives it, if it can be solved for it; so do
    linear equations for the same two or three unknowns, such as the coordinates of a point along three axes."""

    def __init__(self, system: EquationSystem, given: Mapping[Expr, Expr]):
        self._pool = system.pool
        self.found: dict[Expr, Expr] = {}
        self._known = {system.pool.time: system.pool.zero}
        self._put_in = Substitution(system.pool, self._known)
        self._relations_of_time(system)
        self._residuals = [e.residual for e in system.equations]
        unknowns = {u.node for u in system.unknowns}
        self._open_in = [{v for v in variables_of(r) if v in unknowns} for r in self._residuals]
        self._equations_of: dict[Expr, list[int]] = {}
        for e, left in enumerate(self._open_in):
            for v in left:
                self._equations_of.setdefault(v, []).append(e)
        self._numbers = RandomPoint(parameter_numbers(system.parameters))
        self._together: dict[frozenset[Expr], list[int]] = {}
        self._waiting: list[frozenset[Expr]] = []
        for e in range(len(self._open_in)):
            self._note(e)
        self._follow([e for e, left in enumerate(self._open_in) if len(left) == 1])
        own = [(unknown, value) for unknown, value in given.items() if unknown not in self.found]
        self._follow([e for unknown, value in own for e in self._know(unknown, value)])
        for state in system.derivatives:
            if state not in self.found:
                self._follow(self._know(state, self._pool.zero))

    def _relations_of_time(self, system: EquationSystem) -> None:
        """Sets the relations of time to their values at the start."""
        for k, relation in enumerate(system.relations):
            if relation.kind == "time":
                left, right = self._value(relation.left), self._value(relation.right)
                if left is not None and right is not None:
                    self._known[self._pool.mode(k)] = self._pool.relation(relation.operator, left, right, "noevent")

    def _know(self, unknown: Expr, value: Expr) -> list[int]:
        """The equations that have one unknown left now that this one has a guess."""
        self.found[unknown] = self._known[unknown] = value
        equations = self._equations_of.get(unknown, ())
        for e in equations:
            self._open_in[e].discard(unknown)
            self._note(e)
        return [e for e in equations if len(self._open_in[e]) == 1]

    def _note(self, e: int) -> None:
        """Remember an equation with few unknowns left, and these as soon as they have as many equations."""
        if 1 < len(self._open_in[e]) <= _MOST_TOGETHER:
            unknowns = frozenset(self._open_in[e])
            equations = self._together.setdefault(unknowns, [])
            equations.append(e)
            if len(equations) >= len(unknowns):
                self._waiting.append(unknowns)

    def _follow(self, equations: Iterable[int]) -> None:
        ready = list(equations)
        while ready:
            for e in ready:  # grows during the loop
                if len(self._open_in[e]) != 1:
                    continue
                (unknown,) = self._open_in[e]
                value = self._explicit(self._residuals[e], unknown)
                if value is not None:
                    ready += self._know(unknown, value)
            ready = []
            while self._waiting and not ready:
                ready = [e for v, value in self._solved(self._waiting.pop()) for e in self._know(v, value)]

    def _solved(self, unknowns: frozenset[Expr]) -> list[tuple[Expr, Expr]]:
        """The values of unknowns, if as many of the linear equations without others determine them."""
        order = sorted(unknowns, key=lambda v: str(v.data))
        rows = [self._row(e, order) for e in self._together[unknowns] if self._open_in[e] == unknowns]
        for some in islice(combinations([row for row in rows if row is not None], len(order)), _MOST_TRIED):
            values = _by_cramer(self._pool, some, self._numbers)
            if values is not None:
                return list(zip(order, values, strict=True))
        return []

    def _row(self, e: int, order: Sequence[Expr]) -> list[Expr] | None:
        """The factors of the unknowns in an equation, and its right side; None if it is not linear."""
        try:
            (form,) = linear_forms(self._pool, [self._residuals[e]], order)
            factors = [form.coefficients.get(v, self._pool.zero) for v in order]
            values = [self._value(value) for value in (*factors, self._pool.neg(form.rest))]
        except (Nonlinear, Undefined):
            return None
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else None

    def _explicit(self, residual: Expr, unknown: Expr) -> Expr | None:
        try:
            (form,) = linear_forms(self._pool, [residual], [unknown])
            factor = form.coefficients.get(unknown, self._pool.zero)
            if factor.level != CONSTANT or factor is self._pool.zero:
                return None
            return self._value(self._pool.div(self._pool.neg(form.rest), factor))
        except (Nonlinear, Undefined):
            return None

    def _value(self, e: Expr) -> Expr | None:
        """The value at the start; None if the equation has none or depends on unknown values."""
        try:
            value = self._put_in(e)
        except Undefined:
            return None
        return value if value.level <= PARAMETER else None


def _by_cramer(pool: Pool, rows: Sequence[Sequence[Expr]], numbers: RandomPoint) -> list[Expr] | None:
    """The solution of a small linear system, the right side of which is the last column; zero for parameters with which
    it is singular. None if it is with these numbers."""
    matrix, right = [row[:-1] for row in rows], [row[-1] for row in rows]
    whole, size = _determinant(pool, matrix), pool.constant(_SINGULAR)
    for row in matrix:
        total = pool.zero
        for e in row:
            total = pool.add(total, pool.call("fabs", e))
        size = pool.mul(size, total)
    if not abs(numbers.value(whole)) > numbers.value(size):
        return None
    is_regular = pool.relation(">", pool.call("fabs", whole), size, "noevent")
    found = []
    for j in range(len(right)):
        own = [[b if k == j else e for k, e in enumerate(row)] for row, b in zip(matrix, right, strict=True)]
        found.append(pool.choose(is_regular, pool.div(_determinant(pool, own), whole), pool.zero))
    return found


def _determinant(pool: Pool, rows: Sequence[Sequence[Expr]]) -> Expr:
    first, *rest = rows
    if not rest:
        return first[0]
    total = pool.zero
    for j, e in enumerate(first):
        minor = _determinant(pool, [[*row[:j], *row[j + 1 :]] for row in rest])
        total = pool.sub(total, pool.mul(e, minor)) if j % 2 else pool.add(total, pool.mul(e, minor))
    return total
