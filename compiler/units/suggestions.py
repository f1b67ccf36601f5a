"""Suggests a unit for invalid text: how to write it here, or which unit to use instead."""

from __future__ import annotations

import re
from collections import Counter

from cutset.compiler.diagnostics import Edit, Hint
from cutset.compiler.units.parse import Misread, parse_unit
from cutset.compiler.units.symbols import known, mended

# Notations of others for numbers without a unit.
_SHARES = {"%", "percent", "per cent", "ppm", "promille", "\u2030"}
_NUMBERS = {"-", "none", "number", "dimensionless", "unitless", "[-]", "[]"}
_WHOLE = {
    "kmh": "km/h", "kph": "km/h", "kmph": "km/h", "mps": "m/s", "rps": "rev/s", "u/min": "rpm", "r/min": "rpm",
    "upm": "rpm", "\u00b0": "deg", "cc": "cm3", "ccm": "cm3", "sqm": "m2", "lpm": "l/min", "in": "inch",
}  # fmt: skip
# Units that the language lacks: the one to use, and the conversion factor.
_INSTEAD = {
    "year": ("d", 365.25), "gauss": ("T", 1e-4), "poise": ("Pa.s", 0.1), "angstrom": ("m", 1e-10),
}  # fmt: skip
_SIGNS = {
    "*": ".", "**": "", "\u00b7": ".", "\u22c5": ".", "\u00d7": ".", "\u2219": ".", "^": "", "\u00b2": "2",
    "\u00b3": "3",
    "\u03a9": "Ohm", "\u2126": "Ohm", "\u03bc": "u", "\u00b0": "deg",
}  # fmt: skip
_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True)))
_SYMBOL = re.compile(r"[^\W\d_]+")


def unit_meant(text: str) -> str:
    """A hint, empty if there is none."""
    small = text.strip().lower()
    if small in _SHARES:
        return "a percentage is a number: remove the unit, and write 0.05 for 5 %"
    if small in _NUMBERS:
        return Hint("a number has no unit: remove it, or write '1'", Edit("replace", '"1"'))
    if small in _WHOLE:
        return _written(_WHOLE[small])
    if small in _INSTEAD:
        unit, factor = _INSTEAD[small]
        return f"use '{unit}': 1 {text.strip()} is {factor:.8g} {unit}"
    plain = re.sub(r"\s*([./()])\s*", r"\1", _SIGN.sub(lambda m: _SIGNS[m.group()], text.strip()))
    written = _dotted(_SYMBOL.sub(_symbol, plain))
    if "." not in plain:
        # Adjacent symbols bind tighter than a fraction bar: W/m2K.
        written = re.sub(r"(?<=/)[^./()]+(?:\.[^./()]+)+$", lambda m: f"({m.group()})", written)
    try:
        parse_unit(written)
    except Misread:
        return ""
    return _written(written) if written != text.strip() else ""


def _written(unit: str) -> Hint:
    return Hint(f"write '{unit}'", Edit("replace", f'"{unit}"'))


def quotient(above: str, below: str) -> str:
    """The text of the unit `above` over `below`; empty if they are not units that can be written."""
    top, bottom = _parts(above), _parts(below)
    over, under = Counter(top[0] + bottom[1]), Counter(bottom[0] + top[1])
    left, right = (".".join(factors.elements()) for factors in (over - under, under - over))
    text = (left or "1") + (f"/({right})" if "." in right else f"/{right}" if right else "")
    try:
        parse_unit(text)
    except Misread:
        return ""
    return text


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The factors above and below the fraction bar."""
    above, _, below = text.partition("/")
    return _factors_of(above), _factors_of(below)


def _factors_of(group: str) -> list[str]:
    return [factor for factor in group.strip("()").split(".") if factor not in ("", "1")]


def _symbol(match: re.Match[str]) -> str:
    symbol = match.group()
    return symbol if known(symbol) is not None else mended(symbol) or symbol


def _dotted(text: str) -> str:
    """The text with a dot between an exponent or a space and the symbol after it."""
    return re.sub(r"(?<=\d)(?=[^\W\d_])|(?<=[\w)])\s+(?=[^\W\d_])", ".", text)
