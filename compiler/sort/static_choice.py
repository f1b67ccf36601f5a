"""Monitors states that were fixed at translation: adds an assertion that the other variables follow from them.

They are all states of a set, or some that the model prefers beside a dynamic choice. Chooses nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cutset.compiler.expressions.dense import solved
from cutset.compiler.expressions.pivot_selection import quality as quality_of
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten.model import EquationSystem, Relation
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.state_choice import FIRM, USABLE, StateChoice

# The run ends when the quality of the choice falls below this fraction of that at the start. If other choices exist, it
# ends early, so that no step of a coarse method passes the singular point; otherwise as late as such steps allow.
_GIVEN_UP, _WORSE = 0.05, 1e-2
# The limit if the quality at the start is unknown or zero.
_BAD = 1e-6
_DEMAND = "remove state=always or state=never, so that the run can select the states again"
_OTHERS = (
    "describe the motion by other variables, such as three angles (FreeCardan, SphericalCardan) instead of Euler "
    "parameters (Free, Spherical)"
)
_GOLDEN = 0.6180339887498949


def with_choice_assertion(
    system: EquationSystem, choice: StateChoice, guesses: IterationStarts | None, of_preference: bool
) -> EquationSystem:
    """The system with an assertion that ends the run when the variables that are not states no longer follow from the
    others; `guesses` give the quality of the choice at the start. `of_preference`: other choices exist without the
    model's preferences."""
    large = choice.is_large()
    quality, limit = (
        _rate_and_limit(system, choice, guesses)
        if large
        else _quality_and_limit(system, choice, guesses, of_preference)
    )
    names = [str(system.unknowns[v].node.data) for v in choice.candidates]
    free = [n for n, d in zip(names, choice.dummies, strict=False) if not d]
    others = _listed([n for n, d in zip(names, choice.dummies, strict=False) if d])
    subject, verb = ("states", "do") if len(free) > 1 else ("state", "does")
    text = f"the {subject} {_listed(free)} {verb} not determine {others} here"
    if not of_preference:
        firm = any(abs(system.unknowns[v].preference) >= FIRM for v in choice.candidates)
        text += f": {_DEMAND if firm else _OTHERS}"
    return _with_assertion(system, choice, quality, limit, not large, text, of_preference)


def with_held_assertion(
    system: EquationSystem,
    choice: StateChoice,
    dummies: Sequence[Expr],
    dummies_at_start: Sequence[Expr],
    guesses: IterationStarts,
    of_preference: bool,
) -> EquationSystem:
    """The system with an assertion that ends the run when no candidates of the choice determine the others beside the
    states that the model prefers. `dummies`: for each candidate 1 if it is not a state now, or at the start."""
    pool, whole, none = system.pool, choice.with_held(), [system.pool.zero for _ in choice.held]
    function, limit = quality_of(pool, len(whole.rows), len(whole.candidates)), pool.constant(_BAD)
    quality = pool.apply(function, [*whole.jacobian(pool), *dummies, *none])[0]
    begins = whole.jacobian_at_start(system, guesses)
    if begins is not None:
        limit = _part_of(pool, pool.apply(function, [*begins, *dummies_at_start, *none])[0], _GIVEN_UP)
    names = [str(system.unknowns[v].node.data) for v in choice.held]
    subject, verb = ("preferred states", "leave") if len(names) > 1 else ("preferred state", "leaves")
    text = f"the {subject} {_listed(names)} {verb} no choice of the other states here"
    if not of_preference:
        text += f": {_DEMAND}"
    return _with_assertion(system, choice, quality, limit, True, text, of_preference)


