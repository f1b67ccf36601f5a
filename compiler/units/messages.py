"""Constructs the diagnostics of texts that are no units (E240, E241, E249)."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.units.parse import Misread
from cutset.compiler.units.suggestions import unit_meant


def misread(error: Misread, text: str, span: Span, instance: str = "", is_number: bool = False) -> Diagnostic:
    """The error of a unit that was declared, or that stands behind a number."""
    if error.kind == "unknown":
        hint = unit_meant(text) or "combine SI units: N.m, kg.m2, m/s2, mA"
        if is_number and "/" in text and not unit_meant(text):
            first, _, other = text.partition("/")
            hint = f"a division by a variable has spaces: {first} / {other}"
        return Diagnostic("E240", f"unknown unit '{error.what}'", span, hint, instance)
    if error.kind == "offset":
        symbol = error.what
        if is_number:
            told = f"'{symbol}' has its own zero and cannot be a factor of a unit"
            return Diagnostic("E241", told, span, "write a difference of temperatures in K", instance)
        hint = f'declare it in K, shown in {symbol}: (unit="K", display="{symbol}"); a value is written as 20 {symbol}'
        told = f"'{symbol}' is an offset unit and cannot be used in equations"
        return Diagnostic("E241", told, span, hint, instance)
    hint = unit_meant(text) or error.proposal
    return Diagnostic("E249", f"the unit '{text}' cannot be read: {error.what}", span, hint, instance)
