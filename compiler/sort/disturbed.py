"""Adds inputs that disturb signals (between stages 4b and 4c): EquationSystem -> the same for linear models.

What determines a signal does not see its disturbance; every other equation reads the signal plus that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.structure.plan import StructuralPlan
from cutset.contract.names import disturbance_name


def with_disturbances(system: EquationSystem, plan: StructuralPlan, signals: Iterable[str]) -> EquationSystem:
    """The system with an input for each of these signals, which exist; `plan` says which equation determines which
    unknown. The incidence stays the same, so that the plan holds for the result."""
    number = {unknown.node: k for k, unknown in enumerate(system.unknowns)}
    equation = {variable: plan.equations[k][0] for k, variable in enumerate(plan.matching)}
    for name in signals:
        leaf, sign = _signal(system, name)
        pool = system.pool
        added = pool.variable(disturbance_name(name))
        change = pool.add if sign > 0 else pool.sub
        made, inputs = {leaf: change(leaf, added)}, [*system.inputs, added]
        own = {equation.get(number.get(leaf, -1), -1)}
        slope = system.derivatives.get(leaf)
        if slope is not None:
            own.add(equation.get(number[slope], -1))
            others = (e.residual for k, e in enumerate(system.equations) if k not in own)
            if any(slope in variables_of(residual) for residual in others):
                inputs.append(pool.variable(f"der({disturbance_name(name)})"))
                made[slope] = change(slope, inputs[-1])
        disturbed = Substitution(pool, made)
        equations = tuple(
            e if k in own else e._replace(residual=disturbed(e.residual)) for k, e in enumerate(system.equations)
        )
        relations = tuple(replace(r, left=disturbed(r.left), right=disturbed(r.right)) for r in system.relations)
        delays = tuple(replace(delay, value=disturbed(delay.value)) for delay in system.delays)
        events = system.events.map(disturbed, lambda restart: restart)
        system = replace(
            system, equations=equations, relations=relations, delays=delays, events=events, inputs=tuple(inputs)
        )
    return system


def _signal(system: EquationSystem, name: str) -> tuple[Expr, int]:
    """The leaf with the values of a signal, and the sign of these."""
    name = system.synonyms.get(name, name)
    alias = next((alias.value for alias in system.aliases if alias.name == name), None)
    if alias is None:
        return system.pool.variable(name), 1
    return (alias.args[0], -1) if alias.op == "neg" else (alias, 1)
