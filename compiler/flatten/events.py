"""Transfers events and initial equations to the remaining variables (stage 3d); delays become leaves.

Does not change other equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, Undefined
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, rewrite, variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import Delay, Discrete, EquationSystem, FlatModel, ScalarEquation
from cutset.compiler.flatten.scalarize import scalarize
from cutset.compiler.instantiate.events.model import Events, Restart
from cutset.contract.quick_dataclass import dataclass


def event_expressions(model: FlatModel) -> Iterator[Expr]:
    """All expressions and targets of events, and the sides of the initial equations."""
    yield from model.events.expressions()
    for branch in model.events.branches():
        yield from (restart.target for restart in branch.restarts)
    for equation in model.initial:
        yield from (*equation.left.elements, *equation.right.elements)


def with_events(model: FlatModel, system: EquationSystem, substitution: Substitution) -> EquationSystem:
    """`system` with events, initial equations and delays, and with discrete variables checked. Raises ModelError."""
    carrier = _Carrier(model, system, substitution)
    carrier.check_discrete()
    result = replace(system, events=carrier.events(), initial=carrier.initial())
    if carrier.diagnostics:
        raise ModelError(carrier.diagnostics)
    result = with_discrete_starts(result)
    return _without_delays(result) if system.pool.has_delays else result


class _Carrier:
    def __init__(self, model: FlatModel, system: EquationSystem, substitution: Substitution):
        self._model = model
        self._system = system
        self._substitution = substitution
        self.diagnostics: list[Diagnostic] = []

    def check_discrete(self) -> None:
        """Report equations that contain only discrete variables: these have their values already."""
        if not self._system.discrete:
            return
        given = {d.node for d in self._system.discrete}
        known = given | set(self._system.inputs)
        for equation in self._system.equations:
            variables = variables_of(equation.residual)
            discrete = [v for v in variables if v in given]
            if discrete and known.issuperset(variables):
                origin = equation.origin
                labels = self._updates_of(discrete)
                names = [str(v.data) for v in discrete]
                instance = origin.instance or self._model.name
                self.diagnostics.append(messages.determines_discrete(names, origin.span, instance, labels))

    def _updates_of(self, discrete: list[Expr]) -> tuple[Label, ...]:
        spans: dict[Span, Label] = {}
        for update in self._model.events.all_updates():
            if update.target in discrete:
                spans.setdefault(update.span, Label(update.span, f"new({update.target.data}) is given here"))
        return tuple(spans.values())[:3]

    # --- events ------------------------------------------------------------------------------------

    def events(self) -> Events:
        """The events in terms of the remaining variables."""
        events = self._model.events.map(self._value, self._restart)
        for branch in events.branches():
            first: dict[Expr, Restart] = {}
            for restart in branch.restarts:
                known = first.setdefault(restart.target, restart)
                if known is not restart:
                    name, instance = str(restart.target.data), restart.instance or self._model.name
                    self.diagnostics.append(messages.restarted_twice(name, restart.span, known.span, instance))
        return events

    def _value(self, e: Expr) -> Expr:
        try:
            return self._substitution(e)
        except Undefined:
            return e  # undefined wherever it is evaluated: the run reports it

    def _restart(self, restart: Restart) -> Restart | None:
        """The restart of the state that the target is an alias of."""
        target, value = self._substitution(restart.target), restart.value
        if target.op == "neg":
            target, value = target.args[0], self._system.pool.neg(value)
        if target in self._system.derivatives:
            return replace(restart, target=target, value=value)
        name, instance = str(restart.target.data), restart.instance or self._model.name
        other = "" if target is restart.target else text(target)
        self.diagnostics.append(messages.restart_of_no_state(name, other, restart.span, instance))
        return None

    # --- the start -----------------------------------------------------------------------------------

    def initial(self) -> tuple[ScalarEquation, ...]:
        """The residuals of the initial equations, without those that are satisfied."""
        kept = []
        for equation in scalarize(self._system.pool, self._model.initial):
            residual = self._value(equation.residual)
            if residual.level > CONSTANT:
                kept.append(ScalarEquation(residual, equation.origin))
            elif residual is not self._system.pool.zero:
                origin = equation.origin
                instance = origin.instance or self._model.name
                self.diagnostics.append(messages.start_cannot_hold(text(residual), origin.span, instance))
        return tuple(kept)


# --- delays --------------------------------------------------------------------------------------


def _without_delays(system: EquationSystem) -> EquationSystem:
    """The system with a leaf for each delayed value: since it comes from the past, its expression contains no unknown
    of the equation."""
    pool = system.pool
    roots = [e.residual for e in (*system.equations, *system.initial)] + list(system.events.expressions())
    delays: dict[Expr, Delay] = {}
    names: set[str] = set()

    def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.op != "delay":
            return None
        name = f"delay({text(args[0], 4)}, {text(args[1], 4)})"
        if name in names:  # a long expression that was shortened
            name = f"{name} number {len(names) + 1}"
        names.add(name)
        leaf = pool.variable(name)
        delays[leaf] = Delay(leaf, args[0], args[1])
        return leaf

    made = rewrite(pool, roots, rule)
    return replace(system.rewritten(made), delays=tuple(delays.values()))


# --- discrete starts ------------------------------------------------------------------------------

# Does not change equations that also contain an unknown: in these, discrete variables are known.


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
