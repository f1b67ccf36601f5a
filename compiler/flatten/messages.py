"""The diagnostics of flattening (E3xx), one constructor each."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label, Span


def cuts_differ(what: str, connect: Span, first: Label, second: Label, instance: str) -> Diagnostic:
    return Diagnostic(
        "E301", f"cuts that do not fit are connected: {what}", connect,
        "cuts that meet need as many across and through variables, of the same shapes, in the same order",
        instance, (first, second),
    )  # fmt: skip


def classes_differ(one: str, other: str, connect: Span, first: Label, second: Label, instance: str) -> Diagnostic:
    what = f"the classes '{one}' and '{other}'" if one != other else f"two different classes '{one}'"
    return Diagnostic(
        "E273", f"cuts of {what} are connected", connect,
        "only cuts of one class connect; a component that has a cut of each converts between them",
        instance, (first, second),
    )  # fmt: skip


def start_conflict(first: str, second: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E306", f"'{first}' and '{second}' are one quantity, but have different start values", span,
        "the equations are fine, their start values are too many: give both the same one, or only one of them any",
        instance, labels,
    )  # fmt: skip


def undefined(reason: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E304", f"this equation has no solution whatever the state is: {reason}", span,
        "a factor that multiplies the unknown vanishes; in a mechanism: a joint with nothing behind it that has "
        "mass or inertia about its axis",
        instance, labels,
    )  # fmt: skip


def not_symmetric(variable: str, row: int, column: int, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E305", f"'{variable}' is symmetric, but elements ({row},{column}) and ({column},{row}) of the other side differ",
        span, "remove the attribute symmetric, or make the other side symmetric", instance,
    )  # fmt: skip
