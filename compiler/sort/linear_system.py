"""Solves a block that is linear in its unknowns: tears it, and solves the rest by LU factorization during the run."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.linear import LinearForm
from cutset.compiler.expressions.open_factors import is_nothing, message_of
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint, are_rotation
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.sort.elimination import Elimination
from cutset.compiler.sort.stable_tearing import limit_error_growth
from cutset.compiler.sort.switching import Switching
from cutset.compiler.structure.band import band_order
from cutset.compiler.structure.tearing import Tearing, tear
from cutset.contract.quick_dataclass import dataclass

# A parameter that is smaller than this, relative to the largest in its equation, is no pivot.
_SMALL = 1e-3


class Singular(Exception):
    """The system has no unique solution for any state; `equation` is the position of an equation that causes it."""

    def __init__(self, equation: int, reason: str):
        self.equation, self.reason = equation, reason
        super().__init__(reason)


@dataclass(frozen=True)
class Solution:
    """`values[k]` is the value of unknown k, `equation_of[k]` the equation that determines it, in the order of their
    dependences; `torn` is the number of unknowns that are solved together, which come first. It is good for parameters
    for which `holds` is true, if that is given."""

    values: dict[int, Expr]
    equation_of: dict[int, int]
    torn: int
    holds: Expr | None = None


@dataclass(frozen=True)
class Prepared:
    """A linear system after substitution of solved unknowns: rows[e] has the coefficients of equation e by the numbers
    of the unknowns, rests[e] its other terms. `tearing` tells how to solve it; what it leaves may be solved `at_start`,
    once per run."""

    unknowns: tuple[Expr, ...]
    rows: list[dict[int, Expr]]
    rests: list[Expr]
    tearing: Tearing
    at_start: bool = False

    @property
    def torn(self) -> int:
        """The number of unknowns that are solved together in each evaluation."""
        return 0 if self.at_start else len(self.tearing.tearing_variables)


def prepare(
    pool: Pool,
    forms: list[LinearForm],
    unknowns: tuple[Expr, ...],
    inline: Substitution,
    numbers: RandomPoint,
    rates: Collection[Expr],
) -> Prepared:
    """`numbers` are the model's values of its parameters; `rates` are derivatives of states. Raises Undefined."""
    rows, rests = substituted(pool, forms, unknowns, inline)
    forces = {k for row in _open(rows) for k in row}
    solvable = [_pivots(row, numbers) - forces for row in rows]
    tearing = _tearing(rows, solvable, [k for k, u in enumerate(unknowns) if u in rates], numbers)
    if are_of_parameters(rows):
        other = _tearing(rows, constant_pivots(rows), [], numbers)
        if pays(pool, rows, rests, other, tearing):
            return Prepared(unknowns, rows, rests, other, at_start=True)
    return Prepared(unknowns, rows, rests, tearing)


def substituted(
    pool: Pool, forms: list[LinearForm], unknowns: tuple[Expr, ...], inline: Substitution
) -> tuple[list[dict[int, Expr]], list[Expr]]:
    """The rows and rests of `Prepared`. Raises Undefined."""
    index = {u: k for k, u in enumerate(unknowns)}
    rests = [inline(f.rest) for f in forms]
    rows = [{index[u]: inline(c) for u, c in f.coefficients.items()} for f in forms]
    return [{k: c for k, c in row.items() if c is not pool.zero} for row in rows], rests


