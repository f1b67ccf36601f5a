"""The diagnostics of files, includes and classes (E2xx), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean
from cutset.compiler.instantiate.messages import circle, some
from cutset.compiler.instantiate.names.standard_libraries import libraries_with


def file_not_found(name: str, span: Span | None, searched: Iterable[str]) -> Diagnostic:
    places = ", ".join(searched)
    if span is None:
        return Diagnostic("E201", f"there is no file '{name}'", hint="check the path; model files end in .mo")
    return Diagnostic(
        "E201", f"there is no file '{name}' to include", span, f"looked in: {places}; -I FOLDER names a further one"
    )


def file_unreadable(name: str, reason: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic("E202", f"the file '{name}' cannot be read: {reason}", span, "a model file is a text in UTF-8")


def too_much_text(most: str, span: Span | None) -> Diagnostic:
    hint = "include less: all that is included is read, whether it is used or not"
    return Diagnostic("E128", f"with this file the model has more than {most}", span, hint)


def include_outside(name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "E203",
        f"'{name}' lies outside the library path",
        span,
        "a file may include what lies beside it or below, on the library path and in the standard library",
    )


def class_twice(what: str, name: str, span: Span, first: Span) -> Diagnostic:
    hint = "rename one of them"
    if span.source is not first.source:
        hint += ", or put one of the files under a prefix: @file as prefix"
    return Diagnostic(
        "E204", f"the {what} '{name}' is declared twice", span, hint, labels=(Label(first, "first here"),)
    )


def classes_twice(names: Sequence[str], included: tuple[str, str], span: Span, first: Span) -> Diagnostic:
    """Two files that are `included` have so many names in common; `span` and `first` are the includes."""
    one, other = included
    prefix = other[:3]
    hint = f"put one of them under a prefix: @{other} as {prefix}; its classes are then {prefix}.{names[0]} and so on"
    named = some(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return Diagnostic(
        "E134",
        f"'{one}' and '{other}' have {len(names)} names in common: {named}",
        span,
        hint,
        labels=(Label(first, "the other one"),),
    )


def unknown_class(name: str, span: Span, known: Iterable[str], here: Iterable[str] = (), file: str = "") -> Diagnostic:
    """`here`: where the file has it under a prefix; `file`: another one that declares it."""
    called = sorted(here)
    hint = f"here it is called {' or '.join(called)}" if called else did_you_mean(name, known)
    libraries = libraries_with(name) if not called else []
    if libraries:
        included = " or ".join(f"@{library}" for library in libraries)
        hint = f"it is in {included}: write that in front of the models" + (f"; or {hint}" if hint else "")
    if not hint and file:
        hint = f"it is declared in '{file}': include that here"
    return Diagnostic("E205", f"unknown class '{name}'", span, hint or "include the file that declares it: @name")


def prefix_twice(prefix: str, span: Span, first: Span) -> Diagnostic:
    return Diagnostic(
        "E256", f"the prefix '{prefix}' stands for two files", span, "choose another prefix for one of them",
        labels=(Label(first, "first here"),),
    )  # fmt: skip


def unknown_prefix(prefix: str, name: str, span: Span, known: Iterable[str]) -> Diagnostic:
    hint = did_you_mean(name.rpartition(".")[0], known) or f"include a file under this prefix: @file as {prefix}"
    return Diagnostic("E257", f"unknown prefix '{prefix}' in '{name}'", span, hint)


def no_object(file: str, span: Span | None) -> Diagnostic:
    hint = "a file that is simulated holds an object: model Name ... end (without the word 'class')"
    return Diagnostic("E206", f"'{file}' declares no object to translate", span, hint)


def unknown_object(name: str, known: Iterable[str], file: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"it has: {some(names)}" if names else "it declares none")
    return Diagnostic("E207", f"'{file}' has no object '{name}'", hint=hint)


def contains_itself(name: str, span: Span, chain: Sequence[str], relation: str, what: str = "class") -> Diagnostic:
    hint = f"break the circle at one of these {'cuts' if what == 'cut' else 'classes'}"
    return Diagnostic("E208", f"the {what} '{name}' {relation} itself: {circle(chain)}", span, hint)


def object_as_class(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E209",
        f"'{name}' is an object, not a class",
        span,
        f"declare it as: model class {name}",
        labels=(Label(declared, "declared as an object here"),),
    )


def no_class(name: str, owner: str, declared: Span, path: str, submodel: Span | None) -> Diagnostic:
    of = f"'{path}' (class {owner})" if path else f"'{owner}'"
    hint = (
        f"write a class into the brackets of the submodel: ({name} = ...)"
        if submodel
        else f"give it a default: class {name} = ..."
    )
    labels = (Label(submodel, f"give it here: {name} = ..."),) if submodel else ()
    return Diagnostic(
        "E258", f"no class is given for the class parameter '{name}' of {of}", declared, hint, path, labels
    )


def value_for_class(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E259", f"'{name}' stands for a class, this is a "
                "value", span, f"write the name of a class: {name} = ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def class_as_value(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E260", f"'{name}' stands for a class and has no "
                "value", span, f"use it for submodels: submodel ({name}) ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def class_parameter_inherited(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E261", f"the class parameter '{name}' cannot be a superclass", span,
        f"declare a submodel of it, submodel ({name}) ..., or inherit from a class with a fixed name",
        labels=(Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def too_deep(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E235", f"submodels are nested more than 200 deep at '{name}'", span, "look for a circle", instance
    )


def too_many_submodels(name: str, most: int, span: Span, instance: str) -> Diagnostic:
    hint = "make the array smaller, and look at those that it stands in"
    return Diagnostic("E238", f"with '{name}' the model would have more than {most} submodels", span, hint, instance)
