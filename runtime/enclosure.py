"""Bounds a relation of time alone: its tape -> bounds of the difference of its sides, and of its slope, over spans.

The slope comes from automatic differentiation; where the difference may have a jump or kink, the slope has no bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS, Branches, Function
from cutset.contract.metadata import TimeCrossing
from cutset.runtime import intervals as iv
from cutset.runtime.interface import Vector
from cutset.runtime.intervals import Extremes, Pair

# Sides with a smaller relative difference are equal up to rounding.
_NOISE = 8.0 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Dual:
    """Bounds of a value and of its slope; None is a zero slope."""

    value: Pair
    slope: Pair | None = None


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the difference of the sides over spans, and of its slope; `noise` bounds its rounding error."""

    value: Pair
    slope: Pair
    noise: Any


class Enclosure:
    """One relation with the constants c and the held values m."""

    def __init__(self, crossing: TimeCrossing, c: Vector, m: Vector):
        self._crossing = crossing
        self._known: dict[int, Any] = {}
        for i, (op, *args) in enumerate(crossing.tape):
            if op == "number":
                self._known[i] = Dual(_point(args[0]))
            elif op in ("c", "m"):
                self._known[i] = Dual(_point(float((c if op == "c" else m)[args[0]])))
            elif op == "points":
                self._known[i] = _Table(np.array(args[0], float), np.array(args[1], float))
            elif op == "points of c":
                first, n = args
                self._known[i] = _Table(c[first : first + n], c[first + n : first + 2 * n])
            elif op != "time" and all(k in self._known for k in args):  # constant entries are computed once
                with np.errstate(all="ignore"):
                    self._known[i] = _RULES[op](*(self._known[k] for k in args))

    def over(self, lo: Vector, hi: Vector) -> Bounds:
        """The bounds over the spans from lo to hi, both (n,): by the rules of the operators and the mean value
        theorem."""
        left, right = self._sides(lo, hi, slopes=True)
        value, slope, noise = _difference(left, right)
        if slope is None:
            return Bounds(value, (np.zeros(len(lo)), np.zeros(len(lo))), noise)
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
        left, right = self._sides(t, t, slopes=False)
        value, _, noise = _difference(left, right)
        return np.broadcast_to(value[0], t.shape), np.broadcast_to(noise, t.shape)

    def _sides(self, lo: Vector, hi: Vector, slopes: bool) -> tuple[Dual, Dual]:
        one = np.ones(lo.shape)
        found: list[Any] = []
        with np.errstate(all="ignore"):
            for i, (op, *args) in enumerate(self._crossing.tape):
                if i in self._known:
                    found.append(self._known[i])
                elif op == "time":
                    found.append(Dual((lo, hi), (one, one) if slopes else None))
                else:
                    found.append(_RULES[op](*(found[k] for k in args)))
        return found[self._crossing.left], found[self._crossing.right]


def _point(value: float) -> Pair:
    number = np.float64(value)
    return number, number


def _difference(left: Dual, right: Dual) -> tuple[Pair, Pair | None, Any]:
    with np.errstate(all="ignore"):
        value = iv.sub(left.value, right.value)
        sizes = [np.abs(side) for side in (*left.value, *right.value)]
        noise = _NOISE * np.fmax(np.fmax(sizes[0], sizes[1]), np.fmax(sizes[2], sizes[3]))
        slope = _sum(left.slope, None if right.slope is None else iv.neg(right.slope))
    return value, slope, noise


def _sum(a: Pair | None, b: Pair | None) -> Pair | None:
    if a is None or b is None:
        return b if a is None else a
    return iv.add(a, b)


def _scaled(factor: Pair, slope: Pair | None) -> Pair | None:
    return None if slope is None else iv.mul(factor, slope)


_ONE: Pair = _point(1.0)


class _Intervals:
    """The algebra of intervals in which the slopes of functions are evaluated."""

    zero, one = iv.ZERO, _ONE
    constant = staticmethod(_point)
    add, sub = staticmethod(iv.add), staticmethod(iv.sub)
    div, neg = staticmethod(iv.div), staticmethod(iv.neg)
    power = staticmethod(iv.power)

    @staticmethod
    def mul(a: Pair, b: Pair) -> Pair:
        return iv.square(a) if a is b else iv.mul(a, b)

    @staticmethod
    def call(op: str, a: Pair, quiet: str | None = None) -> Pair:
        return iv.FUNCTIONS_OF_ONE[op](a)


def _chain(function: Function, bounds: iv.Rule) -> Callable[[Dual], Dual]:
    """The rule of a function of one argument with values in these bounds. At a pole it jumps."""
    has_poles = isinstance(function.shape, Branches) or function.shape is None

    def rule(a: Dual) -> Dual:
        f = bounds(a.value)
        slope = None if a.slope is None else function.slope(_Intervals, f, a.value, a.slope)
        if slope is None or not has_poles:
            return Dual(f, slope)
        return Dual(f, iv.chosen(np.isinf(f[0]) & np.isinf(f[1]), iv.WHOLE, slope))

    return rule


def _product(a: Dual, b: Dual) -> Dual:
    if a is b:
        return Dual(iv.square(a.value), _scaled(iv.mul(_point(2.0), a.value), a.slope))
    return Dual(iv.mul(a.value, b.value), _sum(_scaled(b.value, a.slope), _scaled(a.value, b.slope)))


def _quotient(a: Dual, b: Dual) -> Dual:
    f = iv.div(a.value, b.value)
    of_b = None if b.slope is None else iv.neg(iv.mul(f, b.slope))
    over = _sum(a.slope, of_b)
    return Dual(f, None if over is None else iv.div(over, b.value))


