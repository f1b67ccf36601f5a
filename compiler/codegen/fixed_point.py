"""Rewrites a program for integers that have a fixed number of binary places: Program -> Program.

A number x is the integer nearest to x*2^places, of 32 bits. Operators become functions that saturate, `fixed_mul` and
so on, which export/c/fixed_point.h has; truths are the numbers 0 and 1, too.
"""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.codegen.code import Assign, Literal, Loop, Operation, Read, Statement, Value
from cutset.compiler.codegen.program import Program
from cutset.contract.functions import RELATIONS

_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg", "fabs", "sign", "min", "max"})
_TRUTHS = frozenset({*RELATIONS, "and", "or", "not"})
_LARGEST, _NO_LIMIT = 2**31 - 1, 1e30


class NotInFixedPoint(Exception):
    """What integers cannot have: the words for a message."""


def in_fixed_point(program: Program, places: int) -> Program:
    """The same functions for integers with this number of binary places. NotInFixedPoint."""
    functions = tuple(
        replace(f, chunks=tuple(tuple(_statement(s, places) for s in chunk) for chunk in f.chunks))
        for f in program.functions
    )
    return replace(program, functions=functions)


def fixed(x: float, places: int) -> int:
    """The integer for a number; the largest one for those that stand for no limit. NotInFixedPoint if it is too
    large."""
    if abs(x) >= _NO_LIMIT:
        return _LARGEST if x > 0.0 else -_LARGEST
    scaled = round(x * 2.0**places)
    if abs(scaled) > _LARGEST:
        raise NotInFixedPoint(f"the number {x:g}, which is above {2.0 ** (31 - places):g}")
    return scaled


def _statement(s: Statement, places: int) -> Statement:
    match s:
        case Assign(value=value):
            return s._replace(value=_value(value, places))
        case Loop():
            numbers = tuple(tuple(float(fixed(x, places)) for x in row) for row in s.numbers)
            return replace(s, body=tuple(_statement(inner, places) for inner in s.body), numbers=numbers)
    raise NotInFixedPoint("functions, tables and systems of equations")


def _value(v: Value, places: int) -> Value:
    match v:
        case Literal(table=-1):
            return Literal(float(fixed(v.value, places)))
        case Operation(operator=op) if op == "if" or op in _ARITHMETIC or op in _TRUTHS:
            found = Operation(f"fixed_{op}" if op in _ARITHMETIC else op, tuple(_value(a, places) for a in v.arguments))
            return Operation("fixed_truth", (found,)) if op in _TRUTHS else found
        case Operation():
            raise NotInFixedPoint(f"the function {v.operator}")
        case Read(array="t"):
            raise NotInFixedPoint("time")
    return v
