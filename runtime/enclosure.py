"""Bounds a relation of time alone over spans: its operations -> the difference of its sides, and the slope of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import TimeCrossing
from cutset.runtime import intervals as iv
from cutset.runtime.interface import Vector
from cutset.runtime.interval_program import Operation, interval_program
from cutset.runtime.intervals import Extremes, Pair

# Sides with a smaller relative difference are equal up to rounding.
_NOISE = 8.0 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the difference of the sides over spans, and of its slope; `noise` bounds its rounding error."""

    value: Pair
    slope: Pair
    noise: Any


class Enclosure:
    """One relation with the constants c and the held values m; `at` is the instant of the states x."""

    def __init__(self, crossing: TimeCrossing, c: Vector, m: Vector, x: Vector | None = None, at: float = 0.0):
        self._program = interval_program(crossing)
        self._tables = [_table(entry, c) for entry in self._program.tables]
        numbers = {"c": c, "m": m, "held": x, "since": np.array([at])}
        self._fixed: list[Pair] = []  # what does not depend on time is computed once
        for each in self._program.operations[: self._program.values]:
            if each.op in numbers:
                source = numbers[each.op]
                assert source is not None, "a relation contains no states"
                self._fixed.append(_point(float(source[int(each.number)])))
            else:
                self._fixed.append(self._computed(each, self._fixed))

    def over(self, lo: Vector, hi: Vector) -> Bounds:
        """The bounds over the spans from lo to hi, both (n,): by the rules of the operators and the mean value
        theorem."""
        found = self._found(lo, hi, slopes=True)
        left, right, of_left, of_right = self._program.sides
        value, noise = _difference(found[left], found[right])
        with np.errstate(all="ignore"):
            slope = found[of_left] if of_left >= 0 else iv.ZERO
            slope = iv.sub(slope, found[of_right]) if of_right >= 0 else slope
        if of_left < 0 and of_right < 0:
            low, high = (np.broadcast_to(each, lo.shape) for each in value)
            return Bounds((low, high), (np.zeros(len(lo)), np.zeros(len(lo))), noise)
        if not (np.isfinite(slope[0]) & np.isfinite(slope[1])).any():
            return Bounds(value, slope, noise)
        middle = 0.5 * (lo + hi)
        at, noise_there = self.at(middle)
        with np.errstate(all="ignore"):
            way = iv.mul(slope, (lo - middle, hi - middle))
            mean = at - noise_there + way[0], at + noise_there + way[1]
        good = np.isfinite(mean[0]) & np.isfinite(mean[1])
        lowest = np.where(good, np.fmax(value[0], mean[0]), value[0])
        highest = np.where(good, np.fmin(value[1], mean[1]), value[1])
        return Bounds((lowest, highest), slope, noise)

    def at(self, t: Vector) -> tuple[Vector, Vector]:
        """The difference at instants, and its rounding error."""
        found = self._found(t, t, slopes=False)
        left, right, _, _ = self._program.sides
        value, noise = _difference(found[left], found[right])
        return np.broadcast_to(value[0], t.shape), np.broadcast_to(noise, t.shape)

    def right_at(self, t: float) -> float:
        """The right side at an instant."""
        found = self._found(np.array([t]), np.array([t]), slopes=False)
        return float(np.ravel(found[self._program.sides[1]][0])[0])

    def left_over(self, lo: float, hi: float) -> tuple[float, float]:
        """The bounds of the left side over one span."""
        low, high = self._found(np.array([lo]), np.array([hi]), slopes=False)[self._program.sides[0]]
        return float(np.ravel(low)[0]), float(np.ravel(high)[0])

    def rate_of_right(self) -> float | None:
        """The slope of the right side if it does not depend on time and is not zero; else None."""
        slope = self._program.sides[3]
        return float(self._fixed[slope][0]) if 0 <= slope < self._program.values else None

    def _found(self, lo: Vector, hi: Vector, slopes: bool) -> list[Pair]:
        program, found = self._program, [*self._fixed]
        end = len(program.operations) if slopes else program.slopes
        for each in program.operations[program.values : end]:
            found.append((lo, hi) if each.op == "time" else self._computed(each, found))
        return found

    def _computed(self, each: Operation, found: list[Pair]) -> Pair:
        if each.op == "number":
            return _point(each.number)
        with np.errstate(all="ignore"):
            if each.op.startswith("interp1"):
                table, x = self._tables[each.args[1]], found[each.args[0]]
                return table.value(x) if each.op == "interp1" else table.slope(x)
            return _RULES[each.op](*(found[k] for k in each.args))


def _point(value: float) -> Pair:
    number = np.float64(value)
    return number, number


def _difference(left: Pair, right: Pair) -> tuple[Pair, Any]:
    """The difference of the sides, and its rounding error."""
    with np.errstate(all="ignore"):
        sizes = [np.abs(side) for side in (*left, *right)]
        noise = _NOISE * np.fmax(np.fmax(sizes[0], sizes[1]), np.fmax(sizes[2], sizes[3]))
        return iv.sub(left, right), noise


def _of_either(is_a: Callable[[Pair, Pair], Any]) -> Callable[..., Pair]:
    """The rule of the slope of a or b: that of the one which certainly applies, else bounds of both."""

    def rule(a: Pair, b: Pair, da: Pair, db: Pair) -> Pair:
        return iv.chosen(is_a(a, b), da, iv.chosen(is_a(b, a), db, iv.hull(da, db)))

    return rule


