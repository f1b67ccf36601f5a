"""The diagnostics of instantiation (E2xx), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean, one_of
from cutset.compiler.instantiate.meant import function_meant, name_meant

_MOST_NAMES = 20


def file_not_found(name: str, span: Span | None, searched: Iterable[str]) -> Diagnostic:
    places = ", ".join(searched)
    if span is None:
        return Diagnostic("E201", f"there is no file '{name}'", hint="check the path; model files end in .mo")
    return Diagnostic("E201", f"there is no file '{name}' to include", span, f"looked in: {places}")


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


def unknown_class(name: str, span: Span, known: Iterable[str], here: Iterable[str] = (), file: str = "") -> Diagnostic:
    """`here`: where the file has it under a prefix; `file`: another one that declares it."""
    called = sorted(here)
    hint = f"here it is called {' or '.join(called)}" if called else did_you_mean(name, known)
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


def no_class(name: str, owner: str, declared: Span, path: str, submodel: Span | None) -> Diagnostic:
    of = f"'{path}' (class {owner})" if path else f"'{owner}'"
    hint = f"write a class into the brackets of the submodel: ({name} = ...)" if submodel else f"give it a default: class {name} = ..."
    labels = (Label(submodel, f"give it here: {name} = ..."),) if submodel else ()
    return Diagnostic("E258", f"no class is given for the class parameter '{name}' of {of}", declared, hint, path, labels)


def value_for_class(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E259", f"'{name}' stands for a class, this is a value", span, f"write the name of a class: {name} = ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def class_as_value(name: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E260", f"'{name}' stands for a class and has no value", span, f"use it for submodels: submodel ({name}) ...", instance,
        (Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def class_parameter_inherited(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E261", f"the class parameter '{name}' cannot be a superclass", span,
        f"declare a submodel of it, submodel ({name}) ..., or inherit from a class with a fixed name",
        labels=(Label(declared, "declared as a class parameter here"),),
    )  # fmt: skip


def external_with(name: str, what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E262", f"'{name}' is external and cannot have {what} of its own", span,
        "give it where it is declared as internal, in a model around this one", instance,
    )  # fmt: skip


def no_internal(
    name: str, span: Span, known: Iterable[str], place: tuple[Span, str] | None, instance: str
) -> Diagnostic:
    """`place`: where the declaration could stand, and what to do there."""
    hint = did_you_mean(name, known) or f"write into a model around it: internal {name} = ... (a number), or internal {name}"
    if place is None:
        hint = f"nothing is around this object: declare it here, internal {name} = ..."
    labels = (Label(*place),) if place else ()
    return Diagnostic("E263", f"no model around '{instance}' declares '{name}' as internal", span, hint, instance, labels)


def external_shape(name: str, shape: str, wanted: str, span: Span, internal: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E264", f"the external '{name}' is {shape}, the internal one is {wanted}", span,
        "give both the same dimensions", instance, (Label(internal, "declared as internal here"),),
    )  # fmt: skip


def default_without_value(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E266", f"the default of '{name}' has no value", span, f"write default {name} = ...", instance)


def default_of_other(name: str, kind: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = f"a parameter has its default where it is declared: {kind} {name} = ..." if kind in ("parameter", "constant") else (
        f"declare '{name}' as terminal, or write the equation {name} = ..."
    )
    return Diagnostic(
        "E267", f"'{name}' is no terminal: only terminals have a default of this kind", span, hint, instance,
        (Label(declared, "declared here"),),
    )  # fmt: skip


def default_of_input(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E268", f"'{name}' is an input of the object itself and is given from outside: a default would never hold", span,
        f"declare it as a terminal or a parameter, or give '{name}' a value for the run", instance,
    )  # fmt: skip


def two_mains(what: str, name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E269", f"'{name}' is a second main {what}", span, "write 'main' before one of them only; what is inherited stays main",
        instance, (Label(first, f"the main {what} is this"),),
    )  # fmt: skip


def no_object(file: str, span: Span | None) -> Diagnostic:
    hint = "a file that is simulated holds an object: model Name ... end (without the word 'class')"
    return Diagnostic("E206", f"'{file}' declares no object to translate", span, hint)


def unknown_object(name: str, known: Iterable[str], file: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"it has: {_some(names)}" if names else "it declares none")
    return Diagnostic("E207", f"'{file}' has no object '{name}'", hint=hint)


def contains_itself(name: str, span: Span, chain: Sequence[str], relation: str, what: str = "class") -> Diagnostic:
    hint = f"break the circle at one of these {'cuts' if what == 'cut' else 'classes'}"
    return Diagnostic("E208", f"the {what} '{name}' {relation} itself: {_circle(chain)}", span, hint)


def object_as_class(name: str, span: Span, declared: Span) -> Diagnostic:
    return Diagnostic(
        "E209",
        f"'{name}' is an object, not a class",
        span,
        f"declare it as: model class {name}",
        labels=(Label(declared, "declared as an object here"),),
    )


def declared_twice(what: str, name: str, span: Span, first: Span, instance: str, hint: str = "") -> Diagnostic:
    hints = {
        "variable": "a subclass may only give an inherited parameter a new default",
        "default": "remove one of them; a subclass may give a new default",
    }
    return Diagnostic(
        "E210",
        f"the {what} '{name}' is declared twice",
        span,
        hint or hints.get(what, "rename one of them"),
        instance,
        labels=(Label(first, "first here"),),
    )


def unknown_name(name: str, span: Span, known: Iterable[str], instance: str, hint: str = "") -> Diagnostic:
    hint = hint or name_meant(name) or did_you_mean(name, known) or f"declare it: local {name}"
    return Diagnostic("E211", f"unknown name '{name}'", span, hint, instance)


def unknown_member(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"seen from outside are: {_some(names)}" if names else "")
    return Diagnostic("E212", f"'{owner}' has no variable '{name}'", span, hint, instance)


def unknown_submodel(name: str, span: Span, known: Iterable[str], instance: str, hint: str = "") -> Diagnostic:
    hint = hint or did_you_mean(name, known) or f"declare it: submodel (Class) {name}"
    return Diagnostic("E213", f"unknown submodel '{name}'", span, hint, instance)


def not_visible(name: str, owner: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E214",
        f"'{name}' is local to '{owner}'",
        span,
        "declare it as terminal to use it from outside",
        instance,
        labels=(Label(declared, "declared here"),),
    )


def unknown_function(name: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    hint = function_meant(name) or did_you_mean(name, known)
    return Diagnostic("E215", f"unknown function or array '{name}'", span, hint, instance)


def wrong_arguments(name: str, expected: int | Sequence[int], found: int, span: Span, instance: str) -> Diagnostic:
    counts = (expected,) if isinstance(expected, int) else sorted(expected)
    plural = "argument" if counts[-1] == 1 else "arguments"
    takes = " or ".join(map(str, counts))
    return Diagnostic("E216", f"'{name}' takes {takes} {plural}, not {found}", span, "", instance)


def wrong_shape(message: str, span: Span, instance: str, hint: str = "") -> Diagnostic:
    return Diagnostic("E217", message, span, hint or "compare the dimensions in the declarations", instance)


def sides_differ(left: str, right: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E218",
        f"the left side is {left}, the right side {right}",
        span,
        "both sides of an equation need one shape; a literal 0 stands for zeros of any shape",
        instance,
    )


def bad_index(message: str, span: Span, instance: str, hint: str = "indices count from 1") -> Diagnostic:
    return Diagnostic("E219", message, span, hint, instance)


def not_constant(
    what: str, span: Span, instance: str, hint: str = "use numbers, constants and parameters"
) -> Diagnostic:
    return Diagnostic("E220", f"{what} must be known at translation", span, hint, instance)


def not_parameter(what: str, name: str, span: Span, instance: str) -> Diagnostic:
    hint = "what varies in time belongs into an equation"
    if "'if'" in what:
        hint = "an 'if' around equations chooses at translation; what changes during a run is x = if c then a else b"
    return Diagnostic("E221", f"{what} uses '{name}', which is not a parameter or constant", span, hint, instance)


def no_value(
    kind: str, name: str, declared: Span, instance: str, submodel: Span | None, hint: str = ""
) -> Diagnostic:
    owner = f" of '{instance}'" if instance else ""
    labels = (Label(submodel, f"give it here: {name} = ..."),) if submodel else ()
    place = f"write a value into the brackets of the submodel: ({name} = ...)" if submodel else f"give it a default: {name} = ..."
    return Diagnostic("E222", f"the {kind} '{name}'{owner} has no value", declared, hint or place, instance, labels)


def unknown_parameter(
    name: str, owner: str, span: Span, parameters: Sequence[str], terminals: Sequence[str], instance: str, hint: str = ""
) -> Diagnostic:
    """`hint` says what was meant, if that is known."""
    has = f"it has: {_some(sorted(parameters))}" if parameters else "it has none"
    has += f"; terminals: {_some(sorted(terminals))}" if terminals else ""
    hint = hint or did_you_mean(name, [*parameters, *terminals]) or has
    return Diagnostic("E223", f"the class '{owner}' has no parameter '{name}'", span, hint, instance)


def bound_twice(name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic("E224", f"'{name}' is given twice", span, "remove one", instance, (Label(first, "first here"),))


def parameter_circle(names: Sequence[str], span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E225", f"parameters depend on each other in a circle: {_circle(names)}", span, "give one of them a number", instance
    )


def unknown_attribute(name: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or f"attributes are: {_some(names)}"
    return Diagnostic("E226", f"unknown attribute '{name}'", span, hint, instance)


def bad_attribute(message: str, span: Span, hint: str, instance: str) -> Diagnostic:
    return Diagnostic("E227", message, span, hint, instance)


def undefined_value(message: str, span: Span, instance: str, hint: str = "") -> Diagnostic:
    hint = hint or "look at the parameters that are zero or not given"
    return Diagnostic("E228", f"this has no value: {message}", span, hint, instance)


def unknown_point(name: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    hint = did_you_mean(name, known) or one_of(name, known)
    hint = hint or "connect takes submodels, cuts (submodel:cut) and nodes: is it declared?"
    return Diagnostic("E230", f"there is no submodel, cut or node '{name}'", span, hint, instance)


def unknown_cut(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"its cuts are: {_some(names)}" if names else "it has no cuts")
    return Diagnostic("E231", f"'{owner}' has no cut '{name}'", span, hint, instance)


def no_main_cut(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    cuts = _some([f"{name}:{k}" for k in sorted(known)])
    hint = f"name the cut: {cuts}" if cuts else "it has no cut at all"
    return Diagnostic("E232", f"'{name}' (class {owner}) has no main cut", span, hint, instance)


def part_counts(left: str, n: int, right: str, m: int, span: Span, instance: str) -> Diagnostic:
    def cuts(k: int) -> str:
        return "one cut" if k == 1 else f"{k} cuts"

    return Diagnostic(
        "E233",
        f"{left} has {cuts(n)}, {right} has {cuts(m)}",
        span,
        "cuts are joined part by part: list as many nodes or cuts as the main cut has parts",
        instance,
    )


def ambiguous_point(name: str, span: Span, kinds: Iterable[str], instance: str) -> Diagnostic:
    return Diagnostic("E234", f"'{name}' is {' and '.join(kinds)}", span, "rename one of them, or write submodel:cut", instance)


def too_deep(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E235", f"submodels are nested more than 200 deep at '{name}'", span, "look for a circle", instance)


def assigned_constant(name: str, owner: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E236",
        f"'{name}' of class '{owner}' is a constant and cannot be given a value",
        span,
        "declare it as parameter",
        instance,
        labels=(Label(declared, "declared here"),),
    )


def one_end(name: str, span: Span, instance: str) -> Diagnostic:
    hint = "what is reversed has a left and a right end: give its class a main path, main path P <A - B>"
    return Diagnostic("E237", f"'{name}' has no two ends that could be exchanged", span, hint, instance)


def too_many_submodels(name: str, most: int, span: Span, instance: str) -> Diagnostic:
    hint = "make the array smaller, and look at those that it stands in"
    return Diagnostic("E238", f"with '{name}' the model would have more than {most} submodels", span, hint, instance)


def array_length(name: str, length: int, found: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E239",
        f"the array has {length} submodels, the value of '{name}' is {found}",
        span,
        "a value with one dimension more has an element (a row) for each of them; any other is the same for all",
        instance,
    )


def too_large(what: str, place: tuple[Span, str] | None) -> Diagnostic:
    span, instance = place or (None, "")
    hint = "look for arrays and ranges that are larger than they were meant to be"
    return Diagnostic("E129", f"this model is too large to be translated: {what}", span, hint, instance)


def too_many_rounds(most: int, span: Span, instance: str) -> Diagnostic:
    hint = "look at the ends of the range, and of those around it"
    return Diagnostic("E253", f"the 'for' of this model would take more than {most} rounds together", span, hint, instance)


def index_taken(name: str, span: Span, declared: Span | None, instance: str) -> Diagnostic:
    labels = (Label(declared, "declared here"),) if declared else ()
    return Diagnostic("E254", f"'{name}' has a meaning here already", span, "choose another index", instance, labels)


def absent(path: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E255",
        f"'{path}' is absent: its condition does not hold",
        span,
        "what an absent submodel declares cannot be used",
        instance,
        labels=(Label(declared, "declared with the condition here"),),
    )


def value_without_equation(kind: str, name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E250",
        f"'{name}' is declared as {kind} and cannot be given a value there",
        span,
        f"write the equation {name} = ... on a line of its own, or {name} (start=...) for an initial value",
        instance,
    )


def joined_with_itself(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E251", f"'{name}' is connected with itself", span, "both ends of a connection are the same point", instance
    )


def connected_with_nothing(name: str, span: Span, instance: str) -> Diagnostic:
    hint = f"write what it is connected with: {name} to ...; a comma begins another connection"
    return Diagnostic("E133", f"'{name}' alone is no connection", span, hint, instance)


def other_submodel(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E252",
        f"a value given to a submodel cannot use '{name}', which belongs to another submodel",
        span,
        "declare a parameter in the enclosing model and give it to both",
        instance,
    )


def not_differentiable(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function that gives its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' has no derivative"
    return Diagnostic("E298", message, span, hint, instance)


def _some(names: Sequence[str]) -> str:
    """The first of the names, and how many there are more."""
    more = [f"and {len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    return ", ".join([*names[:_MOST_NAMES], *more])


def _circle(names: Sequence[str]) -> str:
    """The names one behind the other; the middle of a long circle is left out."""
    shown = names if len(names) <= _MOST_NAMES else [*names[:6], f"({len(names) - 8} more)", *names[-2:]]
    return " > ".join(shown)
