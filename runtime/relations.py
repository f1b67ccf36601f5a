"""Evaluates the relations of a model at an instant. Solves nothing and knows nothing of earlier events.

Time events are decided by their instant, not by the sides of the relation, so that rounding cannot separate the two.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
# Sides with a smaller relative difference are equal up to rounding.
_ROUNDING = 1e-13


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


def rows_that_end(info: ModelInfo, y: Vector, past: NDArray[Any]) -> NDArray[np.intp]:
    """The numbers of the rows of y (one per instant) at which an assertion outside of all branches ends the run, as
    `Events.check` decides; those of `past` do not."""
    first = info.n_variables + 2 * len(info.relations) + sum(info.whens)
    found = np.zeros(len(y), bool)
    for k, assertion in enumerate(info.assertions):
        if assertion.branch < 0 and not past[k]:
            found |= y[:, first + k] != 0.0 if assertion.terminates else y[:, first + k] == 0.0
    return np.flatnonzero(found)


def fulfilled(info: ModelInfo, indicators: EventIndicators) -> list[bool]:
    """For each assertion whether it is a condition outside of all branches that would end the run at this point."""
    values = indicators.assertions.tolist()
    return [a.terminates and a.branch < 0 and values[k] != 0.0 for k, a in enumerate(info.assertions)]


def has_values(indicators: EventIndicators) -> bool:
    """True if all sides are finite."""
    return bool(np.isfinite(indicators.sides).all())


def same(sides: Vector) -> NDArray[np.bool_]:
    """For each pair of sides, True if they differ by rounding only."""
    left, right = sides.T
    with np.errstate(invalid="ignore", over="ignore"):
        near: NDArray[np.bool_] = np.abs(left - right) <= _ROUNDING * np.maximum(np.abs(left), np.abs(right))
    equal: NDArray[np.bool_] = left == right
    return equal | near


def holds(info: ModelInfo, relation: int, difference: float) -> float:
    """The value of a relation for the sign of the difference of its sides."""
    return float(_OPERATORS[info.relations[relation].operator](difference, 0.0))


@dataclass(frozen=True)
class RelationContext:
    """What decides relations besides their sides.

    instants     (instant, sign of the slope) of each of `ModelInfo.timed`; nan for a slope if the sides are equal
    before
    same         tells whether two instants are equal
    samples_due  the samples that are due
    truths       for each relation of kind 'edge', whether its condition was true before
    at_crossing  relations whose sides meet, by number
    hysteresis   relations that keep their value up to the given difference
    keeps        a crossing whose sides are equal keeps its value
    """

    t: float
    instants: Vector
    same: Callable[[float, float], bool]
    samples_due: Collection[int] = ()
    truths: Vector | None = None
    at_crossing: Mapping[int, AtCrossing] = field(default_factory=dict)
    hysteresis: Hysteresis = field(default_factory=dict)
    keeps: bool = True


class Relations:
    """The relations of a model, with what their evaluation needs in arrays."""

    def __init__(self, info: ModelInfo):
        self._info, self._timed = info, info.timed
        self._truths = truths_of_signs(info)
        self._rows = np.arange(len(info.relations))
        self._crossing = np.zeros(len(info.relations), bool)
        self._crossing[list(info.crossings)] = True
        self._pairs = np.array([relation.opposite >= 0 for relation in info.relations], bool)
        self._edges = [k for k, relation in enumerate(info.relations) if relation.kind == "edge"]
        self._samples = [k for k, relation in enumerate(info.relations) if relation.kind == "sample"]

    def values(self, indicators: EventIndicators, held: Vector, context: RelationContext) -> Vector:
        """The value of each relation, 0 or 1, where these indicators were computed with the values `held`. If its sides
        are not finite, a relation takes the other value: with the held values the equations are singular."""
        left, right = indicators.sides.T
        with np.errstate(invalid="ignore", over="ignore"):
            difference = left - right
        finite = np.isfinite(difference)
        singular = not finite.all()
        signs = np.sign(np.where(finite, difference, 0.0) if singular else difference)
        new: Vector = self._truths[self._rows, signs.astype(int) + 1]
        alike = same(indicators.sides)
        if context.keeps:
            new = np.where(self._crossing & alike, held, new)
        new = np.where(self._pairs & alike, 0.0, new)
        for k, width in context.hysteresis.items():
            if abs(difference[k]) <= width.get(float(held[k]), 0.0):
                new[k] = held[k]
        for k, (value, distance) in context.at_crossing.items():
            if alike[k] or abs(difference[k]) <= distance:
                new[k] = value
        if singular:
            new[~finite] = 1.0 - held[~finite]
        self._decide_by_events(new, left, context)
        return new

    def _decide_by_events(self, new: Vector, left: Vector, context: RelationContext) -> None:
        """Set the relations of time, of kind 'edge' and 'sample'."""
        for k, (instant, slope) in zip(self._timed, context.instants.tolist(), strict=False):
            if math.isfinite(instant) and slope != 0.0:
                after = context.t > instant or context.same(context.t, instant)
                sign = slope if after else -slope
                new[k] = holds(self._info, k, 0.0 if math.isnan(sign) else sign)
        for k in self._edges:
            new[k] = context.truths is not None and left[k] != 0.0 and context.truths[k] == 0.0
        for k in self._samples:
            new[k] = k in context.samples_due


def truths_of_signs(info: ModelInfo) -> Vector:
    """The value of each relation for a negative, zero and positive difference of its sides: shape (n, 3)."""
    return np.array([_of_signs(relation.operator) for relation in info.relations]).reshape(-1, 3)


def _of_signs(symbol: str) -> list[float]:
    compare = _OPERATORS.get(symbol)
    return [0.0, 0.0, 0.0] if compare is None else [float(compare(sign, 0.0)) for sign in (-1.0, 0.0, 1.0)]