def solve_linear(
    pool: Pool, prepared: Prepared, point: FieldPoint, switching: Switching, numbers: RandomPoint
) -> Solution:
    """Solve for all unknowns: the residuals for the tearing variables, the others explicitly. `switching` knows what
    changes at events, `numbers` are the model's values of its parameters. Raises Singular, Undefined."""
    unknowns, rows, tearing = prepared.unknowns, prepared.rows, prepared.tearing
    matrix, right = _torn(pool, rows, prepared.rests, tearing)
    _check_regular(matrix, tearing, point)
    open_rows = _open(rows)
    if open_rows:
        when_open = message_of(next(iter(open_rows[0].values())))
    else:
        when_open = _when_open(matrix, tearing, unknowns, switching)
    if prepared.at_start:
        torn = dict(zip(tearing.tearing_variables, solved_at_start(pool, matrix, right), strict=True))
    else:
        torn = _torn_values(pool, matrix, right, tearing, when_open)
    equation_of = dict(zip(tearing.tearing_variables, tearing.residual_equations, strict=False))
    equation_of |= {k: equation for equation, k in tearing.sequence}
    holds = pool.one
    if not prepared.at_start and are_of_parameters(rows):
        trial = right_sides_on_trial(pool, rows)
        _, tried = _torn(pool, rows, trial, tearing)
        found = _all_values(pool, rows, trial, tearing, _torn_values(pool, matrix, tried, tearing, when_open))
        holds = solves(pool, rows, trial, found)
    elif not prepared.at_start:
        pivots = [(rows[e][k], [c for j, c in rows[e].items() if j != k]) for e, k in tearing.sequence]
        holds = pivots_hold(pool, pivots, numbers)
    return Solution(
        _all_values(pool, rows, prepared.rests, tearing, torn), equation_of, len(tearing.tearing_variables), holds
    )


def solve_rotation(pool: Pool, rows: Rows, rests: Sequence[Expr], points: Sequence[RandomPoint]) -> Solution | None:
    """The vector that a rotation turns; None if the matrix is not orthogonal at these points."""
    unknowns = range(len(rows))
    if not are_rotation(points, [[row.get(k, pool.zero) for k in unknowns] for row in rows]):
        return None
    values = {k: pool.zero for k in unknowns}
    for row, rest in zip(rows, rests, strict=True):
        values = {k: pool.sub(total, pool.mul(row.get(k, pool.zero), rest)) for k, total in values.items()}
    return Solution(values, {k: k for k in unknowns}, 0)


def solve_eliminated(
    pool: Pool,
    elimination: Elimination,
    unknowns: tuple[Expr, ...],
    point: FieldPoint,
    switching: Switching,
    numbers: RandomPoint,
) -> Solution | None:
    """Solve together for the unknowns that an elimination leaves, and for the others explicitly. None if the equations
    that are left do not have as many unknowns. Raises Singular, Undefined."""
    equations = sorted(elimination.rows)
    left = sorted({k for row in elimination.rows.values() for k in row})
    if len(left) != len(equations):
        return None
    tearing = Tearing(tuple(left), tuple(equations), ())
    place = {k: number for number, k in enumerate(left)}
    matrix = [{place[k]: c for k, c in elimination.rows[e].items()} for e in equations]
    _check_regular(matrix, tearing, point)
    right = [pool.neg(elimination.rests[e]) for e in equations]
    values = _torn_values(pool, matrix, right, tearing, _when_open(matrix, tearing, unknowns, switching))
    equation_of = dict(zip(left, equations, strict=True)) | {k: e for e, k, *_ in reversed(elimination.steps)}
    holds = pivots_hold(pool, elimination.pivots, numbers)
    return Solution(elimination.solution(values), equation_of, len(left), holds)


def with_loops(
    elimination: Elimination,
    unknowns: tuple[Expr, ...],
    given: Sequence[dict[int, Expr]],
    rests: Sequence[Expr],
    closing: Collection[int],
    numbers: RandomPoint,
) -> Prepared:
    """The system with the equations of the tree in the form that the elimination gave them, and those `closing` loops
    as they are given: all motion follows outward from the forces that close the loops, which are torn."""
    rows, rests = list(given), list(rests)
    solvable = [_pivots(row, numbers) for row in rows]
    for e, row in elimination.rows.items():
        rows[e], rests[e], solvable[e] = row, elimination.rests[e], _pivots(row, numbers)
    for e, k, row, rest, pivot in elimination.steps:
        rows[e], rests[e], solvable[e] = {k: pivot, **row}, rest, {k}
    sizes = [{k: numbers.value(c) for k, c in row.items()} for row in rows]
    return Prepared(unknowns, rows, rests, limit_error_growth(sizes, tear([sorted(row) for row in rows], solvable)))


