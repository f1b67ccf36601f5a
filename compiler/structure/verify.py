"""Checks the promises of a StructuralPlan: Incidence, StructuralPlan -> InternalError or nothing. Repairs nothing.

For tests and `--verify`. A broken promise is a bug of this stage, never an error of the model.
"""

from __future__ import annotations

from itertools import chain

import networkx as nx

from cutset.compiler.structure.blocks import dependencies
from cutset.compiler.structure.chains import NONE, extended_rows
from cutset.compiler.structure.plan import Incidence, StructuralPlan


class InternalError(AssertionError):
    """The structural stage has broken a promise of its result."""


def check_plan(incidence: Incidence, plan: StructuralPlan) -> None:
    """Raise InternalError for the first broken promise."""
    _check_equations(incidence, plan)
    _check_states(incidence, plan)
    _check_matching(incidence, plan)
    _check_blocks(incidence, plan)


def _demand(holds: bool, promise: str) -> None:
    if not holds:
        raise InternalError(f"broken promise of the structural plan: {promise}")


def _check_equations(incidence: Incidence, plan: StructuralPlan) -> None:
    given = [(e, 0) for e in range(len(incidence.rows))]
    _demand(list(plan.equations[: len(given)]) == given, "the given equations come first, in order")
    present = set(plan.equations)
    _demand(len(present) == len(plan.equations), "no equation occurs twice")
    lower = all((e, k - 1) in present for e, k in plan.equations[len(given) :])
    _demand(lower, "with (e, k) also (e, k-1) is there")


def _check_states(incidence: Incidence, plan: StructuralPlan) -> None:
    linked = all(new == old for new, old in zip(plan.derivative, incidence.derivative, strict=False) if old != NONE)
    _demand(linked, "the derivatives that were given stay")
    own = tuple(plan.derivative[s] for s in plan.states) == plan.derivatives
    _demand(own, "each state has its derivative")
    every = [v for v in plan.derivative if v != NONE]
    _demand(sorted((*plan.derivatives, *plan.dummies)) == sorted(every), "a derivative is that of a state or a dummy")


def _check_matching(incidence: Incidence, plan: StructuralPlan) -> None:
    rows = extended_rows(incidence.rows, plan.derivative, plan.equations)
    _demand(len(plan.matching) == len(plan.equations), "every equation determines a variable")
    inside = all(v in row for v, row in zip(plan.matching, rows, strict=True))
    _demand(inside, "an equation determines a variable that stands in it")
    unknowns = set(range(len(plan.derivative))) - set(plan.states)
    _demand(len(set(plan.matching)) == len(plan.matching), "no variable is determined twice")
    _demand(set(plan.matching) == unknowns, "exactly the variables that are no states are determined")


def _check_blocks(incidence: Incidence, plan: StructuralPlan) -> None:
    positions = sorted(chain.from_iterable(plan.blocks))
    _demand(positions == list(range(len(plan.equations))), "the blocks are a permutation of the equations")
    _demand(all(list(block) == sorted(block) for block in plan.blocks), "positions ascend within a block")
    rows = extended_rows(incidence.rows, plan.derivative, plan.equations)
    graph = dependencies(rows, plan.matching)
    coupled = all(nx.is_strongly_connected(graph.subgraph(block)) for block in plan.blocks if len(block) > 1)
    _demand(coupled, "each equation of a block needs all others of it")
    known = set(plan.states)
    for block in plan.blocks:
        known.update(plan.matching[i] for i in block)
        _demand(all(known.issuperset(rows[i]) for i in block), "a block uses states, its own and earlier unknowns")
