"""Constructs the diagnostics of flattening (E3xx)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.instantiate.instance import CutClass
from cutset.compiler.instantiate.names.standard_libraries import converters

_MOST_CONVERTERS = 3


def cuts_differ(
    what: str, connect: Span, first: Label, second: Label, instance: str, fitting: Sequence[str] = ()
) -> Diagnostic:
    """`fitting` are other cuts of the two submodels that would fit."""
    hint = "connected cuts must have equally many across and through variables, of the same shapes, in the same order"
    if fitting:
        hint = f"write {' or '.join(fitting[:3])}: in a chain, a name alone means the ends of the main path"
    return Diagnostic(
        "E301",
        f"the connected cuts '{first.text}' and '{second.text}' do not fit: {what}",
        connect,
        hint,
        instance,
        (first, second),
    )


def classes_differ(
    one: CutClass, other: CutClass, connect: Span, first: Label, second: Label, instance: str
) -> Diagnostic:
    what = f"'{one.name}' and '{other.name}'" if one.name != other.name else f"two classes, both named '{one.name}'"
    known = converters(one.span, other.span)[:_MOST_CONVERTERS]
    such = f", such as {' or '.join(known)} of the standard library" if known else ""
    return Diagnostic(
        "E273", f"the connected cuts '{first.text}' and '{second.text}' have different classes: {what}", connect,
        f"connect cuts of one class only; to convert between two classes, use a component that has a cut of each{such}",
        instance, (first, second),
    )  # fmt: skip


def single_cut_shared(
    cut: str, others: list[str], connect: Span, labels: tuple[Label, ...], instance: str
) -> Diagnostic:
    *first, last = (f"'{name}'" for name in others)
    meeting = f"{', '.join(first)} and {last}"
    return Diagnostic(
        "E314", f"the cut '{cut}' takes one connection, but {meeting} are connected to it", connect,
        "connect one element here; to connect several, insert a component with a cut for each "
        "(in a bond graph, another junction)",
        instance, labels,
    )  # fmt: skip


def types_meet(one: str, other: str, connect: Span, labels: tuple[Label, Label], instance: str) -> Diagnostic:
    return Diagnostic(
        "E284", f"connected variables have different types: {one} and {other}", connect,
        "a connection equates or adds variables of one type: declare both variables with the same type, or insert a "
        "component that converts the value",
        instance, labels,
    )  # fmt: skip


def start_conflict(first: str, second: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E306", f"'{first}' and '{second}' are the same quantity, but have different start values", span,
        "the equations are correct; give both variables the same start value, or give only one of them a start value",
        instance, labels,
    )  # fmt: skip


def undefined(reason: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E304", f"this equation has no solution for any state: {reason}", span,
        "a factor of the unknown is zero; in a mechanism: after a joint, no body has "
        "mass or inertia about its axis",
        instance, labels,
    )  # fmt: skip


def not_symmetric(variable: str, row: int, column: int, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E305", f"'{variable}' is symmetric, but elements ({row},{column}) and ({column},{row}) of the right side "
                "differ",
        span, "remove the attribute 'symmetric', or make the right side symmetric", instance,
    )  # fmt: skip


def no_rotation(variable: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E307", f"'{variable}' is a rotation, but its rows are not perpendicular unit vectors", span,
        "correct the equation, or remove the attribute 'rotation'", instance,
    )  # fmt: skip


def determines_discrete(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    several = len(names) > 1
    shown = ", ".join(f"'{n}'" for n in names[:4])
    return Diagnostic(
        "E310", f"this equation determines no variable: {shown} {'are' if several else 'is'} discrete and "
        f"{'have their values' if several else 'has its value'} from new(...)", span,
        "remove the equation, or new(...) = ...; give the start value by (start=...) or in 'initial'",
        instance, labels,
    )  # fmt: skip


def restart_of_no_state(name: str, other: str, span: Span, instance: str) -> Diagnostic:
    why = "no equation contains its derivative"
    if other:
        why = f"it is an alias of {other}, and {why}"
    return Diagnostic(
        "E311", f"init({name}) cannot restart '{name}', which is not a state: {why}", span,
        f"restart a variable whose derivative is in the equations; to set a discrete variable, write new({name}) = "
        "...",
        instance,
    )  # fmt: skip


def restarted_twice(name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E312", f"'{name}' is restarted twice at the same event, under different names", span,
        "equations or connections make the two variables equal: restart only one of "
        "them", instance, (Label(first, "first here"),),
    )  # fmt: skip


def start_cannot_hold(residual: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E313", f"this initial equation cannot hold: it reduces to 0 = {residual}", span,
        "other equations determine its variables, also at the start: remove it, or change those equations", instance,
    )  # fmt: skip


def discrete_started_twice(names: list[str], span: Span, labels: tuple[Label, ...], instance: str) -> Diagnostic:
    shown = ", ".join(f"'{n}'" for n in names[:4])
    has = "have start values" if len(names) > 1 else "has a start value"
    return Diagnostic(
        "E507", f"one initial condition too many: {shown} {has}, and there is also this initial equation", span,
        "remove the equation or the start value, or make the start value a guess: (start=..., fixed=false)",
        instance, labels[:4],
    )  # fmt: skip


def discrete_start_unknown(names: list[str], span: Span, labels: tuple[Label, ...], instance: str) -> Diagnostic:
    shown = ", ".join(f"'{n}'" for n in names[:4])
    return Diagnostic(
        "E508", f"this initial equation does not determine {shown} from parameters", span,
        "write one equation for each discrete variable, such as n = 3*p: before a run, only parameters are "
        "known",
        instance, labels,
    )  # fmt: skip


def parameters_do_not_fit(text: str, assertion: Span, place: Span | None, instance: str) -> Diagnostic:
    """`place` is the declaration of the submodel, None for the object itself."""
    labels = (Label(assertion, "asserted here"),) if place is not None else ()
    return Diagnostic(
        "E430", f"the parameter values violate an assertion: {text}", place or assertion,
        "change the values that the assertion contains", instance, labels,
    )  # fmt: skip


def closed_left_side(what: str, span: Span, instance: str) -> Diagnostic:
    message = f"'closed' gives '{what}', which is not a variable that it can determine"
    hint = "give each dependent coordinate once, alone or in a matrix: closed [pin.q; rocker.q] = H"
    return Diagnostic("E320", message, span, hint, instance)


def closed_by_other(name: str, what: str, span: Span, instance: str) -> Diagnostic:
    message = f"the solution for '{name}' contains {what}, which does not follow from coordinates"
    hint = "give the solution in terms of coordinates of joints, parameters and time"
    return Diagnostic("E320", message, span, hint, instance)


def loop_not_closed(
    names: Sequence[str], coordinates: Sequence[str], found: int, span: Span, instance: str
) -> Diagnostic:
    """`found` is the number of conditions between the variables `names` and the `coordinates`."""
    by = f" and {', '.join(coordinates[:4])}" if coordinates else ""
    message = f"no loop determines {', '.join(names[:4])}"
    hint = "close the loop by a joint that has conditions, and solve for all coordinates that these contain"
    note = f"independent conditions between {', '.join(names[:4])}{by}: required {len(names)}, found {found}"
    return Diagnostic("E321", message, span, hint, instance, notes=(note,))


def closed_without_value(names: Sequence[str], span: Span, instance: str) -> Diagnostic:
    message = f"the solution for {', '.join(names[:4])} has no value near the start"
    hint = "correct it, or give start values of the coordinates at which the loop can be closed"
    return Diagnostic("E322", message, span, hint, instance)


def closed_wrongly(
    name: str,
    stated: float,
    needed: float,
    point: Mapping[str, float],
    span: Span,
    instance: str,
    labels: tuple[Label, ...],
) -> Diagnostic:
    """`needed` is nan if the loop cannot be closed at the point."""
    message = f"the solution for '{name}' contradicts the loop"
    where = ", ".join(f"{x} = {value:.4g}" for x, value in [*point.items()][:4])
    need = "no value near that closes the loop" if needed != needed else f"it must be {needed:.6g}"
    note = f"{f'where {where}, ' if where else ''}{name} is {stated:.6g} by this equation, but {need}"
    hint = "correct the equation: look for a wrong sign, length or zero position"
    return Diagnostic("E322", message, span, hint, instance, labels, notes=(note,))
