"""Replaces equations that hide dependences (stage 4d): EquationSystem, StructuralPlan -> ReducedSystem.

The structure tells which variables occur in an equation, not whether two equations contain them in the same
combination: for two capacitors in parallel, both without ground, u1 = Va - Vb and u2 = Va - Vb seem to determine Va and
Vb. If equations of highest order depend on each other for all values of variables and parameters, one is replaced by
their combination (u1 - u2 = 0), and the analysis is repeated. Without such dependences the system stays unchanged.
Solves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation, Unknown
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.reduce.blocks import highest, lower, orders_of
from cutset.compiler.reduce.combine import Combination, Combiner
from cutset.compiler.reduce.couplings import point_at, tight_couplings
from cutset.compiler.reduce.exact import Field
from cutset.compiler.reduce.merge import merged
from cutset.compiler.reduce.system import Constraint, ReducedSystem
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.plan import Incidence, Slopes, StructuralPlan


def reduce_system(system: EquationSystem, incidence: Incidence, plan: StructuralPlan) -> ReducedSystem:
    """Raises StructurallySingular if too few equations remain after removing dependences."""
    field = Field(system.pool, FieldPoint({}))
    tight = tight_couplings(system, incidence, field)
    if tight:
        field = Field(system.pool, point_at(tight))
        numbers = parameter_numbers(system.parameters)
        system = replace(system, folded={**system.folded, **{str(leaf.data): numbers[leaf] for leaf in tight}})
    constraints: list[Constraint] = []
    while True:
        orders = orders_of(incidence, plan)
        combiner = Combiner(system, field, orders)
        found = [c for candidates in highest(incidence, plan, orders) for c in combiner.combinations(candidates)]
        before = system
        if found:
            constraints += [_constraint(system, c) for c in found]
            system = _replaced(system, found, combiner.made)
        else:
            system = merged(system, incidence, orders, field)
        if system is before:
            return ReducedSystem(
                system, _with_regular_choice(system, incidence, plan, orders, field), tuple(constraints)
            )
        incidence = incidence_of(system)
        plan = analyze(incidence)


def _with_regular_choice(
    system: EquationSystem, incidence: Incidence, plan: StructuralPlan, orders: list[int], field: Field
) -> StructuralPlan:
    """The plan, or one whose states determine the other variables where the first one's states only seem to."""
    numbers = {u.node: k for k, u in enumerate(system.unknowns)}

    def slopes_of(e: int) -> dict[int, int]:
        slopes = field.point.gradient(system.equations[e].residual)
        return {numbers[v]: slope for v, slope in slopes.items() if v in numbers}

    for block in lower(incidence, plan, orders):
        rows = []
        for e, leading in block.leading.items():
            slopes = slopes_of(e)
            rows.append({d: slopes[v] for v, d in leading.items() if slopes.get(v, 0)})
        if _dependent(rows):
            differentiated = [e for e, order in enumerate(orders) if order]
            return analyze(incidence, slopes=Slopes(PRIME, {e: slopes_of(e) for e in differentiated}))
    return plan


def _dependent(rows: list[dict[int, int]]) -> bool:
    try:
        return bool(dependent_rows(rows, range(len(rows))))
    except TooLong:  # too long to decide: solving reports it
        return False


def _constraint(system: EquationSystem, found: Combination) -> Constraint:
    others = [e for e, _ in found.parts if e != found.replaced]
    return Constraint(found.residual, tuple(system.equations[e].origin for e in (found.replaced, *others)))


def _replaced(system: EquationSystem, found: list[Combination], made: Mapping[Expr, Expr]) -> EquationSystem:
    equations = list(system.equations)
    for c in found:
        equations[c.replaced] = ScalarEquation(c.residual, equations[c.replaced].origin)
    spans = {u.node: u.span for u in system.unknowns}
    inputs, derivatives = list(system.inputs), dict(system.derivatives)
    unknowns = list(system.unknowns)
    used = {v for c in found for v in variables_of(c.residual)}
    needed: dict[Expr, Expr] = {}
    for v, slope in reversed(list(made.items())):  # higher derivatives were created later
        if slope in used or slope in needed:
            needed[v] = slope
    for v, slope in reversed(needed.items()):
        if v in spans:
            spans[slope] = spans[v]
            unknowns.append(Unknown(slope, None, 0, spans[v]))
            derivatives[v] = slope
        else:
            inputs.append(slope)
    return replace(
        system, equations=tuple(equations), unknowns=tuple(unknowns), inputs=tuple(inputs), derivatives=derivatives
    )
