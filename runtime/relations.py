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
Slacks = Mapping[int, Mapping[float, float]]


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


def same(sides: Vector) -> Vector:
    """Whether only rounding parts each two."""
    left, right = sides[:, 0], sides[:, 1]
    with np.errstate(invalid="ignore"):
        return (left == right) | (np.abs(left - right) <= _ROUNDING * np.maximum(np.abs(left), np.abs(right)))


def holds(info: ModelInfo, relation: int, difference: float) -> float:
    """The value of a relation whose sides differ by what has this sign."""
    return float(_OPERATORS[info.relations[relation].operator](difference, 0.0))


@dataclass(frozen=True)
class Circumstances:
    """What decides relations beside their sides. `instants` has (instant, sign of the slope) of those of time, `same`
    tells whether two instants are one. `ticks` are the samples that tick; `truths` has for each relation of kind
    'edge' whether it was true before. `pins` has relations that are at their crossing: (value, difference of the sides up
    to which it counts); one with `slacks` keeps its value up to the difference that stands there for it. With `keeps` a crossing whose sides are the same keeps its value."""

    t: float
    instants: Vector
    same: Callable[[float, float], bool]
    ticks: Collection[int] = ()
    truths: Vector | None = None
    pins: Pins = field(default_factory=dict)
    slacks: Slacks = field(default_factory=dict)
    keeps: bool = True


class Table:
    """The relations of a model as arrays, so that many of them take little time."""

    def __init__(self, info: ModelInfo):
        relations = info.relations
        # Whether each holds where its left side is less, the same, more.
        less, same, more = (
            np.array([r.operator != "" and _OPERATORS[r.operator](side, 0.0) for r in relations], dtype=bool)
            for side in (-1.0, 0.0, 1.0)
        )
        self.less, self.same, self.more = less, same, more
        self.edges, self.samples = (np.array([r.kind == kind for r in relations], dtype=bool) for kind in ("edge", "sample"))
        self.crossings = np.zeros(len(relations), dtype=bool)
        self.crossings[list(info.crossings)] = True
        self.info = info


def evaluate(table: Table, reading: Reading, held: Vector, given: Circumstances) -> Vector:
    """The value of each relation, 0 or 1, where the values `held` have led to this reading. One whose sides have no finite
    value has the other one: with the values that are held the equations are singular."""
    info, left, right = table.info, reading.sides[:, 0], reading.sides[:, 1]
    with np.errstate(invalid="ignore"):
        apart = np.abs(left - right)
        holding = (left < right) & table.less | (left == right) & table.same | (left > right) & table.more
    alike = same(reading.sides)
    new = np.where(alike & table.crossings, held, holding) if given.keeps else holding.astype(float)
    for k, own in given.slacks.items():
        if apart[k] <= own.get(float(held[k]), 0.0):
            new[k] = held[k]
    for k, (value, most) in given.pins.items():
        if alike[k] or apart[k] <= most:
            new[k] = value
    finite = np.isfinite(apart)
    if not finite.all():
        new = np.where(finite, new, 1.0 - held)
    for k, (instant, slope) in zip(info.instants, given.instants.tolist()):
        if math.isfinite(instant) and slope != 0.0:
            after = given.t > instant or given.same(given.t, instant)
            new[k] = holds(info, k, slope if after else -slope)
    if table.edges.any():
        risen = (left != 0.0) & (given.truths == 0.0) if given.truths is not None else np.zeros(len(left), dtype=bool)
        new[table.edges] = risen[table.edges]
    if table.samples.any():
        new[table.samples] = 0.0
        new[[k for k in given.ticks if table.samples[k]]] = 1.0
    return new
