"""Conditions on parameters, decided at translation. The parameters that they use become structural.

A parameter that a condition uses has to be folded from the beginning, for other expressions may hold it already when
the condition is read. So the first attempt collects their names and `instantiate` begins again with them: as often as
conditions lie behind conditions. Must not change the value of a parameter.
"""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.declarations import parameter_value
from cutset.compiler.instantiate.scope import Node, Translation
from cutset.compiler.syntax import tree


def holds(node: Node, condition: tree.Expression, what: str) -> bool | None:
    """Whether a condition on parameters holds; None after a diagnostic, or where its parameters are to be folded."""
    value = parameter_value(node, condition, what)
    if value is None:
        return None
    if value.shape:
        node.report(messages.wrong_shape(f"{what} must be a scalar", condition.span, node.instance))
        return None
    (decided,) = value.elements
    if decided.op == "constant":
        return bool(decided.data != 0)
    parameters = _parameters_under(node.translation, decided)
    if parameters <= node.translation.structural:
        node.report(messages.not_constant(what, condition.span, node.instance))
    node.translation.needed.update(parameters)
    return None


def _parameters_under(translation: Translation, value: Expr) -> set[str]:
    """The names of all parameters that a value depends on, those behind the bindings of others included."""
    found: set[Expr] = set()
    waiting = [value]
    while waiting:
        leaves = {e for e in reachable(waiting) if e.op == "parameter"} - found
        found |= leaves
        waiting = [translation.bindings[leaf] for leaf in leaves]
    return {str(leaf.data) for leaf in found}
