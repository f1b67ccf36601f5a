"""Circuits."""

from __future__ import annotations

from cases.case import MSL, Case

CASES = (
    Case(
        "Electrical.Analog.Examples.CauerLowPassAnalog",
        "cauer_low_pass.mo",
        "CauerLowPassAnalog",
        "cauer_low_pass_analog.csv",
        60.0,
        {"C1.v": "C1.u", "C3.v": "C3.u", "C5.v": "C5.u", "L1.i": "L1.i", "L2.i": "L2.i"},
        "loops of capacitors: states of which some depend on others",
        MSL,
        states=5,
        linear=((10, 3),),
    ),
)
