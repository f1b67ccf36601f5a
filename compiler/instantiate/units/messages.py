"""Constructs the diagnostics of units (E24x)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.syntax import tree
from cutset.compiler.units.suggestions import quotient
from cutset.compiler.units.unit import Unit, scale_text

Labels = tuple[Label, ...]
# A longer value is not repeated in a hint.
_LONGEST_VALUE = 40


def sides_in_units(left: Unit, right: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic(
        "E242", f"the left side is in {left}, but the right side is in {right}", span,
        _hint(right, left, _sides(left, right)), instance, labels, _notes(left, right),
    )  # fmt: skip


def terms_in_units(
    first: Unit, other: Unit, span: Span, instance: str, labels: Labels, gains: Mapping[str, str]
) -> Diagnostic:
    """`gains` are the numbers that multiply terms, each with the unit that it needs, or ''."""
    rule = "all terms of a sum must have the same unit"
    if gains:
        given = (f'k{k} (unit="{unit or "..."}") = {text}' for k, (text, unit) in enumerate(gains.items(), 1))
        rule += f"; give the gains their units: parameter {', '.join(given)}"
    return Diagnostic(
        "E243", f"a quantity in {first} and one in {other} cannot be added or subtracted", span,
        _hint(other, first, rule), instance, labels, _notes(first, other),
    )  # fmt: skip


def no_difference(written: tree.Quantity, instance: str) -> Diagnostic:
    """A temperature where only a difference of temperatures has a meaning."""
    text = f"'{written.number} {written.unit}' is a temperature, which cannot be added to another one or multiplied"
    hint = "write a difference of temperatures in K, and the sum or multiple as one number"
    return Diagnostic("E243", text, written.span, hint, instance)


def gain_in_unit(number: tree.Number, wanted: Unit, found: Unit, instance: str) -> Diagnostic:
    """A note on a literal number that takes a unit."""
    unit = quotient(str(wanted), str(found)) or f"{wanted / found}"
    return Diagnostic(
        "", f"the number {number.span.text} is in {unit}, as its equation requires", number.span, instance=instance,
        severity="note",
    )  # fmt: skip


def compared_in_units(first: Unit, other: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic(
        "E244", f"a quantity in {first} and one in {other} cannot be compared", span,
        _hint(other, first, "both sides of a relation must have the same unit"), instance, labels, _notes(first, other),
    )  # fmt: skip


def branches_in_units(first: Unit, other: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic(
        "E245", f"one branch is in {first}, but this branch is in {other}", span,
        _hint(other, first, "all branches must have the same unit"), instance, labels, _notes(first, other),
    )  # fmt: skip


def argument_in_unit(what: str, wanted: Unit, found: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    needs = "a number" if wanted.is_number else "an angle in rad or a number" if wanted.angle else f"{wanted}"
    return Diagnostic(
        "E246", f"{what} needs {needs}, but this is in {found}", span,
        _hint(found, wanted, f'divide by a quantity of the same unit: constant one (unit="{found}") = '
                             '1'), instance, labels, _notes(wanted, found),
    )  # fmt: skip


def value_in_unit(what: str, wanted: Unit, found: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic(
        "E247", f"{what} is in {wanted}, but its value is in {found}", span,
        _hint(found, wanted, _value(found, wanted, span)), instance, labels, _notes(wanted, found),
    )  # fmt: skip


def cuts_in_units(
    first: str, unit: Unit, second: str, other: Unit, span: Span, instance: str, labels: Labels, more: tuple[str, ...]
) -> Diagnostic:
    notes = tuple(f"also: {pair}" for pair in more) + _notes(unit, other)
    return Diagnostic(
        "E248", f"connected cuts have different units: {first} meets {second}", span,
        _hint(other, unit, "connected cuts must have the same units, in the same order"), instance, labels, notes,
    )  # fmt: skip


def external_in_unit(name: str, unit: Unit, other: Unit, span: Span, instance: str, labels: Labels) -> Diagnostic:
    return Diagnostic(
        "E265", f"the external '{name}' is in {unit}, but the internal one is in {other}", span,
        "declare both with the same unit, and convert where the quantity is used",
        instance, labels, _notes(other, unit),
    )  # fmt: skip


def scale_of_number(wanted: Unit, found: Unit) -> str:
    """The hint for a number with a unit where the quantity is in another scale than that of the SI."""
    return (
        f"a number with a unit is in SI units, here {found}: declare the quantity in {found}, shown in {wanted}, "
        f'(unit="{found}", display="{wanted}"), or write the number in {wanted} without a unit'
    )


def _notes(first: Unit, second: Unit) -> tuple[str, ...]:
    if not first.same_kind(second) or first.agrees(second):
        return ()
    ratio = scale_text(second.magnitude - first.magnitude)
    one = f"{second}" if str(second)[:1].isdigit() else f"1 {second}"
    return (f"these are different scales of the same quantity: {one} is {ratio} {first}",)


def _hint(found: Unit, wanted: Unit, otherwise: str) -> str:
    if not found.same_kind(wanted):
        return otherwise
    if found.agrees(wanted):
        return "1 Hz is 2*pi rad/s, and 60 rpm are 1 Hz: multiply or divide by 2*pi"
    unit = quotient(str(wanted), str(found))
    if not unit:
        return "convert one of them: multiply by a constant whose unit is the quotient of the two units"
    magnitude = found.magnitude - wanted.magnitude
    ratio = f"{10.0**magnitude:.10g}" if abs(magnitude) < 6 else scale_text(magnitude)
    return f'convert: multiply by a constant with a unit, constant k (unit="{unit}") = {ratio}'


def _law(found: Unit, wanted: Unit, otherwise: str) -> str:
    """A hint for a formula between numbers, whose constants have units that are not written: 2*T^2 for a pressure,
    1.41/w for a capacitance."""
    unit = quotient(str(wanted), str(found))
    return (
        f"{otherwise}; in a formula for bare numbers, multiply by a constant with the missing unit: constant one "
        f'(unit="{unit}") = 1'
        if unit
        else otherwise
    )


def _inverse(text: str) -> str:
    """The inverse of a value as text, without a fraction in a denominator if it is a simple quotient."""
    quotient_of_names = re.fullmatch(r"([\w.]+) */ *([\w.]+|\([^()]*\))", text)
    if quotient_of_names is None:
        return f"1/({text})" if len(text) <= _LONGEST_VALUE else "1/(...)"
    above, below = quotient_of_names.groups()
    return below.strip("()") if above == "1" else f"{below}/{above}"


def _is_inverse(found: Unit, wanted: Unit) -> bool:
    return bool(found.exponents) and (found * wanted).agrees(Unit())


def _sides(left: Unit, right: Unit) -> str:
    needed = "both sides of an equation must have the same unit"
    if _is_inverse(right, left):
        return f"{needed}; here the inverse of one side would fit"
    # If both units are powers, a missing factor is unlikely.
    return _law(right, left, needed) if any(digit in f"{left}{right}" for digit in "23456789") else needed


def _value(found: Unit, wanted: Unit, span: Span) -> str:
    needed = "give it a quantity in this unit"
    if any(operator in span.text for operator in "*/") and _is_inverse(found, wanted):
        return f"the inverse has this unit: {_inverse(span.text)}"
    return _law(found, wanted, needed) if any(operator in span.text for operator in "*/^") else needed
