"""Constructs the diagnostics of names, values and shapes (E2xx)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, Label, Span, did_you_mean
from cutset.compiler.expressions.array import Shape, by_words, shape_words
from cutset.compiler.instantiate.names.suggestions import function_meant, name_meant, to_include
from cutset.compiler.syntax.tree import Function, is_result

_MOST_NAMES = 20


def some(names: Sequence[str]) -> str:
    """The first of the names, and the number of the others."""
    more = [f"and {len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    return ", ".join([*names[:_MOST_NAMES], *more])


def cycle(names: Sequence[str]) -> str:
    """The names in order, without the middle of a long cycle."""
    shown = names if len(names) <= _MOST_NAMES else [*names[:6], f"({len(names) - 8} more)", *names[-2:]]
    return " > ".join(shown)


def external_with(name: str, what: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E262", f"'{name}' is external and cannot have its own {what}", span,
        f"give it where '{name}' is declared as internal, in an enclosing model", instance,
    )  # fmt: skip


def no_internal(
    name: str, span: Span, known: Iterable[str], place: tuple[Span, str] | None, instance: str
) -> Diagnostic:
    """`place`: where to declare it, and how."""
    hint = (
        did_you_mean(name, known)
        or f"write in an enclosing model: internal {name} = ... (a number), or internal {name}"
    )
    if place is None:
        hint = f"this object has no enclosing model: declare it here, internal {name} = ..."
    labels = (Label(*place),) if place else ()
    return Diagnostic(
        "E263", f"no model that encloses '{instance}' declares '{name}' as internal", span, hint, instance, labels
    )


def external_shape(name: str, shape: str, wanted: str, span: Span, internal: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E264", f"the external '{name}' is {shape}, but the internal one is {wanted}", span,
        "declare both with the same dimensions", instance, (Label(internal, "declared as internal here"),),
    )  # fmt: skip


def default_without_value(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic("E266", f"the default of '{name}' has no value", span, f"write default {name} = ...", instance)


def default_of_other(name: str, kind: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    hint = (
        f"give the default in the declaration: {kind} {name} = ..."
        if kind in ("parameter", "constant")
        else (f"declare '{name}' as terminal, or write the equation {name} = ...")
    )
    return Diagnostic(
        "E267", f"'{name}' is not a terminal: only terminals can have such a default", span, hint, instance,
        (Label(declared, "declared here"),),
    )  # fmt: skip


def default_of_input(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E268", f"'{name}' is an input of the object itself, so its value comes from outside: a default has no "
                "effect", span,
        f"declare it as a terminal or a parameter, or give '{name}' a value for the run", instance,
    )  # fmt: skip


def declared_twice(what: str, name: str, span: Span, first: Span, instance: str, hint: str = "") -> Diagnostic:
    hints = {
        "variable": "a subclass can only give an inherited parameter a new default",
        "default": "remove one of them; a subclass can give a new default",
    }
    return Diagnostic(
        "E210",
        f"the {what} '{name}' is declared twice",
        span,
        hint or hints.get(what, "rename one of them"),
        instance,
        labels=(Label(first, "first here"),),
    )


def for_replaced(diagnostics: Iterable[Diagnostic], instead: Mapping[str, str]) -> list[Diagnostic]:
    """The diagnostics; of an unknown name in a model whose library another one replaces, with what may be the
    reason."""
    words = [f"'{new}' is used instead of '{old}', which may declare this name" for old, new in instead.items()]
    hint = "; ".join((*words, "a subclass of Wrench is a force that works with all multibody libraries"))
    return [
        replace(d, hint=hint) if words and d.code == "E211" and d.hint.startswith("declare it: local") else d
        for d in diagnostics
    ]


def unknown_name(name: str, span: Span, known: Iterable[str], instance: str, hint: str = "") -> Diagnostic:
    declared = Hint(f"declare it: local {name}", Edit("declare", f"local {name}"))
    hint = hint or name_meant(name) or did_you_mean(name, known) or declared
    return Diagnostic("E211", f"unknown name '{name}'", span, hint, instance)


def unknown_member(name: str, owner: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or (f"visible from outside are: {some(names)}" if names else "")
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


def unknown_function(
    name: str, span: Span, known: Iterable[str], instance: str, declared: Iterable[Function]
) -> Diagnostic:
    """`declared`: the functions of all files."""
    if is_result(name):
        function, _, number = name.rpartition("#")
        count = max((len(f.all_results) for f in declared if f.name == function), default=0) or 1
        message = f"'{function}' has {count} result{'s' if count > 1 else ''}, but number {number} is taken here"
        hint = "a function with several results names them: function f(x) result q, qd"
        return Diagnostic("E353", message, span, hint, instance)
    elsewhere = next((f.span.source for f in declared if f.name == name), None)
    hint = to_include(elsewhere, span) if elsewhere else function_meant(name) or did_you_mean(name, known)
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
        f"the left side is {left}, the right side is {right}",
        span,
        "both sides of an equation must have the same shape; a literal 0 fits any shape",
        instance,
    )


def bad_index(message: str, span: Span, instance: str, hint: str = "indices begin at 1") -> Diagnostic:
    return Diagnostic("E219", message, span, hint, instance)


def not_constant(
    what: str, span: Span, instance: str, hint: str = "use numbers, constants and parameters"
) -> Diagnostic:
    return Diagnostic("E220", f"{what} must be known at translation", span, hint, instance)


def not_parameter(what: str, name: str, span: Span, instance: str) -> Diagnostic:
    hint = "time-varying quantities belong in an equation"
    if "'if'" in what:
        hint = "a run can choose equations and assertions only; an 'if' around other statements selects at translation"
    return Diagnostic("E221", f"{what} uses '{name}', which is not a parameter or constant", span, hint, instance)


def no_value(kind: str, name: str, declared: Span, instance: str, submodel: Span | None, hint: str = "") -> Diagnostic:
    owner = f" of '{instance}'" if instance else ""
    labels = (Label(declared, f"'{name}' is declared here"),) if submodel else ()
    place = f"give the value here, in parentheses: ({name} = ...)" if submodel else f"give it a default: {name} = ..."
    return Diagnostic(
        "E222", f"the {kind} '{name}'{owner} has no value", submodel or declared, hint or place, instance, labels
    )


def unknown_parameter(
    name: str,
    owner: str,
    span: Span,
    parameters: Sequence[str],
    terminals: Sequence[str],
    given: Container[str],
    instance: str,
    hint: str = "",
) -> Diagnostic:
    """`hint` tells what the user meant, if that is known; a name that is also `given` is an unlikely suggestion."""
    has = f"it has: {some(sorted(parameters))}" if parameters else "it has none"
    has += f"; terminals: {some(sorted(terminals))}" if terminals else ""
    known = (*parameters, *terminals)
    hint = (
        hint or did_you_mean(name, [other for other in known if other not in given]) or did_you_mean(name, known) or has
    )
    return Diagnostic("E223", f"the class '{owner}' has no parameter '{name}'", span, hint, instance)


def no_submodel(
    name: str, owner: str, span: Span, known: Sequence[str], instance: str, labels: tuple[Label, ...]
) -> Diagnostic:
    hint = did_you_mean(name, known) or (f"it has: {some(sorted(known))}" if known else "it has none")
    return Diagnostic("E223", f"the class '{owner}' has no submodel '{name}'", span, hint, instance, labels)


def no_values_of_class(name: str, span: Span, instance: str) -> Diagnostic:
    hint = f"give single values, {name}.R = ..., or a class with values of parameters: {name} = Motor17"
    return Diagnostic("E223", f"'{name}' is a submodel and has no value itself", span, hint, instance)


def computed_in_class(name: str, owner: str, span: Span, place: Span, instance: str) -> Diagnostic:
    labels = (Label(place, f"'{name}' is computed here"),)
    message = f"the class '{owner}' computes '{name}' from others, which is no value for a submodel"
    return Diagnostic("E223", message, span, f"write a number for '{name}'", instance, labels)


def bound_twice(name: str, span: Span, first: Span, instance: str) -> Diagnostic:
    return Diagnostic("E224", f"'{name}' is given twice", span, "remove one", instance, (Label(first, "first here"),))


def elements_differ(
    name: str, elements: Sequence[str], shape: Shape, found: Shape, span: Span, instance: str
) -> Diagnostic:
    """The value of a vector or matrix whose elements are parameters has another shape than these."""
    text = f"'{name}' is {shape_words(shape)}, but its value is {shape_words(found)}"
    first, *_, last = dict.fromkeys(elements)
    return wrong_shape(text, span, instance, f"give the elements {first} to {last}, in this order")


def not_symmetric(name: str, element: str, span: Span, instance: str) -> Diagnostic:
    """The value of a matrix has two numbers for one parameter."""
    hint = f"make it equal to its transpose: the parameter {element} is two of its elements"
    return bad_attribute(f"'{name}' is symmetric, but its value is not", span, hint, instance)


def parameter_cycle(names: Sequence[str], span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E225",
        f"parameters depend on each other in a cycle: {cycle(names)}",
        span,
        "give one of them a number",
        instance,
    )


def unknown_attribute(name: str, span: Span, known: Iterable[str], instance: str) -> Diagnostic:
    names = sorted(known)
    hint = did_you_mean(name, names) or f"attributes are: {some(names)}"
    return Diagnostic("E226", f"unknown attribute '{name}'", span, hint, instance)


def bad_attribute(message: str, span: Span, hint: str, instance: str) -> Diagnostic:
    return Diagnostic("E227", message, span, hint, instance)


def misplaced_tolerance(name: str, span: Span, instance: str) -> Diagnostic:
    hint = "remove it, or give a tolerance to a parameter that determines it"
    return Diagnostic(
        "E142", f"'{name}' has no tolerance: only parameters of real numbers have one", span, hint, instance
    )


def undefined_value(message: str, span: Span, instance: str, hint: str = "") -> Diagnostic:
    hint = hint or "check the parameters that are zero or have no value"
    return Diagnostic("E228", f"this expression has no value: {message}", span, hint, instance)


def assigned_constant(name: str, owner: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E236",
        f"'{name}' of class '{owner}' is a constant and cannot get another value",
        span,
        "declare it as a parameter",
        instance,
        labels=(Label(declared, "declared here"),),
    )


def array_length(name: str, shape: Shape, found: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E239",
        f"the array has {by_words(shape)} submodels, but the value of '{name}' is {found}",
        span,
        "give one value for all submodels, or an array with one more dimension: an element (a row) for each submodel"
        if len(shape) == 1
        else "give one value for all submodels, or a matrix with an element for each",
        instance,
    )


def too_large(what: str, place: tuple[Span, str] | None) -> Diagnostic:
    span, instance = place or (None, "")
    hint = "check for arrays and ranges that are larger than intended"
    return Diagnostic("E129", f"this model is too large to translate: {what}", span, hint, instance)


def too_many_rounds(most: int, span: Span, instance: str) -> Diagnostic:
    hint = "check the limits of this range and of the ranges around it"
    return Diagnostic(
        "E253", f"the 'for' statements of this model need more than {most} iterations in total", span, hint, instance
    )


def index_taken(name: str, span: Span, declared: Span | None, instance: str) -> Diagnostic:
    labels = (Label(declared, "declared here"),) if declared else ()
    return Diagnostic("E254", f"the name '{name}' is already used here", span, "choose another index", instance, labels)


def absent(path: str, span: Span, declared: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E255",
        f"'{path}' is absent: its condition is false",
        span,
        "use it only where its condition holds",
        instance,
        labels=(Label(declared, "declared with the condition here"),),
    )


def value_without_equation(kind: str, name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E250",
        f"'{name}' is declared as {kind} and cannot have a value in its declaration",
        span,
        "remove it: a run gives the value"
        if kind == "input"
        else f"write the equation {name} = ... on its own line, or {name} (start=...) for a start value",
        instance,
    )


def other_submodel(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E252",
        f"a value in a declaration cannot use the submodel '{name}': it is needed before the submodels",
        span,
        "declare a parameter in this model, and give it to the submodel too; or declare a local with an equation",
        instance,
    )


def not_differentiable(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function for its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' has no derivative"
    return Diagnostic("E298", message, span, hint, instance)


def derivative_of_choice(span: Span, instance: str) -> Diagnostic:
    hint = "give the choice a name: in m = if c then 1 else 2 and der(m*v) = F a jump of m makes v jump"
    message = "an 'if' in this derivative jumps at events, where the derivative has no value"
    return Diagnostic("E349", message, span, hint, instance)


def not_variables(span: Span, instance: str) -> Diagnostic:
    hint = "write jacobian(x, q) with a variable q, or with several ones: jacobian(x, [u, v])"
    return Diagnostic("E350", "'jacobian' differentiates by variables, each of them once", span, hint, instance)


def jacobian_of_matrix(x: str, q: str, span: Span, instance: str) -> Diagnostic:
    hint = "differentiate by an element, jacobian(A, q(1)), or a column: jacobian(A(:, 1), q)"
    return Diagnostic("E350", f"the derivative of {x} by {q} has three dimensions", span, hint, instance)


def contains_others(names: Sequence[str], span: Span, users: Sequence[Span], instance: str) -> Diagnostic:
    """`users` are the places of equations that contain what is named; the first place is one of the user's file."""
    shown = ", ".join(f"'{name}'" for name in names[:3]) + (", ..." if len(names) > 3 else "")
    hint = "give a variable by an equation with it alone on one side, or name it in the second argument"
    places = [Label(span, "differentiated here"), *(Label(user, "used here") for user in dict.fromkeys(users))][:3]
    first = next((each for each in places if not each.span.source.is_shipped), places[0])
    others = tuple(each for each in places if each is not first)
    message = f"what is differentiated is no function of the variables alone: it contains {shown}"
    return Diagnostic("E350", message, first.span, hint, instance, others)


