"""A block whose equations are linear in its unknowns -> their values: torn, the rest by an LU factorisation at run
time."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.linear import LinearForm
from cutset.compiler.expressions.open_factors import is_nothing, said_of
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.sort.stable_tearing import limit_error_growth
from cutset.compiler.sort.switching import Switching
from cutset.compiler.structure.band import band_order
from cutset.compiler.structure.tearing import Tearing, tear

# A parameter smaller than this part of the largest in its equation is no pivot.
_SMALL = 1e-3


class Singular(Exception):
    """The system has no single solution whatever the state is; `equation` is the position of one that is to blame."""

    def __init__(self, equation: int, reason: str):
        self.equation, self.reason = equation, reason
        super().__init__(reason)


@dataclass(frozen=True)
class Solution:
    """`values[k]` of unknown k, `equation_of[k]` by which it is given, in the order in which they follow from each
    other; `torn` is the number that are solved together, which come first."""

    values: dict[int, Expr]
    equation_of: dict[int, int]
    torn: int


@dataclass(frozen=True)
class Prepared:
    """rows[e] has the coefficients of equation e by the numbers of the unknowns, rests[e] what is left of it: all is
    put in that is solved before. They are solved along the tearing."""

    unknowns: tuple[Expr, ...]
    rows: list[dict[int, Expr]]
    rests: list[Expr]
    tearing: Tearing

    @property
    def torn(self) -> int:
        """How many unknowns are solved together."""
        return len(self.tearing.tearing_variables)


def prepare(
    pool: Pool,
    forms: list[LinearForm],
    unknowns: tuple[Expr, ...],
    inline: Substitution,
    numbers: RandomPoint,
    rates: Collection[Expr],
) -> Prepared:
    """`numbers` has the values that the model gives its parameters; `rates` are derivatives of states. Undefined."""
    index = {u: k for k, u in enumerate(unknowns)}
    rests = [inline(f.rest) for f in forms]
    rows = [{index[u]: inline(c) for u, c in f.coefficients.items()} for f in forms]
    rows = [{k: c for k, c in row.items() if c is not pool.zero} for row in rows]
    forces = {k for row in _open(rows) for k in row}
    solvable = [_pivots(row, numbers) - forces for row in rows]
    tearing = _tearing(rows, solvable, [k for k, u in enumerate(unknowns) if u in rates], numbers)
    return Prepared(unknowns, rows, rests, tearing)


def solve_linear(pool: Pool, prepared: Prepared, point: FieldPoint, switching: Switching) -> Solution:
    """All but the tearing variables follow explicitly, the residuals are solved for those. `switching` knows what
    changes at events. Singular, Undefined."""
    unknowns, rows, rests, tearing = prepared.unknowns, prepared.rows, prepared.rests, prepared.tearing
    matrix, right = _torn(pool, rows, rests, tearing, point)
    open_rows = _open(rows)
    if open_rows:
        when_open = said_of(next(iter(open_rows[0].values())))
    elif len(matrix) == 1 and matrix[0]:
        when_open = switching.when_zero(matrix[0][0], unknowns[tearing.tearing_variables[0]])
    else:
        when_open = switching.when_open(matrix, [unknowns[k] for k in tearing.tearing_variables])
    values = _torn_values(pool, matrix, right, tearing, when_open)
    equation_of = dict(zip(tearing.tearing_variables, tearing.residual_equations, strict=False))
    for equation, k in tearing.sequence:
        total = rests[equation]
        for other, c in rows[equation].items():
            if other != k:
                total = pool.add(total, pool.mul(c, values[other]))
        values[k] = pool.div(pool.neg(total), rows[equation][k])
        equation_of[k] = equation
    return Solution(values, equation_of, len(tearing.tearing_variables))


def _open(rows: list[dict[int, Expr]]) -> list[dict[int, Expr]]:
    """Those that stand for constraints which say nothing new."""
    return [row for row in rows if row and all(map(is_nothing, row.values()))]


def _tearing(rows: list[dict[int, Expr]], solvable: list[set[int]], rates: list[int], numbers: RandomPoint) -> Tearing:
    """With few unknowns to tear, and no errors that grow. Where the greedy choice tears more than the derivatives of
    states, two others are tried. All motion of a mechanism follows from these derivatives along its tree, then all
    forces back along it. Where it does not, as a part moves freely against the rest, a motion must not be computed from
    a force by dividing by a mass, but only from another motion, where it has the coefficient 1 or -1: what cannot be
    computed so is torn, and nothing else."""
    incidence = [sorted(row) for row in rows]
    sizes = [{k: numbers.value(c) for k, c in row.items()} for row in rows]
    found = limit_error_growth(sizes, tear(incidence, solvable))
    if rates and len(found.tearing_variables) > len(rates):
        along = [{k for k in pivots if abs(row[k]) == 1.0} for row, pivots in zip(sizes, solvable, strict=True)]
        others = tear(incidence, solvable, first=rates), tear(incidence, along)
        return min(
            found, *(limit_error_growth(sizes, other) for other in others), key=lambda t: len(t.tearing_variables)
        )
    return found


def _pivots(row: dict[int, Expr], numbers: RandomPoint) -> set[int]:
    """A pivot must not vanish, nor become small, in a run: constants may serve, and parameters as the model has them
    where they are not small beside the others; the rest is left to LU."""
    sizes = {k: abs(numbers.value(c)) for k, c in row.items() if c.level < TIME}
    least = _SMALL * max(sizes.values(), default=0.0)
    return {k for k, size in sizes.items() if row[k].level == CONSTANT or (size >= least and 0.0 < size < math.inf)}


def _torn(
    pool: Pool, rows: list[dict[int, Expr]], rests: list[Expr], tearing: Tearing, point: FieldPoint
) -> tuple[list[dict[int, Expr]], list[Expr]]:
    """A and -b of the residual equations A*z + b = 0 in the tearing variables z. Singular."""
    torn = tearing.tearing_variables
    forms: dict[int, tuple[dict[int, Expr], Expr]] = {k: ({k: pool.one}, pool.zero) for k in torn}
    for equation, k in tearing.sequence:
        coefficients, rest = _combined(pool, rows[equation], rests[equation], forms, k)
        pivot = pool.neg(rows[equation][k])
        forms[k] = {z: pool.div(c, pivot) for z, c in coefficients.items()}, pool.div(rest, pivot)
    matrix, right = [], []
    place = {z: k for k, z in enumerate(torn)}
    for equation in tearing.residual_equations:
        coefficients, rest = _combined(pool, rows[equation], rests[equation], forms, None)
        matrix.append({place[z]: c for z, c in coefficients.items()})
        right.append(pool.neg(rest))
    # Singular at a random point is singular everywhere. An LU factorisation would go on with what rounding leaves.
    numbers = [{k: n for k, a in row.items() if (n := point.value(a))} for row in matrix]
    try:
        dependent = dependent_rows(numbers, range(len(matrix)))
    except TooLong:  # then a run says so, where it is singular
        dependent = []
    if dependent:
        reason = "the unknowns cancel in its system of equations"
        raise Singular(tearing.residual_equations[max(dependent[0])], reason)
    return matrix, right


def _torn_values(
    pool: Pool, matrix: list[dict[int, Expr]], right: list[Expr], tearing: Tearing, when_open: str
) -> dict[int, Expr]:
    """The tearing variables z of A*z = right."""
    torn = tearing.tearing_variables
    if not torn:  # zeros have come to light, and the rest follows one by one
        return {}
    if len(torn) == 1 and not when_open:
        return {torn[0]: pool.div(right[0], matrix[0][0])}
    rows_in_order, columns = band_order([sorted(row) for row in matrix])
    position = {k: new for new, k in enumerate(columns)}
    ordered = [{position[k]: a for k, a in matrix[i].items()} for i in rows_in_order]
    return dict(
        zip((torn[k] for k in columns), pool.solve(ordered, [right[i] for i in rows_in_order], when_open), strict=False)
    )


def _combined(
    pool: Pool, row: dict[int, Expr], rest: Expr, forms: dict[int, tuple[dict[int, Expr], Expr]], without: int | None
) -> tuple[dict[int, Expr], Expr]:
    """An equation in terms of the tearing variables alone."""
    coefficients: dict[int, Expr] = {}
    for k, c in row.items():
        if k == without:
            continue
        inner, inner_rest = forms[k]
        rest = pool.add(rest, pool.mul(c, inner_rest))
        for z, a in inner.items():
            coefficients[z] = pool.add(coefficients.get(z, pool.zero), pool.mul(c, a))
    return {z: c for z, c in coefficients.items() if c is not pool.zero}, rest
