"""FlatModel -> second names: elements of symmetric matrices below the diagonal, and externals."""

from __future__ import annotations

from cutset.compiler.expressions.array import Tensor
from cutset.compiler.expressions.pool import PARAMETER
from cutset.compiler.flatten.model import FlatModel


def second_names(model: FlatModel) -> dict[str, str]:
    """J(2,1) is J(1,2), and so on, for all symmetric matrices; an external a.T is T."""
    matrices = [(v.name, v.value) for v in model.variables] + [(p.name, p.value) for p in model.parameters]
    names = {f"{name}({i + 1},{j + 1})": f"{name}({j + 1},{i + 1})" for name, m in matrices for i, j in _mirrored(m)}
    for external in model.externals:
        leaves = zip(external.elements, external.value.elements, strict=False)
        names |= {name: str(leaf.data) for name, leaf in leaves if leaf.level > PARAMETER}
    return names


def _mirrored(value: Tensor) -> list[tuple[int, int]]:
    """Positions below the diagonal of a symmetric matrix of leaves."""
    if len(value.shape) != 2 or value.rows != value.columns or value.rows == 1:
        return []
    below = [(i, j) for i in range(value.rows) for j in range(i)]
    symmetric = all(value.at(i, j) is value.at(j, i) and value.at(i, j).op != "constant" for i, j in below)
    return below if symmetric else []
