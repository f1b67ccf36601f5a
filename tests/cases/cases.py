"""All cases, by subject."""

from __future__ import annotations

from cases import analog, control, drives, equations, heat, mechanisms, trees
from cases.case import Case

CASES: tuple[Case, ...] = (
    *equations.CASES, *analog.CASES, *heat.CASES, *drives.CASES, *control.CASES, *trees.CASES, *mechanisms.CASES,
)  # fmt: skip
