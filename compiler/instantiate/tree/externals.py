"""Resolves `external g`: a second name for a variable of the nearest surrounding model that declares it `internal`."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.expressions.array import Shape, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import External, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.tree.scope import Node


def declare_external(node: Node, declared: Declared, shape: Shape) -> None:
    """Take over the value; errors are reported."""
    name = declared.name
    excess = "value" if declared.default is not None else ""
    excess = next((f"attribute '{a.name}'" for a in declared.attributes if a.name != "unit"), excess)
    if excess:
        node.report(messages.external_with(name, excess, declared.span, node.instance))
        return
    owner = _owner(node, name)
    if owner is None:
        node.report(_missing(node, declared))
        return
    value = owner.values.get(name)
    if value is None:
        return  # its error was reported
    if value.shape != shape:
        words = shape_words(shape), shape_words(value.shape)
        node.report(
            messages.external_shape(name, *words, declared.span, owner.body.variables[name].span, node.instance)
        )
        return
    node.values[name] = value
    full = node.full_name(name)
    names = tuple(element_names(full, shape))
    node.externals.append(External(full, owner.full_name(name), names, value, declared.span))


def _owner(node: Node, name: str) -> Node | None:
    above = node.parent
    while above is not None:
        declared = above.body.variables.get(name)
        if declared is not None and declared.is_internal:
            return above
        above = above.parent
    return None


def _missing(node: Node, declared: Declared) -> Diagnostic:
    """Where to declare it: in a surrounding model that has that name already, else in the outermost."""
    above, known = node.parent, []
    while above is not None:
        same = above.body.variables.get(declared.name)
        if same is not None:
            place = (same.span, f"declare it as internal here: internal {declared.name}")
            return messages.no_internal(declared.name, declared.span, (), place, node.instance)
        known += [n for n, d in above.body.variables.items() if d.is_internal]
        if above.parent is None:
            place = (above.body.span, f"declare it here: internal {declared.name} = ...")
            return messages.no_internal(declared.name, declared.span, known, place, node.instance)
        above = above.parent
    return messages.no_internal(declared.name, declared.span, (), None, node.instance)
