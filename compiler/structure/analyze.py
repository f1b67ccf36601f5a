"""Runs the structural analysis: Incidence -> StructuralPlan. Works on integers only."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cutset.compiler.structure.blocks import strong_blocks
from cutset.compiler.structure.chains import extended_rows
from cutset.compiler.structure.dummy_derivatives import select_states
from cutset.compiler.structure.given_states import Member, select_given
from cutset.compiler.structure.pantelides import Differentiation, pantelides
from cutset.compiler.structure.plan import Incidence, Slopes, StructuralPlan


def analyze(
    incidence: Incidence,
    states: Collection[Member] | None = None,
    slopes: Slopes | None = None,
    differentiation: Differentiation | None = None,
) -> StructuralPlan:
    """Reduce the index, choose states, and order the equations that determine all other variables.

    `states` are states that are chosen already, as many as there are degrees of freedom. With `slopes` the dummy
    derivatives follow from the states by a regular matrix, even where the incidence alone does not show that.
    `differentiation` is what `pantelides` returns for the incidence, if that is known. Raises StructurallySingular if
    no choice of derivatives gives each equation its own variable.
    """
    differentiation = differentiation or pantelides(incidence)
    derivative, orders = differentiation.derivative, differentiation.orders
    equations = _equations(orders)
    rows = extended_rows(incidence.rows, derivative, equations)
    if states is None:
        selection = select_states(incidence, differentiation, slopes)
        # The matching is complete: Pantelides matches the highest orders, the dummies all orders below.
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
