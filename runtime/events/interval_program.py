"""Translates the tape of a relation of time into operations on intervals: those of its sides, and of their slopes.

The slopes come from automatic differentiation; where a side may have a jump or kink, its slope has no bounds.
c/point/isolate.h performs the operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cutset.contract.functions import FUNCTIONS, RELATIONS, Branches
from cutset.contract.metadata import TimeCrossing

# In the order of the enum in isolate.h. A leaf has one number; the arguments of the others are earlier operations,
# and the last one of a table is its number. Those with 'rate' give slopes.
OF_ONE = tuple(op for op, row in FUNCTIONS.items() if row.arity == 1)
OPERATIONS = (
    *(
        "number",
        "c",
        "m",
        "held",
        "since",
        "time",
        "add",
        "sub",
        "neg",
        "mul",
        "square",
        "div",
        "pow",
        "atan2",
        "min",
        "max",
    ),
    *("interp1", "interp1_slope", *RELATIONS, "and", "or", "not", "if"),
    *("if rate", "step rate", "pole rate", "turn rate", "min rate", "max rate"),
    *OF_ONE,
)
# Held is a state at the instant `since`.
_LEAVES = ("number", "c", "m", "held", "since", "time")


@dataclass(frozen=True)
class Operation:
    """An operator of `OPERATIONS` with the numbers of its arguments; `number` is that of a leaf."""

    op: str
    args: tuple[int, ...] = ()
    number: float = 0.0


@dataclass(frozen=True, eq=False)
class IntervalProgram:
    """The operations of a relation: up to `values` those that do not depend on time, up to `slopes` the others of the
    sides, then those of their slopes. `sides` are the numbers of the left and right side and of their slopes; -1: a
    slope is zero. The tables are ('points', xs, ys) or ('points of c', index, size)."""

    operations: tuple[Operation, ...]
    values: int
    slopes: int
    sides: tuple[int, int, int, int]
    tables: tuple[tuple[Any, ...], ...]


@lru_cache(maxsize=64)
def interval_program(crossing: TimeCrossing) -> IntervalProgram:
    """The operations of the relation."""
    written = _Written()
    values: list[int] = []
    for op, *args in crossing.tape:
        if op in ("points", "points of c"):
            written.tables.append((op, *args))
            values.append(len(written.tables) - 1)
        elif op in _LEAVES:
            values.append(written.leaf(op, *args))
        else:
            values.append(written.value(op, *(values[k] for k in args)))
    end = len(written.operations)
    slopes: list[int | None] = []
    for place, (op, *args) in enumerate(crossing.tape):
        if op == "time":
            slopes.append(written.one)
        elif op in _LEAVES or op.startswith("points"):
            slopes.append(None)
        else:
            own = [values[k] for k in args], [slopes[k] for k in args]
            slopes.append(written.slope(op, values[place], *own))
    found = (slopes[crossing.left], slopes[crossing.right])
    sides = (values[crossing.left], values[crossing.right], *(-1 if k is None else k for k in found))
    return _in_order(written, end, sides)


def _in_order(written: _Written, end: int, sides: tuple[int, ...]) -> IntervalProgram:
    """The program, with the operations that do not depend on time first."""
    kinds = [2 if k >= end and timed else int(timed) for k, timed in enumerate(written.timed)]
    order = sorted(range(len(kinds)), key=kinds.__getitem__)
    place = {k: new for new, k in enumerate(order)}
    operations = []
    for k in order:
        each = written.operations[k]
        own = 1 if each.op.startswith("interp1") else len(each.args)
        args = (*(place[a] for a in each.args[:own]), *each.args[own:])
        operations.append(Operation(each.op, args, each.number))
    left, right, of_left, of_right = (place.get(k, -1) for k in sides)
    first, second = kinds.count(0), kinds.count(0) + kinds.count(1)
    return IntervalProgram(tuple(operations), first, second, (left, right, of_left, of_right), tuple(written.tables))


class _Written:
    """Operations that are being written; `timed` tells which depend on time. Also the algebra of their numbers, in
    which the slopes of functions are written."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.timed: list[bool] = []
        self.tables: list[tuple[Any, ...]] = []
        self._places: dict[tuple[Operation, float], int] = {}

    def leaf(self, op: str, number: float = 0.0) -> int:
        """The operation without arguments."""
        return self._write(Operation(op, (), float(number)), op == "time")

    def value(self, op: str, *args: int) -> int:
        """The operation with these arguments; the last one of a table is the number of the table."""
        if op == "mul" and args[0] == args[1]:
            op, args = "square", args[:1]
        own = args[:1] if op.startswith("interp1") else args
        return self._write(Operation(op, args), any(self.timed[k] for k in own))

    def _write(self, operation: Operation, timed: bool) -> int:
        key = operation, math.copysign(1.0, operation.number)  # 0 and -0 differ
        if key not in self._places:
            self._places[key] = len(self.operations)
            self.operations.append(operation)
            self.timed.append(timed)
        return self._places[key]

    def slope(self, op: str, f: int, values: list[int], slopes: list[int | None]) -> int | None:
        """The slope of an operation with this value, those of its arguments, and their slopes; None: it is zero."""
        if all(slope is None for slope in slopes) or not self.timed[f]:
            return None
        if op in RELATIONS or op in ("and", "or", "not", "interp1_slope") or (op in FUNCTIONS and FUNCTIONS[op].jumps):
            return self.value("step rate", f)
        if op in _SLOPES:
            return _SLOPES[op](self, f, values, slopes)
        function = FUNCTIONS[op]
        found: int = function.slope(self, f, values[0], slopes[0])
        has_poles = isinstance(function.shape, Branches) or function.shape is None
        return self.value("pole rate", f, found) if has_poles else found

    # --- the algebra

    @property
    def zero(self) -> int:
        """The number 0."""
        return self.constant(0.0)

    @property
    def one(self) -> int:
        """The number 1."""
        return self.constant(1.0)

    def constant(self, value: float) -> int:
        """A number."""
        return self.leaf("number", value)

    def add(self, a: int, b: int) -> int:
        """a + b"""
        return self.value("add", a, b)

    def sub(self, a: int, b: int) -> int:
        """a - b"""
        return self.value("sub", a, b)

    def mul(self, a: int, b: int) -> int:
        """a * b"""
        return self.value("mul", a, b)

    def div(self, a: int, b: int) -> int:
        """a / b"""
        return self.value("div", a, b)

    def neg(self, a: int) -> int:
        """-a"""
        return self.value("neg", a)

    def power(self, a: int, b: int) -> int:
        """a ^ b"""
        return self.value("pow", a, b)

    def call(self, op: str, a: int, quiet: str | None = None) -> int:
        """A function of one argument."""
        return self.value(op, a)

    # --- slopes that may be zero

    def sum(self, a: int | None, b: int | None) -> int | None:
        """a + b"""
        if a is None or b is None:
            return b if a is None else a
        return self.add(a, b)

    def scaled(self, factor: int, slope: int | None) -> int | None:
        """factor * slope"""
        return None if slope is None else self.mul(factor, slope)

    def negative(self, slope: int | None) -> int | None:
        """-slope"""
        return None if slope is None else self.neg(slope)

    def number(self, slope: int | None) -> int:
        """The slope as an operation."""
        return self.zero if slope is None else slope


