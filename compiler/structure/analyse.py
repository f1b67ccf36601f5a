"""The structural stage: Incidence -> StructuralPlan. Sees integers only; what the numbers stand for is the caller's."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cutset.compiler.structure.blocks import strong_blocks
from cutset.compiler.structure.chains import extended_rows
from cutset.compiler.structure.dummy_derivatives import select_states
from cutset.compiler.structure.given_states import Member, select_given
from cutset.compiler.structure.pantelides import pantelides
from cutset.compiler.structure.plan import Incidence, Slopes, StructuralPlan


def analyse(
    incidence: Incidence, states: Collection[Member] | None = None, slopes: Slopes | None = None
) -> StructuralPlan:
    """Index reduction, choice of states, and the order in which equations determine what is not a state.

    `states` are those that are chosen already, as many as are free. With `slopes` the variables that are no states
    follow from them by a regular matrix, where its structure alone does not show that. Raises StructurallySingular when
    no choice of derivatives gives each equation a variable of its own.
    """
    differentiation = pantelides(incidence)
    derivative, orders = differentiation.derivative, differentiation.orders
    equations = _equations(orders)
    rows = extended_rows(incidence.rows, derivative, equations)
    if states is None:
        selection = select_states(incidence, differentiation, slopes)
        # Complete by construction: Pantelides matches the highest orders, the dummies all orders below.
        variable_of = dict(selection.matching)
        variable_of.update(((e, orders[e]), variable) for e, variable in enumerate(differentiation.matching))
    else:
        selection = select_given(derivative, states, equations, rows)
        variable_of = dict(selection.matching)
    matching = tuple(variable_of[equation] for equation in equations)

    blocks = strong_blocks(rows, matching)
    return StructuralPlan(
        derivative=derivative,
        equations=equations,
        states=selection.states,
        derivatives=tuple(derivative[state] for state in selection.states),
        dummies=selection.dummies,
        matching=matching,
        blocks=blocks,
    )


def _equations(orders: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The given equations in order, then their derivatives."""
    given = [(e, 0) for e in range(len(orders))]
    return (*given, *((e, k) for e, order in enumerate(orders) for k in range(1, order + 1)))
