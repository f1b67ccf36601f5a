"""The diagnostics of flattening (E3xx), one constructor each."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span


def cuts_differ(
    what: str, connect: Span, first: Label, second: Label, instance: str, fitting: Sequence[str] = ()
) -> Diagnostic:
    """`fitting` are other cuts of the two submodels that would do."""
    hint = "cuts that meet need as many across and through variables, of the same shapes, in the same order"
    if fitting:
        hint = f"write {' or '.join(fitting[:3])}: a name alone in a chain stands for the ends of the main path"
    return Diagnostic(
        "E301",
        f"'{first.text}' and '{second.text}' are connected, but do not fit: {what}",
        connect,
        hint,
        instance,
        (first, second),
    )


def classes_differ(one: str, other: str, connect: Span, first: Label, second: Label, instance: str) -> Diagnostic:
    what = f"the classes '{one}' and '{other}'" if one != other else f"two different classes '{one}'"
    return Diagnostic(
        "E273", f"'{first.text}' and '{second.text}' are connected, but are of {what}", connect,
        "only cuts of one class connect; a component that has a cut of each converts between them",
        instance, (first, second),
    )  # fmt: skip


def single_cut_shared(
    cut: str, others: list[str], connect: Span, labels: tuple[Label, ...], instance: str
) -> Diagnostic:
    *first, last = (f"'{name}'" for name in others)
    meeting = f"{', '.join(first)} and {last}"
    return Diagnostic(
        "E314", f"the cut '{cut}' takes one connection, but {meeting} meet there", connect,
        "connect one element here; between this cut and several elements put a component that is made for them "
        "(in a bond graph one more junction)",
        instance, labels,
    )  # fmt: skip


def types_meet(one: str, other: str, connect: Span, labels: tuple[Label, Label], instance: str) -> Diagnostic:
    return Diagnostic(
        "E284", f"variables of two types are connected: {one} and {other}", connect,
        "variables that a connection makes equal, or adds, are of one type: declare both with it, or convert in a "
        "component between",
        instance, labels,
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
        "E305", f"'{variable}' is symmetric, but elements ({row},{column}) and ({column},{row}) of the other side "
                "differ",
        span, "remove the attribute symmetric, or make the other side symmetric", instance,
    )  # fmt: skip


def determines_discrete(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    several = len(names) > 1
    shown = ", ".join(f"'{n}'" for n in names[:4])
    return Diagnostic(
        "E310", f"nothing is left for this equation to determine: {shown} {'are' if several else 'is'} discrete, with "
        f"{'values' if several else 'a value'} given by new(...)", span,
        "remove the equation, or new(...) = ...; a value at the start is written (start=...) or in 'initial'",
        instance, labels,
    )  # fmt: skip


def restart_of_no_state(name: str, other: str, span: Span, instance: str) -> Diagnostic:
    why = (
        f"it is another name of {other}, whose derivative occurs nowhere" if other else "its derivative occurs nowhere"
    )
    return Diagnostic(
        "E311", f"init({name}) cannot restart '{name}', which is no state: {why}", span,
        f"restart the quantity whose derivative is in the equations; to set a discrete variable, write new({name}) = "
        "...",
        instance,
    )  # fmt: skip


def restarted_twice(name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E312", f"'{name}' is restarted twice at one event, under different names", span,
        "connections or equations make the two one quantity: restart one of "
        "them", instance, (Label(first, "first here"),),
    )  # fmt: skip


def start_cannot_hold(residual: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E313", f"this equation of the start cannot hold: it reduces to 0 = {residual}", span,
        "its quantities are fixed by other equations, at the start as at any time", instance,
    )  # fmt: skip


def discrete_started_twice(names: list[str], span: Span, labels: tuple[Label, ...], instance: str) -> Diagnostic:
    shown = ", ".join(f"'{n}'" for n in names[:4])
    has = "have start values" if len(names) > 1 else "has a start value"
    return Diagnostic(
        "E507", f"the start has a condition too many: {shown} {has}, and this equation of the start besides", span,
        "take the equation away, or the start value; with (start=..., fixed=false) the equation decides",
        instance, labels[:4],
    )  # fmt: skip


def discrete_start_unknown(names: list[str], span: Span, labels: tuple[Label, ...], instance: str) -> Diagnostic:
    shown = ", ".join(f"'{n}'" for n in names[:4])
    return Diagnostic(
        "E508", f"this equation of the start does not give {shown} as an expression of parameters", span,
        "write one equation for each discrete variable, as n = 3*p with parameters p: before a run, nothing else is "
        "known",
        instance, labels,
    )  # fmt: skip


def parameters_do_not_fit(text: str, assertion: Span, place: Span | None, instance: str) -> Diagnostic:
    """`place` is where the submodel is declared, None for the object itself."""
    labels = (Label(assertion, "asserted here"),) if place is not None else ()
    return Diagnostic(
        "E430", f"the values of the parameters do not go together: {text}", place or assertion,
        "change the values that the assertion speaks of", instance, labels,
    )  # fmt: skip
