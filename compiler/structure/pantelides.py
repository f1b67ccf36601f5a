"""Applies Pantelides' algorithm: Incidence -> Differentiation, how often each equation must be differentiated.

Pantelides, The consistent initialization of differential-algebraic systems, SIAM J. Sci. Stat. Comput. 9 (1988), pp.
213-231: Algorithm 4.1, with examples on pp. 222-228. Chains may have any order here, as in Mattsson and Soederlind,
SIAM J. Sci. Comput. 14 (1993), pp. 677-692. How often each equation is differentiated does not depend on the order of
the equations (Pryce, BIT 41 (2001), pp. 364-394). Chooses no states.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.structure.chains import NONE, lowest_members
from cutset.compiler.structure.dulmage_mendelsohn import require_regular
from cutset.compiler.structure.matching import UNMATCHED, augment, inverse, maximum_matching, transpose
from cutset.compiler.structure.plan import Incidence


@dataclass(frozen=True)
class Differentiation:
    """The equations of highest order and the variables they determine.

    derivative    the input's, extended by the variables that differentiation creates
    orders        orders[e]: how often equation e is differentiated
    highest_rows  highest_rows[e]: variables without a derivative in equation (e, orders[e])
    matching      matching[e]: the one of them that (e, orders[e]) determines
    """

    derivative: tuple[int, ...]
    orders: tuple[int, ...]
    highest_rows: tuple[tuple[int, ...], ...]
    matching: tuple[int, ...]


class _GrowingSystem:
    """The system during differentiation: each equation at the highest order reached, with its highest-order
    variables."""

    def __init__(self, incidence: Incidence):
        self.derivative = list(incidence.derivative)
        self.orders = [0] * len(incidence.rows)
        # leading[e]: each variable of e, differentiated as often as e itself. A highest-order variable of (e, k) is
        # always among these: if it were in (e, k-1) already, its derivative would be in (e, k).
        self.leading = list(incidence.rows)
        self.highest_rows = [self._highest(e) for e in range(len(self.leading))]
        self.owner = maximum_matching(self.highest_rows, len(self.derivative))

    def _highest(self, equation: int) -> tuple[int, ...]:
        return tuple(v for v in self.leading[equation] if self.derivative[v] == NONE)

    def differentiate(self, equations: list[int], variables: list[int], touched: set[int]) -> None:
        """Differentiate both; `touched` are all equations that contain one of the variables or its integrals."""
        for variable in variables:
            self.derivative[variable] = len(self.derivative)
            self.derivative.append(NONE)
            # The derivative of an equation determines the derivative of the variable it determined.
            self.owner.append(self.owner[variable])
            self.owner[variable] = UNMATCHED
        for equation in equations:
            self.orders[equation] += 1
            self.leading[equation] = tuple(self.derivative[v] for v in self.leading[equation])
        for equation in touched.union(equations):
            self.highest_rows[equation] = self._highest(equation)


def pantelides(incidence: Incidence) -> Differentiation:
    """Differentiate until the equations of highest order determine the variables of highest order.

    Raises StructurallySingular if that would never happen.
    """
    system = _GrowingSystem(incidence)
    column_of = inverse(system.owner, len(incidence.rows))
    free = [e for e, variable in enumerate(column_of) if variable == UNMATCHED]
    if free or incidence.derivative.count(NONE) != len(incidence.rows):
        require_regular(incidence)
    if free:
        _match(system, free, incidence)
    return Differentiation(
        tuple(system.derivative),
        tuple(system.orders),
        tuple(system.highest_rows),
        tuple(inverse(system.owner, len(incidence.rows))),
    )


def _match(system: _GrowingSystem, free: list[int], incidence: Incidence) -> None:
    """Differentiate until each of the free equations has a variable too."""
    lowest = lowest_members(incidence.derivative)
    equations_of = transpose([sorted({lowest[v] for v in row}) for row in incidence.rows], len(lowest))
    for equation in free:
        seen: set[int] = set()
        while not augment(equation, system.highest_rows, system.owner, seen):
            # The visited variables have one equation too many: differentiate all of its equations.
            variables = sorted(seen)
            lowest += [lowest[v] for v in variables]
            touched = {e for v in variables for e in equations_of[lowest[v]]}
            system.differentiate([equation] + [system.owner[v] for v in variables], variables, touched)
            seen = set()