def _when_open(
    matrix: list[dict[int, Expr]], tearing: Tearing, unknowns: tuple[Expr, ...], switching: Switching
) -> str:
    if len(matrix) == 1 and matrix[0]:
        return switching.when_zero(matrix[0][0], unknowns[tearing.tearing_variables[0]])
    return switching.when_open(matrix, [unknowns[k] for k in tearing.tearing_variables])


def _all_values(
    pool: Pool, rows: list[dict[int, Expr]], rests: list[Expr], tearing: Tearing, torn: dict[int, Expr]
) -> dict[int, Expr]:
    """The values of all unknowns, in the order of their dependences, from those of the tearing variables."""
    values = dict(torn)
    for equation, k in tearing.sequence:
        total = rests[equation]
        for other, c in rows[equation].items():
            if other != k:
                total = pool.add(total, pool.mul(c, values[other]))
        values[k] = pool.div(pool.neg(total), rows[equation][k])
    return values


def suits_elimination(rows: list[dict[int, Expr]]) -> bool:
    """True for a system whose factors vary in time, without redundant constraints."""
    return not _open(rows) and not are_of_parameters(rows)


def _open(rows: list[dict[int, Expr]]) -> list[dict[int, Expr]]:
    """The rows that replace redundant constraints."""
    return [row for row in rows if row and all(map(is_nothing, row.values()))]


def _tearing(rows: list[dict[int, Expr]], solvable: list[set[int]], rates: list[int], numbers: RandomPoint) -> Tearing:
    """A tearing with few iteration variables and without growing errors. If the greedy choice tears more than the
    derivatives of states, two others are tried. The motion of a mechanism follows from these derivatives along its
    tree, then the forces follow backwards. If a part moves freely relative to the rest, a motion must not be computed
    from a force by dividing by a mass, but only from another motion, where it has the coefficient 1 or -1: unknowns for
    which that is impossible are torn, and no others."""
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
    """The possible pivots of an equation. A pivot must not become zero or small during a run: constants qualify, and
    parameters that are not small relative to the others; LU handles the rest."""
    sizes = {k: abs(numbers.value(c)) for k, c in row.items() if c.level < TIME}
    least = _SMALL * max(sizes.values(), default=0.0)
    return {k for k, size in sizes.items() if row[k].level == CONSTANT or (size >= least and 0.0 < size < math.inf)}


def _torn(
    pool: Pool, rows: list[dict[int, Expr]], rests: list[Expr], tearing: Tearing
) -> tuple[list[dict[int, Expr]], list[Expr]]:
    """A and -b of the residual equations A*z + b = 0 in the tearing variables z."""
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
    return matrix, right


def _check_regular(matrix: list[dict[int, Expr]], tearing: Tearing, point: FieldPoint) -> None:
    """Raises Singular."""
    # A matrix that is singular at a random point is singular everywhere. LU would continue with rounding errors.
    numbers = [{k: n for k, a in row.items() if (n := point.value(a))} for row in matrix]
    try:
        dependent = dependent_rows(numbers, range(len(matrix)))
    except TooLong:  # too long to decide: a singular system is reported during the run
        dependent = []
    if dependent:
        reason = "the unknowns cancel in its system of equations"
        raise Singular(tearing.residual_equations[max(dependent[0])], reason)


def _torn_values(
    pool: Pool, matrix: list[dict[int, Expr]], right: list[Expr], tearing: Tearing, when_open: str
) -> dict[int, Expr]:
    """The tearing variables z of A*z = right."""
    torn = tearing.tearing_variables
    if not torn:  # zeros have been found, and the rest follows explicitly
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
    """An equation in terms of the tearing variables only."""
    coefficients: dict[int, Expr] = {}
    for k, c in row.items():
        if k == without:
            continue
        inner, inner_rest = forms[k]
        rest = pool.add(rest, pool.mul(c, inner_rest))
        for z, a in inner.items():
            coefficients[z] = pool.add(coefficients.get(z, pool.zero), pool.mul(c, a))
    return {z: c for z, c in coefficients.items() if c is not pool.zero}, rest


# --- parameter systems ----------------------------------------------------------------------------

