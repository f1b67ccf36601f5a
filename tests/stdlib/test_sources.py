"""The courses of the sources, voltages and currents."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import circuit  # noqa: F401 - a fixture

# What is given, and the course over t, as a part above the lower value.
SHAPES = {
    "Cosine({o}0=1, {o}=2, f=0.5, phi=0.3)": lambda t: 1 + 2 * np.cos(np.pi * t + 0.3),
    "Sine({o}0=1, {o}=2, f=0.5, phi=0.3)": lambda t: 1 + 2 * np.sin(np.pi * t + 0.3),
    "Ramp({o}0=1, {o}=2, t0=0.25, T=0.5)": lambda t: 1 + 2 * np.clip((t - 0.25) / 0.5, 0, 1),
    "Exp({o}0=1, {o}=2, t0=0.25, T=0.5)": lambda t: 1 + np.where(t < 0.25, 0, 2 * np.exp(-(t - 0.25) / 0.5)),
    "Table(n=3, times=[0.5, 1, 1.5], {o}=[1, 3, 2])": lambda t: np.interp(t, [0.5, 1, 1.5], [1, 3, 2]),
    "Pulse({o}0=1, {o}=2, T=0.5, t0=0.25, width=0.4)": lambda t: 1 + 2.0 * ((t > 0.25) & ((t - 0.25) % 0.5 < 0.2)),
    "Sawtooth({o}0=1, {o}=2, T=0.5, t0=0.25)": lambda t: 1 + np.where(t < 0.25, 0, 2 * ((t - 0.25) % 0.5) / 0.5),
    "Trapezoid({o}0=1, {o}=2, T=0.5, t0=0.25, rise=0.1, hold=0.2, fall=0.1)": lambda t: (
        1 + np.where(t < 0.25, 0, 2 * np.interp((t - 0.25) % 0.5, [0, 0.1, 0.3, 0.4], [0, 1, 1, 0]))
    ),
}


def away_from_events(run):
    """Rows that are not near an instant of an event, where the two sides differ."""
    events = run.time[1:][np.diff(run.time) == 0]
    return (
        np.all(np.abs(run.time[:, None] - events[None, :]) > 1e-6, axis=1)
        if len(events)
        else np.full(len(run.time), True)
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind, variable", [("V", "u"), ("I", "i")])
def test_course(circuit, kind, variable, shape):
    given = shape.format(o=kind)
    run = circuit(f"submodel ({kind}{given[: given.index('(')]}) S{given[given.index('(') :]}\n"
                  "submodel (Resistor) R(R=2)\nconnect S at (n1, n0), R at (n1, n0)", stop=2.0)  # fmt: skip
    rows = away_from_events(run)
    assert rows.sum() > 400
    np.testing.assert_allclose(run[f"S.{variable}"][rows], SHAPES[shape](run.time[rows]), atol=1e-9)


def test_jumps_are_met_exactly(circuit):
    run = circuit("submodel (VPulse) S(V=1, T=0.5, t0=0.25, width=0.4)\nsubmodel (Resistor) R(R=2)\n"
                  "connect S at (n1, n0), R at (n1, n0)", stop=1.0)  # fmt: skip
    jumps = run.time[1:][np.abs(np.diff(run["S.u"])) > 0.5]
    np.testing.assert_allclose(jumps, [0.25, 0.45, 0.75, 0.95], atol=1e-12)


def test_damped_sine_and_rise_and_fall(circuit):
    run = circuit("submodel (VExpSine) S(V=2, f=1, d=1.5, t0=0.5)\nsubmodel (VRiseFall) F(V=3, t0=0.5, rise=1, "
                  "Tr=0.4, Tf=0.2)\n"
                  "submodel (Resistor) R(R=2), Q(R=2)\nconnect S at (n1, n0), R at (n1, n0), F at (n2, n0), Q at (n2, "
                  "n0)",
                  stop=2.0)  # fmt: skip
    since = run.time - 0.5
    expected = np.where(since < 0, 0, 2 * np.exp(-1.5 * since) * np.sin(2 * np.pi * since))
    np.testing.assert_allclose(run["S.u"], expected, atol=1e-9)
    top = 3 * (1 - np.exp(-1 / 0.4))
    falling = np.where(since < 1, 3 * (1 - np.exp(-since / 0.4)), top * np.exp(-(since - 1) / 0.2))
    np.testing.assert_allclose(run["F.u"], np.where(since < 0, 0, falling), atol=1e-9)
