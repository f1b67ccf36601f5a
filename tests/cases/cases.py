"""All cases, by subject."""

from __future__ import annotations

from cases import analog, heat
from cases.case import Case

CASES: tuple[Case, ...] = (*analog.CASES, *heat.CASES)
