"""Computes intervals that the values of expressions never leave, for all times and variables. Knows no model.

Interval arithmetic over the DAG, each node once (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval
Analysis, SIAM 2009). Only defined values are bounded: an undefined one ends the run elsewhere. Rounding of the last
digit is ignored.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import postorder
from cutset.contract.functions import FUNCTIONS, RELATIONS, Falling, Function, Rising, Valley, Wave

Interval = tuple[float, float]
Rule = Callable[..., Interval]

EVERYTHING: Interval = (-math.inf, math.inf)
_TRUTH: Interval = (0.0, 1.0)


class Bounds:
    """Intervals of expressions; `known` gives those of leaves, other leaves are unbounded."""

    def __init__(self, known: Mapping[Expr, Interval] = MappingProxyType({})):
        self._found: dict[Expr, Interval] = dict(known)

    def of(self, root: Expr) -> Interval:
        """(least, largest), infinite where there is no bound."""
        found = self._found
        for node in postorder(root, found, _bounding):
            found[node] = self._product(node) if node.op == "mul" else _bound(node, [found[a] for a in _bounding(node)])
        return found[root]

    def _product(self, node: Expr) -> Interval:
        """The interval of a product. Equal factors form a power, which keeps its sign if its exponent is even."""
        counts, open_products, total = {node: 1}, [(-node.id, node)], (1.0, 1.0)
        while open_products:  # the youngest first, so that each is met once with all its occurrences
            _, product = heapq.heappop(open_products)
            count = counts.pop(product)
            for factor in product.args:
                if factor.op == "mul" and factor not in counts:
                    heapq.heappush(open_products, (-factor.id, factor))
                counts[factor] = counts.get(factor, 0) + count
        for factor, count in counts.items():
            base = self._found.get(factor, EVERYTHING)
            if count > 1:
                exponent = float(min(count // 2, 1 << 60))
                total = _mul(total, _pow(_square(base), (exponent, exponent)))
            total = _mul(total, base) if count % 2 else total
        return total

    def stays_from_zero(self, root: Expr) -> bool:
        """True if the value is always bounded away from zero."""
        low, high = self.of(root)
        return low > 0.0 or high < 0.0


def _bounding(node: Expr) -> tuple[Expr, ...]:
    """The nodes whose bounds those of the node need."""
    return node.args if node.op in _RULES else ()


def _bound(node: Expr, args: list[Interval]) -> Interval:
    if node.op == "constant":
        return node.data, node.data
    if node.op == "div" and node.args[0] is node.args[1]:
        return 1.0, 1.0
    rule = _RULES.get(node.op)
    if rule is None:
        return EVERYTHING
    low, high = rule(*args)
    return (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)


def _hull(values: list[float]) -> Interval:
    return EVERYTHING if any(map(math.isnan, values)) else (min(values), max(values))


def _times(x: float, y: float) -> float:
    return 0.0 if x == 0.0 or y == 0.0 else x * y


def _add(a: Interval, b: Interval) -> Interval:
    return a[0] + b[0], a[1] + b[1]


def _mul(a: Interval, b: Interval) -> Interval:
    return _hull([_times(x, y) for x in a for y in b])


def _div(a: Interval, b: Interval) -> Interval:
    if b[0] <= 0.0 <= b[1]:
        return EVERYTHING
    return _mul(a, (0.0 if math.isinf(b[1]) else 1.0 / b[1], 0.0 if math.isinf(b[0]) else 1.0 / b[0]))


def _neg(a: Interval) -> Interval:
    return -a[1], -a[0]


def _square(a: Interval) -> Interval:
    ends = _times(a[0], a[0]), _times(a[1], a[1])
    return (0.0 if a[0] <= 0.0 <= a[1] else min(ends)), max(ends)


def _wave(function: Function, shape: Wave) -> Rule:
    def rule(a: Interval) -> Interval:
        low, high = a
        if not high - low < 2.0 * math.pi:
            return -1.0, 1.0

        def meets(point: float) -> bool:
            return point + 2.0 * math.pi * math.ceil((low - point) / (2.0 * math.pi)) <= high

        ends = function.value(low), function.value(high)
        return (-1.0 if meets(shape.crest + math.pi) else min(ends)), (1.0 if meets(shape.crest) else max(ends))

    return rule


def _rising(function: Function, shape: Rising) -> Rule:
    """The rule of an increasing function; outside of its domain there is no value."""

    def at(x: float, otherwise: float) -> float:
        try:
            return function.value(x)
        except (ValueError, OverflowError):
            return otherwise

    least, largest = shape.range
    return lambda a: (at(a[0], least), at(a[1], largest))


def _valley(function: Function, shape: Valley) -> Rule:
    rising = _rising(function, Rising(range=(shape.least, math.inf)))

    def rule(a: Interval) -> Interval:
        ends = abs(a[0]), abs(a[1])
        return rising((0.0 if a[0] <= 0.0 <= a[1] else min(ends), max(ends)))

    return rule


def _rule_of(function: Function) -> Rule | None:
    """The rule that follows from the shape of the function, if the shape determines one."""
    match function.shape:
        case Falling(range=limits):
            return lambda a: limits
        case Rising() as shape:
            return _rising(function, shape)
        case Valley() as shape:
            return _valley(function, shape)
        case Wave() as shape:
            return _wave(function, shape)
    return None


def _pow(a: Interval, b: Interval) -> Interval:
    if b[0] != b[1]:
        return (0.0, math.inf) if a[0] >= 0.0 else EVERYTHING
    if a[0] < 0.0:
        return (0.0, math.inf) if b[0] % 2.0 == 0.0 else EVERYTHING
    ends = [
        math.inf if x == 0.0 and b[0] < 0.0 else math.inf if math.isinf(x) and b[0] > 0.0 else _power(x, b[0])
        for x in a
    ]
    return min(ends), max(ends)


def _power(x: float, exponent: float) -> float:
    try:
        return float(x**exponent)
    except OverflowError:
        return math.inf


_RULES: dict[str, Rule] = {
    **{op: rule for op, function in FUNCTIONS.items() if (rule := _rule_of(function)) is not None},
    "add": _add, "mul": _mul, "div": _div, "neg": _neg, "pow": _pow,
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]), "if": lambda c, a, b: (min(a[0], b[0]), max(a[1], b[1])),
    "atan2": lambda a, b: (-math.pi, math.pi),
    "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])), "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    **dict.fromkeys((*RELATIONS, "and", "or"), lambda a, b: _TRUTH), "not": lambda a: _TRUTH,
}  # fmt: skip
