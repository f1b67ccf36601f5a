"""Components beyond those of test_electrical.py, in small circuits with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import circuit  # noqa: F401 - a fixture


def test_conductor_and_variable_parts(circuit):
    run = circuit(
        "submodel (VConst) V(V=6)\nsubmodel (Conductor) G(G=0.5)\nsubmodel (VariableResistor) R\nsubmodel "
        "(VariableConductor) K\n"
        "connect V at (n1, n0), G at (n1, n0), R at (n1, n0), K at (n1, n0)\nR.R = 2 + 1*time\nK.G = 3*time"
    )
    np.testing.assert_allclose(run["G.i"], 3.0)
    np.testing.assert_allclose(run["R.i"], 6 / (2 + run.time))
    np.testing.assert_allclose(run["K.i"], 18 * run.time)


def test_open_and_short_branches(circuit):
    run = circuit(
        "submodel (VConst) V(V=6)\nsubmodel (Resistor) R(R=2), Q(R=3)\nsubmodel (Short) s\nsubmodel (Open) o\n"
        "connect V at (n1, n0), R at (n1, n2), s at (n2, n0), Q at (n1, n3), o at (n3, n0)"
    )
    np.testing.assert_allclose((run["s.i"][-1], run["Q.i"][-1], run["o.u"][-1]), (3.0, 0.0, 6.0), atol=1e-12)


def test_capacitor_and_inductor_that_vary(circuit):
    """i = der(C*u) under a constant current, u = der(L*i) under a constant voltage."""
    run = circuit(
        "submodel (IConst) I(I=2)\nsubmodel (VariableCapacitor) C(Q0=1)\nconnect I at (n0, n1), C at (n1, n0)\nC.C = "
        "1 + 1*time\n"
        "submodel (VConst) V(V=3)\nsubmodel (VariableInductor) L\nconnect V at (n2, n0), L at (n2, n0)\nL.L = 2 + "
        "1*time"
    )
    np.testing.assert_allclose(run["C.u"], (1 + 2 * run.time) / (1 + run.time), atol=1e-8)
    np.testing.assert_allclose(run["L.i"], 3 * run.time / (2 + run.time), atol=1e-8)


def test_saturating_inductor_has_its_nominal_inductance(circuit):
    run = circuit(
        "submodel (ISource) I\nsubmodel (SaturatingInductor) L(Inom=2, Lnom=1, Lzer=3, Linf=0.2)\n"
        "I.i = 1000*time\nconnect I at (n0, n1), L at (n1, n0)",
        points=1001,
    )
    inductance = run["L.Psi"][1:] / run["L.i"][1:]
    assert inductance[1] == pytest.approx(1.0, rel=1e-9)
    assert inductance[0] < 3.0 and np.all(np.diff(inductance) < 0)
    assert np.diff(run["L.Psi"])[-1] / np.diff(run["L.i"])[-1] == pytest.approx(0.2, rel=1e-4)


def test_transformers(circuit):
    run = circuit(
        "submodel (VSine) V(V=10, f=1)\nsubmodel (IdealTransformer) T(n=5)\nsubmodel (Resistor) R(R=2)\n"
        "connect V at (n1, n0), T at (n1, n0, n2, n0), R at (n2, n0)"
    )
    np.testing.assert_allclose(run["R.u"], run["V.u"] / 5, atol=1e-12)
    np.testing.assert_allclose(run["T.i1"], run["V.u"] / 50, atol=1e-12)  # R appears as n^2*R


def test_coupled_inductors(circuit):
    """Open on the right: u1 = L1*der(i1), u2 = M*der(i1)."""
    run = circuit(
        "submodel (VConst) V(V=6)\nsubmodel (Transformer) T(L1=3, L2=2, M=1.5)\nsubmodel (Resistor) R(R=1e12)\n"
        "connect V at (n1, n0), T at (n1, n0, n2, n0), R at (n2, n0)"
    )
    np.testing.assert_allclose(run["T.i1"], 2 * run.time, atol=1e-7)
    np.testing.assert_allclose(run["T.u2"][1:], 3.0, atol=1e-6)  # at the start no current flows through R


@pytest.mark.parametrize(
    "source, given, expected",
    [("VCV", "k=3", 6.0), ("VCC", "k=-3", 60.0), ("CCV", "k=3", 3.0), ("CCC", "k=-3", 30.0)],
)
def test_controlled_sources(circuit, source, given, expected):
    """2 V, or 1 A where the left side is a short circuit behind 2 Ohm; 10 Ohm at the right side."""
    run = circuit(
        f"submodel (VConst) V(V=2)\nsubmodel (Resistor) R(R=2), load(R=10)\nsubmodel ({source}) S({given})\n"
        f"connect V at (n1, n0), R at (n1, n2), S at (n2, n0, n3, n0), load at (n3, n0)"
    )
    np.testing.assert_allclose(run["load.u"], expected)


def test_gyrator_makes_an_inductor_of_a_capacitor(circuit):
    run = circuit(
        "submodel (VConst) V(V=5)\nsubmodel (Gyrator) G(G1=0.1, G2=0.1)\nsubmodel (Capacitor) C(C=0.02)\n"
        "connect V at (n1, n0), G at (n1, n0, n2, n0), C at (n2, n0)"
    )
    np.testing.assert_allclose(run["G.i1"], 5 * run.time / (0.02 / 0.01), atol=1e-8)  # L = C/(G1*G2)


def test_switches(circuit):
    run = circuit(
        "submodel (VConst) V(V=10)\nsubmodel (OpeningSwitch) o(Goff=1e-9)\nsubmodel (ClosingSwitch) c(Ron=0.5)\n"
        "submodel (Resistor) R(R=4.5), Q(R=4.5)\nconnect V at (n1, n0), n1 to o to R to n0, n1 to c to Q to n0\n"
        "o.open = time > 0.5\nc.closed = time > 0.25"
    )
    before = run.time < 0.2
    np.testing.assert_allclose(run["R.i"][before], 10 / 4.50001)
    np.testing.assert_allclose(run["R.i"][run.time > 0.51], 1e-8, rtol=1e-6)
    np.testing.assert_allclose(run["Q.i"][run.time > 0.3], 2.0)
    np.testing.assert_allclose(run["Q.i"][before], 1e-4, rtol=1e-3)


def test_controlled_switches(circuit):
    run = circuit(
        "submodel (VSource) V\nV.u = 4*time\nsubmodel (ControlledOpeningSwitch) o(level=1)\nsubmodel "
        "(ControlledClosingSwitch) c(level=3)\n"
        "submodel (Resistor) R(R=1), Q(R=1)\nconnect V at (n1, n0), n1 to o to R to n0, n1 to c to Q to n0, o:control "
        "at n1, c:control at n1"
    )
    assert np.all((run["R.i"] > 1e-3)[(run.time > 0.01) & (run.time < 0.249)]) and np.all(
        run["R.i"][run.time > 0.251] < 1e-4
    )
    assert np.all(run["Q.i"][run.time < 0.749] < 1e-4) and np.all(run["Q.i"][run.time > 0.751] > 2.9)


def test_thyristor_conducts_from_its_firing_until_the_current_turns(circuit):
    run = circuit(
        "submodel (VSine) V(V=10, f=1)\nsubmodel (IdealThyristor) T(Goff=1e-9, Ron=1e-9)\nsubmodel (IdealGTO) "
        "G(Goff=1e-9, Ron=1e-9)\n"
        "submodel (Resistor) R(R=1), Q(R=1)\nconnect V at (n1, n0), n1 to T to R to n0, n1 to G to Q to n0\n"
        "T.fire = time > 0.1 and time < 0.2\nG.fire = time > 0.1 and time < 0.2"
    )
    wave = 10 * np.sin(2 * np.pi * run.time)
    on = (run.time > 0.1001) & (run.time < 0.4999)
    off = (run.time < 0.0999) | (run.time > 0.5001)
    np.testing.assert_allclose(run["R.i"][on], wave[on], rtol=1e-6)
    np.testing.assert_allclose(run["R.i"][off], 0, atol=1e-6)
    short = (run.time > 0.1001) & (run.time < 0.1999)
    np.testing.assert_allclose(run["Q.i"][short], wave[short], rtol=1e-6)
    np.testing.assert_allclose(run["Q.i"][run.time > 0.2001], 0, atol=1e-6)


def test_thyristor_with_a_gate(circuit):
    run = circuit(
        "submodel (VConst) V(V=10)\nsubmodel (VPulse) P(V=1, T=10, t0=0.5, width=0.01)\nsubmodel "
        "(ControlledThyristor) T(Goff=1e-9)\n"
        "submodel (Resistor) R(R=1)\nconnect V at (n1, n0), n1 to T to R to n0, P at (n2, n0), T:gate at n2"
    )
    assert np.all(run["R.i"][run.time < 0.499] < 1e-6) and np.all(run["R.i"][run.time > 0.501] > 9.9)


def test_ideal_diode_with_a_knee(circuit):
    run = circuit(
        "submodel (VSine) V(V=10, f=1)\nsubmodel (IdealDiode) D(Ron=1, Goff=1e-6, Vknee=0.7)\nsubmodel (Resistor) "
        "R(R=9)\n"
        "connect V at (n1, n0), n1 to D to R to n0"
    )
    wave = 10 * np.sin(2 * np.pi * run.time)
    on = wave > 0.71
    np.testing.assert_allclose(run["D.i"][on], (wave[on] - 0.7) / 10, atol=1e-6)
    np.testing.assert_allclose(run["D.i"][wave < 0.69], wave[wave < 0.69] / 1e6, rtol=1e-4, atol=1e-12)


def test_op_amp_with_limits(circuit):
    """Gain -3 between the limits; then the output stands at the limit, whichever class says it."""
    run = circuit(
        "submodel (VSine) V(V=2, f=1)\nsubmodel (Resistor) R1(R=1000), R2(R=3000), R3(R=1000), R4(R=3000)\n"
        "submodel (OpAmpLimited) a(Vmax=5, Vmin=-4)\nsubmodel (OpAmpSupplied) b\nsubmodel (VConst) up(V=5), "
        "down(V=-4)\n"
        "node m, k, p, o, q\nconnect V at (n1, n0), R1 at (n1, m), R2 at (m, o), a at (n0, m, o),\n"
        "R3 at (n1, k), R4 at (k, q), b at (n0, k, q, n3, n4), up at (n3, n0), down at (n4, n0)"
    )
    expected = np.clip(-3 * run["V.u"], -4, 5)
    np.testing.assert_allclose(run["a.V3"], expected, atol=1e-9)
    np.testing.assert_allclose(run["b.V3"], expected, atol=1e-9)
    np.testing.assert_allclose(run["b.i3"] + run["b.imax"] + run["b.imin"], 0, atol=1e-12)


def test_op_amp_with_smooth_limits(circuit):
    run = circuit(
        "submodel (VSine) V(V=1e-3, f=1)\nsubmodel (OpAmp) a(k=1000, Vmax=5, Vmin=-5)\nsubmodel (Resistor) R(R=1)\n"
        "connect V at (n1, n0), a at (n1, n0, n2), R at (n2, n0)"
    )
    np.testing.assert_allclose(run["a.V3"], 10 / np.pi * np.arctan(np.pi / 10 * 1000 * run["V.u"]), atol=1e-9)


def test_exponential_diode(circuit):
    run = circuit(
        "submodel (VSource) V, W\nV.u = 2*time - 1\nW.u = 8*time - 7\nsubmodel (Diode) D\nsubmodel (ZDiode) Z\n"
        "connect V at (n1, n0), D at (n1, n0), W at (n2, n0), Z at (n2, n0)"
    )
    u = run["V.u"]
    law = np.where(
        u < 0.6, 1e-6 * (np.exp(np.minimum(u, 0.6) / 0.04) - 1), 1e-6 * (np.exp(15) * (1 + u / 0.04 - 15) - 1)
    )
    np.testing.assert_allclose(run["D.i"], law + u / 1e8, rtol=1e-9, atol=1e-15)
    w = run["W.u"]
    inside = (w > -5.9) & (w < 1)
    breakthrough = -0.7 * np.exp(-(w[inside] + 5.1) / (0.74 * 0.04))
    forward = 1e-6 * (np.exp(w[inside] / 0.04) - 1)
    np.testing.assert_allclose(run["Z.i"][inside], forward + breakthrough + w[inside] / 1e8, rtol=1e-8)


def test_transistors_are_mirror_images(circuit):
    """A PNP with all voltages turned carries the currents of the NPN, turned."""
    run = circuit(
        "submodel (VRamp) a(V=5, T=1), b(V=1.5, T=1), c(V=-5, T=1), d(V=-1.5, T=1)\nsubmodel (Resistor) R1(R=100), "
        "R2(R=1e4), R3(R=100), R4(R=1e4)\n"
        "submodel (NPN) n(Ccs=0)\nsubmodel (PNP) p(Ccs=0)\nnode c1, c2, b1, b2\n"
        "connect a at (n1, n0), b at (n2, n0), c at (n3, n0), d at (n4, n0), R1 at (n1, c1), R2 at (n2, b1), R3 at "
        "(n3, c2), R4 at (n4, b2),\n"
        "n at (c1, b1, n0), p at (c2, b2, n0)"
    )
    np.testing.assert_allclose(run["n.ic"], -run["p.ic"], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(run["n.ib"], -run["p.ib"], rtol=1e-6, atol=1e-12)
    assert run["n.ic"][-1] / run["n.ib"][-1] == pytest.approx(50, rel=0.1)
    np.testing.assert_allclose(run["n.ic"] + run["n.ib"] + run["n.ie"], 0, atol=1e-12)


def test_spice_transistors_are_mirror_images(circuit):
    card = "BF=50, IVAF=1/50, IS=1e-14, RB=100, RC=10, RE=1, CJC=5e-12, CJE=3e-12, TF=6e-10, TR=1e-9"
    run = circuit(
        "submodel (VRamp) a(V=5, T=1), b(V=1.5, T=1), c(V=-5, T=1), d(V=-1.5, T=1)\nsubmodel (Resistor) R1(R=100), "
        "R2(R=1e4), R3(R=100), R4(R=1e4)\n"
        f"submodel (SpiceNPN) n({card})\nsubmodel (SpicePNP) p({card})\nnode c1, c2, b1, b2\n"
        "connect a at (n1, n0), b at (n2, n0), c at (n3, n0), d at (n4, n0), R1 at (n1, c1), R2 at (n2, b1), R3 at "
        "(n3, c2), R4 at (n4, b2),\n"
        "n at (c1, b1, n0), p at (c2, b2, n0)",
        include='@electrical\n@"electrical/spice"',
    )
    np.testing.assert_allclose(run["n.Ic"], -run["p.Ic"], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(run["n.vbe"], run["p.vbe"], rtol=1e-6, atol=1e-9)
    assert run["n.Ic"][-1] / run["n.Ib"][-1] == pytest.approx(50 * run["n.e"][-1], rel=1e-3)


def test_inverter_of_mos_transistors(circuit):
    run = circuit(
        "submodel (VRamp) V(V=5, T=1)\nsubmodel (VConst) S(V=5)\nsubmodel (NMOS) n\nsubmodel (PMOS) p\nsubmodel "
        "(Resistor) R(R=1e7)\n"
        "connect V at (n1, n0), S at (n2, n0), n at (n3, n1, n0, n0), p at (n3, n1, n2, n2), R at (n3, n0)"
    )
    out = run["R.u"]
    assert out[0] > 4.8 and out[-1] < 0.1 and np.all(np.diff(out) <= 1e-9)


def test_square_law_of_mos_transistors(circuit):
    run = circuit(
        "submodel (VRamp) V(V=5, T=1)\nsubmodel (VConst) S(V=8)\nsubmodel (NMOS) n(RDS=1e12)\n"
        "connect V at (n1, n0), S at (n2, n0), n at (n2, n1, n0, n0)"
    )
    v = 4.1e-5 * (20e-6 - 2.5e-6) / (6e-6 - 1.5e-6)
    over = np.maximum((run["V.u"] - 0.8) * 0.7311, 0)
    np.testing.assert_allclose(run["n.id"], v * over**2 / 2, rtol=1e-6, atol=1e-10)


def test_instruments(circuit):
    run = circuit(
        "submodel (VConst) V(V=6)\nsubmodel (Resistor) R(R=3)\nsubmodel (CurrentSensor) A\nsubmodel (VoltageSensor) "
        "U\nsubmodel (PotentialSensor) Q\n"
        "submodel (PowerSensor) W\nconnect V at (n1, n0), W at (n1, n2, n0), n2 to A to R to n0, U at (n2, n0), Q at n2"
    )
    for name, expected in (("A.i", 2), ("U.u", 6), ("Q.V", 6), ("W.P", 12)):
        np.testing.assert_allclose(run[name], expected)


def test_direct_current_machine_reaches_its_nominal_point(circuit):
    shaft = 'model class Brake\nmain cut s (phi(unit="rad") / tau(unit="N.m"))\ntau = 63.66\nend\n'
    run = circuit(
        "submodel (VConst) V(V=100)\nsubmodel (DCMachine) m\nsubmodel (Brake) b\nconnect V at (n1, n0), m at (n1, "
        "n0), b at m:flange",
        stop=10.0,
        include=f"@electrical\n{shaft}",
    )
    assert run["m.i"][-1] == pytest.approx(100, rel=1e-3) and run["m.w"][-1] == pytest.approx(149.2257, rel=1e-3)


def test_rotational_emf_loses_nothing(circuit):
    shaft = (
        'model class Rotor\nmain cut s (phi(unit="rad") / tau(unit="N.m"))\nlocal w (unit="rad/s")\nw = der(phi)\n'
        'parameter J (unit="kg.m2") = 0.1\nJ*der(w) = tau\nend\n'
    )
    run = circuit(
        "submodel (VConst) V(V=12)\nsubmodel (Resistor) R(R=2)\nsubmodel (RotationalEmf) e(k=0.5)\nsubmodel (Rotor) r\n"
        "connect V at (n1, n0), n1 to R to e to n0, r at e:flange",
        stop=2.0,
        include=f"@electrical\n{shaft}",
    )
    np.testing.assert_allclose(run["r.w"], 24 * (1 - np.exp(-run.time * 0.25 / 0.2)), atol=1e-6)
    np.testing.assert_allclose(run["e.u"] * run["e.i"], run["r.tau"] * run["r.w"], atol=1e-6)


def test_astable_oscillator(circuit):
    """The capacitor goes between the halves of the limits: a period is 2*R*C*ln(3)."""
    run = circuit(
        "submodel (OpAmpSlew) op(Vmax=12, Vmin=-12, slope=1e8, f1=1e8)\nsubmodel (Resistor) R1(R=1000), R2(R=1000), "
        "R(R=10000)\n"
        "submodel (Capacitor) C(C=1e-6, u0=0.1)\nconnect op at (n1, n2, n3), R1 at (n1, n0), R2 at (n3, n1), R at "
        "(n3, n2), C at (n2, n0)",
        stop=0.1,
        rtol=1e-7,
        atol=1e-7,
    )
    rising = run.time[1:][(run["op.V3"][:-1] < 0) & (run["op.V3"][1:] >= 0)]
    np.testing.assert_allclose(np.diff(rising), 0.02 * np.log(3), rtol=1e-3)
    assert run["op.V3"].max() == pytest.approx(12, abs=1e-6) and run["op.V3"].min() == pytest.approx(-12, abs=1e-6)


def test_trigger_has_a_hysteresis(circuit):
    run = circuit(
        "submodel (VSine) V(V=10, f=1)\nsubmodel (OpAmpSlew) op(Vmax=12, Vmin=-12)\nsubmodel (Resistor) R1(R=1000), "
        "R2(R=3000)\n"
        "connect V at (n1, n0), op at (n2, n1, n3), R1 at (n2, n0), R2 at (n3, n2)",
        stop=2.0,
        rtol=1e-6,
        atol=1e-6,
    )
    after = run.time > 0.1
    crossing = (run["op.V3"][:-1] * run["op.V3"][1:] < 0) & after[1:]
    level = run["V.u"][1:][crossing] * np.sign(run["op.V3"][:-1][crossing])
    assert len(level) == 3
    np.testing.assert_allclose(level, 3.0, atol=0.1)


def test_bridge_of_exponential_diodes_without_a_state(circuit):
    """Newton's method at every instant: Kirchhoff's laws and the law of each diode hold."""
    run = circuit(
        "submodel (VSine) V(V=20, f=50)\nsubmodel (Diode) d(4)\nsubmodel (Resistor) R(R=10), Rs(R=0.1)\nnode s\n"
        "connect V at (s, n2), Rs at (s, n1), d(1) at (n1, n3), d(2) at (n2, n3), d(3) at (n0, n1), d(4) at (n0, n2), "
        "R at (n3, n0)",
        stop=0.04,
    )
    for k in range(1, 5):
        u, i = run[f"d({k}).u"], run[f"d({k}).i"]
        x = u / 0.04
        law = 1e-6 * (np.where(x > 15, np.exp(15) * (1 + x - 15), np.exp(np.minimum(x, 15))) - 1) + u / 1e8
        np.testing.assert_allclose(i, law, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(run["d(1).i"] + run["d(2).i"], run["R.i"], atol=1e-9)
    assert run["R.u"].max() > 18 and run["R.u"].min() > -1e-3
