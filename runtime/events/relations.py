"""Tells what the relations of a model are at an instant. Solves nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}


def sides_of_relations(info: ModelInfo, y: Vector) -> Vector:
    """(left, right) of each relation in a row of `CompiledModel.variables`: shape (n, 2)."""
    return y[info.n_variables : info.n_variables + 2 * len(info.relations)].reshape(-1, 2)


def truths_of_signs(info: ModelInfo) -> Vector:
    """The value of each relation for a negative, zero and positive difference of its sides: shape (n, 3)."""
    return np.array([_of_signs(relation.operator) for relation in info.relations]).reshape(-1, 3)


def _of_signs(symbol: str) -> list[float]:
    compare = _OPERATORS.get(symbol)
    return [0.0, 0.0, 0.0] if compare is None else [float(compare(sign, 0.0)) for sign in (-1.0, 0.0, 1.0)]
