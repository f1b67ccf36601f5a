"""Transfers events and initial equations to the remaining variables (stage 3d); delays become leaves.

Does not change other equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.pool import CONSTANT, Expr, Undefined
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, rewrite, variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.discrete_starts import with_discrete_starts
from cutset.compiler.flatten.model import Delay, EquationSystem, FlatModel, ScalarEquation
from cutset.compiler.flatten.scalarize import scalarize
from cutset.compiler.instantiate.events.model import Events, Restart


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
    events = system.events.map(lambda e: made.get(e, e), lambda r: r)
    return replace(
        system,
        equations=_rewritten(system.equations, made),
        initial=_rewritten(system.initial, made),
        events=events,
        delays=tuple(delays.values()),
    )


def _rewritten(equations: tuple[ScalarEquation, ...], made: dict[Expr, Expr]) -> tuple[ScalarEquation, ...]:
    return tuple(ScalarEquation(made[e.residual], e.origin) for e in equations)
