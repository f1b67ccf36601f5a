"""Lists the scalar functions of the language, one row each, with everything that compiler and runtime know of them.

A new row makes a function known everywhere: to the evaluation, units, types and derivatives of models, to both targets,
to the search for time events, to the hints of messages and to the table in the documentation
(docs/language/functions.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from cutset.contract.quick_dataclass import dataclass
from cutset.contract.random_numbers import random_normal, random_uniform

# The numbers in which a slope is written: nodes of expressions, or intervals of values. They provide zero, one,
# constant(float), add, sub, mul, div, neg, power, call(op, *numbers), relation and choose.
Algebra = Any
# slope(algebra, f, *arguments, *slopes of the arguments) is the total derivative; f is the function's value.
Slope = Callable[..., Any]

_INF, _HALF_TURN = math.inf, math.pi


@dataclass(frozen=True)
class Rising:
    """Increases on its domain; all values are in its range."""

    domain: tuple[float, float] = (-_INF, _INF)
    range: tuple[float, float] = (-_INF, _INF)


@dataclass(frozen=True)
class Falling(Rising):
    """Decreases on its domain; all values are in its range."""


@dataclass(frozen=True)
class Valley:
    """Decreases up to 0, where it has its minimum, and increases after it."""

    least: float


@dataclass(frozen=True)
class Wave:
    """Oscillates between -1 and 1 with the period 2*pi; it is 1 at `crest`."""

    crest: float


@dataclass(frozen=True)
class Branches:
    """Increases from -inf to inf between poles at `pole` + k*`period`."""

    pole: float
    period: float


Shape = Rising | Valley | Wave | Branches


@dataclass(frozen=True)
class Function:
    """A scalar function. `op` names it in expressions; `name` is its name in models, '' for an operator such as ^.

    value: its value for floats; ValueError or OverflowError where it has none. slope: its total derivative, from the
    derivatives of its arguments (see Slope). arity: the number of arguments of the op; with `folds`, models may call it
    with any number of arguments. units: of its arguments and its result: u and v are any units, 1 is a pure number.
    result: its type: 'Integer', 'Real', or 'number': Integer if all arguments are Integer. symmetry: 1 if f(-x) = f(x),
    -1 if f(-x) = -f(x), else 0. shape: its monotonicity, if one of the shapes describes it. jumps: piecewise constant;
    models have events at its jumps. partial: it has no finite value for some arguments. c: its name in C, if it differs
    from `op`. numpy: its name there; '' if numpy lacks it. doc: its call in the documentation, and a remark.
    """

    op: str
    value: Callable[..., float]
    slope: Slope
    units: str
    doc: tuple[str, str] = ("", "")
    name: str = ""
    arity: int = 1
    folds: bool = False
    result: Literal["Real", "Integer", "number"] = "Real"
    symmetry: Literal[-1, 0, 1] = 0
    shape: Shape | None = None
    jumps: bool = False
    partial: bool = False
    scatters: bool = False
    c: str = ""
    numpy: str = ""


def _sign(x: float) -> float:
    return x if x != x else float((x > 0.0) - (x < 0.0))


def _min(a: float, b: float) -> float:
    return a if a < b or a != a else b


def _max(a: float, b: float) -> float:
    return a if a > b or a != a else b


def _floor(x: float) -> float:
    return float(math.floor(x))


def _ceil(x: float) -> float:
    return float(math.ceil(x))


def _one_minus_square(p: Algebra, x: Any) -> Any:
    return p.sub(p.one, p.mul(x, x))


def _one_plus_square(p: Algebra, x: Any) -> Any:
    return p.add(p.one, p.mul(x, x))


def _no_slope(p: Algebra, f: Any, *arguments: Any) -> Any:
    return p.zero


def _slope_of_erf(p: Algebra, f: Any, x: Any, dx: Any) -> Any:
    return p.mul(p.mul(p.constant(2.0 / math.sqrt(math.pi)), p.call("exp", p.neg(p.mul(x, x)))), dx)


def _slope_of_power(p: Algebra, f: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
    slope = p.mul(p.mul(b, p.power(a, p.sub(b, p.one))), da)
    return slope if db is p.zero else p.add(slope, p.mul(p.mul(f, p.call("log", a)), db))


def _slope_of_angle(p: Algebra, f: Any, y: Any, x: Any, dy: Any, dx: Any) -> Any:
    return p.div(p.sub(p.mul(dy, x), p.mul(y, dx)), p.add(p.mul(y, y), p.mul(x, x)))


_ROWS = (
    Function(
        "sin", math.sin, lambda p, f, x, dx: p.mul(dx, p.call("cos", x)), "rad -> 1",
        ("sin(x)", "`x` in rad"),
        name="sin", symmetry=-1, shape=Wave(_HALF_TURN / 2), numpy="sin",
    ),
    Function(
        "cos", math.cos, lambda p, f, x, dx: p.neg(p.mul(dx, p.call("sin", x))), "rad -> 1",
        ("cos(x)", "`x` in rad"),
        name="cos", symmetry=1, shape=Wave(0.0), numpy="cos",
    ),
    Function(
        "tan", math.tan, lambda p, f, x, dx: p.mul(dx, _one_plus_square(p, f)), "rad -> 1",
        ("tan(x)", "`x` in rad"),
        name="tan", symmetry=-1, shape=Branches(_HALF_TURN / 2, _HALF_TURN), partial=True, numpy="tan",
    ),
    Function(
        "asin", math.asin, lambda p, f, x, dx: p.div(dx, p.call("sqrt", _one_minus_square(p, x))), "1 -> rad",
        ("asin(x)", "in rad, from -pi/2 to pi/2; `x` from -1 to 1"), name="asin", symmetry=-1,
        shape=Rising((-1.0, 1.0), (-_HALF_TURN / 2, _HALF_TURN / 2)), partial=True, numpy="arcsin",
    ),
    Function(
        "acos", math.acos, lambda p, f, x, dx: p.neg(p.div(dx, p.call("sqrt", _one_minus_square(p, x)))), "1 -> rad",
        ("acos(x)", "in rad, from 0 to pi; `x` from -1 to 1"), name="acos",
        shape=Falling((-1.0, 1.0), (0.0, _HALF_TURN)), partial=True, numpy="arccos",
    ),
    Function(
        "atan", math.atan, lambda p, f, x, dx: p.div(dx, _one_plus_square(p, x)), "1 -> rad",
        ("atan(x)", "in rad, from -pi/2 to pi/2"), name="atan", symmetry=-1,
        shape=Rising(range=(-_HALF_TURN / 2, _HALF_TURN / 2)), numpy="arctan",
    ),
    Function(
        "atan2", math.atan2, _slope_of_angle, "u, u -> rad",
        ("atan2(y, x)", "the angle of the vector (`x`, `y`), in rad, from -pi to pi"),
        name="atan2", arity=2, numpy="arctan2",
    ),
    Function(
        "sinh", math.sinh, lambda p, f, x, dx: p.mul(dx, p.call("cosh", x)), "1 -> 1",
        ("sinh(x)", ""),
        name="sinh", symmetry=-1, shape=Rising(), partial=True, numpy="sinh",
    ),
    Function(
        "cosh", math.cosh, lambda p, f, x, dx: p.mul(dx, p.call("sinh", x)), "1 -> 1",
        ("cosh(x)", ""),
        name="cosh", symmetry=1, shape=Valley(1.0), partial=True, numpy="cosh",
    ),
    Function(
        "tanh", math.tanh, lambda p, f, x, dx: p.mul(dx, _one_minus_square(p, f)), "1 -> 1",
        ("tanh(x)", ""),
        name="tanh", symmetry=-1, shape=Rising(range=(-1.0, 1.0)), numpy="tanh",
    ),
    Function(
        "exp", math.exp, lambda p, f, x, dx: p.mul(dx, f), "1 -> 1",
        ("exp(x)", ""),
        name="exp", shape=Rising(range=(0.0, _INF)), partial=True, numpy="exp",
    ),
    Function(
        "log", math.log, lambda p, f, x, dx: p.div(dx, x), "1 -> 1",
        ("log(x)", "the natural logarithm"),
        name="log", shape=Rising(domain=(0.0, _INF)), partial=True, numpy="log",
    ),
    Function(
        "erf", math.erf, _slope_of_erf, "1 -> 1",
        ("erf(x)", "the error function"),
        name="erf", symmetry=-1, shape=Rising(range=(-1.0, 1.0)),
    ),
    Function(
        "log10", math.log10, lambda p, f, x, dx: p.div(dx, p.mul(p.call("log", p.constant(10.0)), x)), "1 -> 1",
        ("log10(x)", "the logarithm to base 10"), name="log10", shape=Rising(domain=(0.0, _INF)),
        partial=True, numpy="log10",
    ),
    Function(
        "sqrt", math.sqrt, lambda p, f, x, dx: p.div(dx, p.mul(p.constant(2.0), f)), "u -> u^(1/2)",
        ("sqrt(x)", "the square root"),
        name="sqrt", shape=Rising((0.0, _INF), (0.0, _INF)), partial=True, numpy="sqrt",
    ),
    Function(
        "fabs", math.fabs, lambda p, f, x, dx: p.mul(dx, p.call("sign", x, quiet="smooth")), "u -> u",
        ("abs(x)", "the absolute value"),
        name="abs", result="number", symmetry=1, shape=Valley(0.0), numpy="fabs",
    ),
    Function(
        "sign", _sign, _no_slope, "u -> 1",
        ("sign(x)", "1, 0 or -1; its jumps are [events](events.md)"),
        name="sign", result="Integer", symmetry=-1, shape=Rising(range=(-1.0, 1.0)), jumps=True, c="cutset_sign",
        numpy="sign",
    ),
    Function(
        "floor", _floor, _no_slope, "u -> u",
        ("floor(x)", "the largest integer not above `x`; its jumps are [events](events.md)"),
        name="floor", result="Integer", shape=Rising(), jumps=True, numpy="floor",
    ),
    Function(
        "ceil", _ceil, _no_slope, "u -> u",
        ("ceil(x)", "the smallest integer not below `x`; its jumps are [events](events.md)"),
        name="ceil", result="Integer", shape=Rising(), jumps=True, numpy="ceil",
    ),
    Function(
        "min", _min, lambda p, f, a, b, da, db: p.choose(p.relation("<", b, a), db, da), "u, u -> u",
        ("min(x, y, ...)", "of any number of scalars, or of the elements of one array"),
        name="min", arity=2, folds=True, result="number", c="cutset_min",
    ),
    Function(
        "max", _max, lambda p, f, a, b, da, db: p.choose(p.relation(">", b, a), db, da), "u, u -> u",
        ("max(x, y, ...)", "of any number of scalars, or of the elements of one array"),
        name="max", arity=2, folds=True, result="number", c="cutset_max",
    ),
    Function(
        "random_uniform", random_uniform, _no_slope, "1 -> 1",
        ("random_uniform(seed, stream, k)", "number `k` of a [random](../libraries/signals.md#random-numbers) stream, "
         "uniform in [0, 1)"),
        name="random_uniform", arity=3, partial=True, scatters=True, c="cutset_random_uniform",
    ),
    Function(
        "random_normal", random_normal, _no_slope, "1 -> 1",
        ("random_normal(seed, stream, k)", "number `k` of a stream, normal with mean 0 and variance 1"),
        name="random_normal", arity=3, partial=True, scatters=True, c="cutset_random_normal",
    ),
    Function("pow", math.pow, _slope_of_power, "u, 1 -> u^n", arity=2, partial=True, numpy="power"),
)  # fmt: skip

# By their ops.
FUNCTIONS: dict[str, Function] = {row.op: row for row in _ROWS}
# Functions whose neighboring arguments have unrelated values.
SCATTERED = tuple(row.op for row in _ROWS if row.scatters)
# Functions with jumps: floor and ceil where the argument passes a whole number, sign where it passes zero.
STEPS = tuple(row.op for row in _ROWS if row.jumps)
RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "<>": lambda x, y: x != y,
}
