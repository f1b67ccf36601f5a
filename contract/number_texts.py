"""Reads numbers that are written with an SI prefix or a unit, as people write them: ``10k``, ``3ms`` -> 10e3, 3e-3."""

from __future__ import annotations

import re

# Unit prefixes that other languages write after a number; Meg is that of SPICE, where M is 1e-3.
PREFIXES = {
    "f": -15, "p": -12, "n": -9, "u": -6, "µ": -6, "m": -3, "k": 3, "K": 3, "M": 6, "Meg": 6, "meg": 6, "MEG": 6,
    "G": 9, "T": 12,
}  # fmt: skip
UNIT_NAMES = frozenset(
    [
        "A", "V", "W", "F", "H", "J", "K", "N", "C", "S", "T", "Pa", "Hz", "Ohm", "ohm", "\u03a9", "s", "kg", "g",
        "bar", "rad", "deg", "rpm", "mol", "l", "min", "Nm", "Wb",
    ]
)  # fmt: skip
_WRITTEN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?\s*([^\W\d_]+)")


def prefix_of(word: str) -> tuple[str, str] | None:
    """The SI prefix and the unit of a word after a number, of which one may be empty: ``ms`` -> m, s; ``m`` -> m, ''.
    None for other words."""
    if word in UNIT_NAMES:
        return "", word
    for prefix in sorted(PREFIXES, key=len, reverse=True):
        rest = word.removeprefix(prefix)
        if rest != word and (not rest or rest in UNIT_NAMES):
            return prefix, rest
    return None


def with_power(digits: str, exponent: str, prefix: str) -> str:
    """The number without a prefix: 10, '', k -> 10e3."""
    power = PREFIXES.get(prefix, 0) + int(exponent or 0)
    return f"{digits}e{power}" if power else digits


def advice(text: str, is_whole: bool = False) -> str:
    """How to write `text`, which is not a number of the language; empty if it is not a number with a prefix or unit. A
    whole number is written without an exponent."""
    found = _WRITTEN.fullmatch(text.strip())
    meant = found and prefix_of(found[3])
    if not found or not meant:
        return ""
    number = with_power(found[1], found[2] or "", meant[0])
    if is_whole:
        number = f"{float(number):.0f}"
    return f"write {number}: this number has neither a unit nor an SI prefix"
