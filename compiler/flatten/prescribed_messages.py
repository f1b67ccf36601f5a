"""Constructs the diagnostics of problems that are given by known and wanted quantities."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean
from cutset.contract.abridged import quoted

_CHOICES = "find an input of the model, a force at one connection, or a terminal that time or another model sets"


def no_such_variable(name: str, option: str, known: Sequence[str], instance: str) -> Diagnostic:
    hint = did_you_mean(name, known) or "'cutset inspect FILE --variables' lists all names"
    return Diagnostic("E315", f"{_prefix(name, option)}: the model has no variable of this name", None, hint, instance)


def is_parameter(name: str, option: str, span: Span, instance: str) -> Diagnostic:
    hint = "give a parameter its value with --set, or parameters=... in Python"
    if option == "find":
        hint = "find a quantity that varies in time; a parameter is the same during the entire run"
    return Diagnostic("E315", f"{_prefix(name, option)}: it is a parameter", span, hint, instance)


def is_derivative(name: str, option: str, instance: str) -> Diagnostic:
    hint = "name the variable itself, or one that the model equates to its derivative, such as qd with qd = der(q)"
    return Diagnostic("E315", f"{_prefix(name, option)}: it is a derivative", None, hint, instance)


def cannot_be_known(name: str, why: str, span: Span, instance: str) -> Diagnostic:
    hint = "make another quantity known"
    if "input" in why:
        hint = "give an input its signal with --set, or inputs=... in Python"
    return Diagnostic("E315", f"{_prefix(name, 'known')}: {why}", span, hint, instance)


def cannot_be_found(name: str, why: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E316", f"{_prefix(name, 'find')}: {why}", span, _CHOICES, instance)


def counts_differ(known: Sequence[str], found: Sequence[str], instance: str) -> Diagnostic:
    what = f"{_count(len(known))} known, and {_count(len(found))} to be found: both numbers must be equal"
    notes = tuple(f"{word}: {quoted(names)}" for word, names in (("known", known), ("to be found", found)) if names)
    more = len(known) > len(found)
    hint = "find one quantity for each known one" if more else "prescribe one quantity for each that is to be found"
    return Diagnostic("E317", what, None, hint, instance, (), notes)


def nothing_deduced(names: Sequence[str], choices: Sequence[str], span: Span, instance: str) -> Diagnostic:
    it_is, one = ("it is", "it") if len(names) == 1 else ("they are", "one for each")
    notes = [
        f"{it_is} in no cut with one force or current for each coordinate, "
        "and the model does not have one input for each"
    ]
    notes += [f"what can be found: {quoted(choices)}"] if choices else []
    hint = f"name {one} with --find, or find=... in Python"
    what = f"it is not clear what is to be found instead of {quoted(names)}"
    return Diagnostic("E318", what, span, hint if choices else f"{hint}: {_CHOICES}", instance, (), tuple(notes))


def not_solvable(
    known: Sequence[str], wanted: Sequence[str], notes: Sequence[str], labels: Sequence[Label], instance: str
) -> Diagnostic:
    what = f"what is known, {quoted(known)}, does not determine {quoted(wanted)}"
    hint = "prescribe only what can move independently of each other, and find what acts on it"
    return Diagnostic("E319", what, labels[0].span if labels else None, hint, instance, tuple(labels[1:]), tuple(notes))


def _prefix(name: str, option: str) -> str:
    return f"'{name}' cannot be {'known' if option == 'known' else 'found'}"


def _count(number: int) -> str:
    return f"{number} quantit{'y is' if number == 1 else 'ies are'}"
