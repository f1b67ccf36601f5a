"""Constructs the diagnostics of types, cut classes and attributes (E27x, E28x)."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean

Labels = tuple[Label, ...]


def unknown_cut_class(name: str, span: Span, known: Iterable[str], other: str, instance: str, hint: str) -> Diagnostic:
    """`other` is the kind of declaration with that name, empty if there is none; `hint` what to include."""
    if other:
        message, hint = f"'{name}' is {other}, not a cut class", "declare a cut class like this: cut class Pin (V / i)"
        return Diagnostic("E270", message, span, nearest_hint(name, known) or hint, instance)
    hint = hint or did_you_mean(name, known) or f"declare it outside of the models: cut class {name} (V / i)"
    return Diagnostic("E270", f"unknown cut class '{name}'", span, hint, instance)


def nearest_hint(name: str, known: Iterable[str]) -> str:
    """A hint that proposes a similar known name."""
    return did_you_mean(name, [k for k in known if k != name])


def cut_class_differs(what: str, cut_class: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E271", f"this cut does not fit its class '{cut_class}': {what}", span,
        "give the cut the variables of its class, in the same order; write '.' for one that it does not have",
        instance, (Label(declared, f"'{cut_class}' is declared here"),),
    )  # fmt: skip


def bad_declaration(what: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic("E272", what, span, hint)


def unknown_type(name: str, span: Span, known: Iterable[str], other: str, instance: str, hint: str) -> Diagnostic:
    """`other` and `hint` as for cut classes."""
    message = f"'{name}' is {other}, not a type" if other else f"unknown type '{name}'"
    declare = "the types are Real, Integer, Boolean, Text, and those that 'type' declares"
    hint = (
        hint
        or nearest_hint(name, known)
        or (declare if other else f'declare it outside of the models: type {name} (unit="m")')
    )
    return Diagnostic("E274", message, span, hint, instance)


def unknown_literal(name: str, enumeration: str, literals: tuple[str, ...], span: Span, instance: str) -> Diagnostic:
    hint = did_you_mean(name, literals) or f"its values are {', '.join(literals)}"
    return Diagnostic("E275", f"the type '{enumeration}' has no value '{name}'", span, hint, instance)


def wrong_operand(
    what: str, wanted: str, found: str, span: Span, hint: str, instance: str, labels: Labels
) -> Diagnostic:
    return Diagnostic("E276", f"{what} needs {wanted}, but this is {found}", span, hint, instance, labels)


def no_condition(what: str, found: str, span: Span, hint: str, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic("E277", f"{what} must be Boolean, but this is {found}", span, hint, instance, labels)


def types_differ(
    what: str, first: str, second: str, span: Span, hint: str, instance: str, labels: Labels
) -> Diagnostic:
    return Diagnostic("E278", f"{what}: {first} and {second}", span, hint, instance, labels)


def sides_of_types(left: str, right: str, span: Span, hint: str, instance: str, labels: Labels) -> Diagnostic:
    message = f"the left side of this equation is {left}, but the right side is {right}"
    return Diagnostic("E279", message, span, hint, instance, labels)


def value_of_type(
    what: str, wanted: str, found: str, span: Span, hint: str, instance: str, labels: Labels
) -> Diagnostic:
    return Diagnostic("E280", f"{what} is {wanted}, but its value is {found}", span, hint, instance, labels)


def misplaced_attribute(name: str, what: str, span: Span, hint: str, instance: str) -> Diagnostic:
    return Diagnostic("E281", f"the attribute '{name}' does not apply to {what}", span, hint, instance)


def out_of_range(what: str, value: str, limit: str, bound: str, span: Span, place: Span, instance: str) -> Diagnostic:
    """`limit` is min or max, `bound` its value; 1e-300 is the min of what must be positive."""
    relation = f"{'less' if limit == 'min' else 'more'} than its {limit} {bound}"
    return Diagnostic(
        "E282", f"{what} is {value}, {'but must be positive' if bound == '1e-300' else relation}", span,
        f"give it a value within its limits, or change the {limit}",
        instance, (Label(place, f"the {limit}"),),
    )  # fmt: skip


def not_positive(name: str, value: str, span: Span, instance: str) -> Diagnostic:
    hint = "give the usual magnitude of the variable, such as nominal=1e5 for a pressure in Pa"
    return Diagnostic("E283", f"'nominal' of '{name}' must be positive, not {value}", span, hint, instance)
