"""Defines ReducedSystem, the result of the reducing stage."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.flatten.model import EquationSystem, Origin
from cutset.compiler.structure.plan import StructuralPlan
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Constraint:
    """A consequence of several equations, residual = 0, that contains fewer quantities than each of them. `origins` are
    the places of the equations; it replaces the first."""

    residual: Expr
    origins: tuple[Origin, ...]


@dataclass(frozen=True)
class ReducedSystem:
    """A system whose structure shows what its equations determine, and its plan. `constraints` were hidden in it."""

    system: EquationSystem
    plan: StructuralPlan
    constraints: tuple[Constraint, ...]

    def __str__(self) -> str:
        lines = []
        for constraint in self.constraints:
            places = ", ".join(dict.fromkeys(f"{o.instance or self.system.name} {o.span}" for o in constraint.origins))
            lines.append(f"constraint 0 = {text(constraint.residual)} from {places}")
        return "\n".join([*lines, str(self.system)])
