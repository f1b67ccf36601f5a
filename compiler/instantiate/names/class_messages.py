"""Constructs the diagnostics of files, includes and classes (E2xx)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutset.compiler.diagnostics import STANDARD, Diagnostic, Edit, Hint, Label, Source, Span, did_you_mean, edits_of
from cutset.compiler.instantiate.messages import cycle, some
from cutset.compiler.instantiate.names.standard_libraries import (
    enumerated,
    include_of,
    libraries_with,
    standard_libraries,
)
from cutset.compiler.instantiate.names.suggestions import to_include
from cutset.compiler.syntax.tree import Include
from cutset.contract.names import rpartition


def file_not_found(name: str, span: Span | None, searched: Iterable[str]) -> Diagnostic:
    if span is None:
        return Diagnostic(
            "E201", f"there is no file '{name}'", hint="check the path; the names of model files end in .mo"
        )
    meant = did_you_mean(name, standard_libraries())
    places = f"searched in: {', '.join(searched)}; add another folder with -I FOLDER"
    hint = Hint(f"{meant} {places}", *edits_of(meant)) if meant else places
    return Diagnostic("E201", f"there is no file '{name}' to include", span, hint)


def nothing_to_exchange(old: str, file: str, includes: Sequence[Include]) -> Diagnostic:
    """No file includes the library `old`, which another one should replace; `includes` are those of the model file."""
    message = f"'{file}' does not include the library '{old}', which another one should replace"
    if not includes:
        return Diagnostic("E135", message, hint="it includes no library: translate it without this replacement")
    hint = f"replace a library that it includes: {some([include.name for include in includes])}"
    return Diagnostic("E135", message, includes[0].span, hint)


def no_library_instead(name: str, old: str, span: Span, searched: Iterable[str]) -> Diagnostic:
    """There is no library `name`, which should be used instead of the included `old`."""
    hint = did_you_mean(name, standard_libraries())
    hint = hint or f"searched in: {', '.join(searched)}; add another folder with -I FOLDER"
    return Diagnostic("E136", f"there is no library '{name}' to use instead of '{old}'", span, hint)


def file_unreadable(name: str, reason: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic(
        "E202", f"the file '{name}' cannot be read: {reason}", span, "a model file must be a text file in UTF-8"
    )


def too_much_text(most: str, span: Span | None) -> Diagnostic:
    hint = "include fewer files: all included files are read, even if they are not used"
    return Diagnostic("E128", f"with this file the model has more than {most}", span, hint)


def include_outside(name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "E203",
        f"'{name}' is outside of the library path",
        span,
        "a file can include files in its own folder or below, on the library path and in the standard library",
    )


def fmu_damaged(name: str, reason: str, span: Span) -> Diagnostic:
    hint = "export the FMU again, or copy it again: the file may be incomplete"
    return Diagnostic("E137", f"the FMU '{name}' cannot be read: {reason}", span, hint)


def fmu_unsafe(name: str, reason: str, span: Span) -> Diagnostic:
    hint = "do not use this file: no tool writes such FMUs"
    return Diagnostic("E138", f"the FMU '{name}' is rejected: {reason}", span, hint)


def fmu_unsuited(name: str, reason: str, hint: str, span: Span) -> Diagnostic:
    return Diagnostic("E139", f"the FMU '{name}' cannot be a component: {reason}", span, hint)


def fmu_without_binary(name: str, platforms: Sequence[str], span: Span) -> Diagnostic:
    """E660 for an FMU without binaries, E661 for one without a binary for this machine: runs have the same codes."""
    if not platforms:
        return Diagnostic("E660", f"the FMU '{name}' contains no binaries", span, "export it again, with binaries")
    notes = (f"it has binaries for {', '.join(platforms)}",)
    hint = "export it for this machine, or compile its sources"
    return Diagnostic("E661", f"the FMU '{name}' has no binary for this machine", span, hint, notes=notes)


def fmu_without_reader(name: str, span: Span) -> Diagnostic:
    hint = "install it: pip install fmpy"
    return Diagnostic("E140", f"the FMU '{name}' cannot be read without the package fmpy", span, hint)


def fmu_as_type(name: str, span: Span) -> Diagnostic:
    hint = f'write submodel (fmu "{name}") c'
    return Diagnostic("E141", f"the FMU '{name}' is the class of a submodel, not a type", span, hint)


def class_twice(what: str, name: str, span: Span, first: Span) -> Diagnostic:
    hint = "rename one of them"
    if span.source is not first.source:
        hint += ", or include one of the files with a prefix: @file as prefix"
    return Diagnostic(
        "E204", f"the {what} '{name}' is declared twice", span, hint, labels=(Label(first, "first here"),)
    )


def copies(one: Span, two: Span, first: str, other: str) -> Diagnostic:
    return Diagnostic(
        "E204",
        f"a library and a copy of it are both included: {first} and {other}",
        two,
        "include one of them only; a copy of a library needs copies of all its files",
        labels=(Label(one, "included here first"),),
    )


def classes_twice(names: Sequence[str], included: tuple[str, str], span: Span, first: Span) -> Diagnostic:
    """Two `included` files share these names; `span` and `first` are the includes."""
    one, other = included
    prefix = other[:3]
    hint = (
        f"include one of them with a prefix: @{other} as {prefix}; then its classes are {prefix}.{names[0]} and so on"
    )
    named = some(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return Diagnostic(
        "E134",
        f"'{one}' and '{other}' have {len(names)} names in common: {named}",
        span,
        hint,
        labels=(Label(first, "the other one"),),
    )


def unknown_class(
    name: str,
    span: Span,
    known: Iterable[str],
    here: Iterable[str] = (),
    file: Source | None = None,
    instead: Mapping[str, str] | None = None,
) -> Diagnostic:
    """`here`: its name with the file's prefix; `file`: another file that was read and declares it; `instead`: libraries
    that are replaced, each with the one that is used."""
    called = sorted(here)
    for old, new in (instead or {}).items():
        if not called and old in libraries_with(name):
            hint = f"'{new}' is used instead of '{old}' and lacks this class: use '{old}', or another class of '{new}'"
            return Diagnostic("E205", f"unknown class '{name}'", span, hint)
    hint = did_you_mean(name, known)
    if called:
        edits = [Edit("replace", other, name) for other in called]
        hint = Hint(f"in this file its name is {' or '.join(called)}", *edits)
    libraries = [] if called else libraries_with(name)
    if file and not called:
        read = file.shown.removeprefix(f"{STANDARD}/").removesuffix(".mo")
        libraries = [library for library in libraries if library in (read, read.partition("/")[0])]
        hint = hint if libraries else to_include(file, span)
    if libraries:
        included = enumerated(map(include_of, libraries), "or")
        edits = [Edit("include", include_of(library)) for library in libraries]
        words = f"it is in {included}: write this before the models" + (f"; or {hint}" if hint else "")
        hint = Hint(words, *edits, *edits_of(hint))
    return Diagnostic("E205", f"unknown class '{name}'", span, hint or "include the file that declares it: @name")


def prefix_twice(prefix: str, span: Span, first: Span) -> Diagnostic:
    return Diagnostic(
        "E256", f"the prefix '{prefix}' is given to two files", span, "choose another prefix for one of them",
        labels=(Label(first, "first here"),),
    )  # fmt: skip


def unknown_prefix(prefix: str, name: str, span: Span, known: Iterable[str], given: Include | None) -> Diagnostic:
    """`given`: the include by which another file has this prefix."""
    hint = did_you_mean(rpartition(name)[0], known) or (given and to_include(given.span.source, span))
    hint = hint or f"include a file with this prefix: @file as {prefix}"
    return Diagnostic("E257", f"unknown prefix '{prefix}' in '{name}'", span, hint)


def no_object(file: str, span: Span | None) -> Diagnostic:
    hint = "add an object: model Name ... end (without the keyword 'class')"
    return Diagnostic("E206", f"'{file}' declares no object to translate", span, hint)


def unknown_object(name: str, known: Iterable[str], file: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"its objects are: {some(names)}" if names else "it has no objects")
    return Diagnostic("E207", f"'{file}' has no object '{name}'", hint=hint)


def contains_itself(name: str, span: Span, chain: Sequence[str], relation: str, what: str = "class") -> Diagnostic:
    hint = f"break the cycle at one of these {'cuts' if what == 'cut' else 'classes'}"
    return Diagnostic("E208", f"the {what} '{name}' {relation} itself: {cycle(chain)}", span, hint)


def object_as_class(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E209",
        f"'{name}' is an object, not a class",
        span,
        f"declare it as a class: model class {name}",
        labels=(Label(declared, "declared as an object here"),),
    )


def no_class(name: str, owner: str, declared: Span, path: str, submodel: Span | None) -> Diagnostic:
    of = f"'{path}' (class {owner})" if path else f"'{owner}'"
    hint = (
        f"give a class at the submodel, in parentheses: ({name} = ...)"
        if submodel
        else f"give it a default: class {name} = ..."
    )
    labels = (Label(submodel, f"give it here: {name} = ..."),) if submodel else ()
    return Diagnostic("E258", f"the class parameter '{name}' of {of} has no class", declared, hint, path, labels)


def value_for_class(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E259", f"'{name}' is a class parameter, but this is a "
                "value", span, f"write the name of a class: {name} = ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def class_as_value(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E260", f"'{name}' is a class parameter and has no "
                "value", span, f"use it for submodels: submodel ({name}) ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def lacks_of_limit(
    name: str, parameter: str, limit: str, lacking: Sequence[str], span: Span, place: Span, instance: str
) -> Diagnostic:
    return Diagnostic(
        "E355", f"'{name}' cannot be the class '{parameter}': it has {_listed(lacking)}", span,
        f"give a class with all that '{limit}' has, such as a subclass: model class ({limit}) ...", instance,
        (Label(place, f"'{parameter}' has to be like '{limit}'"),),
    )  # fmt: skip


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def class_parameter_inherited(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E261", f"the class parameter '{name}' cannot be a superclass", span,
        f"declare a submodel of it, submodel ({name}) ..., or inherit from a class with a fixed name",
        labels=(Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def too_deep(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E235", f"submodels are nested more than 200 deep at '{name}'", span, "check for a cycle", instance
    )


def too_many_submodels(name: str, most: int, span: Span, instance: str) -> Diagnostic:
    hint = "make the array smaller, or the arrays that contain it"
    return Diagnostic("E238", f"with '{name}' the model would have more than {most} submodels", span, hint, instance)


def bad_mesh_file(name: str, what: str, span: Span) -> Diagnostic:
    hint = "name a mesh file in the format STL, OBJ, DAE or GLB, or export it again"
    return Diagnostic("E347", f"the mesh '{name}' cannot be drawn: {what}", span, hint)


def tables_in_units(name: str, unit: str, other: str, span: Span) -> Diagnostic:
    what = (
        f"the table '{name}' has its numbers in {unit or 'no unit'}, another one that is used here in {other or 'none'}"
    )
    return Diagnostic("E346", what, span, "give the heads of these columns units of one kind: p [bar], p [Pa]")


def bad_table_file(name: str, what: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "E346", f"the table '{name}' {what}", span,
        "write a line for each row, with numbers separated by commas; a first line may have the names of the columns",
    )  # fmt: skip