# Pivots chosen at translation may be zero or small for the values of another run, and no step would notice. At the
# start a factorization with pivoting costs nothing, so it gives the columns of the inverse that the varying right sides
# need. Where that would cost too much in the run, or some coefficients vary, the pivots are checked at the start.


# The limits on the equations of a system, and on the numbers of all its matrices.
_MOST_EQUATIONS, _MOST_NUMBERS = 60, 40_000
# The limit on the terms of a right side that are considered one by one.
_MOST_TERMS = 30
# By how much pivots may become smaller, relative to their equations, than they are for the values of the translation:
# each without consequence, and beyond that all of them together.
_NO_GROWTH, _MOST_GROWTH = 100.0, 1e4
# The largest rest of an equation, relative to its terms.
_MOST_ERROR = 1e-9

Rows = Sequence[Mapping[int, Expr]]


def are_of_parameters(rows: Rows) -> bool:
    """True if no coefficient varies, and not all are constants, whose pivots the translation knows. Equations that
    leave forces open have a solution of least norm instead."""
    levels = {c.level for row in rows for c in row.values()}
    if not levels or max(levels) == TIME or levels == {CONSTANT}:
        return False
    return not any(is_nothing(c) for row in rows for c in row.values())


def constant_pivots(rows: Rows) -> list[set[int]]:
    """The pivots that are good for all parameters: the equations of constants alone."""
    return [set(row) if all(c.level == CONSTANT for c in row.values()) else set() for row in rows]


