"""Lists the symbols of units with their dimensions, and guesses the meaning of unknown ones."""

from __future__ import annotations

import math
from collections.abc import Callable

from cutset.compiler.diagnostics import nearest
from cutset.compiler.instantiate.units.unit import Unit

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
# Angles: numbers that are shown with their name.
_ANGLES = {"rad": (0, 1.0), "deg": (0, math.pi / 180), "rev": (0, 2 * math.pi), "rpm": (-1, math.pi / 30)}
_PREFIXES = {
    "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1,
    "d": -1, "c": -2, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21, "y": -24,
}  # fmt: skip
OFFSETS = {
    "degC": "K", "°C": "K", "degF": "K", "°F": "K", "degRk": "K",
    "Celsius": "K", "celsius": "K", "Fahrenheit": "K", "fahrenheit": "K",
}  # fmt: skip
_WORDS = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "ampere": "A", "amp": "A", "kelvin": "K",
    "hertz": "Hz", "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F",
    "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "radian": "rad", "degree": "deg", "hour": "h",
    "minute": "min", "day": "d", "litre": "l", "liter": "l", "ohm": "Ohm", "min": "min", "hr": "h", "tonne": "t",
    "revolution": "rev", "rad": "rad", "rpm": "rpm",
    "kg": "kg", "mm": "mm", "cm": "cm", "km": "km", "kilogram": "kg", "kilo": "kg", "lumen": "lm", "lux": "lx",
    "candela": "cd", "mole": "mol",
}  # fmt: skip
# Shorter words resemble too many others.
_SHORTEST_MISSPELLED = 5
_MOST_FACTORS = 3


def known(symbol: str) -> Unit | None:
    """The unit of a symbol, with or without a prefix; None if there is none."""
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


def mended(symbol: str) -> str:
    """The probable meaning of an unknown symbol: the symbol of a word, other capitals, or several symbols with dots
    between them; empty if there is none."""
    small = symbol.lower()
    for word in (small, small.removesuffix("s")):
        if word in _WORDS and len(word) > 1:
            return _WORDS[word]
    return _in_other_capitals(symbol) or ".".join(_factors(symbol)) or _misspelled(small)


def _in_other_capitals(symbol: str) -> str:
    symbols = {s.lower(): s for s in reversed([*_SYMBOLS, *_ANGLES, "kg"])}
    if symbol.lower() in symbols:
        return symbols[symbol.lower()]
    for length in (2, 1):
        prefix, rest = symbol[:length], symbol[length:].lower()
        prefix = {"K": "k", "\u03bc": "u"}.get(prefix, prefix)
        name = symbols.get(rest) or _WORDS.get(rest) or _WORDS.get(rest.removesuffix("s"), "")
        if prefix in _PREFIXES and name in _SYMBOLS and _SYMBOLS[name][2]:
            return prefix + name
    return ""


def _factors(symbol: str) -> list[str]:
    """A few known symbols that make up the word, a prefix only before the first: `kNm`; empty if there are none."""
    return _split(symbol, _MOST_FACTORS, lambda part: known(part) is not None)


def _split(symbol: str, most: int, begins: Callable[[str], bool]) -> list[str]:
    """At most this many parts, the first as long as possible and one that may start."""
    if begins(symbol):
        return [symbol]
    plain = {*_SYMBOLS, *_ANGLES, "kg"}
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