def does_not_follow(
    names: Sequence[str], found: float, wanted: float, where: str, span: Span, rule: Span, instance: str
) -> Diagnostic:
    """`names` are the wrong elements, the values those of the first."""
    shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    message = f"{shown} {'does' if len(names) == 1 else 'do'} not follow from the other equations"
    note = f"{f'where {where}, ' if where else ''}{names[0]} is {found:.9g} by its equation, but should be {wanted:.9g}"
    hint = "correct the equation, or leave it out: without one it follows by itself"
    return Diagnostic("E351", message, span, hint, instance, (Label(rule, "must be this"),), notes=(note,))


def number_elsewhere(group: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E343", f'number("{group}") is not the value of a constant', span,
        f'declare a constant, constant k = number("{group}"), and use its name here', instance,
    )  # fmt: skip


def scattered_elsewhere(name: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E345", f"'{name}' of a varying quantity is called outside of the body of a 'when'", span,
        f"write new(y) = {name}(...) in the body of a 'when', for example at samples, and use y here", instance,
    )  # fmt: skip


def counts_itself(group: str, span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E343", f'the size of the group "{group}" depends on itself', span,
        f'do not use count("{group}") for the number of submodels that take numbers of this group', instance,
    )  # fmt: skip


def of_what_is_not_carried(function: str, written: str, span: Span, instance: str) -> Diagnostic:
    hint = f"{function} takes a variable of this class that one of its cuts carries: cut a (p / m, carried h)"
    return Diagnostic("E354", f"no flow carries '{written}', so it has no {function}(...)", span, hint, instance)


def wrongly_carried(name: str, what: str, span: Span, hint: str, instance: str) -> Diagnostic:
    return Diagnostic("E354", f"the carried quantity '{name}' {what}", span, hint, instance)
