"""Reads the scalar variables of a FlatModel: their leaves, outputs, synonyms, and those that measure motion."""

from __future__ import annotations

from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import PARAMETER, Expr
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Variable


def scalar_variables(model: FlatModel) -> tuple[list[Expr], dict[Expr, None], dict[Expr, Variable]]:
    """All leaves in order (derivatives last), the inputs and their derivatives among them, and the variable of each."""
    declared: dict[Expr, Variable] = {}
    inputs: dict[Expr, None] = {}
    freed = set(model.freed)
    for variable in model.variables:
        for node in variable.value.elements:
            declared.setdefault(node, variable)
        if variable.kind == "input":
            inputs |= dict.fromkeys(leaf for leaf in variable.value.elements if leaf not in freed)
    inputs |= dict.fromkeys(model.prescribed)
    for v, d in model.derivatives.items():
        if v in inputs:
            inputs[d] = None  # known, as the input itself
    leaves = [*declared, *(d for d in model.derivatives.values() if d not in declared)]
    return leaves, inputs, declared


def outputs_of(model: FlatModel) -> tuple[str, ...]:
    """The names of the scalars that the object declares as output, or of those that are found."""
    if model.found:
        return model.found
    own = (v for v in model.variables if v.kind == "output" and "." not in v.name)
    return tuple(str(leaf.data) for v in own for leaf in v.value.elements)


def synonyms(model: FlatModel) -> dict[str, str]:
    """J(2,1) is J(1,2), and so on, for all symmetric matrices; an external a.T is T."""
    matrices = [(v.name, v.value) for v in model.variables] + [(p.name, p.value) for p in model.parameters]
    names = {f"{name}({i + 1},{j + 1})": f"{name}({j + 1},{i + 1})" for name, m in matrices for i, j in _mirrored(m)}
    for external in model.externals:
        leaves = zip(external.elements, external.value.elements, strict=False)
        names |= {name: str(leaf.data) for name, leaf in leaves if leaf.level > PARAMETER}
    return names


def _mirrored(value: Array) -> list[tuple[int, int]]:
    """Positions below the diagonal of a symmetric matrix of leaves."""
    if len(value.shape) != 2 or value.rows != value.columns or value.rows == 1:
        return []
    below = [(i, j) for i in range(value.rows) for j in range(i)]
    symmetric = all(value.at(i, j) is value.at(j, i) and value.at(i, j).op != "constant" for i, j in below)
    return below if symmetric else []


def positions(model: FlatModel) -> tuple[str, ...]:
    """The scalars in m or rad whose derivative occurs in the model, in the order of their declaration."""
    return tuple(
        str(leaf.data) for variable in model.variables if variable.unit in ("m", "rad")
        for leaf in variable.value.elements if leaf in model.derivatives
    )  # fmt: skip
