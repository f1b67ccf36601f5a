"""Stage 4a. EquationSystem -> Incidence: which unknowns stand in which equation, as integers."""

from __future__ import annotations

from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.structure.plan import Incidence

# A start value the model gives is a wish to integrate that variable; an attribute weighs more.
_ATTRIBUTE_WEIGHT = 2


def incidence_of(system: EquationSystem) -> Incidence:
    """Variables are numbered as in system.unknowns; inputs are known and do not appear."""
    index = {u.node: k for k, u in enumerate(system.unknowns)}
    rows = tuple(tuple(sorted(index[v] for v in variables_of(e.residual) if v in index)) for e in system.equations)
    derivative = [-1] * len(index)
    for v, d in system.derivatives.items():
        derivative[index[v]] = index[d]
    preference = tuple(_ATTRIBUTE_WEIGHT * u.preference + (u.start is not None) for u in system.unknowns)
    return Incidence(rows, tuple(derivative), preference)
