"""The diagnostics of functions (E285 to E299), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean


def function_name_taken(name: str, span: Span) -> Diagnostic:
    return Diagnostic("E285", f"'{name}' is a function of the language", span, "give this one another name")


def bad_declaration(message: str, span: Span, hint: str, function: str) -> Diagnostic:
    return Diagnostic("E286", message, span, hint, f"function {function}")


def argument_unfit(message: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = "compare the call with the declaration; x(:) takes a vector of any length"
    return Diagnostic("E287", message, span, hint, instance, (Label(declared, "declared here"),))


def unknown_in_function(name: str, span: Span, known: Iterable[str], function: str) -> Diagnostic:
    hint = did_you_mean(name, known) or "a function sees its arguments and locals only: pass it as an argument"
    return Diagnostic("E288", f"the function '{function}' has no variable '{name}'", span, hint, f"function {function}")


def not_assignable(name: str, what: str, span: Span, declared: Span, function: str) -> Diagnostic:
    hint = f"assign to a variable of its own: local copy, and copy := {name}"
    labels = (Label(declared, "declared here"),)
    return Diagnostic("E289", f"'{name}' is {what} and cannot be assigned", span, hint, f"function {function}", labels)


def no_value_yet(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = f"assign to '{name}' before, in every branch that leads here"
    labels = (Label(declared, "declared here"),)
    return Diagnostic("E290", f"'{name}' has no value here, or not on every way", span, hint, instance, labels)


def result_without_value(name: str, function: str, span: Span, instance: str) -> Diagnostic:
    hint = f"assign to '{name}', all its elements, on every way through the function"
    return Diagnostic(
        "E291", f"the result '{name}' of '{function}' gets no value, or not on every way", span, hint, instance
    )


def endless_recursion(function: str, itself: bool, span: Span, instance: str) -> Diagnostic:
    """`itself`: the function calls itself; else others do without an end, or functions call each other too deep."""
    if itself:
        hint = "an 'if' statement over numbers known at translation has to end it, within 40 calls; or write a loop"
        title = f"the function '{function}' calls itself more than 40 calls deep, or without an end, at translation"
        return Diagnostic("E292", title, span, hint, instance)
    title = f"behind the function '{function}' functions call each other too deep at translation"
    return Diagnostic(
        "E292", title, span, "40 calls in each other are the most, fewer where they stand deep in expressions", instance
    )


def not_in_function(what: str, span: Span, hint: str, function: str) -> Diagnostic:
    return Diagnostic("E293", f"{what} cannot stand in a function", span, hint, f"function {function}")


def assertion_fails(text: str, function: str, span: Span, instance: str) -> Diagnostic:
    hint = "call it with values for which the condition holds"
    return Diagnostic("E294", f"an assertion of the function '{function}' does not hold: {text}", span, hint, instance)


def no_end(most: int, function: str, span: Span, instance: str) -> Diagnostic:
    hint = "look at the condition or the range of the loop"
    message = f"a loop of the function '{function}' does not end within {most} rounds at translation"
    return Diagnostic("E295", message, span, hint, instance)


def bad_derivative(message: str, span: Span, labels: tuple[Label, ...], function: str) -> Diagnostic:
    hint = (
        "it takes the arguments of the function, then the derivatives of those that are real, and has its result's "
        "shape"
    )
    return Diagnostic("E296", message, span, hint, f"function {function}", labels)


def external_not_allowed(name: str, target: str, span: Span, instance: str, declared: Span) -> Diagnostic:
    hint = "if you trust this model, allow it: --allow-external, or cutset.load(..., allow_external=True)"
    message = f"'{name}' would run the Python function {target}, which is not allowed"
    notes = ("a model may come from anybody, and Python code can do anything that you can",)
    return Diagnostic("E297", message, span, hint, instance, (Label(declared, "declared here"),), notes)
