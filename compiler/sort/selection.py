"""Decides between fixed and dynamic choices of states (stage 4d): EquationSystem, StructuralPlan -> Selection.

A choice is fixed at translation if it is regular for all values: if the variables that are not states follow one by
one, by coefficients that are constant or bounded away from zero. If the plan's choice is not, another one may be, and
replaces it. Preferences of the model are kept in the same way: a preferred variable stays a state for the entire run,
alone or beside states that are chosen during the run, unless it leaves no choice of these at the start. Such a state is
monitored: if it becomes singular the run ends, so that its host translates the model without `preferences` and repeats
the run. All other choices are made during the run (`dynamic_choice`). Constraints that were differentiated equally
often have one choice for the variables and their derivatives; others have one for each order of derivatives, as
Mattsson and Soederlind (1993, section 3) choose dummies order by order. Solves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.dense import solved
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pivot_selection import quality as quality_of
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten.model import EquationSystem, Relation
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort.dynamic_choice import DynamicChoice
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.nonzero_factors import NonzeroFactors
from cutset.compiler.sort.state_choice import FIRM, USABLE, ConstraintJacobian, StateChoice
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.given_states import Member, members
from cutset.compiler.structure.plan import StructuralPlan
from cutset.compiler.structure.state_sets import StateLevel, StateSet, state_levels, state_sets
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Selection:
    """The system and its plan, extended for the dynamic choice of states; `sets` is the number of sets to choose from,
    `notes` list preferences without effect."""

    system: EquationSystem
    plan: StructuralPlan
    sets: int
    notes: tuple[Label, ...] = ()

    def __str__(self) -> str:
        return str(self.system)


def select_sets(
    system: EquationSystem, plan: StructuralPlan, preferences: bool = True, notes: tuple[Label, ...] = ()
) -> Selection:
    """Both unchanged if every choice of the plan stays regular. Without `preferences` none of them decides. The notes
    become those of the result."""
    incidence = incidence_of(system)
    selector = _Selector(system, plan)
    excluded: set[int] = set()
    for found in state_sets(incidence, plan):
        jacobian = ConstraintJacobian(system, incidence, found, selector.nonzero_factors, preferences)
        if jacobian.companions_follow():
            selector.select(found, jacobian)
        else:
            excluded.update(found.equations)
    for level in state_levels(incidence, plan, excluded):
        selector.select(level, ConstraintJacobian(system, incidence, level, selector.nonzero_factors, preferences))
    return replace(selector.selection(), notes=notes)


class _Selector:
    """Extends the system, and tracks which variables are states."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan):
        self._first, self._plan = system, plan
        self._system, self._sets, self._guesses = system, 0, IterationStarts(system)
        self._nodes: list[Expr] | None = None
        self._members: list[Member] = []
        self._states: set[Member] | None = None  # the states, if they differ from the plan's
        self.nonzero_factors = NonzeroFactors(system)

    def select(self, found: StateSet | StateLevel, jacobian: ConstraintJacobian) -> None:
        """Keep the plan's choice, replace it by another one, monitor it, or make it dynamic."""
        by_size = jacobian.dummies_by_size()
        if by_size is not None:
            self._exchange(found, by_size)
            jacobian = jacobian.with_dummies(by_size)
        if jacobian.stays_regular():
            self._demand(found, jacobian)
            return
        if jacobian.never_varies():  # it is singular for the parameter values, regardless of preferences
            jacobian = jacobian.without_preferences()
        other = jacobian.other_dummies()
        if other is not None:
            self._exchange(found, other)
            self._demand(found, jacobian.with_dummies(other))
            return
        choice = jacobian.choice()
        if choice is not None and not jacobian.is_free() and not jacobian.leaves_choice_at_start(self._guesses):
            jacobian = jacobian.without_preferences()
            choice = jacobian.choice()
        if choice is not None:
            self._sets += 1
            nodes = self._nodes_of_plan()
            dynamic = DynamicChoice(
                self._system, nodes, self._plan, choice, self._sets, bool(self._first.initial), self._guesses
            )
            self._system, first = dynamic.system(), len(self._system.unknowns)
            if choice.held:
                self._system = with_held_assertion(
                    self._system,
                    choice,
                    dynamic.dummies(),
                    dynamic.dummies(at_start=True),
                    self._guesses,
                    not jacobian.is_free(),
                )
            self._replace(found, set(), {*choice.candidates, *choice.followers})
            new = len(choice.candidates) - len(choice.rows)
            assert self._states is not None  # set by _replace
            self._states |= {(first + c, order) for c in range(new) for order in range(choice.order)}
            return
        regular = jacobian.regular_at_start(self._guesses)
        if regular is not None:
            self._exchange(found, regular)
            jacobian = jacobian.with_dummies(regular)
        static_choice = jacobian.static_choice()
        if static_choice is not None:
            free = jacobian.without_preferences()
            of_preference = free.other_dummies() is not None or free.choice() is not None
            guesses, nodes = self._guesses if isinstance(found, StateSet) else None, self._nodes_of_plan()
            names = [str(nodes[v].data) for v in static_choice.candidates]
            self._system = with_choice_assertion(self._system, static_choice, names, guesses, of_preference)

    def _demand(self, found: StateSet | StateLevel, jacobian: ConstraintJacobian) -> None:
        """Check the sizes of factors with the parameters of a run, which is translated again if they are bad."""
        holds = jacobian.holds_by_size(self._guesses)
        if holds is not None:
            pivots = (*self._system.pivots, (holds, self._first.equations[found.equations[0]]))
            self._system = replace(self._system, pivots=pivots)

    def selection(self) -> Selection:
        """The system and the plan with the decisions so far."""
        plan = self._plan if self._states is None else analyze(incidence_of(self._system), self._states)
        return Selection(self._system, plan, self._sets)

    def _nodes_of_plan(self) -> list[Expr]:
        """The variables by their numbers in the plan, including those that only the plan has."""
        if self._nodes is None:
            nodes = [u.node for u in self._first.unknowns]
            origin = {d: v for v, d in enumerate(self._plan.derivative) if d >= 0}
            for v in range(len(nodes), len(self._plan.derivative)):
                nodes.append(self._first.pool.variable(derivative_name(str(nodes[origin[v]].data))))
            self._nodes = nodes
        return self._nodes

    def _exchange(self, found: StateSet | StateLevel, dummies: tuple[int, ...]) -> None:
        """Make these and no others of the set the variables that are not states."""
        self._replace(found, {v for v in (*found.candidates, *found.others) if v not in dummies}, set(dummies))

    def _replace(self, found: StateSet | StateLevel, states: set[int], others: set[int]) -> None:
        """Replace the choice on all orders of derivatives that share it."""
        if self._states is None:
            self._members = members(self._plan.derivative)
            self._states = {self._members[v] for v in self._plan.states}
        for _ in range(found.order):
            self._states |= {self._members[v] for v in states}
            self._states -= {self._members[v] for v in others}
            states, others = ({self._plan.derivative[v] for v in part} for part in (states, others))


# --- static choice --------------------------------------------------------------------------------

# They are all states of a set, or some that the model prefers beside a dynamic choice. Chooses nothing.


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
    system: EquationSystem,
    choice: StateChoice,
    names: Sequence[str],
    guesses: IterationStarts | None,
    of_preference: bool,
) -> EquationSystem:
    """The system with an assertion that ends the run when the candidates, with these `names`, that are not states no
    longer follow from the others; `guesses` give the quality of the choice at the start. `of_preference`: other choices
    exist without the model's preferences."""
    large = choice.is_large()
    quality, limit = (
        _rate_and_limit(system, choice, guesses)
        if large
        else _quality_and_limit(system, choice, guesses, of_preference)
    )
    free = [n for n, d in zip(names, choice.dummies, strict=False) if not d]
    others = _listed([n for n, d in zip(names, choice.dummies, strict=False) if d])
    subject, verb = ("states", "do") if len(free) > 1 else ("state", "does")
    text = f"the {subject} {_listed(free)} {verb} not determine {others} here"
    if not of_preference:
        known = len(system.unknowns)
        firm = any(v < known and abs(system.unknowns[v].preference) >= FIRM for v in choice.candidates)
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
