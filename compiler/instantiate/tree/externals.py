"""Resolves `external g`: a second name for a variable of the nearest surrounding model that declares it `internal`."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.expressions.array import Shape, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import External, element_names
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.tree.scope import Node, Within


def external(here: Within, declared: Declared, shape: Shape) -> list[External]:
    """The second name, with the value of the variable; none after a diagnostic."""
    name, node = declared.name, here.node
    excess = "value" if declared.default is not None else ""
    excess = next((f"attribute '{a.name}'" for a in declared.attributes if a.name != "unit"), excess)
    if excess:
        here.report(messages.external_with(name, excess, declared.span, here.instance))
        return []
    owner = owner_of(node, name)
    if owner is None:
        here.report(_missing(node, declared))
        return []
    value = owner.values.get(name)
    if value is None:
        return []  # its error was reported
    if value.shape != shape:
        words = shape_words(shape), shape_words(value.shape)
        place = owner.body.variables[name].span
        here.report(messages.external_shape(name, *words, declared.span, place, here.instance))
        return []
    node.values[name] = value
    full = node.full_name(name)
    return [External(full, owner.full_name(name), tuple(element_names(full, shape)), value, declared.span)]


def owner_of(node: Node, name: str) -> Node | None:
    """The nearest surrounding model that declares the variable as internal."""
    for above in node.surrounding():
        declared = above.body.variables.get(name)
        if declared is not None and declared.is_internal:
            return above
    return None


def _missing(node: Node, declared: Declared) -> Diagnostic:
    """Where to declare it: in a surrounding model that has that name already, else in the outermost."""
    known: list[str] = []
    place = None
    for above in node.surrounding():
        same = above.body.variables.get(declared.name)
        if same is not None:
            known, place = [], (same.span, f"declare it as internal here: internal {declared.name}")
            break
        known += [n for n, d in above.body.variables.items() if d.is_internal]
        if above.parent is None:
            place = (above.body.span, f"declare it here: internal {declared.name} = ...")
    return messages.no_internal(declared.name, declared.span, known, place, node.instance)
