"""Functions and relations of the language -> what they give for numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "exp": math.exp, "log": math.log, "log10": math.log10, "sqrt": math.sqrt,
    "fabs": math.fabs, "floor": math.floor, "ceil": math.ceil, "pow": math.pow,
    "sign": lambda x: x if x != x else float((x > 0) - (x < 0)),
    "min": lambda x, y: y if y < x or y != y else x,
    "max": lambda x, y: y if y > x or y != y else x,
}  # fmt: skip
# What jumps: floor and ceil where the argument passes a whole number, sign where it passes zero.
STEPS = ("floor", "ceil", "sign")
RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "<>": lambda x, y: x != y,
}
