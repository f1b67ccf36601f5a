"""Converts numbers with units exactly: the text of a number, its unit -> the number in SI units, or in another unit.

A scale with its own zero (`degC`) is that of a temperature: 20 degC is 293.15 K wherever it stands. A difference of
temperatures is given in K; `degC` is no factor of a unit.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from cutset.compiler.units.parse import Misread, parse_scaled
from cutset.compiler.units.symbols import OFFSETS, Scale, found
from cutset.compiler.units.unit import Unit

_LETTERS = "[A-Za-z%\u00b0\u00b5\u03a9\u03bc\u2126]+"
_POWER = r"(?:\^[+-]?[\w.]*\w)?"
# Any word after a `.` or `/` belongs to the unit, so that the variable in `3 V/R` is an error rather than a surprise.
_MORE = rf"(?:[^\W\d]|\u00b0)\w*{_POWER}"
# Without spaces: `36 km/h` is a unit and `3 N / h` a division. `3 m/2` and `3 m/(a + b)` are divisions, too.
_UNIT = re.compile(rf"(?:1/)?{_LETTERS}[0-9]*(?!\w){_POWER}(?:\.{_MORE})*(?:/{_MORE}|/\({_MORE}(?:\.{_MORE})*\))*")
_FIRST = re.compile(rf"(?:1/)?({_LETTERS})")
_WRITTEN = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*((?:1/)?[^\s0-9.]\S*)")


_ONE = Scale(Fraction(1))


_HEAD = re.compile(r"(.*\S)\s*\[([^\[\]]+)\]")


class Misfit(Exception):
    """A number with a unit does not fit the unit of its variable; its text says why."""


class Measure(NamedTuple):
    """What a number of a unit means: the SI unit of it, how many of that one is, and the SI value of its zero."""

    unit: Unit
    scale: Scale
    zero: Fraction

    @property
    def factor(self) -> float:
        """How many SI units one is."""
        return float(self.scale.ratio) * math.pi**self.scale.pi


@cache
def measure(text: str) -> Measure:
    """The meaning of the text of a unit; raises Misread."""
    if (offset := OFFSETS.get(text)) is not None:
        return Measure(_in_si(parse_scaled("K")[0]), Scale(Fraction(offset[0])), Fraction(offset[1]))
    unit, scale = parse_scaled(text)
    return Measure(_in_si(unit, scale), scale, Fraction(0))


def _in_si(unit: Unit, scale: Scale = _ONE) -> Unit:
    return Unit(unit.exponents, unit.angle, 0.0, True, unit.text if scale == _ONE else "")


def begins_unit(text: str, place: int) -> str:
    """The text of a unit that stands at this place after a number and a space; empty if the word there is none."""
    first = _FIRST.match(text, place)
    if first is None or (found(first[1]) is None and first[1] not in OFFSETS):
        return ""
    whole = _UNIT.match(text, place)
    return whole[0] if whole else ""


def si_value(number: str, unit: str) -> float:
    """The number of this unit in SI units, rounded once. Misread for no unit, OverflowError beyond all floats."""
    return _converted(number, measure(unit), _ONE)


def split_quantity(text: str) -> tuple[str, str] | None:
    """The number and the unit in a text from outside, as in `10 kOhm` and `3ms`; None for other words."""
    written = _WRITTEN.fullmatch(text.strip())
    return (written[1], written[2]) if written and begins_unit(written[2], 0) else None


def value_in(text: str, unit: str) -> float:
    """The number that `10 kOhm` is in the unit of a variable, where that has one (else ''). Misfit if the units do not
    fit."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise Misfit(f"'{text}' is not a number with a unit")
    if not unit:
        raise Misfit("its declaration has no unit")
    try:
        given, (own, scale) = measure(written[2]), parse_scaled(unit)
    except Misread as error:
        raise Misfit(f"'{error.what}' is no unit that can stand here") from error
    if not given.unit.same_kind(own) or mistaken(written[2], own):
        raise Misfit(f"it is in {unit}, but '{text.strip()}' is in {given.unit}")
    return _converted(written[1], given, scale)


def in_si_units(head: str) -> tuple[str, str, float, float]:
    """The name in the head of a column, such as `x [deg]`, with the SI unit of its numbers and what makes them of the
    written ones, a factor and the value of their zero. A head without a known unit is a name."""
    written = _HEAD.fullmatch(head.strip())
    if written is not None and begins_unit(written[2], 0):
        with suppress(Misread):
            found = measure(written[2])
            return written[1], str(found.unit), found.factor, float(found.zero)
    return head, "", 1.0, 0.0


def display_of(unit: str, display: str) -> tuple[str, float, float]:
    """How values in `unit` are shown: the text of the unit `display`, how many of `unit` one of it is, and where its
    zero is. Misread for a text that is no unit, Misfit for the unit of another kind."""
    if not unit:
        raise Misfit("the quantity has no unit to show in another one")
    shown, (own, scale) = measure(display), parse_scaled(unit)
    if not shown.unit.same_kind(own) or mistaken(display, own):
        raise Misfit(f"the quantity is in {unit}, and {display} is a unit of another kind")
    ratio = shown.scale.ratio / scale.ratio
    return display, float(ratio) * math.pi ** (shown.scale.pi - scale.pi), float(shown.zero / scale.ratio)


def mistaken(given: str, wanted: Unit) -> bool:
    """True for a frequency in place of an angular velocity, or the reverse: their units agree, but for a factor of
    2 pi. `given` is the unit of a number."""
    return bool(("Hz" in given and wanted.angle) or ("Hz" in wanted.text and measure(given).unit.angle))


def _converted(number: str, given: Measure, own: Scale) -> float:
    exact = Fraction(number) if float(number) else Fraction(0)  # the exponent of a number near 0 may be of any size
    in_si = exact * given.scale.ratio + given.zero
    return float(in_si / own.ratio) * math.pi ** (given.scale.pi - own.pi)
