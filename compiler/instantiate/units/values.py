"""Represents the known unit of an expression, with the rules of products, powers and functions.

Literal numbers are neutral: 0 or 5 may be any quantity. In a product with a quantity a literal keeps the unit of that
quantity; with a pure number, or with `time` alone, the product stays a literal (in `10*sin(2*time)` 10 and 2 carry the
missing units).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import takewhile
from typing import Protocol

from cutset.compiler.diagnostics import Span
from cutset.compiler.instantiate.events.builtin_functions import EVENT_FUNCTIONS
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.compiler.syntax import tree
from cutset.compiler.units.unit import NUMBER, RADIAN, SECOND, Unit, exponent_of
from cutset.contract.quick_dataclass import dataclass


class Open(Enum):
    """No unit: a literal fits any, UNKNOWN may still be inferred, MIXED (elements that differ, strings) checks
    nothing."""

    LITERAL = "literal"
    UNKNOWN = "unknown"
    MIXED = "mixed"


Value = Unit | Open
LITERAL, UNKNOWN, MIXED = Open.LITERAL, Open.UNKNOWN, Open.MIXED

# `time` by itself or shifted. Distinguished from other seconds by identity: it may be the argument of sin or exp.
TIME = Unit(SECOND.exponents, text="s")


@dataclass(frozen=True, slots=True)
class Known:
    """The unit of a variable and its origin: its declaration, or the equation that determines it."""

    value: Value
    span: Span
    declared: bool

    @property
    def how(self) -> str:
        """The text of a label at its place."""
        return "declared" if self.declared else "determined here"


@dataclass(frozen=True, slots=True)
class Rule:
    """The units of a function. `argument`: the required unit of its arguments, if it is fixed; `agree`: they must have
    one unit; `others` that of all but the first; `result` from the units of the arguments: a unit, or the name of a
    rule of `call_value`."""

    result: Unit | Open | str
    argument: Unit | None = None
    agree: bool = False
    others: Unit | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """The units of a user function: of its arguments by name, and of its result. MIXED fits any."""

    name: str
    arguments: tuple[tuple[str, Value], ...]
    result: Value


class Signatures(Protocol):
    """The units of what a model calls."""

    def signature(self, function: tree.Function) -> Signature | None:
        """Those of a user function; None for one with errors."""

    def of_table(self, call: Span) -> Value:
        """That of the numbers in a file, which the call at this place names."""


EXPONENT = Rule(NUMBER, NUMBER)
# By the notation in the tables of functions.
_NOTATION: dict[str, Rule] = {
    "rad -> 1": Rule(NUMBER, RADIAN),
    "1 -> rad": Rule(RADIAN, NUMBER),
    "1 -> 1": Rule(NUMBER, NUMBER),
    "u -> 1": Rule(NUMBER),
    "u -> u": Rule("same"),
    "u -> u^(1/2)": Rule("root"),
    "u2.s -> u": Rule("noise"),
    "u, u -> u": Rule("same", agree=True),
    "u, u -> rad": Rule(RADIAN, agree=True),
    "u, v -> u*v": Rule("product"),
    "u, s -> u": Rule("same", others=SECOND),
    "u, v -> u/v": Rule("quotient"),
    "u, u, v -> v": Rule("table"),
    "u, v, u, v, w -> w": Rule("table of two"),
    "s -> any": Rule(MIXED, argument=SECOND),
    "-> literal": Rule(LITERAL),
}
RULES: dict[str, Rule] = {
    **{name: _NOTATION[row.units] for name, row in BUILTINS.items() if row.units != "any"},
    **{name: _NOTATION[row.units] for name, row in EVENT_FUNCTIONS.items() if row.units != "any"},
    "der": Rule("derivative"),
}


def product_value(factors: Iterable[tuple[str, Value]]) -> Value:
    """The unit of a product of ('*' or '/', value) in turn."""
    literal = unknown = timed = False
    count = 0
    result = NUMBER
    for operator, value in factors:
        if value is MIXED:
            return MIXED
        literal, unknown = literal or value is LITERAL, unknown or value is UNKNOWN
        if isinstance(value, Unit):
            count += 1
            timed = value is TIME and (timed or count == 1)
            result = result / value if operator == "/" else result * value
    if unknown:
        return UNKNOWN
    if count == 0 or timed or (literal and result.is_number):
        return LITERAL
    return result


def power_value(base: Value, exponent: tree.Expression) -> Value:
    """The unit of base^exponent; for a unit the exponent must be a literal number."""
    if isinstance(base, Open):
        return base
    if base is TIME:
        return LITERAL
    number = _number(exponent)
    p = None if number is None else exponent_of(number)
    if p is not None:
        return base.power(p)
    return NUMBER if base.is_number else MIXED


def call_value(rule: Rule, arguments: list[Value]) -> Value:
    """The unit of a function's result. A function of literals and `time` alone is neutral too."""
    if not isinstance(rule.result, str):
        neutral = arguments and rule.argument is not None and all(a is LITERAL or a is TIME for a in arguments)
        return LITERAL if neutral else rule.result
    if rule.result == "product":
        return product_value([("*", a) for a in arguments])
    if rule.result == "quotient":
        return product_value([("*", arguments[0]), ("/", arguments[-1])])
    if rule.agree:
        return common_value(arguments)
    if rule.result == "table of two":  # interp2(x, y, xs, ys, Z)
        return arguments[4] if len(arguments) == 5 else MIXED
    if rule.result == "table":  # interp1(x, xs, ys); the columns of a matrix may differ
        return arguments[2] if len(arguments) == 3 else MIXED
    first = arguments[0] if arguments else MIXED
    if isinstance(first, Open) or rule.result == "same":
        return first
    if rule.result in ("root", "noise"):
        half = exponent_of(0.5)
        assert half is not None
        return LITERAL if first is TIME else (first / SECOND if rule.result == "noise" else first).power(half)
    return first / SECOND