def _truth(true: Any, false: Any) -> Pair:
    """0 or 1; both if neither is certain."""
    return np.where(true, 1.0, 0.0), np.where(false, 0.0, 1.0)


def _relation(true: Callable[[Pair, Pair], Any], false: Callable[[Pair, Pair], Any]) -> Callable[[Pair, Pair], Pair]:
    return lambda a, b: _truth(true(a, b), false(a, b))


def _equal(a: Pair, b: Pair) -> Any:
    return (a[0] == a[1]) & (b[0] == b[1]) & (a[0] == b[0])


def _apart(a: Pair, b: Pair) -> Any:
    return (a[1] < b[0]) | (b[1] < a[0])


def _is(a: Pair) -> tuple[Any, Any]:
    """Whether it is certainly true, and whether it is certainly false."""
    lo, hi = a
    return (lo > 0.0) | (hi < 0.0), (lo == 0.0) & (hi == 0.0)


def _both(a: Pair, b: Pair) -> Pair:
    (p, q), (r, s) = _is(a), _is(b)
    return _truth(p & r, q | s)


def _any(a: Pair, b: Pair) -> Pair:
    (p, q), (r, s) = _is(a), _is(b)
    return _truth(p | r, q & s)


def _not(a: Pair) -> Pair:
    true, false = _is(a)
    return _truth(false, true)


def _is_held(condition: Pair) -> bool:
    lo, hi = condition
    return lo is hi and np.ndim(lo) == 0 and not np.isnan(lo)


def _if(condition: Pair, a: Pair, b: Pair) -> Pair:
    if _is_held(condition):
        return a if condition[0] != 0.0 else b
    true, false = _is(condition)
    # nan if one of them has no value: the other may have one.
    either = iv.hull(a, b)
    return iv.chosen(true, a, iv.chosen(false, b, iv.chosen(np.isnan(either[0]), iv.WHOLE, either)))


def _rate_of_if(condition: Pair, da: Pair, db: Pair) -> Pair:
    if _is_held(condition):
        return da if condition[0] != 0.0 else db
    true, false = _is(condition)
    return iv.chosen(true, da, iv.chosen(false, db, iv.WHOLE))


def _table(entry: tuple[Any, ...], c: Vector) -> _Table:
    kind, first, second = entry
    if kind == "points":
        return _Table(np.array(first, float), np.array(second, float))
    return _Table(c[first : first + second], c[first + second : first + 2 * second])


class _Table:
    """Points of `interp1`: straight segments, extrapolated at both ends."""

    def __init__(self, xs: Vector, ys: Vector):
        self._xs, self._ys = xs, ys
        self._slopes = np.diff(ys) / np.diff(xs)
        self._corners, self._steepness = Extremes(ys), Extremes(self._slopes)

    def _line(self, x: Any) -> Any:
        return np.clip(np.searchsorted(self._xs, x, side="right") - 1, 0, len(self._slopes) - 1)

    def _value(self, x: Any) -> Any:
        k = self._line(x)
        return self._ys[k] + self._slopes[k] * (x - self._xs[k])

    def slope(self, x: Pair) -> Pair:
        """The slopes of the segments over x."""
        return self._steepness.between(self._line(x[0]), self._line(x[1]))

    def value(self, x: Pair) -> Pair:
        """The values over x: at its ends, and at the points between."""
        low, high = self._value(x[0]), self._value(x[1])
        inner = self._corners.between(
            np.searchsorted(self._xs, x[0], side="right"), np.searchsorted(self._xs, x[1]) - 1
        )
        least, greatest = (np.reshape(part, np.shape(x[0])) for part in inner)
        return iv.widened(np.fmin(np.minimum(low, high), least), np.fmax(np.maximum(low, high), greatest))


_RULES: Mapping[str, Callable[..., Pair]] = {
    **{op: iv.FUNCTIONS_OF_ONE[op] for op, row in FUNCTIONS.items() if row.arity == 1},
    **{op: getattr(iv, op) for op in ("neg", "add", "sub", "mul", "square", "div", "atan2")},
    "pow": iv.power,
    "min": lambda a, b: (np.minimum(a[0], b[0]), np.minimum(a[1], b[1])),
    "max": lambda a, b: (np.maximum(a[0], b[0]), np.maximum(a[1], b[1])),
    "<": _relation(lambda a, b: a[1] < b[0], lambda a, b: a[0] >= b[1]),
    "<=": _relation(lambda a, b: a[1] <= b[0], lambda a, b: a[0] > b[1]),
    ">": _relation(lambda a, b: a[0] > b[1], lambda a, b: a[1] <= b[0]),
    ">=": _relation(lambda a, b: a[0] >= b[1], lambda a, b: a[1] < b[0]),
    "==": _relation(_equal, _apart),
    "<>": _relation(_apart, _equal),
    "and": _both,
    "or": _any,
    "not": _not,
    "if": _if,
    # A piecewise constant value has no bounded slope at its jumps; at a pole a function jumps.
    "step rate": lambda f: iv.chosen(f[0] == f[1], iv.ZERO, iv.WHOLE),
    "pole rate": lambda f, slope: iv.chosen(np.isinf(f[0]) & np.isinf(f[1]), iv.WHOLE, slope),
    "turn rate": lambda f, slope: iv.chosen(f[1] - f[0] >= 2.0 * np.pi, iv.WHOLE, slope),
    "if rate": _rate_of_if,
    "min rate": _of_either(lambda a, b: a[1] <= b[0]),
    "max rate": _of_either(lambda a, b: a[0] >= b[1]),
}
