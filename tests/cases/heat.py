"""Heat."""

from __future__ import annotations

from cases.case import MODIA, MSL, Case

CASES = (
    Case(
        "Thermal.HeatTransfer.Examples.TwoMasses",
        "two_masses.mo",
        "TwoMasses",
        "two_masses.csv",
        1.0,
        {"mass1.T": "mass1.T", "mass2.T": "mass2.T"},
        "heat exchange between two bodies",
        MSL,
        states=2,
    ),
    Case(
        "HeatedRod",
        "heated_rod.mo",
        "HeatedRod",
        "heated_rod.csv",
        1e5,
        {f"T{k}": f"rod.volume({k}).T" for k in range(1, 6)},
        "conduction in five volumes",
        MODIA,
        bound=1e-6,
        noise=1e-6,
        states=5,
    ),
    Case(
        "Thermal.HeatTransfer.Examples.ControlledTemperature",
        "controlled_temperature.mo",
        "ControlledTemperature",
        "controlled_temperature.csv",
        10.0,
        {"heatCapacitor.T": "heatCapacitor.T", "onOffController.y": "onOffController.on"},
        "a controller that switches a heater on and off",
        MSL,
        states=1,
    ),
)
