"""The diagnostics of types, cut classes and attributes (E27x, E28x), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean, nearest

Labels = tuple[Label, ...]


def unknown_cut_class(name: str, span: Span, known: Iterable[str], other: str, instance: str) -> Diagnostic:
    """`other` says what the name is instead, empty where it is nothing."""
    if other:
        message, hint = f"'{name}' is {other}, not a class of cuts", f"declare one: cut class {name} (V / i)"
        return Diagnostic("E270", message, span, nearest_hint(name, known) or hint, instance)
    hint = did_you_mean(name, known) or f"declare it outside of the models: cut class {name} (V / i)"
    return Diagnostic("E270", f"there is no class of cuts '{name}'", span, hint, instance)


def nearest_hint(name: str, known: Iterable[str]) -> str:
    """Proposes another known name near `name`."""
    close = nearest(name, [k for k in known if k != name])
    return f"did you mean '{close}'?" if close else ""


def cut_class_differs(what: str, cut_class: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E271", f"this cut does not fit its class '{cut_class}': {what}", span,
        "give the cut the variables of its class, in their order; '.' stands for one that it does not have",
        instance, (Label(declared, f"'{cut_class}' is declared here"),),
    )  # fmt: skip


def bad_declaration(what: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic("E272", what, span, hint)
