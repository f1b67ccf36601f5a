"""Computes the incidence (stage 4a): EquationSystem -> which unknowns occur in which equation, as integers."""

from __future__ import annotations

from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.structure.plan import Incidence

# A given start value is a mild preference for a variable as a state; an attribute weighs more.
_ATTRIBUTE_WEIGHT = 2


def incidence_of(system: EquationSystem) -> Incidence:
    """The incidence. Variables are numbered as in system.unknowns; inputs are known and do not occur."""
    index = {u.node: k for k, u in enumerate(system.unknowns)}
    rows = tuple(tuple(sorted(index[v] for v in variables_of(e.residual) if v in index)) for e in system.equations)
    derivative = [-1] * len(index)
    for v, d in system.derivatives.items():
        derivative[index[v]] = index[d]
    preference = tuple(_ATTRIBUTE_WEIGHT * u.preference + (u.start is not None) for u in system.unknowns)
    return Incidence(rows, tuple(derivative), preference)