def _power(a: Dual, b: Dual) -> Dual:
    f = iv.power(a.value, b.value)
    lower = iv.power(a.value, iv.sub(b.value, _ONE))
    slope = _scaled(iv.mul(b.value, lower), a.slope)
    return Dual(
        f, _sum(slope, None if b.slope is None else _scaled(iv.mul(f, iv.FUNCTIONS_OF_ONE["log"](a.value)), b.slope))
    )


def _atan2(y: Dual, x: Dual) -> Dual:
    f = iv.atan2(y.value, x.value)
    size = iv.add(iv.square(x.value), iv.square(y.value))
    turn = _sum(_scaled(x.value, y.slope), None if x.slope is None else iv.neg(iv.mul(y.value, x.slope)))
    if turn is None:
        return Dual(f)
    return Dual(f, iv.chosen(f[1] - f[0] >= 2.0 * np.pi, iv.WHOLE, iv.div(turn, size)))


def _lower(a: Dual, b: Dual) -> Dual:
    value = np.minimum(a.value[0], b.value[0]), np.minimum(a.value[1], b.value[1])
    return Dual(value, _of_either(a.value[1] <= b.value[0], b.value[1] <= a.value[0], a, b))


def _upper(a: Dual, b: Dual) -> Dual:
    value = np.maximum(a.value[0], b.value[0]), np.maximum(a.value[1], b.value[1])
    return Dual(value, _of_either(a.value[0] >= b.value[1], b.value[0] >= a.value[1], a, b))


def _of_either(is_a: Any, is_b: Any, a: Dual, b: Dual) -> Pair | None:
    """The slope of a or b, if it is known which applies; else bounds of both."""
    if a.slope is None and b.slope is None:
        return None
    da, db = a.slope or iv.ZERO, b.slope or iv.ZERO
    return iv.chosen(is_a, da, iv.chosen(is_b, db, iv.hull(da, db)))


def _jumping(value: Pair) -> Dual:
    """A piecewise constant value, which has no bounded slope at its jumps."""
    return Dual(value, iv.chosen(value[0] == value[1], iv.ZERO, iv.WHOLE))


def _step(function: Callable[[Pair], Pair]) -> Callable[[Dual], Dual]:
    return lambda a: _jumping(function(a.value))


def _truth(true: Any, false: Any) -> Dual:
    """0 or 1; both if neither is certain."""
    return _jumping((np.where(true, 1.0, 0.0), np.where(false, 0.0, 1.0)))


def _relation(true: Callable[[Pair, Pair], Any], false: Callable[[Pair, Pair], Any]) -> Callable[[Dual, Dual], Dual]:
    return lambda a, b: _truth(true(a.value, b.value), false(a.value, b.value))


def _equal(a: Pair, b: Pair) -> Any:
    return (a[0] == a[1]) & (b[0] == b[1]) & (a[0] == b[0])


def _apart(a: Pair, b: Pair) -> Any:
    return (a[1] < b[0]) | (b[1] < a[0])


def _is(a: Dual) -> tuple[Any, Any]:
    """Whether it is certainly true, and whether it is certainly false."""
    lo, hi = a.value
    return (lo > 0.0) | (hi < 0.0), (lo == 0.0) & (hi == 0.0)


def _both(a: Dual, b: Dual) -> Dual:
    (p, q), (r, s) = _is(a), _is(b)
    return _truth(p & r, q | s)


def _any(a: Dual, b: Dual) -> Dual:
    (p, q), (r, s) = _is(a), _is(b)
    return _truth(p | r, q & s)


def _not(a: Dual) -> Dual:
    true, false = _is(a)
    return _truth(false, true)


def _if(condition: Dual, a: Dual, b: Dual) -> Dual:
    lo, hi = condition.value
    if lo is hi and np.ndim(lo) == 0 and not np.isnan(lo):  # it is held
        return a if lo != 0.0 else b
    true, false = _is(condition)
    # nan if one of them has no value: the other may have one.
    either = iv.hull(a.value, b.value)
    value = iv.chosen(true, a.value, iv.chosen(false, b.value, iv.chosen(np.isnan(either[0]), iv.WHOLE, either)))
    da, db = a.slope or iv.ZERO, b.slope or iv.ZERO
    return Dual(value, iv.chosen(true, da, iv.chosen(false, db, iv.WHOLE)))


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


def _interpolated(x: Dual, table: _Table) -> Dual:
    if x.slope is None:
        return Dual(table.value(x.value))
    return Dual(table.value(x.value), iv.mul(table.slope(x.value), x.slope))


_RULES: Mapping[str, Callable[..., Dual]] = {
    **{
        op: _step(rule) if FUNCTIONS[op].jumps else _chain(FUNCTIONS[op], rule)
        for op, rule in iv.FUNCTIONS_OF_ONE.items()
    },
    "neg": lambda a: Dual(iv.neg(a.value), None if a.slope is None else iv.neg(a.slope)),
    "add": lambda a, b: Dual(iv.add(a.value, b.value), _sum(a.slope, b.slope)),
    "sub": lambda a, b: Dual(iv.sub(a.value, b.value), _sum(a.slope, None if b.slope is None else iv.neg(b.slope))),
    "mul": _product,
    "div": _quotient,
    "pow": _power,
    "atan2": _atan2,
    "min": _lower,
    "max": _upper,
    "interp1": _interpolated,
    "interp1_slope": lambda x, table: _jumping(table.slope(x.value)),
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
}
OPERATORS = frozenset(_RULES)
