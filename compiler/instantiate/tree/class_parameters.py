"""Resolves class parameters: which classes one instance receives for those of its class.

A given class is looked up in the file in which it is written, and before that among the class parameters of the
surrounding class; a default only in its file. Does not look into the given classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.classes import TERMINALS, ClassBody, Classes
from cutset.compiler.instantiate.names.spelled_vectors import elements_named
from cutset.compiler.instantiate.tree.scope import GivenClass, Within
from cutset.compiler.syntax import tree
from cutset.contract.names import split


def class_of(here: Within, name: str, reference: tree.ClassReference, classes: Classes) -> GivenClass:
    """The class of the submodel `name`, None if an error was reported."""
    return _meant(here, reference, here.node.body.class_names.get(name, ()), classes)


def given_classes(here: Within, body: ClassBody, item: tree.SubmodelItem, classes: Classes) -> dict[str, GivenClass]:
    """The class for each class parameter of a submodel with the class `body`: the given one, or the default."""
    given: dict[str, GivenClass] = {}
    for binding in item.bindings:
        if binding.name not in body.class_parameters:
            continue
        if binding.name in given:
            first = given[binding.name].span
            here.report(messages.bound_twice(binding.name, binding.span, first, here.instance))
            continue
        reference = reference_in(binding.value)
        if binding.tolerance is not None:
            here.report(messages.misplaced_tolerance(binding.name, binding.tolerance.span, here.instance))
        if reference is None:
            place = body.class_parameters[binding.name].span
            here.report(class_messages.value_for_class(binding.name, binding.value.span, place, here.instance))
            given[binding.name] = GivenClass(None, binding.span)
        else:
            found = _meant(here, reference, here.node.body.class_names.get(item.name, ()), classes)
            given[binding.name] = _limited(body.class_parameters[binding.name], found, here.instance, classes)
    if has_unknown_binding(body, item):  # a seemingly missing one may be given under a wrong name
        given |= {
            name: GivenClass(None, item.span)
            for name, p in body.class_parameters.items()
            if p.default is None and name not in given
        }
    return given | default_classes(body, given, here.node.full_name(item.name), item.span, classes)


def has_unknown_binding(body: ClassBody, item: tree.SubmodelItem) -> bool:
    """True if a submodel of the class `body` has a binding for an unknown name. The binding is reported."""
    others = [split(b.name)[0] for b in item.bindings if not elements_named(body, b.name)]
    others = [name for name in others if name and name not in body.class_parameters and name not in body.submodels]
    return any(n not in body.variables or body.variables[n].kind not in ("parameter", *TERMINALS) for n in others)


def value_meant(body: ClassBody, item: tree.SubmodelItem) -> str:
    """The meaning of `R(10)` for a class with one parameter that needs a value: `R = 10`; else empty."""
    if len(item.dimensions) != 1 or not isinstance(item.dimensions[0], tree.Number) or item.bindings:
        return ""
    needed = [n for n, d in body.variables.items() if d.kind == "parameter" and d.default is None]
    return f"{needed[0]} = {item.dimensions[0].span.text}" if len(needed) == 1 else ""


def default_classes(
    body: ClassBody, given: Collection[str], path: str, submodel: Span | None, classes: Classes
) -> dict[str, GivenClass]:
    """The defaults of the class parameters that are not `given`; those without a default are reported for `path`."""
    found = {}
    for name, parameter in body.class_parameters.items():
        if name in given:
            continue
        if parameter.default is None:
            classes.report(class_messages.no_class(name, body.name, parameter.span, path, submodel))
            found[name] = GivenClass(None, parameter.span)
        else:
            default = GivenClass(classes.find(parameter.default, path), parameter.default.span)
            found[name] = _limited(parameter, default, path, classes)
    return found


def _limited(parameter: tree.ClassParameter, given: GivenClass, instance: str, classes: Classes) -> GivenClass:
    """The given class; without a body if it lacks what a limit has, which is reported."""
    for limit in parameter.limits:
        wanted = classes.find(limit, instance)
        if wanted is None or given.body is None or wanted.line[0] in given.body.line:
            continue
        if lacking := [*_lacking(given.body, wanted)]:
            names = given.body.name, parameter.name, wanted.name
            classes.report(class_messages.lacks_of_limit(*names, lacking, given.span, limit.span, instance))
            return GivenClass(None, given.span)
    return given


def _lacking(body: ClassBody, wanted: ClassBody) -> Iterator[str]:
    """What another class has to show for a submodel, and this one has not: parameters, terminals, cuts, main ones."""
    for name, declared in wanted.variables.items():
        kinds = ("parameter",) if declared.kind == "parameter" else TERMINALS if declared.kind in TERMINALS else ()
        if kinds and (name not in body.variables or body.variables[name].kind not in kinds):
            yield f"no {kinds[0]} '{name}'"
    for name in wanted.cuts:
        of_class = wanted.cut_classes.get(name)
        if name not in body.cuts or (of_class is not None and body.cut_classes.get(name) is not of_class):
            yield f"no cut '{name}'" + (f" of the class {of_class.name}" if of_class is not None else "")
    yield from ("no main cut" for _ in [0] if wanted.main_cut and not body.main_cut)
    yield from ("no main path" for _ in [0] if wanted.main_path and not body.main_path)


def how_given(here: Within, name: str, reference: tree.ClassReference) -> tuple[Label, ...]:
    """For messages on a submodel: where its class is given, if it is that of a class parameter."""
    if reference.name not in here.node.body.class_names.get(name, ()):
        return ()
    given = here.node.classes[reference.name]
    return (Label(given.span, f"given for '{reference.name}' here"),)


def _meant(here: Within, reference: tree.ClassReference, own: Collection[str], classes: Classes) -> GivenClass:
    if reference.name in own:
        return GivenClass(here.node.classes[reference.name].body, reference.span)
    return GivenClass(classes.find(reference, here.instance, own), reference.span)


def reference_in(value: tree.Expression) -> tree.ClassReference | None:
    """The name of a class in the place of a value; None if it cannot be one."""
    if not isinstance(value, tree.Reference) or any(part.arguments is not None for part in value.parts):
        return None
    return tree.ClassReference(value.span, ".".join(part.name for part in value.parts))
