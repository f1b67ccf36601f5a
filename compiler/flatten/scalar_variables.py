"""FlatModel -> its scalars: the leaves of variables."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Variable


def leaves_of(model: FlatModel) -> tuple[list[Expr], dict[Expr, None], dict[Expr, Variable]]:
    """All leaves in order (derivatives last), the inputs and their derivatives among them, and the variable of each."""
    declared: dict[Expr, Variable] = {}
    inputs: dict[Expr, None] = {}
    for variable in model.variables:
        for node in variable.value.elements:
            declared.setdefault(node, variable)
        if variable.kind == "input":
            inputs |= dict.fromkeys(variable.value.elements)
    for v, d in model.derivatives.items():
        if v in inputs:
            inputs[d] = None  # given as the input itself is
    leaves = [*declared, *(d for d in model.derivatives.values() if d not in declared)]
    return leaves, inputs, declared


def outputs_of(model: FlatModel) -> tuple[str, ...]:
    """The names of the scalars that the object itself declares as output."""
    own = (v for v in model.variables if v.kind == "output" and "." not in v.name)
    return tuple(str(leaf.data) for v in own for leaf in v.value.elements)
