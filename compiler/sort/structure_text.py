"""Prints the results of the structural stage (integers) with the names of their system."""

from __future__ import annotations

from collections.abc import Iterator

from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.text import text
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.plan import Incidence, StructuralPlan

_TIMES = {1: "once", 2: "twice"}


def structure_text(system: EquationSystem, result: Incidence | StructuralPlan) -> str:
    """A line for each equation and variable of the result."""
    lines = _incidence(system, result) if isinstance(result, Incidence) else _plan(system, result)
    return "\n".join(lines)


def differentiated(order: int) -> str:
    """A suffix that tells how often an equation was differentiated; '' if it was not."""
    return f", differentiated {_TIMES.get(order, f'{order} times')}" if order else ""


def _names(system: EquationSystem, plan: StructuralPlan) -> list[str]:
    """The variables of the plan; those at its end come from differentiation."""
    names = [str(u.node.data) for u in system.unknowns]
    for v, integral in enumerate(integrals(plan.derivative)):
        if v >= len(system.unknowns):
            names.append(derivative_name(names[integral]))
    return names


def _incidence(system: EquationSystem, incidence: Incidence) -> Iterator[str]:
    names = [str(u.node.data) for u in system.unknowns]
    for row, equation in zip(incidence.rows, system.equations, strict=False):
        yield f"{', '.join(names[v] for v in row) or 'nothing'}: 0 = {text(equation.residual)}"
    for v, derivative in enumerate(incidence.derivative):
        if derivative != NONE:
            yield f"{names[derivative]} is the derivative of {names[v]}"
    for v, preference in enumerate(incidence.preference):
        if preference:
            yield f"{names[v]} has the preference {preference} as a state"


def _plan(system: EquationSystem, plan: StructuralPlan) -> Iterator[str]:
    names = _names(system, plan)
    for v, derivative in zip(plan.states, plan.derivatives, strict=False):
        yield f"state {names[v]}, derivative {names[derivative]}"
    for v in plan.dummies:
        yield f"dummy derivative {names[v]}"
    for number, block in enumerate(plan.blocks, 1):
        yield f"block {number}"
        for k in block:
            equation, order = plan.equations[k]
            residual = text(system.equations[equation].residual)
            yield f"  {names[plan.matching[k]]} from 0 = {residual}{differentiated(order)}"
