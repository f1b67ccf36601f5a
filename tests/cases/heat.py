"""Heat."""

from __future__ import annotations

from cases.case import MSL, Case

CASES = (
    Case(
        "Thermal.HeatTransfer.Examples.TwoMasses",
        "two_masses.mo",
        "TwoMasses",
        "two_masses.csv",
        1.0,
        {"mass1.T": "mass1.T", "mass2.T": "mass2.T"},
        "two bodies that share their heat",
        MSL,
        states=2,
    ),
)
