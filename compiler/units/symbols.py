"""Lists the symbols of units with their dimensions, and guesses the meaning of unknown ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from cutset.compiler.diagnostics import nearest
from cutset.compiler.units.unit import NUMBER, Unit

# SI: exponents of m, kg, s, A, K, mol, cd. All take prefixes; the scale of g is 1e-3, of all others 1.
_SI: dict[str, tuple[int, ...]] = {
    "m": (1, 0, 0, 0, 0, 0, 0),
    "g": (0, 1, 0, 0, 0, 0, 0),
    "s": (0, 0, 1, 0, 0, 0, 0),
    "A": (0, 0, 0, 1, 0, 0, 0),
    "K": (0, 0, 0, 0, 1, 0, 0),
    "mol": (0, 0, 0, 0, 0, 1, 0),
    "cd": (0, 0, 0, 0, 0, 0, 1),
    "rad": (0, 0, 0, 0, 0, 0, 0),
    "sr": (0, 0, 0, 0, 0, 0, 0),
    "Hz": (0, 0, -1, 0, 0, 0, 0),
    "N": (1, 1, -2, 0, 0, 0, 0),
    "Pa": (-1, 1, -2, 0, 0, 0, 0),
    "J": (2, 1, -2, 0, 0, 0, 0),
    "W": (2, 1, -3, 0, 0, 0, 0),
    "C": (0, 0, 1, 1, 0, 0, 0),
    "V": (2, 1, -3, -1, 0, 0, 0),
    "F": (-2, -1, 4, 2, 0, 0, 0),
    "Ohm": (2, 1, -3, -2, 0, 0, 0),
    "S": (-2, -1, 3, 2, 0, 0, 0),
    "Wb": (2, 1, -2, -1, 0, 0, 0),
    "T": (0, 1, -2, -1, 0, 0, 0),
    "H": (2, 1, -2, -2, 0, 0, 0),
    "lm": (0, 0, 0, 0, 0, 0, 1),
    "lx": (-2, 0, 0, 0, 0, 0, 1),
    "Bq": (0, 0, -1, 0, 0, 0, 0),
    "Gy": (2, 0, -2, 0, 0, 0, 0),
    "Sv": (2, 0, -2, 0, 0, 0, 0),
    "kat": (0, 0, -1, 0, 0, 1, 0),
}
# All others: the SI unit, and how many of it one is, exactly. Sources: the SI brochure (2019), tables 8 and 9; NIST
# SP 811 (2008), appendix B.8, where kgf = 9.80665 N, lb = 0.45359237 kg, inch = 0.0254 m, gal = 231 inch3 (of the US),
# hp = 550 ft.lbf/s, PS = 75 kgf.m/s, cal is the thermochemical one, BTU that of the International Table.
_OTHERS: dict[str, tuple[str, str]] = {
    "min": ("s", "60"), "h": ("s", "3600"), "d": ("s", "86400"), "week": ("s", "604800"),
    "l": ("m3", "1e-3"), "L": ("m3", "1e-3"), "gal": ("m3", "3.785411784e-3"),
    "t": ("kg", "1e3"), "lb": ("kg", "0.45359237"), "oz": ("kg", "0.028349523125"),
    "inch": ("m", "0.0254"), "mil": ("m", "2.54e-5"), "ft": ("m", "0.3048"), "yd": ("m", "0.9144"),
    "mile": ("m", "1609.344"), "nmi": ("m", "1852"), "mph": ("m/s", "0.44704"), "knot": ("m/s", "1852/3600"),
    "kgf": ("N", "9.80665"), "kp": ("N", "9.80665"), "lbf": ("N", "4.4482216152605"),
    "ozf": ("N", "0.27801385095378125"), "dyn": ("N", "1e-5"),
    "bar": ("Pa", "1e5"), "atm": ("Pa", "101325"), "Torr": ("Pa", "101325/760"),
    "mmHg": ("Pa", "133.322387415"), "psi": ("Pa", "44482216152605/6451600000"),
    "cP": ("Pa.s", "1e-3"), "cSt": ("m2/s", "1e-6"),
    "eV": ("J", "1.602176634e-19"), "cal": ("J", "4.184"), "BTU": ("J", "1055.05585262"), "erg": ("J", "1e-7"),
    "Wh": ("J", "3600"), "Ah": ("C", "3600"), "VA": ("W", "1"), "var": ("W", "1"),
    "hp": ("W", "745.69987158227022"), "PS": ("W", "735.49875"),
    "%": ("", "0.01"),
    "deg": ("rad", "1/180 pi"), "arcmin": ("rad", "1/10800 pi"), "arcsec": ("rad", "1/648000 pi"),
    "gon": ("rad", "1/200 pi"), "rev": ("rad", "2 pi"), "rpm": ("rad/s", "1/30 pi"),
}  # fmt: skip
_WITH_PREFIX = frozenset({*_SI, "l", "L", "bar", "eV", "cal", "Wh", "Ah", "VA", "var", "Torr"})
_PREFIXES = {
    "Q": 30, "R": 27, "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1,
    "d": -1, "c": -2, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21, "y": -24,
    "r": -27, "q": -30,
}  # fmt: skip
# Scales with their own zero: how many K one degree is, and the K of its zero.
OFFSETS = {
    "degC": ("1", "273.15"),
    "\u00b0C": ("1", "273.15"),
    "degF": ("5/9", "45967/180"),
    "\u00b0F": ("5/9", "45967/180"),
}
_WORDS = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "ampere": "A", "amp": "A", "kelvin": "K",
    "hertz": "Hz", "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F",
    "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "radian": "rad", "degree": "deg", "hour": "h",
    "minute": "min", "day": "d", "litre": "l", "liter": "l", "ohm": "Ohm", "min": "min", "hr": "h", "tonne": "t",
    "revolution": "rev", "rad": "rad", "rpm": "rpm",
    "kg": "kg", "mm": "mm", "cm": "cm", "km": "km", "kilogram": "kg", "kilo": "kg", "lumen": "lm", "lux": "lx",
    "candela": "cd", "mole": "mol", "becquerel": "Bq", "gray": "Gy", "sievert": "Sv", "katal": "kat",
    "celsius": "degC", "fahrenheit": "degF", "pound": "lb", "ounce": "oz", "foot": "ft", "feet": "ft", "in": "inch",
    "inche": "inch", "yard": "yd", "gallon": "gal", "kilopond": "kgf", "horsepower": "hp", "calorie": "cal",
    "btu": "BTU",
}  # fmt: skip
# Shorter words resemble too many others.
_SHORTEST_MISSPELLED = 5
_MOST_FACTORS = 3


class Scale(NamedTuple):
    """One of a unit in SI units: `ratio` * pi**`pi`, exactly."""

    ratio: Fraction
    pi: int = 0

    def times(self, other: Scale, exponent: int = 1) -> Scale:
        """This scale times a power of the other."""
        return Scale(self.ratio * other.ratio**exponent, self.pi + other.pi * exponent)


@cache
def found(symbol: str) -> tuple[Unit, Scale] | None:
    """The unit of a symbol, with or without a prefix, and its scale; None if there is none."""
    if symbol in _SI:
        ratio = Fraction(1, 1000) if symbol == "g" else Fraction(1)
        angle = int(symbol == "rad")
        return Unit(_SI[symbol], angle, math.log10(ratio)), Scale(ratio)
    if symbol in _OTHERS:
        base, text = _OTHERS[symbol]
        number, _, pi = text.partition(" ")
        scale = Scale(Fraction(number), 1 if pi else 0)
        above, _, below = base.partition("/")
        unit = _of_base(above) / _of_base(below)
        return Unit(unit.exponents, unit.angle, math.log10(float(scale.ratio) * math.pi**scale.pi)), scale
    for length in (2, 1):
        prefix, rest = symbol[:length], symbol[length:]
        if prefix in _PREFIXES and rest in _WITH_PREFIX and (whole := found(rest)) is not None:
            unit, scale = whole
            power = _PREFIXES[prefix]
            return replace(unit, magnitude=unit.magnitude + power), Scale(scale.ratio * Fraction(10) ** power, scale.pi)
    return None


def _of_base(factors: str) -> Unit:
    """`kg`, `m3`, `Pa.s`: SI units, with exponents of one digit."""
    result = NUMBER
    for factor in factors.split(".") if factors else ():
        symbol = factor.rstrip("23")
        unit = known(symbol)
        assert unit is not None
        result = result * unit.power(int(factor[len(symbol) :] or "1"))
    return result


def known(symbol: str) -> Unit | None:
    """The unit of a symbol, with or without a prefix; None if there is none."""
    pair = found(symbol)
    return pair and pair[0]


def mended(symbol: str) -> str:
    """The probable meaning of an unknown symbol: the symbol of a word, other capitals, or several symbols with dots
    between them; empty if there is none."""
    small = symbol.lower()
    for word in (small, small.removesuffix("s")):
        if word in _WORDS and len(word) > 1:
            return _WORDS[word]
    return _in_other_capitals(symbol) or ".".join(_factors(symbol)) or _misspelled(small)


def _in_other_capitals(symbol: str) -> str:
    symbols = {s.lower(): s for s in reversed([*_SI, *_OTHERS, *OFFSETS, "kg"])}
    if symbol.lower() in symbols:
        return symbols[symbol.lower()]
    for length in (2, 1):
        prefix, rest = symbol[:length], symbol[length:].lower()
        prefix = {"K": "k", "\u03bc": "u"}.get(prefix, prefix)
        name = symbols.get(rest) or _WORDS.get(rest) or _WORDS.get(rest.removesuffix("s"), "")
        if prefix in _PREFIXES and name in _WITH_PREFIX:
            return prefix + name
    return ""


def _factors(symbol: str) -> list[str]:
    """A few known symbols that make up the word, a prefix only before the first: `kNm`; empty if there are none."""
    return _split(symbol, _MOST_FACTORS, lambda part: known(part) is not None)


def _split(symbol: str, most: int, begins: Callable[[str], bool]) -> list[str]:
    """At most this many parts, the first as long as possible and one that may start."""
    if begins(symbol):
        return [symbol]
    plain = {*_SI, *_OTHERS, "kg"}
    for cut in range(len(symbol) - 1, 0, -1) if most > 1 else ():
        rest = _split(symbol[cut:], most - 1, plain.__contains__) if begins(symbol[:cut]) else []
        if rest:
            return [symbol[:cut], *rest]
    return []


def _misspelled(small: str) -> str:
    word = (
        nearest(small, [w for w in _WORDS if len(w) >= _SHORTEST_MISSPELLED])
        if len(small) >= _SHORTEST_MISSPELLED
        else ""
    )
    # Similar in both directions: `kilopond` contains half of the letters of `second`.
    return _WORDS[word] if word and abs(len(word) - len(small)) <= 2 and word[0] == small[0] else ""
