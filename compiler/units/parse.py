"""Parses the text of a unit (`N.m/rad`, `kg.m2`, `mA`) -> Unit.

    unit   = group [ "/" ( factor | "(" group ")" ) ]
    group  = factor { "." factor }
    factor = "1" | symbol [ "^" ] [ exponent ]

A second `/`, or a `.` after one, is ambiguous to readers, so parentheses are required.
"""

from __future__ import annotations

import re
from fractions import Fraction

from cutset.compiler.units.symbols import OFFSETS, Scale, found, mended
from cutset.compiler.units.unit import NUMBER, Unit

_TOKEN = re.compile(r"\s*(?:([./()])|(1)(?![0-9])|([^\W\d_]+|%|°[CF]|Ω)\^?([+-]?[0-9]{1,2}(?![0-9]))?)")


class Misread(Exception):
    """An invalid unit. kind: 'unknown' (a symbol), 'offset' (degC and the like) or 'form'; `what` is the symbol or the
    error, `proposal` the probable meaning, or empty."""

    def __init__(self, kind: str, what: str, proposal: str = ""):
        super().__init__(what)
        self.kind, self.what, self.proposal = kind, what, proposal


def parse_unit(text: str) -> Unit:
    """The unit with its text; raises Misread."""
    return parse_scaled(text)[0]


def parse_scaled(text: str) -> tuple[Unit, Scale]:
    """The unit with its text, and exactly how many SI units one of it is; raises Misread."""
    above, below = _tokens(text)
    unit, scale = _product([*above, *((symbol, -exponent) for symbol, exponent in below)])
    return Unit(unit.exponents, unit.angle, unit.magnitude, True, text.strip()), scale


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


def _product(factors: list[tuple[str, int]]) -> tuple[Unit, Scale]:
    unit, scale = NUMBER, Scale(Fraction(1))
    for symbol, exponent in factors:
        if symbol != "1":
            one, ratio = _symbol(symbol)
            unit, scale = unit * one.power(exponent), scale.times(ratio, exponent)
    return unit, scale


def _symbol(symbol: str) -> tuple[Unit, Scale]:
    pair = found(symbol)
    if pair is not None:
        return pair
    if symbol in OFFSETS:
        raise Misread("offset", symbol, "K")
    raise Misread("unknown", symbol, mended(symbol))
