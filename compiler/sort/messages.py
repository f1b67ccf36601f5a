"""The diagnostics of solving (E5xx), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePath

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.flatten.model import Origin

_MOST_SHOWN = 6
_MOST_LINES = 8


def index_needs_derivative(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function that gives its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' has to be differentiated, and has no derivative"
    note = "the equation holds between states, so that its derivative is needed as well"
    return Diagnostic("E299", message, span, hint, instance, notes=(note,))


def singular(
    unknown: str, reason: str, span: Span, instance: str, labels: tuple[Label, ...], system: tuple[Origin, ...]
) -> Diagnostic:
    return Diagnostic(
        "E501", f"this equation cannot be solved for '{unknown}': {reason}", span,
        "a factor that multiplies the unknown vanishes; in a mechanism: a joint with nothing behind it that has "
        "mass or inertia about its axis; in a circuit: elements that cancel each other, as a resistance and its "
        "negative in parallel, or "
        "an amplifier whose output is fed back to it with a gain of 1 in all",
        instance, labels, _facts(system) if len(system) > 1 else (),
    )  # fmt: skip


def without_value(reason: str, span: Span, instance: str, notes: tuple[str, ...] = ()) -> Diagnostic:
    hint = (
        "the equations determine what stands there, and that it is so in every state: look at those from which it comes"
    )
    return Diagnostic(
        "E517", f"a part of this has no value, whatever the states are: {reason}", span, hint, instance, notes=notes
    )


@dataclass(frozen=True)
class Condition:
    """Something that has to hold at the start, and where it is written; `state` is the state whose start value it is,
    or empty."""

    label: Label
    state: str = ""


def start_overdetermined(
    too_many: int, conditions: list[Condition], states: list[str], loose: list[str], instance: str, again: bool
) -> Diagnostic:
    """`conditions` are those that belong together, one that is too many first; `loose` is what no condition determines.
    `again`: the first says what another says already."""
    first, *others = conditions
    count, enough = "a condition" if too_many == 1 else f"{too_many} conditions", len(conditions) - too_many
    message = (
        f"the start has {count} too many: of these {len(conditions)}, {'one is' if enough == 1 else f'{enough} are'} "
        "enough"
    )
    if not others:
        message = "the start has a condition too many: the equations of the model determine already what it speaks of"
    labels = [c.label for c in others]
    more = (f"and {len(labels) - _MOST_SHOWN} more conditions",) if len(labels) > _MOST_SHOWN else ()
    open_still = (f"no condition determines {_listed(loose)}",) if loose else ()
    listed = f"free at the start: {_listed(states)}" if states else "there are no states: nothing is free at the start"
    twice = (f"'{first.label.span.text}' stands there twice",) if again else ()
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


def _less(too_many: int, conditions: list[Condition], loose: list[str]) -> str:
    """What to take away, and what to give instead."""
    guesses = [c.state for c in conditions if c.state]
    away = f"take {'one' if too_many == 1 else too_many} of these equations of the start away"
    if len(conditions) == 1:
        away = "take it away"
    elif guesses:
        equations = len(conditions) - len(guesses)
        away = "take the equation of the start away" if equations == 1 else away
        *some, last = [f"'{name}'" for name in guesses[:3]]
        names = f"{', '.join(some)} or {last}" if some else last
        away += f", or make the start value of {names} a guess: (start=..., fixed=false)"
    return f"{away}; then say where {_listed(loose)} begins, by start=... or another equation" if loose else away


def _listed(words: list[str]) -> str:
    shown = words[:_MOST_SHOWN]
    comma = "; " if any("," in word for word in shown) else ", "
    return comma.join(shown) + (f" and {len(words) - len(shown)} more" if len(words) > len(shown) else "")


def of_the_start(diagnostic: Diagnostic) -> Diagnostic:
    """What is said of an equation that cannot be solved, where it is one of those that determine the start."""
    hint = (
        "at the start it speaks of what others determine already, and contradicts them: take one away, and say where "
        "one of the quantities begins"
    )
    return replace(diagnostic, code="E509", message=f"{diagnostic.message}, at the start", hint=hint)


def circle_of_updates(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    circle = " -> ".join(f"new({name})" for name in [*names, names[0]])
    return Diagnostic(
        "E505", f"the value after an event is given in terms of itself: {circle}", span,
        "the plain name is the value before the event: use that of one of them",
        instance, labels[:_MOST_SHOWN],
    )  # fmt: skip


def asks_for_after(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E506", f"this asks for {name}, which is known only when it is decided which 'when' acts", span,
        "ask for the plain name: what depends on it is looked at again with its new value, at the same instant",
        instance,
    )  # fmt: skip


def restarts_what_follows(name: str, states: list[str], span: Span, instance: str) -> Diagnostic:
    note = (f"{'the state is' if len(states) == 1 else 'the states are'} {_names(states)}",) if states else ()
    return Diagnostic(
        "E516", f"init({name}) cannot restart '{name}': its value follows from that of other states", span,
        f"restart the state that it follows from, or make '{name}' the state: (state=prefer)", instance, notes=note,
    )  # fmt: skip


def derivative_of_delay(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E511", f"this equation has to be differentiated, and with it {name}", span,
        "it binds states to each other through a delay, which this version does not do: let the delayed quantity act "
        "through a spring, a damper or a filter", instance,
    )  # fmt: skip


@dataclass(frozen=True)
class BindingFacts:
    """The variables that equations bind to each other, those equations, and the model."""

    variables: list[str]
    equations: list[Label]
    instance: str


def binds(names: list[str], instance: str) -> str:
    """What is said at one of those equations."""
    return f"binds {_names(names)}{f', in {instance}' if instance else ''}"


def always_not_kept(name: str, span: Span, wanted: list[str], free: int, facts: BindingFacts) -> Diagnostic:
    message = f"'{name}' has state=always, but cannot be a state: its value follows from that of others"
    if len(wanted) > 1:
        message = (
            f"'{name}' cannot be a state beside {_names([w for w in wanted if w != name])}, though all have "
            "state=always"
        )
    hint = (
        "take state=always from one of them, or put something between them that gives way: a spring, a damper, a clutch"
    )
    if len(wanted) < 2:
        hint = "take state=always away, or the equation that prescribes its value"
    return _with_equations(Diagnostic("E512", message, span, hint, facts.instance), free, facts)


def never_not_kept(name: str, span: Span, free: int, facts: BindingFacts) -> Diagnostic:
    message = f"'{name}' has state=never, but has to be a state: nothing else gives its value"
    if facts.equations:
        message = f"'{name}' has state=never, but has to be a state: the equations give the value of others already"
    hint = "take state=never away, or write an equation that binds it to variables which may be states"
    return _with_equations(Diagnostic("E513", message, span, hint, facts.instance), free, facts)


def no_candidate(name: str, span: Span, instance: str, label: Label | None) -> Diagnostic:
    return Diagnostic(
        "E514", f"'{name}' has state=always, but is not one that is integrated: no equation speaks of its "
                "derivative", span,
        "give state=always to a variable whose derivative stands in an equation", instance, (label,) if label else (),
    )  # fmt: skip


def preferences_differ(first: Label, second: Label, instance: str) -> Diagnostic:
    return Diagnostic(
        "E515", "the same quantity is to be a state always and never: these are two names of it", second.span,
        "take one of the two attributes away", instance, (first,), (f"{first.text}, {second.text}",),
    )  # fmt: skip


def _with_equations(diagnostic: Diagnostic, free: int, facts: BindingFacts) -> Diagnostic:
    """The same, with the equations that bind."""
    count = len(facts.equations)
    more = (f"and {count - _MOST_SHOWN} more equations between them",) if count > _MOST_SHOWN else ()
    leave = f"{count} equation{'s bind' if count > 1 else ' binds'} {_names(facts.variables)}: {_states(free)}"
    return replace(diagnostic, labels=tuple(facts.equations[:_MOST_SHOWN]), notes=(leave, *more) if count else ())


def _states(free: int) -> str:
    if free == 0:
        return "none of them is left as a state"
    return "one of them is left as a state" if free == 1 else f"{free} of them are left as states"


def _facts(system: Iterable[Origin]) -> tuple[str, ...]:
    """The components and the equations that are solved together, each equation with its place; those of connections
    are those of the components."""
    components = list(dict.fromkeys(f"'{origin.instance}'" for origin in system if origin.instance))
    lines = list(dict.fromkeys(
        f"{f'{o.instance}: ' if o.instance else ''}{o.span.text}  ({PurePath(o.span.source.name).name}:{o.span.line})"
        for o in system
    ))  # fmt: skip
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    listed = "\n".join(f"  {line}" for line in [*lines[:_MOST_LINES], *more])
    shown = ", ".join(components[:_MOST_SHOWN]) + (
        f" and {len(components) - _MOST_SHOWN} more" if len(components) > _MOST_SHOWN else ""
    )
    return (*((f"components: {shown}",) if components else ()), f"solved together:\n{listed}")


def _names(names: list[str]) -> str:
    if not names:
        return "no unknown"
    shown = ", ".join(f"'{n}'" for n in names[:_MOST_SHOWN])
    return shown + (f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else "")
