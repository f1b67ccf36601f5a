"""Creates the children of a submodel from its declarations, with their bindings; arrays are expanded.

Does not look into the children: their parameters are evaluated later.
"""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, Label, ModelError
from cutset.compiler.expressions.array import Array, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.class_parameters import class_of, given_classes, how_given, is_given_wrongly
from cutset.compiler.instantiate.names.classes import TERMINALS, ClassBody, Classes
from cutset.compiler.instantiate.names.spelled_vectors import elements_named
from cutset.compiler.instantiate.tree.control_flow import holds
from cutset.compiler.instantiate.tree.declarations import parameter_value, whole_size
from cutset.compiler.instantiate.tree.scope import Given, GivenClass, Node, Within, class_name
from cutset.compiler.instantiate.tree.strength import defaults_of, is_written_there
from cutset.compiler.syntax import tree

_DEEPEST = 200
# Names of vectors in other libraries, and the corresponding names here.
_VECTORS = {"axis": "n", "direction": "n", "position": "r", "offset": "r", "r_CM": "r", "g": "ng", "gravity": "ng"}
_MOST = 50_000


def make_children(node: Node, classes: Classes) -> None:
    """Create a Node for each submodel that `node` declares; those with errors are reported and become broken."""
    for name, (item, reference) in node.body.submodels.items():
        body = class_of(node, name, reference, classes).body
        own_classes = {} if body is None else given_classes(node, body, item, classes)
        if body is None or not _is_finite(node, class_name(body, own_classes), item, reference):
            node.broken.add(name)
            continue
        is_there = item.condition is None or holds(Within(node, {}), item.condition, f"the condition of '{name}'")
        length = _length(node, body, item, bool(is_there)) if item.dimensions else 1
        if length is None or is_there is None or not _has_room(node, item, length):
            node.broken.add(name)
            continue
        given = _given(node, body, item, how_given(node, name, reference), classes) if is_there else {}
        if not item.dimensions:
            _add(node, name, body, item, given, own_classes).is_absent = not is_there
            continue
        node.arrays[name] = length
        if is_there and _value_meant(body, item):
            node.broken.add(name)  # its elements would only be reported as missing
        for k, own in enumerate(_spread(node, body, given, length), start=1):
            _add(node, f"{name}({k})", body, item, own, own_classes).is_absent = not is_there
    node.complete = True


def _add(
    node: Node,
    name: str,
    body: ClassBody,
    item: tree.SubmodelItem,
    given: dict[str, Given],
    classes: dict[str, GivenClass],
) -> Node:
    node.translation.submodels += 1
    child = node.children[name] = Node(node.full_name(name), body, item.span, node, given, node.translation, classes)
    child.is_given_wrongly = is_given_wrongly(body, item)
    child.value_meant = _value_meant(body, item)
    child.documentation = item.documentation
    return child


def _is_finite(node: Node, name: str, item: tree.SubmodelItem, reference: tree.ClassReference) -> bool:
    chain: list[str] = []
    above: Node | None = node
    while above is not None:
        chain.append(above.class_name)
        above = above.parent
    if name in chain:
        cycle = [*list(reversed(chain[: chain.index(name) + 1])), name]
        node.report(class_messages.contains_itself(name, reference.span, cycle, "contains"))
    elif len(chain) > _DEEPEST:
        node.report(class_messages.too_deep(item.name, item.span, node.instance))
    else:
        return True
    return False


def _unknown_parameter(
    node: Node, body: ClassBody, item: tree.SubmodelItem, binding: tree.Binding, classes: Classes
) -> Diagnostic:
    parameters = [n for n, d in body.variables.items() if d.kind == "parameter"] + [*body.class_parameters]
    terminals = [n for n, d in body.variables.items() if d.kind in TERMINALS]
    hint = ""
    if binding.name in body.variables and body.variables[binding.name].kind == "cut":
        hint = f"it is a variable of a cut: write the equation {item.name}.{binding.name} = ... instead"
    elif others := classes.siblings_with(body, binding.name):
        hint = f"use {' or '.join(others)}, which has a parameter '{binding.name}'"
    hint = hint or _vector_meant(body, binding)
    known = (parameters, terminals, {other.name for other in item.bindings})
    return messages.unknown_parameter(binding.name, body.name, binding.span, *known, node.instance, hint)


def _vector_meant(body: ClassBody, binding: tree.Binding) -> str:
    """What to write for a vector that has another name in other libraries: n=[0, 0, 1] for axis=[0, 0, 1]."""
    meant = _VECTORS.get(binding.name, "")
    return f"write {meant}={binding.value.span.text}" if elements_named(body, meant) else ""


def _value_meant(body: ClassBody, item: tree.SubmodelItem) -> str:
    """The meaning of `R(10)` for a class with one parameter that needs a value: `R = 10`; else empty."""
    if len(item.dimensions) != 1 or not isinstance(item.dimensions[0], tree.Number) or item.bindings:
        return ""
    needed = [n for n, d in body.variables.items() if d.kind == "parameter" and d.default is None]
    return f"{needed[0]} = {item.dimensions[0].span.text}" if len(needed) == 1 else ""


