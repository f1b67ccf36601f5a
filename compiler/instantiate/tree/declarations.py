"""Processes the declarations of one submodel: parameters with values, variables with leaves."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, shape_words, size_of
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, TooLarge
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import REAL, Constant, Parameter, Variable, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.names.lookup import Scope
from cutset.compiler.instantiate.names.meanings import NumberCall
from cutset.compiler.instantiate.tree.externals import declare_external
from cutset.compiler.instantiate.tree.scope import Node
from cutset.compiler.instantiate.tree.strength import defaults_of, is_written, strengths_of
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree

T = TypeVar("T")
_ATTRIBUTES = ("unit", "start", "fixed", "min", "max", "nominal", "state", "symmetric")
_PREFERENCES = {"always": 2, "prefer": 1, "avoid": -1, "never": -2}
_MOST_SCALARS = 1_000_000
_LONGEST = 10_000
_EARLY_KINDS = ("parameter", "constant", "external")  # values of parameters may use these
_FOLDED_VALUES = (0.0, 1.0, -1.0)


def declare_parameters(node: Node) -> None:
    """Evaluate parameters, constants and external values, in the order of their dependences."""
    for name in _evaluation_order(node):
        declared = node.body.variables[name]
        _check_attributes(node, declared)
        try:
            shape = _shape(node, declared)
        except ModelError as error:
            node.report(*error.diagnostics)
            continue
        if declared.kind == "external":
            declare_external(node, declared, shape)
            continue
        binding = _binding(node, declared, shape)
        if binding is None or not _keeps_symmetry(node, declared, binding):
            continue
        full, description = (
            node.full_name(name),
            (_text_attribute(declared, "unit"), declared.documentation, declared.type or REAL),
        )
        if declared.kind == "constant":
            node.values[name] = binding
            node.constants.append(Constant(full, binding, declared.span, *description, declared.type_name))
        else:
            binding = _with_values(node, name, binding)
            value = _parameter_leaves(node, name, binding)
            node.values[name] = value
            if is_written(node, name):
                node.written.add(name)
            node.parameters.append(
                Parameter(
                    full,
                    value,
                    binding,
                    declared.span,
                    *description,
                    type_name=declared.type_name,
                    written=_written(node, declared),
                )
            )


def declare_variables(node: Node) -> None:
    """Create the leaves of everything that varies in time."""
    for name, declared in node.body.variables.items():
        if declared.kind in _EARLY_KINDS:
            continue
        _check_attributes(node, declared)
        if declared.default is not None:
            node.report(messages.value_without_equation(declared.kind, name, declared.span, node.instance))
        try:
            shape = _shape(node, declared)
            value = _leaves(node, declared, shape)
            start = _start(node, declared, shape)
            preference = _preference(node, declared)
        except ModelError as error:
            node.report(*error.diagnostics)
            continue
        node.values[name] = value
        unit = _text_attribute(declared, "unit")
        full = node.full_name(name)
        kind = declared.kind if node.parent is None or declared.kind != "input" else "terminal"
        described = unit, declared.documentation, declared.type or REAL
        node.variables.append(
            Variable(
                full,
                kind,
                value,
                declared.span,
                start,
                preference,
                *described,
                type_name=declared.type_name,
                strengths=strengths_of(node, declared, size_of(shape)) if start is not None else (),
                defaults=_start_defaults(node, declared),
            )
        )
    node.varies = True


def _start_defaults(node: Node, declared: Declared) -> tuple[str, ...]:
    attribute = declared.attribute("start")
    return defaults_of(node, attribute.value) if attribute is not None and attribute.value is not None else ()


def parameter_value(node: Node, expression: tree.Expression, what: str, scope: Scope | None = None) -> Array | None:
    """The value of an expression of parameters and constants, written in `scope` or else in `node`; None after a
    diagnostic."""
    try:
        value = evaluate(expression, scope or node, node.translation.pool)
        _forbid_time(node, expression, value, what)
        return value
    except ModelError as error:
        node.report(*error.diagnostics)
        return None


# --- parameters ----------------------------------------------------------------------------------


def _evaluation_order(node: Node) -> list[str]:
    names = [n for n, d in node.body.variables.items() if d.kind in _EARLY_KINDS]
    needs: dict[str, list[str]] = {}
    for name in names:
        declared = node.body.variables[name]
        written = [*declared.dimensions]
        if declared.default is not None and name not in node.given and declared.kind != "external":
            written.append(declared.default)
        needs[name] = [n for n in _names_in(written) if n in node.body.variables and n in names]
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = list(reversed(error.args[1]))
        node.report(messages.parameter_cycle(cycle, node.body.variables[cycle[0]].span, node.instance))
        return [n for n in names if n not in cycle and not set(needs[n]) & set(cycle)]


def _names_in(expressions: list[tree.Expression]) -> list[str]:
    """First parts of all names in the expressions."""
    return [reference.parts[0].name for reference in tree.references(*expressions)]


def _binding(node: Node, declared: Declared, shape: Shape) -> Array | None:
    """The effective value: the one given from outside, else the default."""
    given = node.given.get(declared.name)
    if given is not None:
        value, span = given.value, given.span
    elif (group := _group_of(node, declared)) is not None:
        numbers = node.translation.take(group, size_of(shape))
        value, span = Array(shape, tuple(map(node.translation.pool.constant, numbers))), declared.span
    elif declared.default is not None:
        value, span = parameter_value(node, declared.default, f"the value of '{declared.name}'"), declared.span
    elif node.parent is None and node.translation.assumed is not None:
        number = node.translation.pool.constant(next(node.translation.assumed))
        value, span = Array(shape, (number,) * size_of(shape)), declared.span
    else:
        _report_no_value(node, declared)
        return None
    if value is None:
        return None
    if value.shape != shape:
        text = f"'{declared.name}' is {shape_words(shape)}, but its value is {shape_words(value.shape)}"
        node.report(messages.wrong_shape(text, span, node.instance))
        return None
    if declared.kind == "constant" and any(e.level > CONSTANT for e in value.elements):
        hint = "use numbers and other constants, or declare it as a parameter"
        node.report(messages.not_constant(f"the constant '{declared.name}'", span, node.instance, hint))
        return None
    return value


def _group_of(node: Node, declared: Declared) -> str | None:
    """The group of a constant whose value is `number("group")`."""
    if declared.kind != "constant" or not isinstance(declared.default, tree.Reference):
        return None
    meaning = node.meaning(declared.default)
    return meaning.group if isinstance(meaning, NumberCall) else None


def _written(node: Node, declared: Declared) -> Span:
    """The place of the value of a parameter."""
    given = node.given.get(declared.name)
    return given.span if given else declared.default.span if declared.default else declared.span


def _report_no_value(node: Node, declared: Declared) -> None:
    """Report a missing value once per place (elements of an array share one), and not if a binding with a wrong name
    may be the reason."""
    reported = node.translation.without_value
    if node.is_given_wrongly or (declared.span, node.span) in reported:
        return
    reported.add((declared.span, node.span))
    submodel = node.span if node.parent is not None else None
    path, _, element = node.path.rpartition("(")
    path = path if element.endswith(")") else node.path
    meant = f"did you mean {path.rpartition('.')[2]}({node.value_meant})?" if node.value_meant else ""
    node.report(messages.no_value(declared.kind, declared.name, declared.span, path, submodel, meant))


def _with_values(node: Node, name: str, binding: Array) -> Array:
    """The binding, or the values given from outside of the model instead."""
    values, pool = node.translation.values, node.translation.pool
    if not values:
        return binding
    elements = zip(element_names(node.full_name(name), binding.shape), binding.elements, strict=False)
    return Array(binding.shape, tuple(pool.constant(values[e]) if e in values else own for e, own in elements))


def _parameter_leaves(node: Node, name: str, binding: Array) -> Array:
    """Values 0, 1 and -1 in a submodel and structural parameters become part of the code, all others stay
    changeable."""
    translation, leaves = node.translation, []
    names = element_names(node.full_name(name), binding.shape)
    if node.body.variables[name].attribute("symmetric") is not None:
        n = binding.rows
        names = [names[min(i, j) * n + max(i, j)] for i in range(n) for j in range(n)]
    for element, value in zip(names, binding.elements, strict=False):
        foldable = node.parent is not None and value.op == "constant" and value.data in _FOLDED_VALUES
        is_structural = value.op == "constant" and element in translation.structural
        if is_structural or (foldable and element not in translation.unfold):
            translation.folded[element] = value.data
            leaves.append(value)
        else:
            if element in translation.structural:  # so must be those that determine it
                translation.needed.update(translation.parameters_under(value))
            leaf = translation.pool.parameter(element)
            translation.bindings[leaf] = value
            leaves.append(leaf)
    return Array(binding.shape, tuple(leaves))


def _keeps_symmetry(node: Node, declared: Declared, binding: Array) -> bool:
    attribute = declared.attribute("symmetric")
    if attribute is None:
        return True
    square = len(binding.shape) == 2 and binding.rows == binding.columns
    if square and tuple(_transposed(binding.elements, binding.rows)) == binding.elements:
        return True
    text = f"'{declared.name}' is symmetric, but its value is not"
    given = node.given.get(declared.name)
    span = given.span if given else declared.span
    hint = "make the elements (i,j) and (j,i) equal, or remove the attribute 'symmetric'"
    node.report(messages.bad_attribute(text, span, hint, node.instance))
    return False


def _transposed(elements: Sequence[T], n: int) -> list[T]:
    """Row-major elements of an n by n matrix -> those of its transpose."""
    return [elements[j * n + i] for i in range(n) for j in range(n)]


# --- shapes, leaves, attributes --------------------------------------------------------------------


def whole_size(node: Node, dimension: tree.Expression, what: str) -> int:
    """A dimension, whose parameters become structural; raises ModelError if it is no whole number or varies."""
    if isinstance(dimension, tree.Number) and _is_size(dimension.value):
        return int(dimension.value)  # the most frequent form, evaluated for every instance
    value = evaluate(dimension, node, node.translation.pool)
    if value.shape:
        raise ModelError([messages.not_constant(what, dimension.span, node.instance)])
    size = node.number(value.scalar, what, dimension.span)
    if not _is_size(size):
        text = f"{what} must be a whole number from 1 to {_LONGEST}, not {size:g}{node.translation.given_for_run()}"
        hint = "use whole numbers that are known at translation"
        raise ModelError([messages.bad_index(text, dimension.span, node.instance, hint)])
    return int(size)


def _is_size(value: float) -> bool:
    return value.is_integer() and 1 <= value <= _LONGEST


def _shape(node: Node, declared: Declared) -> Shape:
    what = f"a dimension of '{declared.name}'"
    sizes = [whole_size(node, dimension, what) for dimension in declared.dimensions]
    if len(sizes) > 2:
        text = f"'{declared.name}' has {len(sizes)} dimensions; the limit is two"
        hint = "use a vector or a matrix; a third dimension can be an array of submodels"
        raise ModelError([messages.wrong_shape(text, declared.span, node.instance, hint)])
    node.translation.scalars += size_of(tuple(sizes))
    if node.translation.scalars > _MOST_SCALARS:
        raise _too_large(node, declared)
    return tuple(sizes)


def _too_large(node: Node, declared: Declared) -> TooLarge:
    error = TooLarge(f"with '{declared.name}' it has more than {_MOST_SCALARS} parameters and variables")
    error.where = declared.span, node.instance
    return error


def _leaves(node: Node, declared: Declared, shape: Shape) -> Array:
    pool, name = node.translation.pool, node.full_name(declared.name)
    if declared.attribute("symmetric") is None:
        return Array(shape, tuple(pool.variable(n) for n in element_names(name, shape)))
    if len(shape) != 2 or shape[0] != shape[1]:
        text = f"'{declared.name}' is {shape_words(shape)}: only a square matrix can be symmetric"
        hint = f"declare it with two equal dimensions: {declared.name}(n,n)"
        raise ModelError([messages.bad_attribute(text, declared.span, hint, node.instance)])
    n = shape[0]
    upper = {(i, j): pool.variable(f"{name}({i + 1},{j + 1})") for i in range(n) for j in range(i, n)}
    return Array(shape, tuple(upper[min(i, j), max(i, j)] for i in range(n) for j in range(n)))


def _start(node: Node, declared: Declared, shape: Shape) -> Array | None:
    attribute = declared.attribute("start")
    if attribute is None or attribute.value is None:
        return None
    value = evaluate(attribute.value, node, node.translation.pool)
    _forbid_time(node, attribute.value, value, "a start value")
    if not value.shape:
        return Array(shape, value.elements * size_of(shape))
    if value.shape != shape:
        text = f"'{declared.name}' is {shape_words(shape)}, but its start value is {shape_words(value.shape)}"
        raise ModelError([messages.wrong_shape(text, attribute.span, node.instance)])
    return value


def _preference(node: Node, declared: Declared) -> int:
    attribute = declared.attribute("state")
    if attribute is None:
        return 0
    value = attribute.value
    word = value.parts[0].name if isinstance(value, tree.Reference) and len(value.parts) == 1 else ""
    if word not in _PREFERENCES:
        hint = "write prefer, avoid, always or never"
        raise ModelError([messages.bad_attribute("unknown value of 'state'", attribute.span, hint, node.instance)])
    return _PREFERENCES[word]


def _text_attribute(declared: Declared, name: str) -> str:
    attribute = declared.attribute(name)
    return attribute.value.value if attribute is not None and isinstance(attribute.value, tree.Text) else ""


def _check_attributes(node: Node, declared: Declared) -> None:
    for attribute in declared.attributes:
        if attribute.name not in _ATTRIBUTES:
            node.report(messages.unknown_attribute(attribute.name, attribute.span, _ATTRIBUTES, node.instance))
        elif attribute.value is None and attribute.name not in ("symmetric", "fixed"):
            text, hint = f"the attribute '{attribute.name}' has no value", f"write {attribute.name}=..."
            node.report(messages.bad_attribute(text, attribute.span, hint, node.instance))
        elif attribute.name == "unit" and not isinstance(attribute.value, tree.Text):
            text, hint = "a unit must be a string", 'write it in quotes: unit="N.m"'
            node.report(messages.bad_attribute(text, attribute.span, hint, node.instance))


def _forbid_time(node: Node, expression: tree.Expression, value: Array, what: str) -> None:
    if all(e.level <= PARAMETER for e in value.elements):
        return
    names = [n for n in _names_in([expression]) if _varies(node, n)]
    name = names[0] if names else "time"
    raise ModelError([messages.not_parameter(what, name, expression.span, node.instance)])


def _varies(node: Node, name: str) -> bool:
    value: Array | None = node.values.get(name)
    elements: tuple[Expr, ...] = value.elements if value is not None else ()
    return any(e.level > PARAMETER for e in elements)
