"""The diagnostics of solving (E5xx), one constructor each."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label, Span

_MOST_SHOWN = 6


def index_needs_derivative(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function that gives its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' has to be differentiated, and has no derivative"
    note = "the equation holds between states, so that its derivative is needed as well"
    return Diagnostic("E299", message, span, hint, instance, notes=(note,))


def singular(unknown: str, reason: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E501", f"this equation cannot be solved for '{unknown}': {reason}", span,
        "a factor that multiplies the unknown vanishes; in a mechanism: a joint with nothing behind it that has "
        "mass or inertia about its axis",
        instance, labels,
    )  # fmt: skip


def nonlinear(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    what = "this equation" if len(names) == 1 else f"these {len(names)} equations"
    return Diagnostic(
        "E502", f"{what} would have to be solved numerically for {_names(names)}", span,
        "nonlinear systems are not supported by this version yet; formulate it explicitly",
        instance, labels[: _MOST_SHOWN - 1],
    )  # fmt: skip


def derivative_of_delay(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E511", f"this equation has to be differentiated, and with it {name}", span,
        "it binds states to each other through a delay, which this version does not do: let the delayed quantity act "
        "through a spring, a damper or a filter", instance,
    )  # fmt: skip


def _names(names: list[str]) -> str:
    if not names:
        return "no unknown"
    shown = ", ".join(f"'{n}'" for n in names[:_MOST_SHOWN])
    return shown + (f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else "")
