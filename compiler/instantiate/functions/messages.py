"""Constructs the diagnostics of functions (E285 to E299)."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean


def function_name_taken(name: str, span: Span) -> Diagnostic:
    return Diagnostic("E285", f"'{name}' is a built-in function", span, "choose another name")


def bad_declaration(message: str, span: Span, hint: str, function: str) -> Diagnostic:
    return Diagnostic("E286", message, span, hint, f"function {function}")


def argument_unfit(message: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = "compare the call with the declaration; x(:) takes a vector of any length"
    return Diagnostic("E287", message, span, hint, instance, (Label(declared, "declared here"),))


def unknown_in_function(name: str, span: Span, known: Iterable[str], function: str) -> Diagnostic:
    hint = did_you_mean(name, known) or "a function can use only its arguments and locals: pass it as an argument"
    return Diagnostic("E288", f"the function '{function}' has no variable '{name}'", span, hint, f"function {function}")


def not_assignable(name: str, what: str, span: Span, declared: Span, function: str) -> Diagnostic:
    hint = f"assign to a local variable: local copy, and copy := {name}"
    labels = (Label(declared, "declared here"),)
    return Diagnostic("E289", f"'{name}' is {what} and cannot be assigned", span, hint, f"function {function}", labels)


def no_value_yet(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = f"assign to '{name}' before this, in every branch that leads here"
    labels = (Label(declared, "declared here"),)
    return Diagnostic("E290", f"'{name}' may have no value here", span, hint, instance, labels)


def result_without_value(name: str, function: str, span: Span, instance: str) -> Diagnostic:
    hint = f"assign to all elements of '{name}' in every branch of the function"
    return Diagnostic("E291", f"the result '{name}' of '{function}' may get no value", span, hint, instance)


def endless_recursion(function: str, itself: bool, span: Span, instance: str) -> Diagnostic:
    """`itself`: the function calls itself; otherwise functions call each other without an end, or too deep."""
    if itself:
        hint = "end it within 40 calls by an 'if' statement on numbers known at translation, or write a loop"
        title = f"the function '{function}' calls itself more than 40 calls deep, or without an end, at translation"
        return Diagnostic("E292", title, span, hint, instance)
    title = f"the calls that begin with the function '{function}' are nested too deeply at translation"
    return Diagnostic(
        "E292", title, span, "the limit is 40 nested calls, and fewer inside nested expressions", instance
    )


def not_in_function(what: str, span: Span, hint: str, function: str) -> Diagnostic:
    return Diagnostic("E293", f"{what} is not allowed in a function", span, hint, f"function {function}")


def assertion_fails(text: str, function: str, span: Span, instance: str) -> Diagnostic:
    hint = "call it with values for which the condition holds"
    return Diagnostic("E294", f"an assertion of the function '{function}' failed: {text}", span, hint, instance)


def no_end(most: int, function: str, span: Span, instance: str) -> Diagnostic:
    hint = "check the condition or the range of the loop"
    message = f"a loop of the function '{function}' does not end within {most} iterations at translation"
    return Diagnostic("E295", message, span, hint, instance)


def bad_derivative(message: str, span: Span, labels: tuple[Label, ...], function: str) -> Diagnostic:
    hint = (
        "its arguments are those of the function, then the derivatives of the real ones, and its result has the same "
        "shape"
    )
    return Diagnostic("E296", message, span, hint, f"function {function}", labels)


def external_not_allowed(name: str, target: str, span: Span, instance: str, declared: Span) -> Diagnostic:
    hint = "if you trust this model, allow it: --allow-external, or cutset.load(..., allow_external=True)"
    language, _, where = target.partition(":")
    what, code = {
        "c": (f"the C code in {where}", "C code"),
        "fmu": (f"the code in {where}", "an FMU"),
    }.get(language, (f"the Python function {where}", "Python code"))
    message = f"'{name}' would run {what}, which is not allowed"
    notes = (f"a model can come from anyone, and {code} can do anything that you can do",)
    return Diagnostic("E297", message, span, hint, instance, (Label(declared, "declared here"),), notes)


def controller_outside_when(name: str, span: Span, instance: str) -> Diagnostic:
    hint = "write when sample(0, dt) then new(u) = ... endwhen, and use u in the equations"
    message = f"the controller '{name}' is called outside of new(...) = ... in a 'when'"
    return Diagnostic("E344", message, span, hint, instance)
