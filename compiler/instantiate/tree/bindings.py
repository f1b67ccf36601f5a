"""Finds the places in the text that give the numbers of an expression of parameters, for messages.

Reports nothing.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Label
from cutset.compiler.instantiate.names.spelled_vectors import vector_of
from cutset.compiler.instantiate.tree.scope import Node
from cutset.compiler.syntax import tree

_MOST = 3


def binding_places(node: Node, expression: tree.Expression, only_zeros: bool = False) -> tuple[Label, ...]:
    """The bindings and declarations with the numbers of the parameters and constants in the expression, which is
    written in the class of `node`. Those of `node` itself, which a message shows anyway, are omitted. With `only_zeros`
    only those that are zero."""
    labels: dict[Label, None] = {}
    waiting = [(node, expression)]
    seen: set[tuple[int, str]] = set()
    for owner, written in waiting:  # grows
        for name in (r.parts[0].name for r in tree.references(written) if len(r.parts) == 1):
            declared = owner.body.variables.get(name)
            value = owner.values.get(name)
            is_zero = value is not None and all(e.op == "constant" and e.data == 0 for e in value.elements)
            if (
                declared is None
                or declared.kind not in ("parameter", "constant")
                or (id(owner), name) in seen
                or (only_zeros and not is_zero)
            ):
                continue
            seen.add((id(owner), name))
            binding = _binding(owner, name)
            if binding is not None and owner.parent is not None and any(tree.references(binding.value)):
                waiting.append((owner.parent, binding.value))
            elif binding is not None and owner is not node:
                labels[Label(binding.span, f"'{owner.full_name(name)}' gets its value here")] = None
            elif binding is None and declared.default is not None and any(tree.references(declared.default)):
                waiting.append((owner, declared.default))
            elif binding is None and declared.default is not None and owner is not node:
                labels[Label(declared.span, f"'{owner.full_name(name)}' has its value here")] = None
    return tuple(labels)[:_MOST]


def _binding(node: Node, name: str) -> tree.Binding | None:
    """The binding of the parameter in the declaration of the submodel."""
    if node.item is None or name not in node.given:
        return None
    names = (name, *vector_of(node.body, name))
    return next((b for b in node.item.bindings if b.name in names), None)
