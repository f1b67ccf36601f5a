"""Finds start values of discrete variables in initial equations that contain no other variables (stage 3d).

Does not change equations that also contain an unknown: in these, discrete variables are known.
"""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import PARAMETER, Expr, Undefined
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import Discrete, EquationSystem, ScalarEquation
from cutset.contract.quick_dataclass import dataclass


def with_discrete_starts(system: EquationSystem) -> EquationSystem:
    """The system without these equations. Raises ModelError if a variable has two start values, or one that is not
    known before a run."""
    if not system.discrete or not system.initial:
        return system
    nodes = {d.node for d in system.discrete}
    own = [e for e in system.initial if variables_of(e.residual) and nodes.issuperset(variables_of(e.residual))]
    if not own:
        return system
    starts = _Starts(system, {d.node: d for d in system.discrete})
    starts.take(own)
    if starts.diagnostics:
        raise ModelError(starts.diagnostics)
    kept = tuple(e for e in system.initial if e not in own)
    return replace(system, initial=kept, discrete=tuple(map(starts.started, system.discrete)))


@dataclass
class _Given:
    """A start value and its place."""

    value: Expr
    label: Label


class _Starts:
    def __init__(self, system: EquationSystem, declared: dict[Expr, Discrete]):
        self._system, self._declared = system, declared
        self._given = {
            d.node: _Given(d.start, Label(d.span, f"'{d.node.data}' has a start value here"))
            for d in system.discrete
            if d.start is not None and d.fixed
        }
        self.diagnostics: list[Diagnostic] = []

    def started(self, discrete: Discrete) -> Discrete:
        """The variable with the start value that an equation gives."""
        given = self._given.get(discrete.node)
        return discrete if given is None else replace(discrete, start=given.value, fixed=True)

    def take(self, equations: list[ScalarEquation]) -> None:
        """Solve each equation for the only variable in it without a value, as soon as there is only one."""
        waiting, progress = equations, True
        while waiting and progress and not self.diagnostics:
            later = [e for e in waiting if not self._take(e)]
            waiting, progress = later, len(later) < len(waiting)
        for equation in [] if self.diagnostics else waiting[:1]:
            self._refuse(equation, self._open(equation))

    def _open(self, equation: ScalarEquation) -> list[Expr]:
        return [v for v in variables_of(equation.residual) if v not in self._given]

    def _take(self, equation: ScalarEquation) -> bool:
        """True if the equation gave a value, or caused an error."""
        unknown, origin = self._open(equation), equation.origin
        if not unknown:
            labels = tuple(self._given[v].label for v in variables_of(equation.residual))
            names = [str(v.data) for v in variables_of(equation.residual)]
            instance = origin.instance or self._system.name
            self.diagnostics.append(messages.discrete_started_twice(names, origin.span, labels, instance))
            return True
        if len(unknown) > 1:
            return False
        value = self._solved(equation.residual, unknown[0])
        if value is None or value.level > PARAMETER:
            self._refuse(equation, unknown)
        else:
            label = Label(origin.span, f"this gives '{unknown[0].data}' its start value")
            self._given[unknown[0]] = _Given(value, label)
        return True

    def _solved(self, residual: Expr, unknown: Expr) -> Expr | None:
        pool = self._system.pool
        try:
            known = Substitution(pool, {v: given.value for v, given in self._given.items()})(residual)
            (form,) = linear_forms(pool, [known], [unknown])
            return pool.div(pool.neg(form.rest), form.coefficients.get(unknown, pool.zero))
        except (Nonlinear, Undefined):
            return None

    def _refuse(self, equation: ScalarEquation, unknown: list[Expr]) -> None:
        origin = equation.origin
        labels = tuple(Label(self._declared[v].span, f"'{v.data}' is discrete") for v in unknown[:3])
        names = [str(v.data) for v in unknown]
        self.diagnostics.append(
            messages.discrete_start_unknown(names, origin.span, labels, origin.instance or self._system.name)
        )
