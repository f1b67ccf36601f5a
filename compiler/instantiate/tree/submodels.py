"""Creates the children of a submodel from its declarations, with their bindings; arrays are expanded.

Does not look into the children: their parameters are evaluated later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, Label, ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, scalar, shape_words, size_of
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import INTEGER, REAL, TEXT, element_names
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.classes import TERMINALS, ClassBody, Classes, Declared
from cutset.compiler.instantiate.names.spelled_vectors import elements_named
from cutset.compiler.instantiate.tree.class_parameters import (
    class_of,
    given_classes,
    how_given,
    reference_in,
    value_meant,
)
from cutset.compiler.instantiate.tree.control_flow import holds
from cutset.compiler.instantiate.tree.declarations import parameter_value, whole_size
from cutset.compiler.instantiate.tree.scope import Given, Nested, Node, Within, class_name
from cutset.compiler.instantiate.tree.strength import defaults_of, is_written_there
from cutset.compiler.instantiate.types.messages import value_of_type
from cutset.compiler.instantiate.units.messages import value_in_unit
from cutset.compiler.instantiate.values.evaluate import Evaluator
from cutset.compiler.syntax import tree
from cutset.compiler.units.parse import Misread, parse_unit
from cutset.compiler.units.unit import Unit
from cutset.contract.names import split

_DEEPEST = 200
# Names of vectors in other libraries, and the corresponding names here.
_VECTORS = {"axis": "n", "direction": "n", "position": "r", "offset": "r", "r_CM": "r", "g": "ng", "gravity": "ng"}
_MOST = 50_000


def make_children(here: Within, classes: Classes) -> list[Node]:
    """Add a Node to the tree for each submodel that is declared here; those with errors are reported, and have none.
    Returns those that exist."""
    made: list[Node] = []
    for name, (item, reference) in here.node.body.submodels.items():
        children = list(_children(here, item, reference, classes))
        made += [child for child in children if not child.is_absent]
        # Elements of an array `R(10)` that means a value would only be reported as missing.
        means_value = any(not child.is_absent and value_meant(child.body, item) for child in children[:1])
        here.submodels.children[here.node, name] = () if means_value else tuple(children)
    return made


def _children(
    here: Within, item: tree.SubmodelItem, reference: tree.ClassReference, classes: Classes
) -> Iterator[Node]:
    """The nodes of one declaration; none after a diagnostic."""
    name, node = item.name, here.node
    body = class_of(here, name, reference, classes).body
    own_classes = {} if body is None else given_classes(here, body, item, classes)
    if body is None or not _is_finite(here, class_name(body, own_classes), item, reference):
        return
    is_there = item.condition is None or holds(here, item.condition, f"the condition of '{name}'")
    shape = _shape(here, body, item, bool(is_there))
    if shape is None or is_there is None or not _has_room(here, item, size_of(shape)):
        return
    here.submodels.shapes[node, name] = shape
    labels = how_given(here, name, reference)
    given = _given(here, body, item, labels, classes) if is_there else {}
    nested = _nested(here, body, item, labels, classes) if is_there else []
    for each in (each for each in nested if len(each.path) == 1):
        is_beside = each.here is here and each.path[0] in given  # a single value counts, not that of the row
        given |= {} if is_beside else _given_inside(each, body, item, labels, classes)
    inner = tuple(each for each in nested if len(each.path) > 1)
    for element, own in zip(element_names(name, shape), _of_each(here, body, given, shape), strict=True):
        here.translation.submodels += 1
        yield Node(node.full_name(element), body, item, node, own, own_classes, inner, is_absent=not is_there)


def _is_finite(here: Within, name: str, item: tree.SubmodelItem, reference: tree.ClassReference) -> bool:
    chain = [node.class_name for node in (here.node, *here.node.surrounding())]
    if name in chain:
        cycle = [*list(reversed(chain[: chain.index(name) + 1])), name]
        here.report(class_messages.contains_itself(name, reference.span, cycle, "contains"))
    elif len(chain) > _DEEPEST:
        here.report(class_messages.too_deep(item.name, item.span, here.instance))
    else:
        return True
    return False


def _unknown_parameter(
    here: Within, body: ClassBody, item: tree.SubmodelItem, binding: tree.Binding, classes: Classes
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
    return messages.unknown_parameter(binding.name, body.name, binding.span, *known, here.instance, hint)


def _vector_meant(body: ClassBody, binding: tree.Binding) -> str:
    """What to write for a vector that has another name in other libraries: n=[0, 0, 1] for axis=[0, 0, 1]."""
    meant = _VECTORS.get(binding.name, "")
    return f"write {meant}={binding.value.span.text}" if elements_named(body, meant) else ""


def _given(
    here: Within, body: ClassBody, item: tree.SubmodelItem, labels: tuple[Label, ...], classes: Classes
) -> dict[str, Given]:
    """The bindings of one submodel, evaluated where they are written; `labels` accompany errors about unknown names."""
    given: dict[str, Given] = {}
    for binding in item.bindings:
        declared = body.variables.get(binding.name)
        if binding.name in body.class_parameters or _is_inside(body, binding.name):
            continue
        if binding.name in given:
            here.report(messages.bound_twice(binding.name, binding.span, given[binding.name].span, here.instance))
        elif names := elements_named(body, binding.name):
            for name, own in _of_elements(here, item, binding, names).items():
                if name in given:
                    here.report(messages.bound_twice(name, binding.span, given[name].span, here.instance))
                given[name] = own
        elif declared is not None and declared.kind in TERMINALS:
            given[binding.name] = Given(None, binding.span)  # an equation, which is created with the others
            if binding.tolerance is not None:
                here.report(messages.misplaced_tolerance(binding.name, binding.tolerance.span, here.instance))
        elif declared is not None and declared.kind == "local":
            place = declared.span
            here.report(messages.not_visible(binding.name, body.name, binding.span, place, here.instance))
        elif declared is None or declared.kind not in ("parameter", "constant"):
            here.report(replace(_unknown_parameter(here, body, item, binding, classes), labels=labels))
        elif declared.kind == "constant":
            here.report(messages.assigned_constant(binding.name, body.name, binding.span, declared.span, here.instance))
        else:
            value = parameter_value(here, binding.value, f"the value of '{binding.name}'")
            given[binding.name] = _with_strength(here, binding, value)
    return given


# --- values for submodels inside -------------------------------------------------------------------


def _is_inside(body: ClassBody, name: str) -> bool:
    """True for the name of a submodel in the class, or of something in it; also without one, for a row of a catalog."""
    return not name or len(split(name)) > 1 or (name in body.submodels and name not in body.variables)


def _nested(
    here: Within, body: ClassBody, item: tree.SubmodelItem, labels: tuple[Label, ...], classes: Classes
) -> list[Nested]:
    """The values for a submodel that are written around it, and those for submodels in it: the outermost last, which
    counts."""
    own: dict[str, Nested] = {}
    for binding in item.bindings:
        path = tuple(split(binding.name)) if binding.name else ()
        if binding.name in body.class_parameters or not _is_inside(body, binding.name):
            continue
        if binding.name in own:
            here.report(messages.bound_twice(binding.name, binding.span, own[binding.name].binding.span, here.instance))
        else:
            own[binding.name] = Nested(path, binding, here)
    around = [each._replace(path=each.path[1:]) for each in here.node.nested if each.path[0] == item.name]
    found = []
    # A class of values comes before single ones that are written beside it.
    for each in (*sorted(own.values(), key=lambda each: len(each.path)), *around):
        if not each.path or (len(each.path) == 1 and _is_inside(body, each.path[0])):
            found += _values_of_row(each, body) if tree.is_row(each.binding.value) else _values_of_class(each, classes)
        elif len(each.path) == 1 or each.path[0] in body.submodels:
            found.append(each)
        else:
            at = each.binding.span, [*body.submodels], each.here.instance, labels
            each.here.report(messages.no_submodel(each.path[0], body.name, *at))
    return found


def _values_of_class(each: Nested, classes: Classes) -> list[Nested]:
    """The values of the parameters of a class, `motor = Motor17`, for a submodel. None after a diagnostic."""
    here, binding = each.here, each.binding
    reference = reference_in(binding.value)
    if binding.tolerance is not None:
        here.report(messages.misplaced_tolerance(binding.name, binding.tolerance.span, here.instance))
    elif reference is None:
        here.report(messages.no_values_of_class(binding.name, binding.value.span, here.instance))
    record = None if reference is None else classes.find(reference, here.instance)
    found: list[Nested] = []
    for name, declared in {} if record is None else record.variables.items():
        if declared.kind == "parameter" and declared.default is not None:
            value = replace(binding, name=name, value=declared.default, tolerance=declared.tolerance)
            found.append(Nested((*each.path, name), value, here, record))
    return found


def _values_of_row(each: Nested, body: ClassBody) -> list[Nested]:
    """The values in a row of a catalog, `motor = row("motors.csv", "RE 40")`, in a submodel of the class `body`. None
    after a diagnostic. Columns are parameters of the class itself, not of submodels in it."""
    here, binding = each.here, each.binding
    if binding.tolerance is not None:
        here.report(messages.misplaced_tolerance("row", binding.tolerance.span, here.instance))
    _, written = tree.called(binding.value) if isinstance(binding.value, tree.Reference) else ("", ())
    try:
        file, row = (Evaluator(here).text(e, "the name of a file or a row") for e in written)
        entries = here.translation.functions.row_named(file, row, binding.value.span)
    except ModelError as error:
        here.report(*error.diagnostics)
        return []
    at, around = binding.value.span, here.node.body
    for name in entries:
        if len(split(name)) != 1 or not name or (not each.path and _is_inside(body, name)):
            hint = "name each column as a parameter of the class; give values of submodels in it beside the row"
            here.report(messages.unknown_parameter(name, body.name, at, (), (), (), here.instance, hint))
            return []
    record = ClassBody(f"row {row.data[0]}", at, around.types, around.files)
    for name, (value, unit) in entries.items():
        number = tree.Quantity(at, value, repr(value), unit) if unit and not isinstance(value, str) else None
        written_value = tree.Text(at, value) if isinstance(value, str) else number or tree.Number(at, value)
        of_type = TEXT if isinstance(value, str) else INTEGER if value.is_integer() else REAL
        record.variables[name] = Declared(name, "parameter", at, (), (), written_value, "", of_type)
    return [
        Nested((*each.path, name), tree.Binding(binding.span, name, own.default), here, record)
        for name, own in record.variables.items()
        if own.default is not None
    ]


def _check_kind(each: Nested, own: Declared, wanted: Declared, item: tree.SubmodelItem) -> None:
    """Report a value of a class that has another unit or type than the parameter of the submodel."""
    what, labels = f"'{own.name}' of '{item.name}'", (Label(each.binding.span, "given here"),)
    at = each.binding.value.span, each.here.instance, labels
    unit, declared = _unit(own), _unit(wanted)
    if unit is not None and declared is not None and unit.clashes(declared):
        each.here.report(value_in_unit(what, declared, unit, *at))
    types = {own.type or REAL, wanted.type or REAL}
    if len(types) > 1 and not types <= {REAL, INTEGER}:
        hint = "give it a value of this type"
        each.here.report(value_of_type(what, str(wanted.type or REAL), str(own.type or REAL), at[0], hint, *at[1:]))


def _unit(declared: Declared) -> Unit | None:
    """The declared unit, or that of a default like `300 mOhm`; None without a valid one."""
    attribute, default = declared.attribute("unit"), declared.default
    text = attribute.value.value if attribute is not None and isinstance(attribute.value, tree.Text) else ""
    text = text or (default.unit if isinstance(default, tree.Quantity) else "")
    try:
        return parse_unit(text) if text.strip() else None
    except Misread:
        return None


def _is_computed(each: Nested) -> bool:
    """True for a value of a class that contains variables: those of the class, or what is none there."""
    record, around = each.record, each.here.node.body.variables
    names = (r.parts[0].name for r in tree.references(each.binding.value))
    return record is not None and any(name in record.variables or name in around for name in names)


def _given_inside(
    each: Nested, body: ClassBody, item: tree.SubmodelItem, labels: tuple[Label, ...], classes: Classes
) -> dict[str, Given]:
    """The value of a parameter of the submodel, evaluated where it is written."""
    name, binding = each.path[-1], each.binding
    declared = body.variables.get(name)
    if name in body.class_parameters or (declared is not None and declared.kind in TERMINALS):
        hint = "write an equation" if declared is not None else f"give the class where '{item.name}' is declared"
        wrong = messages.unknown_parameter(name, body.name, binding.span, (), (), (), each.here.instance, hint)
        each.here.report(replace(wrong, labels=labels))
        return {}
    if _is_computed(each):
        if declared is None or declared.default is not binding.value:  # else it is computed in the same way
            owner = each.record.name if each.record is not None else ""
            each.here.report(
                messages.computed_in_class(name, owner, binding.span, binding.value.span, each.here.instance)
            )
        return {}
    if each.record is not None and declared is not None:
        _check_kind(each, each.record.variables[name], declared, item)
    alone = replace(item, bindings=(replace(binding, name=name),))
    return _given(each.here, body, alone, labels, classes)


def _with_strength(here: Within, binding: tree.Binding, value: Array | None) -> Given:
    defaults = defaults_of(here.node, binding.value)
    return Given(value, binding.span, is_written_there(here.node, binding.value), defaults, binding.tolerance)


def _of_elements(
    here: Within, item: tree.SubmodelItem, binding: tree.Binding, names: tuple[tuple[str, ...], ...]
) -> dict[str, Given]:
    """The values of the parameters with these names, which are the elements of the value; for an array of submodels
    it may have a row for each."""
    value = parameter_value(here, binding.value, f"the value of '{binding.name}'")
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
        here.report(messages.elements_differ(binding.name, flat, shape, value.shape, binding.span, here.instance))
        return {name: Given(None, binding.span) for name in flat}
    found: dict[str, Array] = {}
    for name, element in zip(flat, elements, strict=True):
        if found.setdefault(name, element) != element:
            here.report(messages.not_symmetric(binding.name, name, binding.span, here.instance))
            return {name: Given(None, binding.span) for name in flat}
    return {name: _with_strength(here, binding, element) for name, element in found.items()}


# --- arrays ----------------------------------------------------------------------------------------


def _shape(here: Within, body: ClassBody, item: tree.SubmodelItem, is_there: bool) -> Shape | None:
    """The lengths of an array, or None after a diagnostic; for an absent one any length is valid."""
    try:
        return tuple(whole_size(here, dimension, f"the length of '{item.name}'") for dimension in item.dimensions)
    except ModelError as error:
        if error.diagnostics and not is_there:
            return (1,) * len(item.dimensions)
        meant = value_meant(body, item)
        hint = Hint(f"did you mean {item.name}({meant})?", Edit("replace", meant))
        here.report(*(replace(d, hint=hint) if meant else d for d in error.diagnostics))
        return None


def _has_room(here: Within, item: tree.SubmodelItem, length: int) -> bool:
    """The number of all submodels is limited, so that nested arrays, or two submodels in each of two, end in a message
    before memory is exhausted."""
    if here.translation.submodels + length <= _MOST:
        return True
    here.report(class_messages.too_many_submodels(item.name, _MOST, item.span, here.instance))
    here.translation.is_full = True
    return False


def _of_each(here: Within, body: ClassBody, given: dict[str, Given], shape: Shape) -> list[dict[str, Given]]:
    """The values for each element of an array."""
    found: list[dict[str, Given]] = [{} for _ in range(size_of(shape))]
    for name, one in given.items():
        value, dimensions = one.value, len(body.variables[name].dimensions)
        values = None if value is None else spread(here, value, dimensions, shape, name, one.span)
        for k, own in enumerate(found):
            own[name] = one._replace(value=values[k] if values else None)
    return found


def spread(here: Within, value: Array, dimensions: int, shape: Shape, name: str, span: Span) -> Sequence[Array] | None:
    """The value for each element of an array of submodels: one with more than the `dimensions` of what takes it is
    split. None after a diagnostic."""
    if not 0 < len(value.shape) - dimensions <= len(shape):
        return [value] * size_of(shape)
    if not dimensions and [n for n in value.shape if n > 1] == [n for n in shape if n > 1]:
        return [*map(scalar, value.elements)]
    if dimensions and value.shape[:1] == shape:
        return value.parts()
    here.report(messages.array_length(name, shape, shape_words(value.shape), span, here.instance))
    return None
