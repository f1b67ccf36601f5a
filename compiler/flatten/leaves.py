"""FlatModel -> its scalars: the leaves of variables and what is declared of each."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import FlatModel, Unknown


def leaves_of(model: FlatModel) -> tuple[list[Expr], dict[Expr, None], dict[Expr, Unknown]]:
    """All leaves in order (derivatives last), the inputs and their derivatives among them, and what is declared of each."""
    declared: dict[Expr, Unknown] = {}
    inputs: dict[Expr, None] = {}
    for variable in model.variables:
        starts = variable.start.elements if variable.start else (None,) * len(variable.value.elements)
        nominals = variable.nominal.elements if variable.nominal else (None,) * len(variable.value.elements)
        for node, start, nominal in zip(variable.value.elements, starts, nominals):
            if variable.kind == "input":
                inputs[node] = None
            is_fixed = variable.fixed is not False
            declared.setdefault(node, Unknown(node, start, variable.preference, variable.span, is_fixed, nominal))
    for v, d in model.derivatives.items():
        if v in inputs:
            inputs[d] = None  # given as the input itself is
    leaves = [*declared, *(d for d in model.derivatives.values() if d not in declared)]
    return leaves, inputs, declared


def outputs_of(model: FlatModel) -> tuple[str, ...]:
    """The names of the scalars that the object itself declares as output."""
    own = (v for v in model.variables if v.kind == "output" and "." not in v.name)
    return tuple(str(leaf.data) for v in own for leaf in v.value.elements)
