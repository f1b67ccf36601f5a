"""Text of a unit (`N.m/rad`, `kg.m2`, `mA`) -> Unit.

    unit   = group [ "/" ( factor | "(" group ")" ) ]
    group  = factor { "." factor }
    factor = "1" | symbol [ "^" ] [ exponent ]

A second `/`, or a `.` behind one, would read differently to different people: brackets are asked for.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from cutset.compiler.diagnostics import nearest
from cutset.compiler.instantiate.units.unit import NUMBER, Unit

# symbol: exponents of m, kg, s, A, K, mol, cd; scale; whether it takes prefixes
_SYMBOLS: dict[str, tuple[tuple[int, ...], float, bool]] = {
    "m": ((1, 0, 0, 0, 0, 0, 0), 1, True),
    "g": ((0, 1, 0, 0, 0, 0, 0), 1e-3, True),
    "s": ((0, 0, 1, 0, 0, 0, 0), 1, True),
    "A": ((0, 0, 0, 1, 0, 0, 0), 1, True),
    "K": ((0, 0, 0, 0, 1, 0, 0), 1, True),
    "mol": ((0, 0, 0, 0, 0, 1, 0), 1, True),
    "cd": ((0, 0, 0, 0, 0, 0, 1), 1, True),
    "Hz": ((0, 0, -1, 0, 0, 0, 0), 1, True),
    "N": ((1, 1, -2, 0, 0, 0, 0), 1, True),
    "Pa": ((-1, 1, -2, 0, 0, 0, 0), 1, True),
    "J": ((2, 1, -2, 0, 0, 0, 0), 1, True),
    "W": ((2, 1, -3, 0, 0, 0, 0), 1, True),
    "C": ((0, 0, 1, 1, 0, 0, 0), 1, True),
    "V": ((2, 1, -3, -1, 0, 0, 0), 1, True),
    "F": ((-2, -1, 4, 2, 0, 0, 0), 1, True),
    "Ohm": ((2, 1, -3, -2, 0, 0, 0), 1, True),
    "S": ((-2, -1, 3, 2, 0, 0, 0), 1, True),
    "Wb": ((2, 1, -2, -1, 0, 0, 0), 1, True),
    "T": ((0, 1, -2, -1, 0, 0, 0), 1, True),
    "H": ((2, 1, -2, -2, 0, 0, 0), 1, True),
    "lm": ((0, 0, 0, 0, 0, 0, 1), 1, True),
    "lx": ((-2, 0, 0, 0, 0, 0, 1), 1, True),
    "sr": ((0, 0, 0, 0, 0, 0, 0), 1, False),
    "min": ((0, 0, 1, 0, 0, 0, 0), 60, False),
    "h": ((0, 0, 1, 0, 0, 0, 0), 3600, False),
    "d": ((0, 0, 1, 0, 0, 0, 0), 86400, False),
    "l": ((3, 0, 0, 0, 0, 0, 0), 1e-3, True),
    "t": ((0, 1, 0, 0, 0, 0, 0), 1e3, False),
    "bar": ((-1, 1, -2, 0, 0, 0, 0), 1e5, True),
    "eV": ((2, 1, -2, 0, 0, 0, 0), 1.602176634e-19, True),
}
# Angles: numbers that are shown by their name.
_ANGLES = {"rad": (0, 1.0), "deg": (0, math.pi / 180), "rev": (0, 2 * math.pi), "rpm": (-1, math.pi / 30)}
_PREFIXES = {
    "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1,
    "d": -1, "c": -2, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21, "y": -24,
}  # fmt: skip
_OFFSETS = {"degC": "K", "°C": "K", "degF": "K", "°F": "K", "degRk": "K"}
_WORDS = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "ampere": "A", "amp": "A", "kelvin": "K",
    "hertz": "Hz", "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F",
    "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "radian": "rad", "degree": "deg", "hour": "h",
    "minute": "min", "day": "d", "litre": "l", "liter": "l", "Ω": "Ohm",
}  # fmt: skip
_TOKEN = re.compile(r"\s*(?:([./()])|(1)(?![0-9])|([^\W\d_]+|°[CF]|Ω)\^?([+-]?[0-9]{1,2}(?![0-9]))?)")


@dataclass(frozen=True, slots=True)
class Misread(Exception):
    """A text that is no unit. kind: 'unknown' (a symbol), 'offset' (degC and its like) or 'form'; `what` is the
    symbol or what is wrong, `proposal` the nearest known unit, or empty."""

    kind: str
    what: str
    proposal: str = ""


def parse_unit(text: str) -> Unit:
    """The unit that `text` says, with that text; raises Misread."""
    above, below = _tokens(text)
    unit = _product(above)
    if below:
        unit = unit / _product(below)
    return Unit(unit.exponents, unit.angle, unit.magnitude, True, text.strip())


def _tokens(text: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The factors above and below the bar."""
    pieces = _pieces(text)
    shape = "".join("x" if p[0] not in "./()" else p[0] for p in pieces)
    form = re.fullmatch(r"(x(?:\.x)*|\(x(?:\.x)*\))(?:/(x|\(x(?:\.x)*\)))?", shape)
    if form is None:
        several = shape.count("/") > 1 or re.search(r"/x\.", shape) is not None
        what = "what stands under the bar is not clear" if several else "a unit or a sign is missing"
        raise Misread("form", what, "write it with brackets: J/(kg.K)" if several else "write it like N.m, m/s2 or J/(kg.K)")
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
    unit = _known(symbol)
    if unit is not None:
        return unit
    if symbol in _OFFSETS:
        raise Misread("offset", symbol, _OFFSETS[symbol])
    raise Misread("unknown", symbol, _proposal(symbol))


def _known(symbol: str) -> Unit | None:
    if symbol in _SYMBOLS:
        exponents, scale, _ = _SYMBOLS[symbol]
        return Unit(exponents, 0, math.log10(scale))
    if symbol in _ANGLES:
        seconds, scale = _ANGLES[symbol]
        return Unit((0, 0, seconds, 0, 0, 0, 0), 1, math.log10(scale))
    for length in (2, 1):
        prefix, rest = symbol[:length], symbol[length:]
        if prefix in _PREFIXES and rest in _SYMBOLS and _SYMBOLS[rest][2]:
            exponents, scale, _ = _SYMBOLS[rest]
            return Unit(exponents, 0, math.log10(scale) + _PREFIXES[prefix])
    return None


def _proposal(symbol: str) -> str:
    """The nearest known unit: a word for one, two without the dot between them, or one of similar letters."""
    word = nearest(symbol.lower(), _WORDS)
    if len(symbol) > 2 and word and nearest(symbol.lower().removesuffix("s"), [word]):
        return _WORDS[word]
    by_letters = [s for s in (*_SYMBOLS, *_ANGLES, "kg") if s.lower() == symbol.lower()]
    if by_letters:
        return by_letters[0]
    for cut in range(1, len(symbol)):
        if _known(symbol[:cut]) is not None and _known(symbol[cut:]) is not None:
            return f"{symbol[:cut]}.{symbol[cut:]}"
    return nearest(symbol, (*_SYMBOLS, *_ANGLES, "kg"))
