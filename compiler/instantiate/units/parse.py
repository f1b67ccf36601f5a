"""Parses the text of a unit (`N.m/rad`, `kg.m2`, `mA`) -> Unit.

    unit   = group [ "/" ( factor | "(" group ")" ) ]
    group  = factor { "." factor }
    factor = "1" | symbol [ "^" ] [ exponent ]

A second `/`, or a `.` after one, is ambiguous to readers, so parentheses are required.
"""

from __future__ import annotations

import re

from cutset.compiler.instantiate.units.symbols import OFFSETS, known, mended
from cutset.compiler.instantiate.units.unit import NUMBER, Unit
from cutset.contract.quick_dataclass import dataclass

_TOKEN = re.compile(r"\s*(?:([./()])|(1)(?![0-9])|([^\W\d_]+|°[CF]|Ω)\^?([+-]?[0-9]{1,2}(?![0-9]))?)")


@dataclass(frozen=True, slots=True)
class Misread(Exception):
    """An invalid unit. kind: 'unknown' (a symbol), 'offset' (degC and the like) or 'form'; `what` is the symbol or the
    error, `proposal` the probable meaning, or empty."""

    kind: str
    what: str
    proposal: str = ""


def parse_unit(text: str) -> Unit:
    """The unit with its text; raises Misread."""
    above, below = _tokens(text)
    unit = _product(above)
    if below:
        unit = unit / _product(below)
    return Unit(unit.exponents, unit.angle, unit.magnitude, True, text.strip())


def _tokens(text: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The factors above and below the fraction bar."""
    pieces = _pieces(text)
    shape = "".join("x" if p[0] not in "./()" else p[0] for p in pieces)
    form = re.fullmatch(r"(x(?:\.x)*|\(x(?:\.x)*\))(?:/(x|\(x(?:\.x)*\)))?", shape)
    if form is None:
        several = shape.count("/") > 1 or re.search(r"/x\.", shape) is not None
        what = "the denominator is ambiguous" if several else "a unit or an operator is missing"
        raise Misread(
            "form", what, "write it with parentheses: J/(kg.K)" if several else "write it like N.m, m/s2 or J/(kg.K)"
        )
    bar = shape.find("/") if "/" in shape else len(shape)
    return (
        [p for p in pieces[:bar] if p[0] not in ".()"],
        [p for p in pieces[bar + 1 :] if p[0] not in ".()"],
    )


def _pieces(text: str) -> list[tuple[str, int]]:
    pieces: list[tuple[str, int]] = []
    rest = text.rstrip()
    place = 0
    while place < len(rest):
        token = _TOKEN.match(rest, place)
        if token is None:
            raise Misread("form", f"'{rest[place:][:20]}' is not understood", "write it like N.m, m/s2 or J/(kg.K)")
        mark, one, symbol, exponent = token.groups()
        pieces.append((mark or one or symbol, int(exponent) if exponent else 1))
        place = token.end()
    return pieces


def _product(factors: list[tuple[str, int]]) -> Unit:
    result = NUMBER
    for symbol, exponent in factors:
        if symbol != "1":
            result = result * _symbol(symbol).power(exponent)
    return result


def _symbol(symbol: str) -> Unit:
    unit = known(symbol)
    if unit is not None:
        return unit
    if symbol in OFFSETS:
        raise Misread("offset", symbol, OFFSETS[symbol])
    raise Misread("unknown", symbol, mended(symbol))
