"""The diagnostics of solving (E5xx), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable
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
        "mass or inertia about its axis",
        instance, labels, _facts(system) if len(system) > 1 else (),
    )  # fmt: skip


def start_overdetermined(too_many: int, states: list[str], conditions: list[Label], instance: str) -> Diagnostic:
    """`conditions` are those that belong together, one that is too many first."""
    first, *others = conditions
    count = "a condition" if too_many == 1 else f"{too_many} conditions"
    more = (f"and {len(others) - _MOST_SHOWN} more conditions",) if len(others) > _MOST_SHOWN else ()
    begin = "the state is" if len(states) == 1 else f"the {len(states)} states are"
    listed = f"{begin} {_names(states)}" if states else "there are no states: nothing is free at the start"
    return Diagnostic(
        "E504", f"the start has {count} too many: these {len(conditions)} are not independent" if others
        else "the start has a condition too many: the equations determine already what it speaks of", first.span,
        "take one of the conditions away, or make a start value a guess: (start=..., fixed=false)",
        instance, tuple(others[:_MOST_SHOWN]), (listed, *more),
    )  # fmt: skip


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


def derivative_of_delay(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E511", f"this equation has to be differentiated, and with it {name}", span,
        "it binds states to each other through a delay, which this version does not do: let the delayed quantity act "
        "through a spring, a damper or a filter", instance,
    )  # fmt: skip


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
    shown = ", ".join(components[:_MOST_SHOWN]) + (f" and {len(components) - _MOST_SHOWN} more" if len(components) > _MOST_SHOWN else "")
    return (*((f"components: {shown}",) if components else ()), f"solved together:\n{listed}")


def _names(names: list[str]) -> str:
    if not names:
        return "no unknown"
    shown = ", ".join(f"'{n}'" for n in names[:_MOST_SHOWN])
    return shown + (f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else "")