_Slopes = Sequence[int | None]


def _of_product(w: _Written, f: int, values: Sequence[int], slopes: _Slopes) -> int | None:
    (a, b), (da, db) = values, slopes
    if a == b:
        return w.scaled(w.mul(w.constant(2.0), a), da)
    return w.sum(w.scaled(b, da), w.scaled(a, db))


def _of_quotient(w: _Written, f: int, values: Sequence[int], slopes: _Slopes) -> int | None:
    over = w.sum(slopes[0], w.negative(w.scaled(f, slopes[1])))
    return None if over is None else w.div(over, values[1])


def _of_power(w: _Written, f: int, values: Sequence[int], slopes: _Slopes) -> int | None:
    (a, b), (da, db) = values, slopes
    slope = None if da is None else w.scaled(w.mul(b, w.power(a, w.sub(b, w.one))), da)
    return w.sum(slope, None if db is None else w.scaled(w.mul(f, w.call("log", a)), db))


def _of_angle(w: _Written, f: int, values: Sequence[int], slopes: _Slopes) -> int | None:
    (y, x), (dy, dx) = values, slopes
    turn = w.sum(w.scaled(x, dy), w.negative(w.scaled(y, dx)))
    size = w.add(w.mul(x, x), w.mul(y, y))
    return None if turn is None else w.value("turn rate", f, w.div(turn, size))


def _of_either(op: str) -> Callable[..., int]:
    def slope(w: _Written, f: int, values: Sequence[int], slopes: _Slopes) -> int:
        return w.value(op, *values, *(w.number(k) for k in slopes))

    return slope


# (operations, f, values of the arguments, their slopes) -> slope; None: it is zero.
_SLOPES: dict[str, Callable[..., int | None]] = {
    "neg": lambda w, f, values, slopes: w.negative(slopes[0]),
    "add": lambda w, f, values, slopes: w.sum(*slopes),
    "sub": lambda w, f, values, slopes: w.sum(slopes[0], w.negative(slopes[1])),
    "mul": _of_product,
    "div": _of_quotient,
    "pow": _of_power,
    "atan2": _of_angle,
    "min": _of_either("min rate"),
    "max": _of_either("max rate"),
    "interp1": lambda w, f, values, slopes: w.scaled(w.value("interp1_slope", *values), slopes[0]),
    "if": lambda w, f, values, slopes: w.value("if rate", values[0], *(w.number(k) for k in slopes[1:])),
}
