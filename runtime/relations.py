"""What a model says at an instant in, the values of its relations out. Solves nothing and knows nothing of events
before.

Relations of time are decided by their instant, not by their sides, so that rounding cannot part the two.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
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
# Sides that differ by this part of the larger are the same: rounding has made them differ.
_ROUNDING = 1e-13

Pins = Mapping[int, tuple[float, float]]
Slacks = Mapping[int, Mapping[float, float]]


@dataclass(frozen=True, eq=False)
class Reading:
    """What `CompiledModel.variables` has for events, at one point: (left, right) of each relation, and the conditions
    of branches and of assertions; and the largest of all numbers there, which rounding is measured by."""

    sides: Vector
    conditions: Vector
    assertions: Vector
    magnitude: float


def read(info: ModelInfo, y: Vector) -> Reading:
    """The parts of y behind the variables."""
    first, n, branches = info.n_variables, len(info.relations), sum(info.whens)
    pairs, rest = y[first : first + 2 * n], y[first + 2 * n :]
    sizes = np.abs(y[: first + 2 * n])
    magnitude = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    return Reading(pairs.reshape(n, 2), rest[:branches], rest[branches:], magnitude)


def rows_that_end(info: ModelInfo, y: Vector) -> Vector:
    """The numbers of the rows of y, one for each instant, in which an assertion that belongs to no branch ends the run,
    as `Events.check` has it."""
    first = info.n_variables + 2 * len(info.relations) + sum(info.whens)
    found = np.zeros(len(y), bool)
    for k, assertion in enumerate(info.assertions, start=first):
        if assertion.branch < 0:
            found |= y[:, k] != 0.0 if assertion.terminates else y[:, k] == 0.0
    return np.flatnonzero(found)


def has_values(reading: Reading) -> bool:
    """Whether all sides are finite."""
    return bool(np.isfinite(reading.sides).all())


def same(sides: Vector) -> Vector:
    """Whether only rounding parts each two."""
    left, right = sides.T
    with np.errstate(invalid="ignore", over="ignore"):
        return (left == right) | (np.abs(left - right) <= _ROUNDING * np.maximum(np.abs(left), np.abs(right)))


def holds(info: ModelInfo, relation: int, difference: float) -> float:
    """The value of a relation whose sides differ by what has this sign."""
    return float(_OPERATORS[info.relations[relation].operator](difference, 0.0))


@dataclass(frozen=True)
class Circumstances:
    """What decides relations beside their sides. `instants` has (instant, sign of the slope) of those of
    `ModelInfo.timed`, nan for a slope before which the sides are equal; `same` tells whether two instants are one.
    `ticks` are the samples that tick; `truths` has for each relation of kind 'edge' whether it was true before. `pins`
    has relations that are at their crossing: (value, difference of the sides up to which it counts); one with `slacks`
    keeps its value up to the difference that stands there for it. With `keeps` a crossing whose sides are the same
    keeps its value."""

    t: float
    instants: Vector
    same: Callable[[float, float], bool]
    ticks: Collection[int] = ()
    truths: Vector | None = None
    pins: Pins = field(default_factory=dict)
    slacks: Slacks = field(default_factory=dict)
    keeps: bool = True


def evaluate(info: ModelInfo, reading: Reading, held: Vector, given: Circumstances) -> Vector:
    """The value of each relation, 0 or 1, where the values `held` have led to this reading. One whose sides have no
    finite value has the other one: with the values that are held the equations are singular."""
    left, right = reading.sides.T
    with np.errstate(invalid="ignore", over="ignore"):
        difference = left - right
    alike, new = same(reading.sides), np.zeros(len(info.relations))
    places = info.places_of_relations
    for symbol, compare in _OPERATORS.items():
        if places[symbol]:
            chosen = np.asarray(places[symbol])
            new[chosen] = compare(left[chosen], right[chosen])
    if given.keeps:
        crossing = np.asarray(places["crossing"])
        kept = crossing[alike[crossing]]
        new[kept] = held[kept]
    for k, slack in given.slacks.items():
        if abs(difference[k]) <= slack.get(float(held[k]), 0.0):
            new[k] = held[k]
    for k, (value, limit) in given.pins.items():
        if alike[k] or abs(difference[k]) <= limit:
            new[k] = value
    singular = ~np.isfinite(difference)
    new[singular] = 1.0 - held[singular]
    for k, (instant, slope) in zip(info.timed, given.instants.tolist(), strict=False):
        if math.isfinite(instant) and slope != 0.0:
            after = given.t > instant or given.same(given.t, instant)
            sign = slope if after else -slope
            new[k] = holds(info, k, 0.0 if math.isnan(sign) else sign)
    for k in places["edge"]:
        new[k] = given.truths is not None and left[k] != 0.0 and given.truths[k] == 0.0
    for k in places["sample"]:
        new[k] = k in given.ticks
    return new
