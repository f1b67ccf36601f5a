"""Explains why a variable is a state or not: Incidence, StructuralPlan, variable -> the equations that bind it.

If a set of equations determines all but a few of its variables, only these few can be states. The set is found by
alternating paths, as in the Dulmage-Mendelsohn decomposition. Selects nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.dulmage_mendelsohn import alternating_reach
from cutset.compiler.structure.matching import UNMATCHED, inverse, maximum_matching, transpose
from cutset.compiler.structure.plan import Incidence, StructuralPlan


@dataclass(frozen=True)
class Binding:
    """`equations`, as given or differentiated, determine as many of `variables`; the other variables may be states.
    Both are ascending."""

    equations: tuple[int, ...]
    variables: tuple[int, ...]

    @property
    def free(self) -> int:
        """The number of variables that are states."""
        return len(self.variables) - len(self.equations)


def choices(incidence: Incidence, plan: StructuralPlan) -> list[dict[int, tuple[int, ...]]]:
    """For each order, the highest first: the variables that each equation of that order binds."""
    orders: dict[int, int] = {}
    for equation, k in plan.equations:
        orders[equation] = k
    integral = integrals(plan.derivative)
    rows: dict[int, tuple[int, ...]] = {}
    for equation, order in orders.items():
        leading = list(incidence.rows[equation])
        for _ in range(order):
            leading = [plan.derivative[v] for v in leading]
        if order:
            rows[equation] = tuple(v for v in leading if plan.derivative[v] == NONE)
    levels = []
    below = 1
    while rows:
        levels.append({e: tuple(sorted(integral[d] for d in row)) for e, row in rows.items()})
        rows = {e: tuple(integral[d] for d in row) for e, row in rows.items() if orders[e] > below}
        below += 1
    return levels


def why_no_state(incidence: Incidence, plan: StructuralPlan, variable: int, wanted: Collection[int]) -> Binding:
    """The smallest set of equations that does not let all of `wanted`, which include this variable, be states."""
    rows = _level_of(variable, incidence, plan)
    equations = list(rows)
    others = [[v for v in rows[e] if v not in wanted] for e in equations]
    owner = maximum_matching(others, len(plan.derivative))
    column_of = inverse(owner, len(equations))
    for start in (i for i, column in enumerate(column_of) if column == UNMATCHED):
        reached, _ = alternating_reach([start], others, owner)
        binding = _binding(rows, [equations[i] for i in reached])
        if variable in binding.variables:
            return binding
    return _binding(rows, _connected(variable, rows))


def why_a_state(incidence: Incidence, plan: StructuralPlan, variable: int) -> Binding:
    """The equations that could determine this state but determine other variables; empty if no equation binds it."""
    while plan.derivative[variable] in plan.states:  # the constraints on der(x) bind x too
        variable = plan.derivative[variable]
    rows = _level_of(variable, incidence, plan)
    equations = list(rows)
    variables_of = [rows[e] for e in equations]
    position = {e: i for i, e in enumerate(equations)}
    owner = [UNMATCHED] * len(plan.derivative)
    for (equation, _), v in zip(plan.equations, plan.matching, strict=True):
        i = position.get(equation)
        if i is not None and v in variables_of[i] and v not in plan.states:
            owner[v] = i
    equations_of = transpose(variables_of, len(plan.derivative))
    _, reached = alternating_reach([variable], equations_of, inverse(owner, len(equations)))
    return _binding(rows, [equations[i] for i in reached])


def _level_of(variable: int, incidence: Incidence, plan: StructuralPlan) -> dict[int, tuple[int, ...]]:
    """The choices at the order of this variable."""
    levels = (rows for rows in choices(incidence, plan) if any(variable in row for row in rows.values()))
    return next(levels, {})


def _binding(rows: dict[int, tuple[int, ...]], equations: list[int]) -> Binding:
    return Binding(tuple(sorted(equations)), tuple(sorted({v for e in equations for v in rows[e]})))


def _connected(variable: int, rows: dict[int, tuple[int, ...]]) -> list[int]:
    """The equations that contain the variable, those that share variables with them, and so on."""
    import networkx as nx

    graph = nx.Graph((("equation", e), v) for e, row in rows.items() for v in row)
    reached = nx.node_connected_component(graph, variable) if variable in graph else set()
    return [e for e in rows if ("equation", e) in reached]
