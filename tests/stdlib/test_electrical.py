"""The components of electrical.mo in small circuits with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.circuits import linear_response

import cutset
from cutset.runtime.errors import RunError

ACCURATE = {"rtol": 1e-9, "atol": 1e-9, "method": "dopri5"}


@pytest.fixture
def simulate(write_model):
    """simulate(body, stop) -> result of the object `Circuit` with this body, which has a ground at node n0."""

    def run(body: str, stop: float = 1.0, include: str = "@electrical", **options):
        text = f"{include}\nmodel Circuit\nsubmodel (Ground) g\nnode n0, n1, n2, n3, n4\nconnect g at n0\n{body}\nend\n"
        return cutset.load(write_model(text)).simulate(stop=stop, **(ACCURATE | options))

    return run


def test_resonant_circuit_keeps_its_start_values(simulate):
    run = simulate(
        "submodel (Capacitor) C(C=0.5, u0=3)\nsubmodel (Inductor) L(L=2, i0=-1)\nconnect C at (n1, n0), L at (n1, n0)",
        stop=20.0,
    )
    # C*u' = -i, L*i' = u with u(0) = 3, i(0) = -1: omega = 1, impedance 2.
    np.testing.assert_allclose(run["C.u"], 3 * np.cos(run.time) + 2 * np.sin(run.time), atol=1e-7)
    np.testing.assert_allclose(run["L.i"], 1.5 * np.sin(run.time) - np.cos(run.time), atol=1e-7)


def test_a_capacitance_is_not_negative(simulate):
    with pytest.raises(RunError, match=r"'C\.C' cannot be -0\.5, which is less than its min, 0"):
        body = "submodel (Capacitor) C(C=0.5)\nsubmodel (Resistor) R(R=1)\nconnect C par R at (n1, n0)"
        simulate(body, parameters={"C.C": -0.5}, target="python")


def test_sine_source_and_inductor(simulate):
    run = simulate(
        "submodel (VSine) V(V0=1, V=5, f=2, phi=0.3)\nsubmodel (Resistor) R(R=4)\nsubmodel (Inductor) L(L=0.5)\n"
        "connect V at (n1, n0), n1 to R to L to n0",
        stop=2.0,
    )
    # A mean value and a phasor, both with the transient that starts from i = 0.
    w = 4 * np.pi
    impedance = complex(4, 0.5 * w)
    forced = 0.25 + (5 * np.exp(1j * (w * run.time + 0.3)) / impedance).imag
    at_start = 0.25 + (5 * np.exp(0.3j) / impedance).imag
    np.testing.assert_allclose(run["L.i"], forced - at_start * np.exp(-8 * run.time), atol=1e-8)
    np.testing.assert_allclose(run["V.u"], 1 + 5 * np.sin(w * run.time + 0.3), atol=1e-12)


def test_current_flows_through_a_current_source_from_a_to_b(simulate):
    run = simulate(
        "submodel (IConst) I(I=2)\nsubmodel (Resistor) R(R=10)\nsubmodel (Capacitor) C(C=0.1)\n"
        "connect I at (n0, n1), R at (n1, n0), C at (n1, n0)"
    )
    np.testing.assert_allclose(run["C.u"], 20 * (1 - np.exp(-run.time)), atol=1e-7)


def test_current_step(simulate):
    run = simulate(
        "submodel (IStep) I(I0=-1, I=3, t0=0.5)\nsubmodel (Capacitor) C(C=2)\nconnect I at (n0, n1), C at (n1, n0)"
    )
    expected = np.where(run.time < 0.5, -0.5 * run.time, -0.25 + 1.5 * (run.time - 0.5))
    np.testing.assert_allclose(run["C.u"], expected, atol=1e-9)


def test_sources_that_are_set_from_outside(simulate):
    run = simulate(
        "submodel (VSource) V\nsubmodel (ISource) I\nsubmodel (Resistor) R(R=2)\nsubmodel (Capacitor) C(C=0.25)\n"
        "V.u = 3*time\nI.i = 0.5\n"
        "connect V at (n1, n0), R at (n1, n2), C at (n2, n0), I at (n0, n2)"
    )
    # u' = (3 t - u)/(R C) + I/C with R C = 0.5
    particular = 3 * run.time - 1.5 + 1.0
    np.testing.assert_allclose(run["C.u"], particular + 0.5 * np.exp(-2 * run.time), atol=1e-7)


def test_constant_voltage_divides(simulate):
    run = simulate(
        "submodel (VConst) V(V=12)\nsubmodel (Resistor) R1(R=1000), R2(R=500)\nsubmodel (Capacitor) C(C=1e-3)\n"
        "connect V at (n1, n0), R1 at (n1, n2), R2 at (n2, n0), C at (n2, n0)"
    )
    np.testing.assert_allclose(run["C.u"], 4 * (1 - np.exp(-3 * run.time)), atol=1e-7)


def test_op_amp_as_integrator(simulate):
    run = simulate(
        "submodel (VStep) V(V0=1, V=-2, t0=0.5)\nsubmodel (Resistor) R(R=1e4)\nsubmodel (Capacitor) C(C=1e-5)\n"
        "submodel (OpAmpIdeal) amp\n"
        "connect V at (n1, n0), R at (n1, n2), C at (n3, n2), amp at (n0, n2, n3)"
    )
    expected = np.where(run.time < 0.5, -10 * run.time, -5 + 20 * (run.time - 0.5))
    np.testing.assert_allclose(run["amp.V3"], expected, atol=1e-7)
    np.testing.assert_allclose(run["amp.V2"], 0.0, atol=1e-12)


def test_op_amp_not_inverting(simulate):
    run = simulate(
        "submodel (VSine) V(V=2, f=1)\nsubmodel (Resistor) R1(R=200), R2(R=50)\nsubmodel (OpAmpIdeal) amp\n"
        "submodel (Capacitor) C(C=1e-3)\nsubmodel (Resistor) R3(R=100)\n"
        "connect V at (n1, n0), amp at (n1, n2, n3), R1 at (n2, n3), R2 at (n2, n0), n3 to R3 to C to n0"
    )
    # The power stage of the paper's motor: gain 1 + 200/50; an RC circuit is its load.
    np.testing.assert_allclose(run["amp.V3"], 5 * run["V.u"], atol=1e-9)
    w, tau = 2 * np.pi, 0.1
    forced = (np.sin(w * run.time) - w * tau * np.cos(w * run.time)) / (1 + (w * tau) ** 2)
    transient = w * tau / (1 + (w * tau) ** 2) * np.exp(-run.time / tau)
    np.testing.assert_allclose(run["C.u"], 10 * (forced + transient), atol=1e-7)


def test_hall_sensor_turns_current_into_potential_without_loading_the_circuit(simulate):
    run = simulate(
        "submodel (VConst) V(V=6)\nsubmodel (Resistor) R(R=3), load(R=100)\nsubmodel (Inductor) L(L=1.5)\n"
        "submodel (Hall) hall(k=0.5)\n"
        "connect V at (n1, n0), n1 to R to L to hall to n0, hall:m at n2, load at (n2, n0)",
        stop=3.0,
    )
    current = 2 * (1 - np.exp(-2 * run.time))
    np.testing.assert_allclose(run["L.i"], current, atol=1e-8)
    np.testing.assert_allclose(run["hall.Vm"], 0.5 * current, atol=1e-8)
    np.testing.assert_allclose(run["load.i"], 0.005 * current, atol=1e-8)


def test_motor_with_emf_turns_a_body(simulate):
    """L*i' = V - R*i - k*w, J*w' = k*i - d*w, where the shaft is a joint of the multibody library."""
    r, inductance, k, j, d, v = 2.0, 0.1, 0.8, 0.05, 0.02, 24.0
    run = simulate(
        f"submodel (VConst) V(V={v})\nsubmodel (Resistor) R(R={r})\nsubmodel (Inductor) L(L={inductance})\n"
        f"submodel (Emf) emf(k={k})\n"
        f"submodel (Inertial) i\nsubmodel (Revolute) shaft(n3=1)\nsubmodel (Body) rotor(I33={j})\nsubmodel "
        f"(JointDamper) b(d={d})\n"
        "connect V at (n1, n0), n1 to R to L to emf to n0\n"
        "connect i to shaft to rotor, emf:mech at shaft:ext, b at shaft:ext",
        include="@electrical\n@mbssim",
    )
    a = np.array([[-r / inductance, -k / inductance], [k / j, -d / j]])
    exact = linear_response(a, np.array([v / inductance, 0.0]), np.zeros(2), run.time)
    np.testing.assert_allclose(run["L.i"], exact[:, 0], atol=1e-7)
    np.testing.assert_allclose(run["shaft.qd"], exact[:, 1], atol=1e-7)
    # Nothing is lost in between: electrical and mechanical power into the Emf add up to zero.
    np.testing.assert_allclose(run["emf.u"] * run["emf.i"] + run["emf.f"] * run["emf.qd"], 0.0, atol=1e-9)
