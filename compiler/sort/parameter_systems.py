"""Solves linear systems whose coefficients are parameters: the pivots are chosen at the start of each run.

Pivots chosen at translation may be zero or small for the values of another run, and no step would notice. At the start
a factorization with pivoting costs nothing, so it gives the columns of the inverse that the varying right sides need.
Where that would cost too much in the run, or some coefficients vary, the pivots are checked at the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from cutset.compiler.expressions.open_factors import is_nothing
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.structure.band import band_order
from cutset.compiler.structure.tearing import Tearing

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
