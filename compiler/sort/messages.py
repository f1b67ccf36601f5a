"""Constructs the diagnostics of solving (E5xx)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.flatten.model import Origin
from cutset.contract.abridged import abridged, quoted
from cutset.contract.quick_dataclass import dataclass

_MOST_SHOWN = 6
_MOST_LINES = 8


def index_needs_derivative(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function for its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' must be differentiated, but has no derivative"
    if span.source.name.endswith(".fmu"):
        message = "an output of this FMU must be differentiated three times, but an FMU has two derivatives at most"
        hint = "connect an element there that needs no derivative of an acceleration"
    note = "this equation constrains states, so its derivative is needed (index reduction)"
    return Diagnostic("E299", message, span, hint, instance, notes=(note,))


def singular(
    unknown: str, reason: str, span: Span, instance: str, labels: tuple[Label, ...], system: tuple[Origin, ...]
) -> Diagnostic:
    return Diagnostic(
        "E501", f"this equation cannot be solved for '{unknown}': {reason}", span,
        "a factor of the unknown is zero; in a mechanism: after a joint, no body has "
        "mass or inertia about its axis; in a circuit: elements that cancel each other, such as a resistance and its "
        "negative in parallel, or "
        "an amplifier whose output is fed back with a total gain of 1",
        instance, labels, _facts(system) if len(system) > 1 else (),
    )  # fmt: skip


def without_value(reason: str, span: Span, instance: str, notes: tuple[str, ...] = ()) -> Diagnostic:
    hint = (
        "the equations determine this value, and it is the same for every state: check the equations that determine it"
    )
    return Diagnostic(
        "E517", f"part of this equation is undefined for every state: {reason}", span, hint, instance, notes=notes
    )


@dataclass(frozen=True)
class Condition:
    """A condition at the start, and its place; `state` is the state whose start value it is, or empty."""

    label: Label
    state: str = ""


def start_overdetermined(
    too_many: int, conditions: list[Condition], states: list[str], loose: list[str], instance: str, again: bool
) -> Diagnostic:
    """`conditions` are those that conflict, with a superfluous one first; `loose` is what no condition determines.
    `again`: the first one repeats another."""
    of_fmus = [c for c in conditions if c.label.span.source.name.endswith(".fmu")]
    if of_fmus and len(of_fmus) < len(conditions):
        return _fixed_by_fmu([c.label for c in conditions if c not in of_fmus], of_fmus[0].label.span, instance)
    first, *others = conditions
    count, enough = (
        "one initial condition" if too_many == 1 else f"{too_many} initial conditions",
        len(conditions) - too_many,
    )
    message = f"{count} too many: of these {len(conditions)}, {'one is' if enough == 1 else f'{enough} are'} enough"
    if not others:
        message = "one initial condition too many: the equations of the model already determine this"
    labels = [c.label for c in others]
    more = (f"and {len(labels) - _MOST_SHOWN} more conditions",) if len(labels) > _MOST_SHOWN else ()
    open_still = (f"no condition determines {_listed(loose)}",) if loose else ()
    listed = (
        f"free at the start: {_listed(states)}"
        if states
        else "the model has no states, so nothing is free at the start"
    )
    twice = (f"'{first.label.span.text}' is given twice",) if again else ()
    notes = (*twice, listed, *open_still, *more)
    return Diagnostic(
        "E504",
        message,
        first.label.span,
        _less(too_many, conditions, loose),
        instance,
        tuple(labels[:_MOST_SHOWN]),
        notes,
    )


def _fixed_by_fmu(labels: list[Label], fmu: Span, instance: str) -> Diagnostic:
    file = fmu.source.name.rpartition("/")[2]
    return Diagnostic(
        "E504", f"one initial condition too many: the FMU '{file}' determines its own start", labels[0].span,
        "remove it, and give the start value to the component, if the FMU lets others set it: c(h(start=3))",
        instance, tuple(labels[1:_MOST_SHOWN]),
    )  # fmt: skip


def _less(too_many: int, conditions: list[Condition], loose: list[str]) -> str:
    """What to remove, and what to give instead."""
    guesses = [c.state for c in conditions if c.state]
    away = f"remove {'one' if too_many == 1 else too_many} of these initial equations"
    if len(conditions) == 1:
        away = "remove it"
    elif guesses:
        equations = len(conditions) - len(guesses)
        away = "remove the initial equation" if equations == 1 else away
        *some, last = [f"'{name}'" for name in guesses[:3]]
        names = f"{', '.join(some)} or {last}" if some else last
        away += f", or make the start value of {names} a guess: (start=..., fixed=false)"
    return f"{away}; then give {_listed(loose)} a start value, or write another initial equation" if loose else away


def _listed(words: list[str]) -> str:
    comma = "; " if any("," in word for word in words[:_MOST_SHOWN]) else ", "
    return abridged(words, _MOST_SHOWN, comma)


def of_the_start(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic of an unsolvable equation, if it is one of those that determine the start."""
    hint = (
        "other equations already determine its variables at the start, and it contradicts them: remove one, and give "
        "one of the variables a start value"
    )
    return replace(diagnostic, code="E509", message=f"{diagnostic.message}, at the start", hint=hint)


