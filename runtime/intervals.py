"""Implements interval arithmetic on arrays: pairs (low, high) -> pairs that contain all values, rounding included.

R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009. An interval of one point stays
one: its value is that of the generated code, and is computed once if both ends are the same object. The pair is nan
where a function has no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS, Branches, Falling, Function, Rising, Valley, Wave

# A number or an array of numbers: numpy broadcasts.
Pair = tuple[Any, Any]
Rule = Callable[..., Pair]
Vectorized = Callable[[Any], Any]

_WIDER = 4.0 * np.finfo(float).eps
WHOLE: Pair = (-np.inf, np.inf)
ZERO: Pair = (np.float64(0.0), np.float64(0.0))


def widened(lo: Any, hi: Any) -> Pair:
    """The pair widened by rounding, unless it is one point."""
    apart = lo < hi
    return np.where(apart, lo - _WIDER * np.abs(lo), lo), np.where(apart, hi + _WIDER * np.abs(hi), hi)


def _at_points(function: Callable[..., Any]) -> Callable[[Callable[..., Pair]], Callable[..., Pair]]:
    """The rule for intervals; if all of them are points, `function` is applied instead."""

    def decorate(rule: Callable[..., Pair]) -> Callable[..., Pair]:
        @wraps(rule)
        def of(*pairs: Pair) -> Pair:
            if all(lo is hi for lo, hi in pairs):
                value = function(*(lo for lo, _ in pairs))
                return value, value
            return rule(*pairs)

        return of

    return decorate


def hull(a: Pair, b: Pair) -> Pair:
    """The smallest interval that contains both."""
    return np.minimum(a[0], b[0]), np.maximum(a[1], b[1])


def chosen(where: Any, a: Pair, b: Pair) -> Pair:
    """a where the condition is true, else b."""
    if a[0] is a[1] and b[0] is b[1]:
        value = np.where(where, a[0], b[0])
        return value, value
    return np.where(where, a[0], b[0]), np.where(where, a[1], b[1])


@_at_points(np.add)
def add(a: Pair, b: Pair) -> Pair:
    """a + b"""
    return widened(a[0] + b[0], a[1] + b[1])


@_at_points(np.subtract)
def sub(a: Pair, b: Pair) -> Pair:
    """a - b"""
    return widened(a[0] - b[1], a[1] - b[0])


@_at_points(np.negative)
def neg(a: Pair) -> Pair:
    """-a"""
    return -a[1], -a[0]


def _product(a: Any, b: Any) -> Any:
    product = a * b
    lost = np.isnan(product) & ~np.isnan(a) & ~np.isnan(b)  # zero times infinity: the limit of products is zero here
    return np.where(lost, 0.0, product) if np.any(lost) else product


@_at_points(np.multiply)
def mul(a: Pair, b: Pair) -> Pair:
    """a * b"""
    corners = [_product(x, y) for x in a for y in b]
    return widened(_least(corners), _greatest(corners))


@_at_points(np.square)
def square(a: Pair) -> Pair:
    """a * a where both factors are the same variable."""
    low, high = a[0] * a[0], a[1] * a[1]
    spans = (a[0] < 0.0) & (a[1] > 0.0)
    return widened(np.where(spans, 0.0, np.minimum(low, high)), np.maximum(low, high))


@_at_points(np.true_divide)
def div(a: Pair, b: Pair) -> Pair:
    """a / b; unbounded if b may be zero."""
    corners = [np.true_divide(x, y) for x in a for y in b]
    spans = (b[0] <= 0.0) & (b[1] >= 0.0) & (b[0] < b[1])
    both_infinite = (np.isinf(a[0]) | np.isinf(a[1])) & (np.isinf(b[0]) | np.isinf(b[1]))
    return chosen(spans | both_infinite, WHOLE, widened(_least(corners), _greatest(corners)))


def _least(corners: list[Any]) -> Any:
    return np.minimum(np.minimum(corners[0], corners[1]), np.minimum(corners[2], corners[3]))


def _greatest(corners: list[Any]) -> Any:
    return np.maximum(np.maximum(corners[0], corners[1]), np.maximum(corners[2], corners[3]))


def _meets(a: Pair, first: float, period: float) -> Any:
    """True if one of first, first + period, ... lies inside."""
    return np.floor((a[1] - first) / period) > np.floor((a[0] - first) / period)


def _monotone(function: Vectorized, shape: Rising) -> Rule:
    """The rule of a function that rises or falls on its domain."""
    least, largest = shape.domain
    falls = isinstance(shape, Falling)

    def of(a: Pair) -> Pair:
        lo, hi = np.maximum(a[0], least), np.minimum(a[1], largest)
        at_lo, at_hi = function(lo), function(hi)
        return chosen(lo <= hi, widened(at_hi, at_lo) if falls else widened(at_lo, at_hi), (np.nan, np.nan))

    return of


def _valley(function: Vectorized, shape: Valley) -> Rule:
    def of(a: Pair) -> Pair:
        low, high = function(a[0]), function(a[1])
        spans = (a[0] < 0.0) & (a[1] > 0.0)
        return widened(np.where(spans, shape.least, np.minimum(low, high)), np.maximum(low, high))

    return of


def _wave(function: Vectorized, shape: Wave) -> Rule:
    period = 2.0 * math.pi

    def of(a: Pair) -> Pair:
        low, high = function(a[0]), function(a[1])
        lo, hi = widened(np.minimum(low, high), np.maximum(low, high))
        wild = ~(np.isfinite(a[0]) & np.isfinite(a[1]))
        hi = np.where(wild | _meets(a, shape.crest, period), 1.0, np.minimum(hi, 1.0))
        lo = np.where(wild | _meets(a, shape.crest + math.pi, period), -1.0, np.maximum(lo, -1.0))
        return lo, hi

    return of


def _branches(function: Vectorized, shape: Branches) -> Rule:
    """The rule of a function with poles; unbounded if a pole lies inside."""

    def of(a: Pair) -> Pair:
        poles = _meets(a, shape.pole, shape.period) | ~(np.isfinite(a[0]) & np.isfinite(a[1]))
        return chosen(poles, WHOLE, widened(function(a[0]), function(a[1])))

    return of


def rule_of(row: Function) -> Rule:
    """The rule that follows from the shape of a function of one argument; unbounded if it has none."""
    function = getattr(np, row.numpy) if row.numpy else np.vectorize(_quiet(row.value), otypes=[float])
    match row.shape:
        case Rising() as shape:
            rule = _monotone(function, shape)
        case Valley() as shape:
            rule = _valley(function, shape)
        case Wave() as shape:
            rule = _wave(function, shape)
        case Branches() as shape:
            rule = _branches(function, shape)
        case _:
            rule = _unbounded
    return _at_points(function)(rule)


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    def value(x: float) -> float:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan

    return value


def _unbounded(a: Pair) -> Pair:
    return chosen(np.isnan(a[0]), a, WHOLE)


# By their ops, of one argument.
FUNCTIONS_OF_ONE: dict[str, Rule] = {op: rule_of(row) for op, row in FUNCTIONS.items() if row.arity == 1}


@_at_points(np.arctan2)
def atan2(y: Pair, x: Pair) -> Pair:
    """atan2(y, x); from -pi to pi if its cut may lie inside."""
    corners = [np.arctan2(v, w) for v in y for w in x]
    cut = (x[0] <= 0.0) & (y[0] <= 0.0) & (y[1] >= 0.0) & ((x[0] < x[1]) | (y[0] < y[1]))
    return chosen(cut, (-math.pi, math.pi), widened(_least(corners), _greatest(corners)))


@_at_points(np.power)
def power(a: Pair, b: Pair) -> Pair:
    """a ^ b. A negative a has no value if the exponent is not a whole number."""
    with_whole = np.all(np.equal(b[0], b[1])) and np.all(np.equal(b[0], np.round(b[0])))
    if with_whole:
        low, high = np.power(a[0], b[0]), np.power(a[1], b[0])
        spans = (a[0] <= 0.0) & (a[1] >= 0.0) & (a[0] < a[1])
        lo, hi = widened(np.minimum(low, high), np.maximum(low, high))
        even = np.mod(b[0], 2.0) == 0.0
        found = np.where(spans & even, np.minimum(lo, 0.0), lo), hi
        return chosen(spans & (b[0] < 0.0), WHOLE, found)
    base = np.maximum(a[0], 0.0), a[1]
    corners = [np.power(x, y) for x in base for y in b]
    return chosen(a[1] >= 0.0, widened(_least(corners), _greatest(corners)), (np.nan, np.nan))


class Extremes:
    """Minimum and maximum of any range of `values` (n,): a table of ranges of length 1, 2, 4, ..."""

    def __init__(self, values: Any):
        self._least, self._greatest = [np.asarray(values, float)], [np.asarray(values, float)]
        width = 1
        while 2 * width <= len(values):
            low, high = self._least[-1], self._greatest[-1]
            self._least.append(np.minimum(low[:-width], low[width:]))
            self._greatest.append(np.maximum(high[:-width], high[width:]))
            width *= 2

    def between(self, first: Any, last: Any) -> Pair:
        """Minimum and maximum of values number `first` to `last`; nan if there are none."""
        first, last = np.broadcast_arrays(np.atleast_1d(first), np.atleast_1d(last))
        lo, hi = np.full(first.shape, np.nan), np.full(first.shape, np.nan)
        level = np.zeros(first.shape, int)
        count = last - first + 1
        level[count > 0] = np.log2(count[count > 0]).astype(int)
        for j in np.unique(level[count > 0]).tolist():
            at = (level == j) & (count > 0)
            a, b = first[at], last[at] + 1 - (1 << j)
            lo[at] = np.minimum(self._least[j][a], self._least[j][b])
            hi[at] = np.maximum(self._greatest[j][a], self._greatest[j][b])
        return lo, hi