def pays(pool: Pool, rows: Rows, rests: Sequence[Expr], at_start: Tearing, explicit: Tearing) -> bool:
    """True if the evaluations of a run cost no more with the inverse, for a tearing with `constant_pivots`, than with
    an `explicit` one."""
    n = len(at_start.tearing_variables)
    varying = _varying(rows, rests, at_start)
    columns = sum(e in varying for e in at_start.residual_equations)
    if n > _MOST_EQUATIONS or (columns + 1) * n * n > _MOST_NUMBERS:
        return False
    own = columns * n + sum(_products(pool, rows[e], k) for e, k in at_start.sequence)
    varying, torn = _varying(rows, rests, explicit), len(explicit.tearing_variables)
    others = sum(_products(pool, rows[e], k) * (2 if e in varying else 1) for e, k in explicit.sequence)
    others += sum(_products(pool, rows[e], -1) for e in explicit.residual_equations)
    return not columns or own <= others + (torn if torn < 2 else torn**3 // 3 + torn**2)


def _varying(rows: Rows, rests: Sequence[Expr], tearing: Tearing) -> set[int]:
    """The equations whose right side varies, in terms of the tearing variables."""
    found: set[int] = set()
    moving: set[int] = set()
    for e, k in (*tearing.sequence, *((e, -1) for e in tearing.residual_equations)):
        if rests[e].level == TIME or not moving.isdisjoint(rows[e]):
            found.add(e)
            moving.add(k)
    return found


def _products(pool: Pool, row: Mapping[int, Expr], pivot: int) -> int:
    """The products and divisions of an equation that is solved for the unknown `pivot`."""
    units = (pool.one, pool.minus_one)
    return sum(c not in units for c in row.values()) if row.get(pivot, pool.one) in units else len(row)


def solved_at_start(pool: Pool, matrix: Rows, right: Sequence[Expr]) -> tuple[Expr, ...]:
    """The solution z of matrix*z = right, in terms of what varies in the right sides."""
    scales = [_largest(pool, row.values()) for row in matrix]
    rows, columns = band_order([sorted(row) for row in matrix])
    place = {k: new for new, k in enumerate(columns)}
    ordered = [{place[k]: pool.div(a, scales[e]) for k, a in matrix[e].items()} for e in rows]
    found = [pool.zero] * len(rows)
    for moving, factors in _moving(pool, right).items():
        column = pool.solve(ordered, [pool.div(factors.get(e, pool.zero), scales[e]) for e in rows])
        found = [pool.add(z, pool.mul(a, moving)) for z, a in zip(found, column, strict=True)]
    return tuple(found[place[k]] for k in range(len(rows)))


def _moving(pool: Pool, right: Sequence[Expr]) -> dict[Expr, dict[int, Expr]]:
    """What varies in the right sides (one: what does not), with its factor in each of them. Something that occurs in
    several of them counts once, or its effects could be large and cancel: two resistors at one source."""
    whole: dict[Expr, dict[int, Expr]] = {}
    parts: dict[Expr, dict[int, Expr]] = {}
    for e, expression in enumerate(right):
        if expression is pool.zero:
            continue
        own = (expression, pool.one) if expression.level == TIME else (pool.one, expression)
        for found, terms in ((whole, [own]), (parts, _terms(pool, expression))):
            for node, factor in terms:
                factors = found.setdefault(node, {})
                factors[e] = pool.add(factors.get(e, pool.zero), factor)
    return parts if len(parts) <= max(len(whole), 2) else whole


def _terms(pool: Pool, expression: Expr) -> list[tuple[Expr, Expr]]:
    """The expression as a sum of products: what varies (one: what does not), and its factor; at most _MOST_TERMS."""
    terms: list[tuple[Expr, Expr]] = []
    stack = [(expression, pool.one)]
    while stack:
        node, factor = stack.pop()
        if len(terms) + len(stack) > _MOST_TERMS:
            return [(expression, pool.one)]
        if node.level < TIME:
            terms.append((pool.one, pool.mul(factor, node)))
        elif node.op in ("add", "sub"):
            stack += (node.args[0], factor), (node.args[1], factor if node.op == "add" else pool.neg(factor))
        elif node.op == "neg":
            stack.append((node.args[0], pool.neg(factor)))
        elif node.op == "div" and node.args[1].level < TIME:
            stack.append((node.args[0], pool.div(factor, node.args[1])))
        elif node.op == "mul" and node.args[0].level < TIME:
            stack.append((node.args[1], pool.mul(factor, node.args[0])))
        else:
            terms.append((node, factor))
    return terms


def _largest(pool: Pool, elements: Collection[Expr]) -> Expr:
    """The largest absolute value."""
    found = pool.zero
    for a in elements:
        size = pool.call("fabs", a)
        found = size if found is pool.zero else pool.call("max", found, size)
    return found


def right_sides_on_trial(pool: Pool, rows: Rows) -> list[Expr]:
    """Other terms of the equations, of the size of their coefficients."""
    generator = Random(len(rows))
    signed = [generator.choice((-1.0, 1.0)) * generator.uniform(0.5, 1.5) for _ in rows]
    return [pool.mul(pool.constant(b), _largest(pool, row.values())) for b, row in zip(signed, rows, strict=True)]


def solves(pool: Pool, rows: Rows, rests: Sequence[Expr], values: Mapping[int, Expr]) -> Expr:
    """True if these values solve the equations almost to rounding."""
    found, most = pool.one, pool.constant(_MOST_ERROR)
    for row, rest in zip(rows, rests, strict=True):
        size = pool.call("fabs", rest)
        for k, c in row.items():
            term = pool.mul(c, values[k])
            rest, size = pool.add(rest, term), pool.add(size, pool.call("fabs", term))
        found = pool.logical("and", found, pool.relation("<=", pool.call("fabs", rest), pool.mul(most, size)))
    return found


def pivots_hold(pool: Pool, pivots: Iterable[tuple[Expr, Iterable[Expr]]], numbers: RandomPoint) -> Expr:
    """True if the parameters that are pivots, each with the other factors in its equation, are not much smaller,
    relative to the parameters among these, than with the `numbers` of the translation."""
    total = pool.one
    for pivot, factors in pivots:
        others = [c for c in factors if c.level < TIME]
        if pivot.level == CONSTANT or not others:
            continue
        size, least = _largest(pool, others), pool.call("fabs", pivot)
        free = pool.constant(_NO_GROWTH * max(numbers.value(size) / numbers.value(least), 1.0))
        total = pool.mul(total, pool.call("max", pool.one, pool.div(size, pool.mul(free, least))))
    return pool.relation("<=", total, pool.constant(_MOST_GROWTH))
