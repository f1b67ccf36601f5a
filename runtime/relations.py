"""What a model says at an instant in, the values of its relations out. Solves nothing and knows nothing of events before.

Relations of time are decided by their instant, not by their sides, so that rounding cannot part the two.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from cutset.runtime.interface import ModelInfo, Vector

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
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


@dataclass(frozen=True, eq=False)
class Reading:
    """What `CompiledModel.variables` has for events, at one point: (left, right) of each relation, and the conditions of
    branches and of assertions; and the largest of all numbers there, which rounding is measured by."""

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


def has_values(reading: Reading) -> bool:
    """Whether all sides are finite."""
    return bool(np.isfinite(reading.sides).all())


def same_sides(left: float, right: float) -> bool:
    """Whether only rounding parts them."""
    return left == right or abs(left - right) <= _ROUNDING * max(abs(left), abs(right))


def holds(info: ModelInfo, relation: int, difference: float) -> float:
    """The value of a relation whose sides differ by what has this sign."""
    return float(_OPERATORS[info.relations[relation].operator](difference, 0.0))


@dataclass(frozen=True)
class Circumstances:
    """What decides relations beside their sides. `instants` has (instant, sign of the slope) of those of time, `same`
    tells whether two instants are one. `ticks` are the samples that tick; `truths` has for each relation of kind
    'edge' whether it was true before. `pins` has relations that are at their crossing: (value, difference of the sides up
    to which it counts). With `keeps` a crossing whose sides are the same keeps its value."""

    t: float
    instants: Vector
    same: Callable[[float, float], bool]
    ticks: Collection[int] = ()
    truths: Vector | None = None
    pins: Pins = field(default_factory=dict)
    keeps: bool = True


def evaluate(info: ModelInfo, reading: Reading, held: Vector, given: Circumstances) -> Vector:
    """The value of each relation, 0 or 1, where the values `held` have led to this reading. One whose sides have no finite
    value has the other one: with the values that are held the equations are singular."""
    kept = set(info.crossings) if given.keeps else ()
    by_time = dict(zip(info.instants, given.instants.tolist()))
    new = np.zeros(len(info.relations))
    for k, relation in enumerate(info.relations):
        left, right = reading.sides[k].tolist()
        if relation.kind == "sample":
            new[k] = k in given.ticks
        elif relation.kind == "edge":
            new[k] = given.truths is not None and left != 0.0 and given.truths[k] == 0.0
        elif k in by_time and math.isfinite(by_time[k][0]) and by_time[k][1] != 0.0:
            instant, slope = by_time[k]
            after = given.t > instant or given.same(given.t, instant)
            new[k] = holds(info, k, slope if after else -slope)
        elif not math.isfinite(left - right):
            new[k] = 1.0 - held[k]
        elif k in given.pins and (same_sides(left, right) or abs(left - right) <= given.pins[k][1]):
            new[k] = given.pins[k][0]
        elif k in kept and same_sides(left, right):
            new[k] = held[k]
        else:
            new[k] = _OPERATORS[relation.operator](left, right)
    return new
