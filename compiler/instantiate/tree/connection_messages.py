"""Constructs the diagnostics of cuts and connections (E2xx)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from cutset.compiler.diagnostics import Diagnostic, Hint, Label, Span, did_you_mean, one_of
from cutset.compiler.expressions.array import Shape, by_words
from cutset.compiler.instantiate.messages import some


def two_mains(what: str, name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E269", f"'{name}' is a second main "
                f"{what}", span, f"write 'main' before only one of them; an inherited main {what} stays main",
        instance, (Label(first, f"the main {what} is this"),),
    )  # fmt: skip


def unknown_point(
    name: str, span: Span, known: Iterable[str], nodes: Collection[str], is_place: bool, instance: str
) -> Diagnostic:
    """`is_place` if something is connected `at` this name, as at a node."""
    alike = {re.sub(r"\d+", "", node) for node in nodes if node[-1:].isdigit()}
    declare = f"declare it: node {name}"
    near = did_you_mean(name, known)
    if is_place or re.sub(r"\d+", "", name) in alike:
        hint: str = Hint(f"{near} Otherwise {declare}", *near.edits) if isinstance(near, Hint) else declare
    else:
        hint = near or one_of(name, known)
    hint = hint or f"connect takes submodels, cuts (submodel:cut) and nodes: correct the name, or {declare}"
    return Diagnostic("E230", f"there is no submodel, cut or node '{name}'", span, hint, instance)


def unknown_cut(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"its cuts are: {some(names)}" if names else "it has no cuts")
    return Diagnostic("E231", f"'{owner}' has no cut '{name}'", span, hint, instance)


def no_main_cut(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    cuts = some([f"{name}:{k}" for k in sorted(known)])
    hint = f"name the cut: {cuts}" if cuts else "it has no cuts"
    return Diagnostic("E232", f"'{name}' (class {owner}) has no main cut", span, hint, instance)


def part_counts(left: str, n: int, right: str, m: int, span: Span, instance: str, array: str = "") -> Diagnostic:
    """`array` is the name of the one that is an array of cuts or nodes."""

    def cuts(k: int) -> str:
        return "one cut" if k == 1 else f"{k} cuts"

    return Diagnostic(
        "E233",
        f"{left} has {cuts(n)}, but {right} has {cuts(m)}",
        span,
        f"name one of them, {array}(1), or connect each of them: {array}(:)"
        if array
        else "a connection joins cuts part by part: list as many nodes or cuts as the main cut has parts",
        instance,
    )


def ranges_differ(first: tuple[str, Shape], second: tuple[str, Shape], span: Span, instance: str) -> Diagnostic:
    (one, n), (other, m) = first, second
    message = f"'{one}' selects {by_words(n)} elements, but '{other}' {by_words(m)}"
    hint = "the ranges of a connection are followed together, element by element"
    return Diagnostic("E233", message, span, hint, instance)


def ambiguous_point(name: str, span: Span, kinds: Iterable[str], instance: str) -> Diagnostic:
    return Diagnostic(
        "E234", f"'{name}' is {' and '.join(kinds)}", span, "rename one of them, or write submodel:cut", instance
    )


def one_end(name: str, span: Span, instance: str) -> Diagnostic:
    hint = "remove 'reversed', or give its class a main path: main path P <A - B>"
    return Diagnostic("E237", f"'{name}' cannot be reversed: it does not have two ends", span, hint, instance)


def joined_with_itself(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E251", f"'{name}' is connected to itself", span, "connect two different points", instance)


def connected_with_nothing(name: str, span: Span, instance: str) -> Diagnostic:
    hint = f"write what it is connected to: {name} to ...; a comma begins another connection"
    return Diagnostic("E133", f"'{name}' alone is not a connection", span, hint, instance)
