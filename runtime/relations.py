"""Tells what the relations of a model are at an instant, and by which rules they are held. Solves nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}


class AtCrossing(NamedTuple):
    """The state at the crossing of a relation: the relation has this value while its sides differ by at most
    `distance`, whatever the sign of their difference."""

    value: float
    distance: float


# By relation number and value: how far beyond its crossing the sides may be while the relation keeps that value.
Hysteresis = Mapping[int, Mapping[float, float]]


@dataclass(frozen=True, eq=False)
class EventIndicators:
    """The values for events from `CompiledModel.variables` at one point: (left, right) of each relation, the conditions
    of branches and of assertions, and the largest of all numbers there, against which rounding is measured."""

    sides: Vector
    conditions: Vector
    assertions: Vector
    magnitude: float


def event_indicators(info: ModelInfo, y: Vector) -> EventIndicators:
    """The event indicators in a row of y, after the variables."""
    first, n, branches = info.n_variables, len(info.relations), sum(info.whens)
    pairs, rest = y[first : first + 2 * n], y[first + 2 * n :]
    sizes = np.abs(y[: first + 2 * n])
    magnitude = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    return EventIndicators(pairs.reshape(n, 2), rest[:branches], rest[branches:], magnitude)


def fulfilled(info: ModelInfo, indicators: EventIndicators) -> list[bool]:
    """For each assertion whether it is a condition outside of all branches that would end the run at this point."""
    values = indicators.assertions.tolist()
    return [a.terminates and a.branch < 0 and values[k] != 0.0 for k, a in enumerate(info.assertions)]


def truths_of_signs(info: ModelInfo) -> Vector:
    """The value of each relation for a negative, zero and positive difference of its sides: shape (n, 3)."""
    return np.array([_of_signs(relation.operator) for relation in info.relations]).reshape(-1, 3)


def _of_signs(symbol: str) -> list[float]:
    compare = _OPERATORS.get(symbol)
    return [0.0, 0.0, 0.0] if compare is None else [float(compare(sign, 0.0)) for sign in (-1.0, 0.0, 1.0)]
