"""Represents a unit by the exponents of the seven SI base units and a magnitude; products, powers, printed form.

An angle counts as a number in comparisons; its exponent is kept so that a message can show rad.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from cutset.contract.quick_dataclass import dataclass

Exponent = int | Fraction

BASE = ("m", "kg", "s", "A", "K", "mol", "cd")
_NONE = (0,) * len(BASE)
# Magnitudes are sums of logarithms: equal ones differ by rounding only.
_TOLERANCE = 1e-9
# A higher power is not a valid unit.
_HIGHEST_POWER = 100
_LARGEST_ROOT = 12

# Derived units for showing computed units, by their exponents of m, kg, s, A.
_SHOWN = {
    "N": (1, 1, -2, 0),
    "Pa": (-1, 1, -2, 0),
    "J": (2, 1, -2, 0),
    "W": (2, 1, -3, 0),
    "C": (0, 0, 1, 1),
    "V": (2, 1, -3, -1),
    "F": (-2, -1, 4, 2),
    "Ohm": (2, 1, -3, -2),
    "Wb": (2, 1, -2, -1),
    "T": (0, 1, -2, -1),
    "H": (2, 1, -2, -2),
}


@dataclass(frozen=True, slots=True)
class Unit:
    """`exponents` in the order of BASE; `magnitude` is the logarithm to base 10 of the scale against SI units (a
    logarithm, so that no power overflows); `declared`: it comes from a declaration of the model, not only from the
    rules of `time` and functions; `text` is its text in the model, if any."""

    exponents: tuple[Exponent, ...] = _NONE
    angle: Exponent = 0
    magnitude: float = 0.0
    declared: bool = False
    text: str = field(default="", compare=False)

    def __mul__(self, other: Unit) -> Unit:
        exponents = tuple(a + b for a, b in zip(self.exponents, other.exponents, strict=False))
        text = self.text if _is_one(other) else other.text if _is_one(self) else ""
        return Unit(
            exponents, self.angle + other.angle, self.magnitude + other.magnitude, self.declared or other.declared, text
        )

    def __truediv__(self, other: Unit) -> Unit:
        exponents = tuple(a - b for a, b in zip(self.exponents, other.exponents, strict=False))
        text = self.text if _is_one(other) else ""
        return Unit(
            exponents, self.angle - other.angle, self.magnitude - other.magnitude, self.declared or other.declared, text
        )

    def power(self, p: Exponent) -> Unit:
        """This unit to the power p."""
        return Unit(tuple(e * p for e in self.exponents), self.angle * p, self.magnitude * float(p), self.declared)

    def same_kind(self, other: Unit) -> bool:
        """True if both measure the same kind of quantity, whatever their scales."""
        return self.exponents == other.exponents

    def agrees(self, other: Unit) -> bool:
        """True if quantities in these units may be added."""
        return self.exponents == other.exponents and abs(self.magnitude - other.magnitude) < _TOLERANCE

    def clashes(self, other: Unit) -> bool:
        """True if they differ, and one of them is declared. A model without units is mathematics: it has no unit
        errors."""
        return (self.declared or other.declared) and not self.agrees(other)

    @property
    def is_number(self) -> bool:
        """True for 1, but not for an angle."""
        return self.angle == 0 and self.agrees(NUMBER)

    def __str__(self) -> str:
        return self.text or _written(self)


NUMBER = Unit(text="1")
RADIAN = Unit(angle=1, text="rad")
SECOND = Unit((0, 0, 1, 0, 0, 0, 0), text="s")


def exponent_of(value: float) -> Exponent | None:
    """The number as an exponent of a unit: whole or a simple fraction, None for any other."""
    if not abs(value) <= _HIGHEST_POWER:
        return None
    exact = Fraction(value).limit_denominator(_LARGEST_ROOT)
    if abs(float(exact) - value) > 1e-12:
        return None
    return int(exact) if exact.denominator == 1 else exact


def scale_text(magnitude: float) -> str:
    """The scale in digits: 0.001, 60, 1e30."""
    nearest = round(magnitude)
    if abs(magnitude - nearest) < _TOLERANCE and abs(nearest) > 6:
        return f"1e{nearest}"
    return f"{10.0**magnitude:.6g}" if abs(magnitude) < 300 else f"10^{magnitude:g}"


def _is_one(unit: Unit) -> bool:
    return unit.exponents == _NONE and unit.angle == 0 and unit.magnitude == 0.0


def _written(unit: Unit) -> str:
    """The text with one derived unit if that is shorter than base units alone."""
    best: dict[str, Exponent] = dict(zip(BASE, unit.exponents, strict=False))
    for name, four in _SHOWN.items():
        for sign in (1, -1):
            derived = (*four, 0, 0, 0)
            candidate: dict[str, Exponent] = {name: sign}
            candidate |= {s: e - sign * d for s, e, d in zip(BASE, unit.exponents, derived, strict=False)}
            if _weight(candidate) < _weight(best):
                best = candidate
    text = _joined({**best, "rad": unit.angle})
    return text if abs(unit.magnitude) < _TOLERANCE else f"{scale_text(unit.magnitude)} {text}"


def _weight(factors: dict[str, Exponent]) -> Exponent:
    weight: Exponent = 0
    for e in factors.values():
        weight = weight + (e if e > 0 else -e)
    return weight


def _joined(factors: dict[str, Exponent]) -> str:
    def power(symbol: str, e: Exponent) -> str:
        return symbol if e == 1 else f"{symbol}{e}" if isinstance(e, int) or e.denominator == 1 else f"{symbol}^({e})"

    above = [power(s, e) for s, e in factors.items() if e > 0]
    below = [power(s, -e) for s, e in factors.items() if e < 0]
    if not below:
        return ".".join(above) or "1"
    return (".".join(above) or "1") + "/" + (below[0] if len(below) == 1 else f"({'.'.join(below)})")
