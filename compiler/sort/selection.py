"""Stage 4d. EquationSystem, StructuralPlan -> the same system with sets of states that are chosen anew in a run, where a choice for good
could become singular. Must not solve anything.

A choice is made for good where it is regular whatever the values are: where the variables that are no states follow one by one, by coefficients that do
not vary or keep a distance from zero. Where the plan's choice is not, another one may be, and takes its place. So are wishes of the model kept:
a variable that is preferred to others stays a state or no state for good. Such a choice is watched: where it becomes singular the run ends, for
its host to translate the model without `wishes` and to do the run again, with choices that are made in the run.
Everywhere else the choice is made in the run (`sort.extension`). Constraints that were differentiated equally often have one choice for the
variables and their derivatives; others have one for each order of derivatives, as Mattsson and Soederlind (1993, section 3) choose dummies
order by order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cutset.compiler.expressions.bounds import Bounds, Interval
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.exchange import exchange
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem, Relation
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.sort.choices import USABLE, Choice, Reduction
from cutset.compiler.sort.extension import Extension
from cutset.compiler.sort.guesses import Guesses
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.analyse import analyse
from cutset.compiler.structure.given_states import Member, members
from cutset.compiler.structure.plan import StructuralPlan
from cutset.compiler.structure.state_sets import StateLevel, StateSet, state_levels, state_sets

# A choice that the model has settled ends the run where it becomes so much worse than it is at the start: where it may be given up, so early
# that no step of a coarse method passes the singular point; where it may not be, as late as such steps allow.
_GIVEN_UP, _WORSE = 0.05, 1e-2
# Where nothing is known of the start, or where it is singular there.
_BAD = 1e-6
_FIRM = "take state=always or state=never away, then the choice is made anew in the run"
_OTHERS = "describe the motion by other variables, as by three angles (FreeCardan, SphericalCardan) in the place of Euler parameters (Free, Spherical)"


@dataclass(frozen=True)
class Selection:
    """The system and its plan, with what stands for the `sets` of states that are chosen anew."""

    system: EquationSystem
    plan: StructuralPlan
    sets: int

    def __str__(self) -> str:
        return str(self.system)


def select_sets(system: EquationSystem, plan: StructuralPlan, wishes: bool = True) -> Selection:
    """Both as they are where each choice of the plan stays regular. Without `wishes` no preference settles a choice."""
    incidence = incidence_of(system)
    selector = _Selector(system, plan)
    beside: set[int] = set()
    for found in state_sets(incidence, plan):
        reduction = Reduction(system, incidence, found, selector.bounds, wishes)
        if reduction.companions_follow():
            selector.select(found, reduction)
        else:
            beside.update(found.equations)
    for level in state_levels(incidence, plan, beside):
        selector.select(level, Reduction(system, incidence, level, selector.bounds, wishes))
    return selector.selection()


class _Selector:
    """Grows the system, and keeps which variables are states."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan):
        self._first, self._plan = system, plan
        self._system, self._sets, self._guesses = system, 0, Guesses(system)
        self._nodes: list[Expr] | None = None
        self._members: list[Member] = []
        self._states: set[Member] | None = None  # where others than those of the plan are
        self.bounds = Bounds(_limits(system))

    def select(self, found: StateSet | StateLevel, reduction: Reduction) -> None:
        """The choice of the plan is kept, or another one takes its place, or it is made in the run, or watched there."""
        if reduction.stays_regular():
            return
        other = reduction.other_dummies()
        if other is not None:
            self._replace(found, {v for v in (*found.candidates, *found.others) if v not in other}, set(other))
            return
        choice = reduction.choice()
        if choice is not None:
            self._sets += 1
            nodes = self._nodes_of_plan()
            extension = Extension(self._system, nodes, self._plan, choice, self._sets, bool(self._first.initial), self._guesses)
            self._system, first = extension.system(), len(self._system.unknowns)
            self._replace(found, set(), {*choice.candidates, *choice.followers})
            new = len(choice.candidates) - len(choice.rows)
            self._states |= {(first + c, order) for c in range(new) for order in range(choice.order)}
            return
        settled = reduction.settled()
        if settled is not None:
            begins = settled.jacobian_at_start(self._system, self._guesses) if isinstance(found, StateSet) else None
            free = reduction.without_wishes()
            of_wish = free.other_dummies() is not None or free.choice() is not None
            self._system = _watched(self._system, settled, begins, of_wish)

    def selection(self) -> Selection:
        """The system and the plan as they are now."""
        plan = self._plan if self._states is None else analyse(incidence_of(self._system), self._states)
        return Selection(self._system, plan, self._sets)

    def _nodes_of_plan(self) -> list[Expr]:
        """The variables by their numbers in the plan, those with them that only it has."""
        if self._nodes is None:
            nodes = [u.node for u in self._first.unknowns]
            origin = {d: v for v, d in enumerate(self._plan.derivative) if d >= 0}
            for v in range(len(nodes), len(self._plan.derivative)):
                nodes.append(self._first.pool.variable(derivative_name(str(nodes[origin[v]].data))))
            self._nodes = nodes
        return self._nodes

    def _replace(self, found: StateSet | StateLevel, states: set[int], others: set[int]) -> None:
        """On all orders of derivatives that have this choice."""
        if self._states is None:
            self._members = members(self._plan.derivative)
            self._states = {self._members[v] for v in self._plan.states}
        for _ in range(found.order):
            self._states |= {self._members[v] for v in states}
            self._states -= {self._members[v] for v in others}
            states, others = ({self._plan.derivative[v] for v in part} for part in (states, others))


