"""Constructs the diagnostics of events, initial equations and tables (E33x, E34x)."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span


def bad_target(what: str, span: Span, instance: str, declared: Span | None = None) -> Diagnostic:
    labels = (Label(declared, "declared here"),) if declared else ()
    return Diagnostic(
        "E330", f"new(...) cannot be applied to {what}", span,
        "declare a discrete variable as a local, terminal or output of this model: local n (start=0)", instance, labels,
    )  # fmt: skip


def only_at_events(name: str, where: str, hint: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E331", f"'{name}' is not allowed {where}", span, hint, instance)


def bad_period(name: str, what: str, positive: bool, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E332", f"{what} of '{name}' must be a {'positive ' if positive else ''}time known before the run",
        span, f"use numbers and parameters{', with a value greater than 0' if positive else ''}", instance,
    )  # fmt: skip


def uneven_branches(counts: Sequence[int], span: Span, instance: str) -> Diagnostic:
    """`counts` are the numbers of equations of all branches, with that of an `else` that is missing."""
    return Diagnostic(
        "E352", f"the branches of this 'if' have {', '.join(map(str, counts[:-1]))} and {counts[-1]} equations", span,
        "a run that chooses equations needs the same number in each branch: of scalars, also in the 'else'", instance,
    )  # fmt: skip


def not_an_action(name: str, span: Span, instance: str) -> Diagnostic:
    hint = (
        f"new({name}) = ... gives a discrete variable its next value, init({name}) = ... restarts a state from "
        "another value"
        if name
        else "write new(x) = ... or init(x) = ..., with a variable alone on the left"
    )
    return Diagnostic(
        "E333", "an equation in 'when' must begin with new(...) or init(...)", span, hint, instance,
    )  # fmt: skip


def not_a_condition(what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E334", f"the condition of {what} is not a scalar", span,
        "join the relations of the elements with 'and' or 'or'",
        instance,
    )  # fmt: skip


def given_twice(form: str, name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    hint = (
        "give it in one 'when', with the other conditions after 'elsewhen'"
        if form == "new"
        else "give it once, or in different branches of one 'if'"
    )
    return Diagnostic("E335", f"{form}({name}) is given twice", span, hint, instance, (Label(first, "first here"),))


def never_true(span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E336", "this condition never becomes true: it contains nothing that varies", span,
        "a 'when' acts at the instant when its condition becomes true; for a condition on parameters, use "
        "'if'",
        instance,
    )  # fmt: skip


def nothing_new(name: str, span: Span, instance: str) -> Diagnostic:
    hint = f"for a variable that is not discrete, write {name}"
    if span.text.startswith("change"):
        hint = f"change(n) asks for a discrete variable; compare another one, as in when {name} > 0 then"
    return Diagnostic("E337", f"new({name}) is used, but no equation gives it", span, hint, instance)


def derivative_of_discrete(name: str, span: Span, given: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E338", f"'{name}' is discrete: it keeps its value between events and has no derivative", span,
        f"use init({name}) to restart a state, or take the derivative of the variables that determine {name}", instance,
        (Label(given, f"new({name}) is given here"),),
    )  # fmt: skip


def bad_restart(what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E339", f"init(...) cannot be applied to {what}", span,
        "restart a variable of this model whose derivative is in an equation", instance,
    )  # fmt: skip


def fails_always(text: str, span: Span, submodel: Span | None, given: tuple[Label, ...], instance: str) -> Diagnostic:
    """`submodel` is the declaration of the submodel that contains the assertion, None for the object itself; `given` is
    where its values come from beyond that. Of an assertion in a library, the first place is the first of these that is
    the user's."""
    labels = [Label(submodel, f"the values of '{instance}'")] if submodel is not None else []
    places = [Label(span, "this assertion"), *labels, *given]
    first = next((each for each in places if not each.span.source.is_shipped), places[0])
    others = tuple(each for each in places if each is not first)
    return Diagnostic(
        "E340", f"this assertion cannot hold: {text}", first.span, "check the values in it", instance, others
    )


def bad_table(what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E341", f"the table of 'interp1' {what}", span,
        "write interp1(x, xs, ys) with two vectors of the same length, or interp1(x, T) with a matrix of two columns; "
        "the values of xs must ascend", instance,
    )  # fmt: skip


def bad_table_of_two(what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E341", f"the table of 'interp2' {what}", span,
        "write interp2(x, y, xs, ys, Z) with two vectors and a matrix with a row for each x and a column for each y, "
        "or interp2(x, y, T) with the xs in the first column of T and the ys in its first row; both must ascend",
        instance,
    )  # fmt: skip


def new_at_start(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E342", f"new({name}) is not allowed in 'initial'", span,
        f"write {name} = ... for the start value, or {name} (start=...) in the declaration", instance,
    )  # fmt: skip
