"""Says how far the value of a parameter may be from the one in the model."""

from __future__ import annotations

from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`R = 1 kOhm +- 5 %`: 0.05, a share of the value. `+- 50 Ohm`: 50, a difference in the unit of the parameter."""

    size: float
    is_share: bool

    def width(self, value: float) -> float:
        """How far it may be from this value."""
        return self.size * abs(value) if self.is_share else self.size
