"""Describes an `if` around equations without a taken branch, for messages about a missing equation."""

from __future__ import annotations

from typing import Any

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.instance import REAL, InactiveBranches
from cutset.compiler.instantiate.names.meanings import Index, Variable
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree


def inactive_branches(here: Within, choice: tree.If) -> InactiveBranches:
    """The facts about an `if` whose conditions are all false."""
    conditions = [branch.condition for branch in choice.branches if branch.condition is not None]
    values = dict.fromkeys(text for reference in tree.references(*conditions) if (text := _value(here, reference)))
    names = _names_in(tuple(branch.members for branch in choice.branches))
    return InactiveBranches(
        tuple(condition.span for condition in conditions), tuple(values), frozenset(names), here.node.path
    )


def _value(here: Within, reference: tree.Reference) -> str:
    """`kind = 3`; empty unless it is a parameter, constant or index."""
    node, name = here.node, reference.parts[0].name
    if len(reference.parts) == 1 and not isinstance(here.meaning(reference), Variable | Index):
        return ""
    try:
        value = evaluate(reference, here)
        number = here.number(value.scalar, "this", reference.span) if not value.shape else None
    except ModelError:
        return ""
    if number is None:
        return ""
    if name in here.indices:
        return f"{name} = {number:g}"
    declared = node.body.variables.get(name) if len(reference.parts) == 1 else None
    if declared is None and name not in node.body.submodels:
        return ""  # a literal of an enumeration
    written = "".join(reference.span.text.split())
    shown = ((declared.type if declared else None) or REAL).shown(number)
    given = " (set for this run)" if node.full_name(written) in here.translation.values else ""
    return f"{written} = {shown}{given}"


def _names_in(members: Any) -> set[str]:
    """All names in some statements, without indices; for the parts of a connection the submodel or cut."""
    found: set[str] = set()
    stack = [members]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
            continue
        if isinstance(node, tree.Reference | tree.PointReference):
            found.add(".".join(part.name for part in node.parts))
        stack += [getattr(node, name) for name in getattr(node, "__dataclass_fields__", ()) if name != "span"]
    return found
