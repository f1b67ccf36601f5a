"""Heat: laws of single components, and balances."""

from __future__ import annotations

import numpy as np
import pytest

import cutset


@pytest.fixture
def room(write_model):
    """room(body) -> result of an object with this body."""

    def run(body: str, stop: float = 1.0, include: str = "@thermal"):
        path = write_model(f"{include}\nmodel Room\n{body}\nend\n")
        return cutset.load(path).simulate(stop=stop, rtol=1e-9, atol=1e-9)

    return run


def test_cooling(room):
    run = room(
        "submodel (HeatCapacitor) c(C=10, T0=400)\nsubmodel (ThermalConductor) g(G=4)\nsubmodel (ThermalResistor) "
        "r(R=0.25)\n"
        "submodel (FixedTemperature) a(T0=300)\nsubmodel (HeatFlowSensor) q\nsubmodel (CelsiusSensor) t\n"
        "connect c to (g par r) to q to a, t at c:A",
        stop=5.0,
    )
    falling = 300 + 100 * np.exp(-0.8 * run.time)
    np.testing.assert_allclose(run["c.T"], falling, atol=1e-5)
    np.testing.assert_allclose(run["q.Q"], 8 * (falling - 300), atol=1e-4)
    np.testing.assert_allclose(run["t.y"], falling - 273.15, atol=1e-5)


def test_radiation_and_convection(room):
    run = room(
        "submodel (FixedTemperature) a(T0=500)\nsubmodel (PrescribedTemperature) b\nb.T = 300 + 100*time\n"
        "submodel (BodyRadiation) r(Gr=2)\nsubmodel (Convection) k\nk.Gc = 5 + 1*time\nsubmodel (ConvectiveResistor) "
        "z\nz.Rc = 0.5\n"
        "submodel (RelativeTemperatureSensor) d\nconnect a to (r par k par z) to b, d at (a:A, b:A)"
    )
    b = 300 + 100 * run.time
    np.testing.assert_allclose(run["r.Q"], 2 * 5.670374419e-8 * (500**4 - b**4))
    np.testing.assert_allclose(run["k.Q"], (5 + run.time) * (500 - b))
    np.testing.assert_allclose(run["z.Q"], 2 * (500 - b))
    np.testing.assert_allclose(run["d.dT"], 500 - b)


def test_flows(room):
    run = room(
        "submodel (FixedHeatFlow) f(Q=30)\nsubmodel (PrescribedHeatFlow) p\np.Q = 20*time\nsubmodel (HeatCapacitor) "
        "c(C=10, T0=300)\n"
        "submodel (TemperatureSensor) t\nconnect f at c:A, p at c:A, t at c:A"
    )
    np.testing.assert_allclose(run["t.T"], 300 + 3 * run.time + run.time**2, atol=1e-6)


def test_resistor_heats_what_it_touches(room):
    run = room(
        "submodel (VConst) V(V=10)\nsubmodel (Ground) g\nsubmodel (HeatingResistor) R(R=5, Tref=300, "
        "alpha=0.01)\nsubmodel (HeatCapacitor) c(C=2, T0=300)\n"
        "connect V:A to R to V:B, g at V:B, R:port at c",
        include='@electrical\n@thermal\n@"electrical/heating"',
    )
    # c*T' = V^2/(R*(1 + alpha*(T - Tref))): with x = T - Tref, x + alpha*x^2/2 = V^2/(R*c)*t
    x = run["c.T"] - 300
    np.testing.assert_allclose(x + 0.005 * x**2, 10 * run.time, atol=1e-6)
    np.testing.assert_allclose(run["R.Q"], run["R.u"] * run["R.i"], rtol=1e-12)