def cycle_of_updates(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    cycle = " -> ".join(f"new({name})" for name in [*names, names[0]])
    return Diagnostic(
        "E505", f"this value after an event depends on itself: {cycle}", span,
        "use a name without new(...) in one of the equations: it is the value before the event",
        instance, labels[:_MOST_SHOWN],
    )  # fmt: skip


def asks_for_after(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E506", f"this condition uses {name}, which is known only after all conditions are evaluated", span,
        "use the name without new(...): the condition is evaluated again with the new value, at the same instant",
        instance,
    )  # fmt: skip


def restarts_what_follows(name: str, states: list[str], span: Span, instance: str) -> Diagnostic:
    note = (f"{'the state is' if len(states) == 1 else 'the states are'} {_names(states)}",) if states else ()
    return Diagnostic(
        "E516", f"init({name}) cannot restart '{name}': other states determine its value", span,
        f"restart the state that determines it, or make '{name}' the state: (state=prefer)", instance, notes=note,
    )  # fmt: skip


def derivative_of_delay(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E511", f"this equation must be differentiated, but it contains {name}", span,
        "it constrains states through a delay, which this version cannot differentiate: let the delayed quantity act "
        "through a spring, a damper or a filter", instance,
    )  # fmt: skip


@dataclass(frozen=True)
class BindingFacts:
    """The variables that equations bind to each other, those equations, and the model."""

    variables: list[str]
    equations: list[Label]
    instance: str


def binds(names: list[str], instance: str) -> str:
    """The label of one of those equations."""
    return f"constrains {_names(names)}{f', in {instance}' if instance else ''}"


def always_not_kept(name: str, span: Span, wanted: list[str], free: int, facts: BindingFacts) -> Diagnostic:
    message = f"'{name}' has state=always, but cannot be a state: other variables determine its value"
    if len(wanted) > 1:
        message = (
            f"'{name}' cannot be a state together with {_names([w for w in wanted if w != name])}, although all have "
            "state=always"
        )
    hint = "remove state=always from one of them, or insert a compliant element: a spring, a damper, a clutch"
    if len(wanted) < 2:
        hint = "remove state=always, or the equation that prescribes its value"
    return _with_equations(Diagnostic("E512", message, span, hint, facts.instance), free, facts)


def never_not_kept(name: str, span: Span, free: int, facts: BindingFacts) -> Diagnostic:
    message = f"'{name}' has state=never, but must be a state: no equation determines its value"
    if facts.equations:
        message = f"'{name}' has state=never, but must be a state: the equations already determine other variables"
    hint = "remove state=never, or write an equation that relates it to variables that can be states"
    return _with_equations(Diagnostic("E513", message, span, hint, facts.instance), free, facts)


def no_candidate(name: str, span: Span, instance: str, label: Label | None) -> Diagnostic:
    return Diagnostic(
        "E514", f"'{name}' has state=always, but is not integrated: no equation contains its "
                "derivative", span,
        "give state=always to a variable whose derivative is in an equation", instance, (label,) if label else (),
    )  # fmt: skip


def preferences_differ(first: Label, second: Label, instance: str) -> Diagnostic:
    return Diagnostic(
        "E515", "two variables that are equal have state=always and state=never", second.span,
        "remove one of the two attributes", instance, (first,), (f"{first.text}, {second.text}",),
    )  # fmt: skip


def _with_equations(diagnostic: Diagnostic, free: int, facts: BindingFacts) -> Diagnostic:
    """The diagnostic with the equations that bind."""
    count = len(facts.equations)
    more = (f"and {count - _MOST_SHOWN} more equations that constrain them",) if count > _MOST_SHOWN else ()
    leave = (
        f"{count} equation{'s constrain' if count > 1 else ' constrains'} {_names(facts.variables)}: {_states(free)}"
    )
    return replace(diagnostic, labels=tuple(facts.equations[:_MOST_SHOWN]), notes=(leave, *more) if count else ())


def _states(free: int) -> str:
    if free == 0:
        return "none of them can be a state"
    return "one of them can be a state" if free == 1 else f"{free} of them can be states"


def _facts(system: Iterable[Origin]) -> tuple[str, ...]:
    """The components and the equations that are solved together, each equation with its place; those of connections
    belong to their components."""
    components = list(dict.fromkeys(f"'{origin.instance}'" for origin in system if origin.instance))
    lines = list(dict.fromkeys(
        f"{f'{o.instance}: ' if o.instance else ''}{o.span.equation}  "
        f"({PurePath(o.span.source.name).name}:{o.span.line})"
        for o in system
    ))  # fmt: skip
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    listed = "\n".join(f"  {line}" for line in [*lines[:_MOST_LINES], *more])
    shown = abridged(components, _MOST_SHOWN)
    return (*((f"components: {shown}",) if components else ()), f"solved together:\n{listed}")


def _names(names: list[str]) -> str:
    return quoted(names) or "no unknown"
