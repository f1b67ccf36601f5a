"""Assigns the attributes fixed, min, max and nominal to parameters and variables of a submodel; checks shapes of cuts.

Runs when all parameters have their values. Limits that are known at translation are compared with the values that are
known too. Does not change values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, shape_words, size_of
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import REAL, Parameter, Variable, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.tree.declarations import whole_size
from cutset.compiler.instantiate.tree.scope import Declarations, Within
from cutset.compiler.instantiate.types import messages
from cutset.compiler.instantiate.types.value_types import OF_VARIABLES
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree

_OF_NUMBERS = ("unit", "display", "min", "max", "nominal", "state", "symmetric", "rotation")
_OF_ENUMERATIONS = ("min", "max")
# The attributes assigned here; most variables have only a unit.
_GIVEN = frozenset({"min", "max", "nominal", "fixed"})


def with_attributes(here: Within, declared: Declarations) -> Declarations:
    """The parameters and variables with their attributes; errors are reported."""
    of_names = {
        here.node.full_name(d.name): d
        for d in here.node.body.variables.values()
        if any(attribute.name in _GIVEN for attribute in d.attributes)
    }
    parameters = tuple(_parameter(here, p, of_names.get(p.name)) for p in declared.parameters)
    variables = tuple(_variable(here, v, of_names.get(v.name)) for v in declared.variables)
    for d in here.node.body.variables.values():
        _forbid_misplaced(here, d)
        if d.kind == "constant" and d.name in here.node.values:
            span = d.default.span if d.default else d.span
            _limits(here, d, here.node.values[d.name], span, f"'{d.name}'")
    return declared._replace(parameters=parameters, variables=variables)


def _parameter(here: Within, parameter: Parameter, declared: Declared | None) -> Parameter:
    if declared is None or parameter.written is None:
        return parameter
    minimum, maximum = _limits(here, declared, parameter.binding, parameter.written, f"'{declared.name}'")
    return replace(parameter, minimum=minimum, maximum=maximum)


def _variable(here: Within, variable: Variable, declared: Declared | None) -> Variable:
    if declared is None:
        return variable
    start = declared.attribute("start")
    span = start.span if start else declared.span
    shown = Array(variable.value.shape, ()) if variable.start is None else variable.start
    minimum, maximum = _limits(here, declared, shown, span, f"the start value of '{declared.name}'")
    nominal = _nominal(here, declared, shown.shape)
    return replace(variable, minimum=minimum, maximum=maximum, nominal=nominal, fixed=_fixed(declared))


def limit_assertions(here: Within, declared: Declarations) -> Iterator[Assertion]:
    """Assertions of the limits that only a run can check: those with parameters, and those of its inputs."""
    inputs = [v for v in declared.variables if v.kind == "input" and here.node.parent is None]
    limited: tuple[Parameter | Variable, ...] = (*declared.parameters, *inputs)
    for each in limited:
        for operator, limits, says in (
            (">=", each.minimum, "less than its min"),
            ("<=", each.maximum, "more than its max"),
        ):
            elements = () if limits is None else limits.elements
            for name, value, limit in zip(
                element_names(each.name, each.value.shape), each.value.elements, elements, strict=False
            ):
                condition = here.translation.pool.relation(operator, value, limit)
                if condition.level > CONSTANT and (limit.level > CONSTANT or isinstance(each, Variable)):
                    what = f"'{name}' is {says}, {text(limit)}"
                    yield Assertion(False, condition, what, each.span, here.instance)


def _limits(here: Within, declared: Declared, value: Array, span: Span, what: str) -> tuple[Array | None, Array | None]:
    """min and max; a violation is reported once for each of them."""
    limits = [_numbers(here, declared, name, value.shape) for name in ("min", "max")]
    for name, limit in zip(("min", "max"), limits, strict=False):
        attribute = declared.attribute(name)
        if limit is not None and attribute is not None:
            _compare(here, declared, (name, limit, attribute.span), (what, value, span))
    minimum, maximum = limits
    least, most = declared.attribute("min"), declared.attribute("max")
    if minimum is not None and maximum is not None and least is not None and most is not None:
        _compare(here, declared, ("max", maximum, most.span), (f"the min of '{declared.name}'", minimum, least.span))
    return minimum, maximum


def _compare(here: Within, declared: Declared, limit: tuple[str, Array, Span], value: tuple[str, Array, Span]) -> None:
    """Report the first element outside of a limit."""
    (name, bounds, place), (what, values, span) = limit, value
    for k, (bound, element) in enumerate(zip(bounds.elements, values.elements, strict=False)):
        b, e = _number(here, bound), _number(here, element)
        if b is None or e is None or (e >= b if name == "min" else e <= b):
            continue
        index = element_names("", values.shape)[k] if values.shape else ""
        written = declared.type or REAL
        texts = written.shown(e), name, written.shown(b)
        here.report(messages.out_of_range(what + (f" {index}" if index else ""), *texts, span, place, here.instance))
        return


def _number(here: Within, e: Expr) -> float | None:
    """The number of a constant, or of a parameter with a number as its value."""
    seen = 0
    while e.op == "parameter" and e in here.translation.bindings and seen < 100:
        e, seen = here.translation.bindings[e], seen + 1
    return float(e.data) if e.op == "constant" else None


def _numbers(here: Within, declared: Declared, name: str, shape: Shape) -> Array | None:
    """The value of an attribute, with a scalar extended to all elements; None if it is missing or has an error."""
    attribute = declared.attribute(name)
    if attribute is None or attribute.value is None or isinstance(attribute.value, tree.Text):
        return None
    what = f"'{name}' of '{declared.name}'"
    try:
        value = evaluate(attribute.value, here)
        if any(e.level > PARAMETER for e in value.elements):
            raise ModelError(
                [general.not_parameter(what, attribute.value.span.text, attribute.value.span, here.instance)]
            )
        if value.shape not in ((), shape):
            what = f"'{declared.name}' is {shape_words(shape)}, but its {name} is {shape_words(value.shape)}"
            raise ModelError([general.wrong_shape(what, attribute.span, here.instance)])
    except ModelError as error:
        here.report(*error.diagnostics)
        return None
    return value if value.shape == shape else Array(shape, value.elements * size_of(shape))


def _nominal(here: Within, declared: Declared, shape: Shape) -> Array | None:
    nominal = _numbers(here, declared, "nominal", shape)
    attribute = declared.attribute("nominal")
    for element in nominal.elements if nominal is not None else ():
        value = _number(here, element)
        if attribute is not None and value is not None and value <= 0:
            here.report(messages.not_positive(declared.name, f"{value:g}", attribute.span, here.instance))
            return None
    return nominal


def _fixed(declared: Declared) -> bool | None:
    attribute = declared.attribute("fixed")
    if attribute is None:
        return None
    return attribute.value is None or attribute.value.span.text == "true"


def _forbid_misplaced(here: Within, declared: Declared) -> None:
    for attribute in declared.attributes:
        name, kind = attribute.name, declared.type.kind if declared.type else ""
        if name in OF_VARIABLES and declared.kind in ("parameter", "constant"):
            what, hint = f"a {declared.kind}", f"give it a value: {declared.kind} {declared.name} = ..."
        elif name == "start" and declared.kind == "input" and here.node.parent is None and _is_own(attribute, declared):
            what, hint = "an input of the translated object", "a run gives its value, without one it is 0: remove it"
        elif (kind in ("Boolean", "Text") and name in _OF_NUMBERS) or (
            kind == "enumeration" and name in _OF_NUMBERS and name not in _OF_ENUMERATIONS
        ):
            what, hint = f"'{declared.name}', which is {declared.type}", "it is for numbers only: remove it"
        else:
            continue
        here.report(messages.misplaced_attribute(name, what, attribute.span, hint, here.instance))


def _is_own(attribute: tree.Attribute, declared: Declared) -> bool:
    """True for an attribute of the declaration, not of its type."""
    own, name = attribute.span, declared.span
    return own.source is name.source and (own.line, own.column) > (name.line, name.column)


def _set_lengths(here: Within) -> None:
    """Store the lengths of arrays of cuts, and report variables that have another number of elements."""
    for name, cut in here.node.body.cuts.items():
        if not cut.dimensions:
            continue
        try:
            length = here.node.lengths[name] = whole_size(here, cut.dimensions[0], f"the length of '{name}'")
        except ModelError as error:
            here.report(*error.diagnostics)
            continue
        for entry in cut.entries:
            value = here.node.values.get(entry.name)
            if value is not None and value.shape[:1] != (length,):
                text = f"'{entry.name}' is {shape_words(value.shape)}, but '{name}' is an array of {length} cuts"
                hint = f"give it an element, or a row, for each cut: {entry.name}({length})"
                here.report(general.wrong_shape(text, entry.span, here.instance, hint))


def check_cut_shapes(here: Within) -> None:
    """Report each variable of a cut whose shape is not that of its cut class or of its array of cuts, and flows with
    elements that carry something. Stores the lengths of arrays; the variables of `node` are declared."""
    _set_lengths(here)
    arrays = {e.name for cut in here.node.body.cuts.values() if cut.dimensions for e in cut.entries}
    for carried, flow in here.node.body.flows.items():
        value = here.node.values.get(flow.name)
        if value is not None and value.shape[flow.name in arrays :]:
            what = f"is carried by '{flow.name}', which is {shape_words(value.shape)}"
            hint = "the flow that carries something is a scalar; what it carries may be an array"
            here.report(general.wrongly_carried(carried, what, flow.span, hint, here.instance))
    for name, cut_class in here.node.body.cut_classes.items():
        cut = here.node.body.cuts[name]
        own = cut.entries
        for entry, of_class in zip(own, cut_class.entries, strict=False):
            value = here.node.values.get(entry.name)
            if value is None:
                continue
            try:
                what = f"a dimension of '{of_class.name}'"
                lengths = (here.node.lengths[name],) if cut.dimensions and name in here.node.lengths else ()
                shape = lengths + tuple(whole_size(here, dimension, what) for dimension in of_class.dimensions)
            except ModelError as error:
                here.report(*error.diagnostics)
                continue
            if value.shape != shape:
                found = f"'{entry.name}' is {shape_words(value.shape)}"
                words = f"{found}, but '{of_class.name}' of the class is {shape_words(shape)}"
                at = cut_class.name, entry.span, of_class.span, here.instance
                here.report(messages.cut_class_differs(words, *at))
