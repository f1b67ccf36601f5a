"""Decides whether factors of a system are nonzero in every run: by bounds, or at the model's parameter values.

Chooses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

from cutset.compiler.expressions.bounds import Bounds, Interval
from cutset.compiler.expressions.dense import solved
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.instantiate.instance import parameter_numbers

# A smaller value may be rounding, as cos(pi/2) is. Mistaking a factor in small units for rounding costs only another
# choice.
_ROUNDING = 2e-16
# The rank of larger matrices is not computed.
_LARGEST = 100


class NonzeroFactors:
    """Factors that depend on parameters are taken at the model's values: with other values the run reports the one that
    divides by zero."""

    def __init__(self, system: EquationSystem):
        self._system = system
        self._bounds = Bounds(_limits(system))

    @cached_property
    def _numbers(self) -> RandomPoint:
        return RandomPoint(parameter_numbers(self._system.parameters))

    def holds(self, e: Expr) -> bool:
        """True if the factor is constant and not zero, or is bounded away from zero."""
        if e.level == CONSTANT or self._bounds.stays_from_zero(e):
            return True
        if e.level != PARAMETER:
            return False
        value = self._numbers.value(e)
        return math.isfinite(value) and abs(value) > _ROUNDING

    def value(self, e: Expr) -> float:
        """The value of an expression, at a random point if it varies."""
        return self._numbers.value(e)

    def has_full_rank(self, rows: Sequence[dict[int, Expr]]) -> bool:
        """True for a constant square matrix (elements by column) that is regular."""
        if len(rows) > _LARGEST or all(e.level == CONSTANT for row in rows for e in row.values()):
            return True
        matrix = [[self._numbers.value(row[k]) if k in row else 0.0 for k in range(len(rows))] for row in rows]
        return solved(matrix, [[] for _ in rows]) is not None


def _limits(system: EquationSystem) -> dict[Expr, Interval]:
    """The limits of parameters that have some: a run accepts no other values."""
    found = {}
    for parameter in system.parameters:
        for k, leaf in enumerate(parameter.value.elements):
            ends = [None if limit is None else limit.elements[k] for limit in (parameter.minimum, parameter.maximum)]
            low, high = (float(e.data) if e is not None and e.op == "constant" else None for e in ends)
            if leaf.op == "parameter" and (low is not None or high is not None):
                found[leaf] = (-float("inf") if low is None else low, float("inf") if high is None else high)
    return found