def _given(
    node: Node, body: ClassBody, item: tree.SubmodelItem, labels: tuple[Label, ...], classes: Classes
) -> dict[str, Given]:
    """The bindings of one submodel, evaluated where they are written; `labels` accompany errors about unknown names."""
    given: dict[str, Given] = {}
    for binding in item.bindings:
        declared = body.variables.get(binding.name)
        if binding.name in body.class_parameters:
            continue
        if binding.name in given:
            node.report(messages.bound_twice(binding.name, binding.span, given[binding.name].span, node.instance))
        elif names := elements_named(body, binding.name):
            for name, own in _of_elements(node, item, binding, names).items():
                if name in given:
                    node.report(messages.bound_twice(name, binding.span, given[name].span, node.instance))
                given[name] = own
        elif declared is not None and declared.kind in TERMINALS:
            given[binding.name] = Given(None, binding.span)  # an equation, which is created with the others
        elif declared is not None and declared.kind == "local":
            place = declared.span
            node.report(messages.not_visible(binding.name, body.name, binding.span, place, node.instance))
        elif declared is None or declared.kind not in ("parameter", "constant"):
            node.report(replace(_unknown_parameter(node, body, item, binding, classes), labels=labels))
        elif declared.kind == "constant":
            node.report(messages.assigned_constant(binding.name, body.name, binding.span, declared.span, node.instance))
        else:
            value = parameter_value(node, binding.value, f"the value of '{binding.name}'")
            given[binding.name] = _with_strength(node, binding, value)
    return given


def _with_strength(node: Node, binding: tree.Binding, value: Array | None) -> Given:
    return Given(value, binding.span, is_written_there(node, binding.value), defaults_of(node, binding.value))


def _of_elements(
    node: Node, item: tree.SubmodelItem, binding: tree.Binding, names: tuple[tuple[str, ...], ...]
) -> dict[str, Given]:
    """The values of the parameters with these names, which are the elements of the value; for an array of submodels
    it may have a row for each."""
    value = parameter_value(node, binding.value, f"the value of '{binding.name}'")
    flat = [name for row in names for name in row]
    shape = (len(names), len(names[0])) if len(names[0]) > 1 else (len(names),)
    if value is None:
        return {name: Given(None, binding.span) for name in flat}
    if value.shape == shape:
        elements = [Array((), (element,)) for element in value.elements]
    elif item.dimensions and len(shape) == 1 and len(value.shape) == 2 and value.columns == len(names):
        columns = [tuple(value.at(i, k) for i in range(value.rows)) for k in range(value.columns)]
        elements = [Array((value.rows,), column) for column in columns]
    else:
        node.report(messages.elements_differ(binding.name, flat, shape, value.shape, binding.span, node.instance))
        return {name: Given(None, binding.span) for name in flat}
    found: dict[str, Array] = {}
    for name, element in zip(flat, elements, strict=True):
        if found.setdefault(name, element) != element:
            node.report(messages.not_symmetric(binding.name, name, binding.span, node.instance))
            return {name: Given(None, binding.span) for name in flat}
    return {name: _with_strength(node, binding, element) for name, element in found.items()}


# --- arrays ----------------------------------------------------------------------------------------


def _length(node: Node, body: ClassBody, item: tree.SubmodelItem, is_there: bool) -> int | None:
    """The length of an array, or None after a diagnostic; for an absent one any length is valid."""
    (dimension,) = item.dimensions
    try:
        length = whole_size(node, dimension, f"the length of '{item.name}'")
    except ModelError as error:
        if error.diagnostics and not is_there:
            return 1
        meant = _value_meant(body, item)
        hint = Hint(f"did you mean {item.name}({meant})?", Edit("replace", meant))
        node.report(*(replace(d, hint=hint) if meant else d for d in error.diagnostics))
        return None
    return length


def _has_room(node: Node, item: tree.SubmodelItem, length: int) -> bool:
    """The number of all submodels is limited, so that nested arrays, or two submodels in each of two, end in a message
    before memory is exhausted."""
    if node.translation.submodels + length <= _MOST:
        return True
    node.report(class_messages.too_many_submodels(item.name, _MOST, item.span, node.instance))
    node.translation.is_full = True
    return False


def _spread(node: Node, body: ClassBody, given: dict[str, Given], length: int) -> list[dict[str, Given]]:
    """The values for each element of an array: a value with one more dimension than its parameter is split."""
    spread: list[dict[str, Given]] = [{} for _ in range(length)]
    for name, (value, span, is_written, defaults) in given.items():
        values = [value] * length
        if value is not None and len(value.shape) == len(body.variables[name].dimensions) + 1:
            if value.shape[0] == length:
                width = len(value.elements) // length
                rows = [value.elements[k * width : (k + 1) * width] for k in range(length)]
                values = [Array(value.shape[1:], row) for row in rows]
            else:
                node.report(messages.array_length(name, length, shape_words(value.shape), span, node.instance))
                values = [None] * length
        for own, element in zip(spread, values, strict=False):
            own[name] = Given(element, span, is_written, defaults)
    return spread
