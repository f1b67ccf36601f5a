"""Controllers and their plants."""

from __future__ import annotations

from cases.case import MODIA, MSL, Case

CASES = (
    Case(
        "Blocks.Examples.PID_Controller",
        "control.mo",
        "PIDController",
        "pid_controller.csv",
        4.0,
        {
            "PI.I.y": "PI.I",
            "inertia1.phi": "J1.phi",
            "inertia1.w": "J1.w",
            "integrator.y": "speed.y",
            "spring.phi_rel": "spring.phi_rel",
            "spring.w_rel": "spring.w_rel",
        },
        "limits of a controller; a steady state at the start",
        MSL,
        states=6,
    ),
    Case(
        "Blocks.Examples.InverseModel",
        "control.mo",
        "InverseModel",
        "inverse_model.csv",
        1.0,
        {"firstOrder1.y": "inverse.y", "firstOrder2.y": "plant.y"},
        "the inverse of a plant by differentiation",
        MSL,
        states=2,
    ),
    Case(
        "TwoInertiasAndIdealGear",
        "control.mo",
        "TwoInertiasAndIdealGear",
        "two_inertias.csv",
        4.0,
        {"phi2": "J2.phi"},
        "index reduction through a gear",
        MODIA,
        states=2,
    ),
)
