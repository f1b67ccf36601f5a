"""SolvedSystem -> the start values of its states, and what of events and of the start no target can run yet.

An equation of the start that gives one state in terms of parameters is its start value; others are left to a solver.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Undefined
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation
from cutset.compiler.sort.system import SolvedSystem


class Start:
    """`values` in the order of the states; `open` are the equations of the start that have to be solved."""

    def __init__(self, solved: SolvedSystem):
        system = solved.sorted_system.system
        self._pool = solved.pool
        given = {u.node: u.start for u in system.unknowns if u.start is not None}
        settled = {u.node for u in system.unknowns if u.start is not None and u.fixed}
        self.open: list[ScalarEquation] = []
        for equation in system.initial:
            solution = self._solution(equation.residual, set(solved.sorted_system.states) - settled)
            if solution is None:
                self.open.append(equation)
            else:
                state, given[state] = solution
                settled.add(state)
        self.values = [given.get(state, self._pool.zero) for state in solved.sorted_system.states]

    def _solution(self, residual: Expr, free: set[Expr]) -> tuple[Expr, Expr] | None:
        variables = variables_of(residual)
        if len(variables) != 1 or variables[0] not in free:
            return None
        (state,) = variables
        try:
            (form,) = linear_forms(self._pool, [residual], [state])
            value = self._pool.div(self._pool.neg(form.rest), form.coefficients[state])
        except (Nonlinear, Undefined, KeyError):
            return None
        is_plain = form.coefficients[state].level == CONSTANT and value.level < TIME
        return (state, value) if is_plain else None


def waiting_for_events(system: EquationSystem, open_equations: list[ScalarEquation]) -> list[Label]:
    """What the runtime cannot do yet, each at its place."""
    found = [Label(branch.span, _word(k)) for when in system.events.whens for k, branch in enumerate(when.branches)]
    found += [Label(update.span, f"new({update.target.data})") for update in system.events.updates]
    found += [Label(a.span, "terminate" if a.terminates else "assert") for a in system.events.assertions]
    found += [Label(e.origin.span, "an equation of the start") for e in open_equations]
    for delay in system.delays:
        uses = (e.origin.span for e in system.equations if delay.node in variables_of(e.residual))
        found += [Label(span, str(delay.node.data)) for span in list(uses)[:1]]
    return list({label.span: label for label in found}.values())


def _word(k: int) -> str:
    return "elsewhen" if k else "when"
