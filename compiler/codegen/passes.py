"""Defines the late passes, which make the code shorter or faster and change no result beyond rounding.

Each can be switched off by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class LatePasses:
    """The late passes to run.

    reciprocals  quotients with one divisor share its reciprocal: x/d, y/d become r = 1/d, x*r, y*r; changes
                 rounding
    sincos       sine and cosine of one angle are one call
    loops        statements that repeat with other indices become a loop
    factors      mechanisms: linear systems are eliminated along the tree of connections, where that takes fewer
                 products; rotations are inverted by transposing them, equal values are computed once; changes rounding
    tapes        the run computes the instants of relations of time in advance; otherwise it locates them like those of
                 states
    """

    reciprocals: bool = True
    sincos: bool = True
    loops: bool = True
    factors: bool = True
    tapes: bool = True

    def without(self, names: Iterable[str]) -> LatePasses:
        """The passes without these. ValueError for an unknown name."""
        left_out = set(names)
        unknown = sorted(left_out - set(NAMES))
        if unknown:
            raise ValueError(f"there is no late pass '{unknown[0]}' (the passes are: {', '.join(NAMES)})")
        return replace(self, **dict.fromkeys(left_out, False))

    def both(self, other: LatePasses) -> LatePasses:
        """The passes that are in both."""
        return replace(self, **{f.name: False for f in fields(other) if not getattr(other, f.name)})


# Those that a translation may go without; tapes are not an optimization.
NAMES = tuple(field.name for field in fields(LatePasses) if field.name != "tapes")
