"""Processes the declarations of one submodel: parameters with values, variables with leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, fitted, shape_words, size_of
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, UNKNOWN, Expr, TooLarge
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import REAL, TEXT, Constant, Parameter, ValueType, Variable, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.names.meanings import NumberCall
from cutset.compiler.instantiate.tree.class_parameters import has_unknown_binding, value_meant
from cutset.compiler.instantiate.tree.externals import external
from cutset.compiler.instantiate.tree.scope import EARLY_KINDS, Declarations, Within
from cutset.compiler.instantiate.tree.strength import defaults_of, is_written, strengths_of
from cutset.compiler.instantiate.types.messages import bad_declaration
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree
from cutset.compiler.units.messages import misread
from cutset.compiler.units.parse import Misread
from cutset.compiler.units.quantities import Misfit, display_of
from cutset.contract.names import rpartition
from cutset.contract.tolerance import Tolerance

T = TypeVar("T")
_ATTRIBUTES = (
    "unit",
    "display",
    "start",
    "fixed",
    "min",
    "max",
    "nominal",
    "state",
    "symmetric",
    "rotation",
    "follows",
    "private",
)
_PREFERENCES = {"always": 2, "prefer": 1, "avoid": -1, "never": -2}
_MOST_SCALARS = 1_000_000
_LONGEST = 10_000
_FOLDED_VALUES = (0.0, 1.0, -1.0)


def declare(here: Within) -> Declarations:
    """Declare the names of a submodel: parameters, constants and external values, in the order of their dependences,
    then everything that varies in time."""
    node = here.node
    parameters, constants, externals = [], [], []
    for name in _evaluation_order(here):
        declared = node.body.variables[name]
        _check_attributes(here, declared)
        try:
            shape = _shape(here, declared)
        except ModelError as error:
            here.report(*error.diagnostics)
            continue
        if declared.kind == "external":
            externals += external(here, declared, shape)
            continue
        binding = _binding(here, declared, shape)
        if binding is None or not _keeps_symmetry(here, declared, binding):
            continue
        if declared.kind == "constant":
            node.values[name] = binding
            if declared.type == TEXT:
                continue
            constants.append(Constant(node.full_name(name), binding, declared.span, *_description(declared)))
        else:
            binding = _with_values(here, name, binding)
            tolerance = _tolerance(here, declared)
            value = node.values[name] = _parameter_leaves(here, name, binding, tolerance is not None)
            if is_written(here, name):
                node.written.add(name)
            if declared.type == TEXT:
                continue
            full, written = node.full_name(name), _written(here, declared)
            own = Parameter(full, value, binding, declared.span, *_description(declared), written=written)
            parameters.append(replace(own, tolerance=tolerance) if tolerance is not None else own)
    late = [d for d in node.body.variables.values() if d.kind not in EARLY_KINDS]
    variables = [v for declared in late if (v := _variable(here, declared)) is not None]
    return Declarations(tuple(parameters), tuple(constants), tuple(externals), tuple(variables))


def _description(declared: Declared) -> tuple[str, str, ValueType, str, str]:
    unit, display = _text(declared, "unit"), _text(declared, "display")
    return unit, declared.documentation, declared.type or REAL, declared.type_name, display


def _text(declared: Declared, name: str) -> str:
    attribute = declared.attribute(name)
    return attribute.value.value if attribute is not None and isinstance(attribute.value, tree.Text) else ""


def _variable(here: Within, declared: Declared) -> Variable | None:
    """The variable with its leaves; None after a diagnostic."""
    _check_attributes(here, declared)
    if declared.type == TEXT:
        what, hint = f"'{declared.name}' is a text, which cannot vary", "declare it as a parameter or a constant"
        here.report(bad_declaration(what, declared.span, hint))
        return None
    if declared.default is not None:
        here.report(messages.value_without_equation(declared.kind, declared.name, declared.span, here.instance))
    try:
        shape = _shape(here, declared)
        value = _leaves(here, declared, shape)
        start = _start(here, declared, shape)
        preference = _preference(here, declared)
    except ModelError as error:
        here.report(*error.diagnostics)
        return None
    here.node.values[declared.name] = value
    full = here.node.full_name(declared.name)
    kind = declared.kind if here.node.parent is None or declared.kind != "input" else "terminal"
    strengths = strengths_of(here.node, declared, size_of(shape)) if start is not None else ()
    start_and_state = start, preference, *_description(declared), strengths, _start_defaults(here, declared)
    is_rotation = declared.attribute("rotation") is not None
    return Variable(full, kind, value, declared.span, *start_and_state, is_rotation=is_rotation)


def _start_defaults(here: Within, declared: Declared) -> tuple[str, ...]:
    attribute = declared.attribute("start")
    return defaults_of(here.node, attribute.value) if attribute is not None and attribute.value is not None else ()


def parameter_value(here: Within, expression: tree.Expression, what: str) -> Array | None:
    """The value of an expression of parameters and constants; None after a diagnostic."""
    try:
        value = evaluate(expression, here)
        _forbid_time(here, expression, value, what)
        return value
    except ModelError as error:
        here.report(*error.diagnostics)
        return None


# --- parameters ----------------------------------------------------------------------------------


def _evaluation_order(here: Within) -> list[str]:
    names = [n for n, d in here.node.body.variables.items() if d.kind in EARLY_KINDS]
    needs: dict[str, list[str]] = {}
    for name in names:
        declared = here.node.body.variables[name]
        written = [*declared.dimensions]
        if declared.default is not None and name not in here.node.given and declared.kind != "external":
            written.append(declared.default)
        needs[name] = [n for n in _names_in(written) if n in here.node.body.variables and n in names]
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = list(reversed(error.args[1]))
        here.report(messages.parameter_cycle(cycle, here.node.body.variables[cycle[0]].span, here.instance))
        return [n for n in names if n not in cycle and not set(needs[n]) & set(cycle)]


def _names_in(expressions: list[tree.Expression]) -> list[str]:
    """First parts of all names in the expressions."""
    return [reference.parts[0].name for reference in tree.references(*expressions)]


def _binding(here: Within, declared: Declared, shape: Shape) -> Array | None:
    """The effective value: the one given from outside, else the default."""
    given = here.node.given.get(declared.name)
    if given is not None:
        value, span = given.value, given.span
    elif (group := _group_of(here, declared)) is not None:
        numbers = here.translation.take(group, size_of(shape))
        value, span = Array(shape, tuple(map(here.pool.constant, numbers))), declared.span
    elif declared.default is not None:
        value, span = parameter_value(here, declared.default, f"the value of '{declared.name}'"), declared.span
    elif (here.node.parent is None or here.translation.draft) and here.translation.assumed is not None:
        number = here.pool.constant(next(here.translation.assumed))
        number = here.pool.text("", UNKNOWN) if declared.type == TEXT else number
        value, span = Array(shape, (number,) * size_of(shape)), declared.span
    else:
        _report_no_value(here, declared)
        return None
    if value is None:
        return None
    value = fitted(value, shape)
    if value.shape != shape:
        text = f"'{declared.name}' is {shape_words(shape)}, but its value is {shape_words(value.shape)}"
        here.report(messages.wrong_shape(text, span, here.instance))
        return None
    if declared.kind == "constant" and any(e.level > CONSTANT for e in value.elements):
        hint = "use numbers and other constants, or declare it as a parameter"
        here.report(messages.not_constant(f"the constant '{declared.name}'", span, here.instance, hint))
        return None
    return value


def _tolerance(here: Within, declared: Declared) -> Tolerance | None:
    """That of the effective value; None after a diagnostic, too."""
    given = here.node.given.get(declared.name)
    written = declared.tolerance if given is None else given.tolerance
    if written is None:
        return None
    if declared.type not in (None, REAL):
        here.report(messages.misplaced_tolerance(declared.name, written.span, here.instance))
    return Tolerance(written.value, isinstance(written, tree.Quantity) and written.unit == "%")


def _group_of(here: Within, declared: Declared) -> str | None:
    """The group of a constant whose value is `number("group")`."""
    if declared.kind != "constant" or not isinstance(declared.default, tree.Reference):
        return None
    meaning = here.meaning(declared.default)
    return meaning.group if isinstance(meaning, NumberCall) else None


def _written(here: Within, declared: Declared) -> Span:
    """The place of the value of a parameter."""
    given = here.node.given.get(declared.name)
    return given.span if given else declared.default.span if declared.default else declared.span


def _report_no_value(here: Within, declared: Declared) -> None:
    """Report a missing value once per place (elements of an array share one), and not if a binding with a wrong name
    may be the reason."""
    reported = here.translation.without_value
    item, body = here.node.item, here.node.body
    if (item is not None and has_unknown_binding(body, item)) or (declared.span, here.node.span) in reported:
        return
    reported.add((declared.span, here.node.span))
    path, _, element = rpartition(here.node.path, "(")
    path = path if element.endswith(")") else here.node.path
    value = value_meant(body, item) if item is not None else ""
    meant = f"did you mean {rpartition(path)[2]}({value})?" if value else ""
    submodel = None if item is None else item.span
    here.report(messages.no_value(declared.kind, declared.name, declared.span, path, submodel, meant))


def _with_values(here: Within, name: str, binding: Array) -> Array:
    """The binding, or the values given from outside of the model instead."""
    values, pool = here.translation.values, here.pool
    if not values:
        return binding

    def given(name: str, own: Expr) -> Expr:
        value = values.get(name)
        if value is None or isinstance(value, str) != (own.op == "text"):
            return own
        return pool.text(value) if isinstance(value, str) else pool.constant(value)

    names = element_names(here.node.full_name(name), binding.shape)
    return Array(binding.shape, tuple(map(given, names, binding.elements)))


def _parameter_leaves(here: Within, name: str, binding: Array, varies: bool) -> Array:
    """Values 0, 1 and -1 in a submodel, unless it `varies` within a tolerance, and structural parameters become part of
    the code, all others stay changeable."""
    translation, leaves = here.translation, []
    names = element_names(here.node.full_name(name), binding.shape)
    if here.node.body.variables[name].attribute("symmetric") is not None:
        n = binding.rows
        names = [names[min(i, j) * n + max(i, j)] for i in range(n) for j in range(n)]
    for element, value in zip(names, binding.elements, strict=False):
        foldable = (
            here.node.parent is not None and not varies and value.op == "constant" and value.data in _FOLDED_VALUES
        )
        is_structural = value.op == "constant" and element in translation.structural
        if value.op == "text":
            translation.folded[element] = value.data[0]
            leaves.append(value)
        elif is_structural or (foldable and element not in translation.unfold):
            translation.folded[element] = value.data
            leaves.append(value)
        else:
            if element in translation.structural:  # so must be those that determine it
                translation.needed.update(translation.parameters_under(value))
            leaf = translation.pool.parameter(element)
            translation.bindings[leaf] = value
            leaves.append(leaf)
    return Array(binding.shape, tuple(leaves))


def _keeps_symmetry(here: Within, declared: Declared, binding: Array) -> bool:
    attribute = declared.attribute("symmetric")
    if attribute is None:
        return True
    square = len(binding.shape) == 2 and binding.rows == binding.columns
    if square and tuple(_transposed(binding.elements, binding.rows)) == binding.elements:
        return True
    text = f"'{declared.name}' is symmetric, but its value is not"
    given = here.node.given.get(declared.name)
    span = given.span if given else declared.span
    hint = "make the elements (i,j) and (j,i) equal, or remove the attribute 'symmetric'"
    here.report(messages.bad_attribute(text, span, hint, here.instance))
    return False


def _transposed(elements: Sequence[T], n: int) -> list[T]:
    """Row-major elements of an n by n matrix -> those of its transpose."""
    return [elements[j * n + i] for i in range(n) for j in range(n)]


# --- shapes, leaves, attributes --------------------------------------------------------------------


def whole_size(here: Within, dimension: tree.Expression, what: str) -> int:
    """A dimension, whose parameters become structural; raises ModelError if it is no whole number or varies."""
    if isinstance(dimension, tree.Number) and _is_size(dimension.value):
        return int(dimension.value)  # the most frequent form, evaluated for every instance
    value = evaluate(dimension, here)
    if value.shape:
        raise ModelError([messages.not_constant(what, dimension.span, here.instance)])
    size = here.number(value.scalar, what, dimension.span)
    if not _is_size(size) or isinstance(dimension, tree.Quantity):
        text = f"{what} must be a whole number from 1 to {_LONGEST}, not {size:g}{here.translation.given_for_run()}"
        hint = "use whole numbers that are known at translation"
        raise ModelError([messages.bad_index(text, dimension.span, here.instance, hint)])
    return int(size)


def _is_size(value: float) -> bool:
    return value.is_integer() and 1 <= value <= _LONGEST


def _shape(here: Within, declared: Declared) -> Shape:
    what = f"a dimension of '{declared.name}'"
    sizes = [whole_size(here, dimension, what) for dimension in declared.dimensions]
    if len(sizes) > 2:
        text = f"'{declared.name}' has {len(sizes)} dimensions; the limit is two"
        hint = "use a vector or a matrix; a third dimension can be an array of submodels"
        raise ModelError([messages.wrong_shape(text, declared.span, here.instance, hint)])
    here.translation.scalars += size_of(tuple(sizes))
    if here.translation.scalars > _MOST_SCALARS:
        raise _too_large(here, declared)
    return tuple(sizes)


def _too_large(here: Within, declared: Declared) -> TooLarge:
    error = TooLarge(f"with '{declared.name}' it has more than {_MOST_SCALARS} parameters and variables")
    error.where = declared.span, here.instance
    return error


def _leaves(here: Within, declared: Declared, shape: Shape) -> Array:
    pool, name = here.pool, here.node.full_name(declared.name)
    if declared.attribute("rotation") is not None and shape != (3, 3):
        text = f"'{declared.name}' is {shape_words(shape)}: only a matrix (3,3) can be a rotation"
        hint = f"declare it with three rows and columns: {declared.name}(3,3)"
        raise ModelError([messages.bad_attribute(text, declared.span, hint, here.instance)])
    if declared.attribute("symmetric") is None:
        return Array(shape, tuple(pool.variable(n) for n in element_names(name, shape)))
    if len(shape) != 2 or shape[0] != shape[1]:
        text = f"'{declared.name}' is {shape_words(shape)}: only a square matrix can be symmetric"
        hint = f"declare it with two equal dimensions: {declared.name}(n,n)"
        raise ModelError([messages.bad_attribute(text, declared.span, hint, here.instance)])
    n = shape[0]
    upper = {(i, j): pool.variable(f"{name}({i + 1},{j + 1})") for i in range(n) for j in range(i, n)}
    return Array(shape, tuple(upper[min(i, j), max(i, j)] for i in range(n) for j in range(n)))


def _start(here: Within, declared: Declared, shape: Shape) -> Array | None:
    attribute = declared.attribute("start")
    if attribute is None or attribute.value is None:
        return None
    value = evaluate(attribute.value, here)
    _forbid_time(here, attribute.value, value, "a start value")
    if not value.shape:
        return Array(shape, value.elements * size_of(shape))
    value = fitted(value, shape)
    if value.shape != shape:
        text = f"'{declared.name}' is {shape_words(shape)}, but its start value is {shape_words(value.shape)}"
        raise ModelError([messages.wrong_shape(text, attribute.span, here.instance)])
    return value


def _preference(here: Within, declared: Declared) -> int:
    attribute = declared.attribute("state")
    if attribute is None:
        return 0
    value = attribute.value
    word = value.parts[0].name if isinstance(value, tree.Reference) and len(value.parts) == 1 else ""
    if word not in _PREFERENCES:
        hint = "write prefer, avoid, always or never"
        raise ModelError([messages.bad_attribute("unknown value of 'state'", attribute.span, hint, here.instance)])
    return _PREFERENCES[word]


def _check_attributes(here: Within, declared: Declared) -> None:
    for attribute in declared.attributes:
        if attribute.name not in _ATTRIBUTES:
            here.report(messages.unknown_attribute(attribute.name, attribute.span, _ATTRIBUTES, here.instance))
        elif attribute.value is None and attribute.name not in ("symmetric", "rotation", "fixed", "private"):
            text, hint = f"the attribute '{attribute.name}' has no value", f"write {attribute.name}=..."
            here.report(messages.bad_attribute(text, attribute.span, hint, here.instance))
        elif attribute.name in ("unit", "display") and not isinstance(attribute.value, tree.Text):
            text, hint = "a unit must be a string", f'write it in quotes: {attribute.name}="N.m"'
            here.report(messages.bad_attribute(text, attribute.span, hint, here.instance))
        elif attribute.name == "display" and isinstance(attribute.value, tree.Text):
            _check_display(here, declared, attribute.value)


def _check_display(here: Within, declared: Declared, display: tree.Text) -> None:
    try:
        display_of(_text(declared, "unit"), display.value)
    except Misread as error:
        here.report(misread(error, display.value, display.span, here.instance, is_number=True))
    except Misfit as error:
        text = f"'{declared.name}' cannot be shown in {display.value}: {error}"
        hint = 'both are units of one kind: (unit="rad", display="deg")'
        here.report(messages.bad_attribute(text, display.span, hint, here.instance))


def _forbid_time(here: Within, expression: tree.Expression, value: Array, what: str) -> None:
    if all(e.level <= PARAMETER for e in value.elements):
        return
    names = [n for n in _names_in([expression]) if _varies(here, n)]
    name = names[0] if names else "time"
    raise ModelError([messages.not_parameter(what, name, expression.span, here.instance)])


def _varies(here: Within, name: str) -> bool:
    value: Array | None = here.node.values.get(name)
    elements: tuple[Expr, ...] = value.elements if value is not None else ()
    return any(e.level > PARAMETER for e in elements)