def _with_assertion(
    system: EquationSystem,
    choice: StateChoice,
    quality: Expr,
    limit: Expr,
    is_quality: bool,
    text: str,
    of_preference: bool,
) -> EquationSystem:
    """The assertion that the quality, of either sign, is above the limit, or else that the rate is below."""
    pool, origin = system.pool, choice.origin
    count, limits = len(system.relations), ((">", limit), ("<", pool.neg(limit)))
    relations = (Relation("state", operator, quality, end, text, origin, at_ends=True) for operator, end in limits)
    is_outside = pool.logical("or", pool.mode(count), pool.mode(count + 1))
    is_good = is_outside if is_quality else pool.logical("not", is_outside)
    assertion = Assertion(False, is_good, text, origin.span, origin.instance, of_preference)
    events = replace(system.events, assertions=(*system.events.assertions, assertion))
    return replace(system, relations=(*system.relations, *relations), events=events)


def _quality_and_limit(
    system: EquationSystem, choice: StateChoice, guesses: IterationStarts | None, of_preference: bool
) -> tuple[Expr, Expr]:
    pool, limit = system.pool, system.pool.constant(_BAD)
    dummies = [pool.constant(d) for d in choice.dummies]
    function = quality_of(pool, len(choice.rows), len(choice.candidates))
    quality = pool.apply(function, [*choice.jacobian(pool), *dummies])[0]
    begins = choice.jacobian_at_start(system, guesses) if guesses else None
    if begins is not None:
        first = pool.apply(function, [*begins, *dummies])[0]
        limit = _part_of(pool, first, _GIVEN_UP if of_preference else _WORSE)
    return quality, limit


def _part_of(pool: Pool, first: Expr, part: float) -> Expr:
    """That part of the quality at the start, if it is usable."""
    size = pool.call("fabs", first)
    is_usable = pool.relation(">", size, pool.constant(USABLE), "noevent")
    return pool.choose(is_usable, pool.mul(pool.constant(part), size), pool.constant(_BAD))


def _rate_and_limit(system: EquationSystem, choice: StateChoice, guesses: IterationStarts | None) -> tuple[Expr, Expr]:
    """A weighted sum of the derivatives of variables that are not states, for given derivatives of the states, with
    weights without symmetry: a single linear system, where the search for other states would be large. And its
    limit."""
    pool = system.pool
    place = {j: k for k, j in enumerate(j for j, d in enumerate(choice.dummies) if d)}
    matrix = [{place[j]: e for j, e in row.items() if j in place} for row in choice.rows]
    right = [_sum(pool, ((_factor(j), e) for j, e in row.items() if j not in place)) for row in choice.rows]
    rate = _sum(pool, ((_factor(k), e) for k, e in enumerate(pool.solve(matrix, right))))
    begins = choice.jacobian_at_start(system, guesses) if guesses else None
    return rate, pool.constant(1.0 / _BAD if begins is None else _largest_rate(system, choice, begins))


def _largest_rate(system: EquationSystem, choice: StateChoice, begins: Sequence[Expr]) -> float:
    """The limit of that sum, from the choice at the start with the model's parameters."""
    numbers, n = RandomPoint(parameter_numbers(system.parameters)), len(choice.candidates)
    jacobian = [[numbers.value(e) for e in begins[k : k + n]] for k in range(0, len(begins), n)]
    matrix, right = (
        [[e for e, d in zip(row, choice.dummies, strict=False) if d == kind] for row in jacobian] for kind in (1, 0)
    )
    rates = [abs(e) for row in solved(matrix, right) or () for e in row]
    return max(1.0, *rates) * math.sqrt(len(rates)) / _WORSE if rates else 1.0 / _BAD


def _sum(pool: Pool, terms: Iterable[tuple[float, Expr]]) -> Expr:
    total = pool.zero
    for factor, e in terms:
        total = pool.add(total, pool.mul(pool.constant(factor), e))
    return total


def _factor(k: int) -> float:
    """A weight between 0.5 and 1.5, of either sign."""
    part = (k + 1) * _GOLDEN % 1.0
    return (0.5 + part) * (1.0 if part * 1e3 % 2.0 < 1.0 else -1.0)


def _listed(names: list[str]) -> str:
    return ", ".join([*names[:8], f"{len(names) - 8} more"] if len(names) > 9 else names) or "no variable"
