"""All cases, by subject."""

from __future__ import annotations

from cases import analog, control, drives, equations, heat, trees
from cases.case import Case

CASES: tuple[Case, ...] = (
    *equations.CASES, *analog.CASES, *heat.CASES, *drives.CASES, *trees.CASES, *control.CASES,
)  # fmt: skip