def _limits(system: EquationSystem) -> dict[Expr, Interval]:
    """Between what the parameters lie that say so: a run takes no others."""
    found = {}
    for parameter in system.parameters:
        for k, leaf in enumerate(parameter.value.elements):
            ends = [None if limit is None else limit.elements[k] for limit in (parameter.minimum, parameter.maximum)]
            low, high = (float(e.data) if e is not None and e.op == "constant" else None for e in ends)
            if leaf.op == "parameter" and (low is not None or high is not None):
                found[leaf] = (-float("inf") if low is None else low, float("inf") if high is None else high)
    return found


def _watched(system: EquationSystem, choice: Choice, begins: Sequence[Expr] | None, of_wish: bool) -> EquationSystem:
    """The run ends where the variables that are no states do not follow from the others any more: where that has become so much worse
    than with the Jacobian with which it `begins`. `of_wish`: there are others if the model does not insist."""
    pool, origin = system.pool, choice.origin
    dummies = [pool.constant(d) for d in choice.dummies]
    procedure = exchange(pool, len(choice.rows), len(choice.candidates))
    quality, limit = pool.apply(procedure, [*choice.jacobian(pool), *dummies])[0], pool.constant(_BAD)
    if begins is not None:
        first = pool.call("fabs", pool.apply(procedure, [*begins, *dummies])[0])
        part = pool.mul(pool.constant(_GIVEN_UP if of_wish else _WORSE), first)
        limit = pool.choose(pool.relation(">", first, pool.constant(USABLE), "noevent"), part, limit)
    names = [str(system.unknowns[v].node.data) for v in choice.candidates]
    states = ", ".join(n for n, d in zip(names, choice.dummies) if not d) or "no variable"
    others = ", ".join(n for n, d in zip(names, choice.dummies) if d)
    text = f"{states} as a state does not determine {others} here"
    if not of_wish:
        text += f": {_FIRM if any(system.unknowns[v].preference for v in choice.candidates) else _OTHERS}"
    count, limits = len(system.relations), ((">", limit), ("<", pool.neg(limit)))
    relations = (Relation("state", operator, quality, end, text, origin) for operator, end in limits)
    is_good = pool.logical("or", pool.mode(count), pool.mode(count + 1))
    assertion = Assertion(False, is_good, text, origin.span, origin.instance, of_wish)
    events = replace(system.events, assertions=(*system.events.assertions, assertion))
    return replace(system, relations=(*system.relations, *relations), events=events)
