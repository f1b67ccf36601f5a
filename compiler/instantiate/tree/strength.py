"""Determines the strength of start values: expressions of a submodel -> Strength. Evaluates nothing.

Of two start values that contradict each other, the stronger one counts. A value that passes through parameters of
classes has the strength of the place where it was written.
"""

from __future__ import annotations

from cutset.compiler.instantiate.instance import Strength, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.tree.scope import Node, Within
from cutset.compiler.syntax import tree


def strengths_of(node: Node, declared: Declared, size: int) -> tuple[Strength, ...]:
    """The strength of each element of a variable's start value, which has `size` elements."""
    attribute = declared.attribute("start")
    if attribute is None or attribute.value is None:
        return ()
    value = attribute.value
    elements = [e for row in value.rows for e in row] if isinstance(value, tree.Matrix) else []
    if len(elements) == size:
        return tuple(_strength(node, e) for e in elements)
    return (_strength(node, value),) * size


def is_written(here: Within, name: str) -> bool:
    """True if the model or its run gives this parameter its value, not only its class."""
    node, translation, declared = here.node, here.translation, here.node.body.variables[name]
    for element in element_names(node.full_name(name), node.values[name].shape):
        if element in translation.unfold or element in translation.values:
            return True
    given = node.given.get(name)
    if given is not None:
        return given.is_written
    if node.parent is None or declared.default is None:
        return node.parent is None
    return uses_written(node, declared.default)


def uses_written(node: Node, expression: tree.Expression) -> bool:
    """True if the expression uses a parameter of `node` with a given value."""
    return any(name in node.written for name in _parameters(node, expression))


def is_written_there(node: Node, expression: tree.Expression) -> bool:
    """True if a value in `node` for a parameter of a submodel is given by the model: a number, or a given parameter."""
    return not _parameters(node, expression) or uses_written(node, expression)


def defaults_of(node: Node, expression: tree.Expression) -> tuple[str, ...]:
    """The parameters, by full name, whose defaults it uses, directly or through others."""
    found: dict[str, None] = {}
    for name in _parameters(node, expression):
        if name in node.written or name not in node.values:
            continue
        found |= dict.fromkeys(element_names(node.full_name(name), node.values[name].shape))
        given, default = node.given.get(name), node.body.variables[name].default
        if given is not None:
            found |= dict.fromkeys(given.defaults)
        elif default is not None:
            found |= dict.fromkeys(defaults_of(node, default))
    return tuple(found)


def _strength(node: Node, expression: tree.Expression) -> Strength:
    if _parameters(node, expression):
        return Strength.MODEL if uses_written(node, expression) else Strength.DEFAULT
    return Strength.MODEL if node.parent is None else Strength.CLASS


def _parameters(node: Node, expression: tree.Expression) -> list[str]:
    names = (reference.parts[0].name for reference in tree.references(expression))
    return [n for n in names if n in node.body.variables and node.body.variables[n].kind == "parameter"]
