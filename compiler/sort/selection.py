"""Stage 4d. EquationSystem, StructuralPlan -> the same system with sets of states that are chosen anew in a run, where
a choice for good could become singular. Must not solve anything.

A choice is made for good where it is regular whatever the values are: where the variables that are no states follow one
by one, by coefficients that do not vary or keep a distance from zero. Where the plan's choice is not, another one may
be, and takes its place. So are wishes of the model kept: a variable that is preferred to others stays a state or no
state for good. Such a choice is watched: where it becomes singular the run ends, for its host to translate the model
without `wishes` and to do the run again, with choices that are made in the run. Everywhere else the choice is made in
the run (`sort.dynamic`). Constraints that were differentiated equally often have one choice for the variables and
their derivatives; others have one for each order of derivatives, as Mattsson and Soederlind (1993, section 3) choose
dummies order by order.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.dynamic_choice import DynamicChoice
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.nonzero_factors import NonzeroFactors
from cutset.compiler.sort.state_choice import ConstraintJacobian
from cutset.compiler.sort.static_choice import with_choice_assertion
from cutset.compiler.structure.analyse import analyse
from cutset.compiler.structure.given_states import Member, members
from cutset.compiler.structure.plan import StructuralPlan
from cutset.compiler.structure.state_sets import StateLevel, StateSet, state_levels, state_sets


@dataclass(frozen=True)
class Selection:
    """The system and its plan, with what stands for the `sets` of states that are chosen anew; `notes` say which wishes
    were in vain."""

    system: EquationSystem
    plan: StructuralPlan
    sets: int
    notes: tuple[Label, ...] = ()

    def __str__(self) -> str:
        return str(self.system)


def select_sets(system: EquationSystem, plan: StructuralPlan, wishes: bool = True) -> Selection:
    """Both as they are where each choice of the plan stays regular. Without `wishes` no preference settles a choice."""
    incidence = incidence_of(system)
    selector = _Selector(system, plan)
    beside: set[int] = set()
    for found in state_sets(incidence, plan):
        jacobian = ConstraintJacobian(system, incidence, found, selector.nonzero_factors, wishes)
        if jacobian.companions_follow():
            selector.select(found, jacobian)
        else:
            beside.update(found.equations)
    for level in state_levels(incidence, plan, beside):
        selector.select(level, ConstraintJacobian(system, incidence, level, selector.nonzero_factors, wishes))
    return selector.selection()


class _Selector:
    """Grows the system, and keeps which variables are states."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan):
        self._first, self._plan = system, plan
        self._system, self._sets, self._guesses = system, 0, IterationStarts(system)
        self._nodes: list[Expr] | None = None
        self._members: list[Member] = []
        self._states: set[Member] | None = None  # where others than those of the plan are
        self.nonzero_factors = NonzeroFactors(system)

    def select(self, found: StateSet | StateLevel, jacobian: ConstraintJacobian) -> None:
        """The choice of the plan is kept, or another one takes its place, or it is made in the run, or watched
        there."""
        if jacobian.stays_regular():
            return
        if jacobian.never_varies():  # it is singular with the values of the parameters, whatever is wished
            jacobian = jacobian.without_wishes()
        other = jacobian.other_dummies()
        if other is not None:
            self._replace(found, {v for v in (*found.candidates, *found.others) if v not in other}, set(other))
            return
        choice = jacobian.choice()
        if choice is not None:
            self._sets += 1
            nodes = self._nodes_of_plan()
            dynamic = DynamicChoice(
                self._system, nodes, self._plan, choice, self._sets, bool(self._first.initial), self._guesses
            )
            self._system, first = dynamic.system(), len(self._system.unknowns)
            self._replace(found, set(), {*choice.candidates, *choice.followers})
            new = len(choice.candidates) - len(choice.rows)
            assert self._states is not None  # _replace has set them
            self._states |= {(first + c, order) for c in range(new) for order in range(choice.order)}
            return
        static_choice = jacobian.static_choice()
        if static_choice is not None:
            free = jacobian.without_wishes()
            of_wish = free.other_dummies() is not None or free.choice() is not None
            self._system = with_choice_assertion(
                self._system, static_choice, self._guesses if isinstance(found, StateSet) else None, of_wish
            )

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