def derivative_value(value: Unit, order: tree.Expression) -> Value:
    """The unit of der(x, order)."""
    number = _number(order)
    p = None if number is None else exponent_of(number)
    return MIXED if p is None else value / SECOND.power(p)


def remaining_unit(wanted: Unit, operator: str, others: Iterable[tuple[str, Value]]) -> Unit | None:
    """The unit of the one factor, after `operator`, with which the product with `others` has the unit `wanted`; None if
    not all of the others are units."""
    product = NUMBER
    for other, value in others:
        if not isinstance(value, Unit):
            return None
        product = product / value if other == "/" else product * value
    return product / wanted if operator == "/" else wanted / product


def common_value(values: Iterable[Value]) -> Value:
    """The common unit of quantities, such as terms of a sum; MIXED if they differ."""
    result: Value = LITERAL
    for value in values:
        if value is MIXED:
            return MIXED
        if isinstance(value, Unit):
            if isinstance(result, Unit) and not result.agrees(value):
                return MIXED
            if value is TIME or not isinstance(result, Unit) or (value.declared and result is not TIME):
                result = value
        elif value is UNKNOWN and not isinstance(result, Unit):
            result = UNKNOWN
    return result


def stacked_value(entries: list[Value]) -> Value:
    """The unit of [a, b; c]: a zero block next to a quantity may have another unit, so that is mixed too."""
    units = [e for e in entries if isinstance(e, Unit)]
    if MIXED in entries or any(not units[0].agrees(u) for u in units[1:]):
        return MIXED
    if LITERAL in entries:
        return LITERAL if all(e is LITERAL for e in entries) else MIXED
    return UNKNOWN if UNKNOWN in entries or not units else units[0]


def quantity_of(e: tree.Expression) -> tree.Quantity | None:
    """The number with a unit that an expression is, but for its sign; None for anything else."""
    inner = e.operand if isinstance(e, tree.Unary) else e
    return inner if isinstance(inner, tree.Quantity) else None


def gain_of(term: tree.Expression) -> tree.Number | None:
    """The literal number in a product of it and one quantity, or a sum of quantities in parentheses: 60 in
    -60*(q - 0.6). A formula of several quantities, such as 0.5*m*v, has none."""
    inner = term.operand if isinstance(term, tree.Unary) and term.operator in ("-", "+") else term
    if not isinstance(inner, tree.Binary) or inner.operator != "*":
        return None
    for number, other in ((inner.left, inner.right), (inner.right, inner.left)):
        plain = number.operand if isinstance(number, tree.Unary) and number.operator in ("-", "+") else number
        is_sum = isinstance(other, tree.Binary) and other.operator in ("+", "-")
        if isinstance(plain, tree.Number) and (is_sum or isinstance(other, tree.Reference)):
            return plain
    return None


def _number(e: tree.Expression) -> float | None:
    """The number 2, -1 or 1/2."""
    if isinstance(e, tree.Number):
        return e.value
    if isinstance(e, tree.Unary) and e.operator == "-" and isinstance(e.operand, tree.Number):
        return -e.operand.value
    if isinstance(e, tree.Binary) and e.operator == "/":
        above, below = e.left, e.right
        if isinstance(above, tree.Number) and isinstance(below, tree.Number) and below.value != 0:
            return above.value / below.value
    return None


# --- chains of operations ------------------------------------------------------------------


def operands(e: tree.Binary, operators: tuple[str, ...]) -> list[tuple[str, tree.Expression]]:
    """a + b - c as [('+', a), ('+', b), ('-', c)], the operators being of one rank; a chain leans to the left."""
    chain = list(takewhile(lambda operation: operation.operator in operators, tree.chain(e)))[::-1]
    return [(operators[0], chain[0].left), *((operation.operator, operation.right) for operation in chain)]
