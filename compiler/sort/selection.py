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

from dataclasses import replace

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.dynamic_choice import DynamicChoice
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.nonzero_factors import NonzeroFactors
from cutset.compiler.sort.state_choice import ConstraintJacobian
from cutset.compiler.sort.static_choice import with_choice_assertion, with_held_assertion
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
            self._system = with_choice_assertion(
                self._system, static_choice, self._guesses if isinstance(found, StateSet) else None, of_preference
            )

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
