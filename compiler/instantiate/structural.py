"""Conditions on parameters, decided at translation. The parameters that they use become structural.

A parameter that a condition uses has to be folded from the beginning, for other expressions may hold it already when
the condition is read. So the first attempt collects their names and `instantiate` begins again with them: as often as
conditions lie behind conditions. Must not change the value of a parameter.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.declarations import parameter_value
from cutset.compiler.instantiate.scope import Within
from cutset.compiler.syntax import tree


def holds(here: Within, condition: tree.Expression, what: str) -> bool | None:
    """Whether a condition on parameters holds; None after a diagnostic, or where its parameters are to be folded."""
    node = here.node
    value = parameter_value(node, condition, what, here)
    if value is None:
        return None
    if value.shape:
        node.report(messages.wrong_shape(f"{what} must be a scalar", condition.span, here.instance))
        return None
    try:
        return here.number(value.scalar, what, condition.span) != 0
    except ModelError as error:
        node.report(*error.diagnostics)
        return None
