"""The devices of electrical/spice.mo beside currents that ngspice 39 has computed, and beside closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import circuit  # noqa: F401 - a fixture

import cutset

SPICE = '@electrical\n@"electrical/spice"'
# ngspice 39, .op at 85 degrees with tnom = 27 and reltol = 1e-9: currents in A into each device of DEVICES, at u and w.
# Its k/q is 8.617330e-5 V/K, so that its temperature was 85.000122.
CURRENTS = np.array(
    [  # u, w, currents
        [-0.6, 3.0, -1.27428522e-07, 5.930655427e-03, -2.39262263e-02, 4.851200097e-02,
         -2.06589604e-03, -2.26910710e-03, -2.48540108e-03, -1.58807999e-03],
        [0.15, 2.0, 1.770726758e-06, -1.18992079e-07, 1.361086949e-02, -2.59253491e-02,
         2.178709565e-04, 2.136620173e-04, 4.922690958e-04, 2.787487616e-04],
        [0.7, 3.0, 2.912196955e-02, -1.27479018e-07, 3.329831858e-02, -4.20310146e-02,
         1.738292917e-03, 1.819409054e-03, 1.884911353e-03, 9.291100121e-04],
        [4.0, 2.0, 6.036470091e+00, -1.21016658e+00, 3.416198901e-02, -4.44215417e-02,
         9.441668451e-04, 8.860072719e-04, 2.826812691e-03, 1.120000015e-03],
        [4.0, 3.0, 6.036470091e+00, -1.21016658e+00, 3.416198901e-02, -4.44215417e-02,
         3.491336354e-03, 3.551920252e-03, 2.826812691e-03, 1.120000015e-03],
    ]
)  # fmt: skip
NAMES = ("D1.i", "D2.i", "Q1.Ic", "Q2.Ic", "M1.Id", "M2.Id", "J1.Id", "J2.Id")

DEVICES = """@electrical
@"electrical/spice"
model Devices "each at voltage u or -u, controlled by w where it is a MOS transistor"
  parameter u (unit="V") = 1, w (unit="V") = 2, temp (unit="K") = 358.15
  submodel (VSource) a, x, b, y, c, z, d, v, e, f
  submodel (SpiceDiode) D1(IS=2e-9, N=1.8, RS=0.5, BV=3, IBV=1e-3, temp=temp),
                        D2(IS=2e-9, N=1.8, RS=0.5, BV=3, IBV=1e-3, temp=temp)
  submodel (SpiceNPN) Q1(IS=1e-14, BF=120, BR=3, VAF=80, VAR=20, IKF=0.02, IKR=0.01, ISE=1e-13, NE=1.6, ISC=2e-13,
    NC=1.9, RB=100, RBM=20, RC=5, RE=1, XTB=1.5, EG=1.16, XTI=3.2, temp=temp)
  submodel (SpicePNP) Q2(IS=2e-14, BF=60, BR=3, VAF=50, IKF=0.05, RB=50, RC=2, RE=0.5, temp=temp)
  submodel (SpiceNMOS) M1(VTO=0.8, KP=2e-4, GAMMA=0.45, PHI=0.65, LAMBDA=0.03, RD=20, RS=10, IS=1e-13, W=20e-6, L=2e-6,
    temp=temp)
  submodel (SpicePMOS) M2(VTO=-0.9, KP=1e-4, GAMMA=0.4, PHI=0.65, LAMBDA=0.04, W=40e-6, L=2e-6, temp=temp)
  submodel (SpiceNJF) J1(VTO=-2.5, BETA=1.2e-3, LAMBDA=0.02, RD=5, RS=8, IS=1e-13, temp=temp)
  submodel (SpicePJF) J2(VTO=-2, BETA=1e-3, LAMBDA=0.03, temp=temp)
  submodel (Resistor) R(R=10)
  submodel (Ground) g
  node n0, na, nx, nb, ny, nc, nq, nz, nd, nv, ne, nf
  a.u = u
  x.u = -u
  b.u = w
  y.u = -w
  c.u = 0.75
  z.u = -0.75
  d.u = -1
  v.u = 1
  e.u = -1
  f.u = 1
  connect g at n0, a at (na, n0), x at (nx, n0), b at (nb, n0), y at (ny, n0), c at (nc, n0), z at (nz, n0),
    d at (nd, n0), v at (nv, n0), e at (ne, n0), f at (nf, n0), R at (nc, nq),
    D1 at (na, n0), D2 at (n0, na), Q1 at (na, nq, n0), Q2 at (nx, nz, n0), M1 at (na, nb, n0, nd),
    M2 at (nx, ny, n0, nv), J1 at (na, ne, n0), J2 at (nx, nf, n0)
end
"""


def test_currents_of_the_devices_at_85_degrees():
    model = cutset.loads(DEVICES)
    for u, w, *expected in CURRENTS.tolist():
        found = model.steady(parameters={"u": u, "w": w}, target="python")
        signs = (1, 1, 1, 1, 1, -1, 1, -1)
        for name, sign, current in zip(NAMES, signs, expected, strict=True):
            assert found[name][0] == pytest.approx(sign * current, rel=2e-6, abs=1e-11), (u, w, name)


def test_a_line_reflects_at_its_ends(circuit):
    """25 and 150 Ohm at 50 Ohm: waves of 10*50/75 V are reflected by 1/2 at the end, by -1/3 at the start."""
    run = circuit(
        "submodel (VStep) V(V=10, t0=0.1)\nsubmodel (Resistor) Rs(R=25), Rl(R=150)\nsubmodel (LosslessLine) T(T=1)\n"
        "connect V at (n1, n0), Rs at (n1, n2), T at (n2, n0, n3, n0), Rl at (n3, n0)",
        stop=5.0,
        include=SPICE,
    )
    first = 10 * 50 / 75
    for time, start, end in ((0.6, first, 0), (1.6, first, first * 1.5), (2.6, first * (1 + 0.5 - 1 / 6), first * 1.5),
                             (3.6, first * 4 / 3, first * (1.5 - 1 / 6 - 1 / 12))):  # fmt: skip
        k = int(np.searchsorted(run.time, time))
        np.testing.assert_allclose((run["T.u1"][k], run["T.u2"][k]), (start, end), atol=1e-9)


def test_a_line_rests_as_a_wire(circuit):
    model = (
        "submodel (VConst) V(V=10)\nsubmodel (Resistor) Rs(R=25), Rl(R=75)\nsubmodel (LosslessLine) T(Z0=300, T=1)\n"
        "connect V at (n1, n0), Rs at (n1, n2), T at (n2, n0, n3, n0), Rl at (n3, n0)"
    )
    text = f"{SPICE}\nmodel Wire\nsubmodel (Ground) g\nnode n0, n1, n2, n3\nconnect g at n0\n{model}\nend\n"
    loaded = cutset.loads(text)
    rest = loaded.steady(target="python")
    assert rest["Rl.u"][0] == pytest.approx(7.5, rel=1e-9)
    run = loaded.simulate(3.0, points=7, start_from=rest, target="python")
    np.testing.assert_allclose(run["Rl.u"], 7.5, rtol=1e-9)


def test_a_switch_with_hysteresis_makes_a_relaxation_oscillator(circuit):
    """C is charged to 6 V and discharged to 2 V: R*C*log(8/4) up, nearly, and Ron*C*log(3) down."""
    run = circuit(
        "submodel (VConst) V(V=10)\nsubmodel (Resistor) R(R=1000)\nsubmodel (Capacitor) C(C=1e-6)\n"
        "submodel (SpiceVoltageSwitch) S(level=4, width=2, RON=1, ROFF=1e9)\n"
        "connect V at (n1, n0), n1 to R to C to n0, S at (n2, n0), S:control at (n2, n0), R:B at n2",
        stop=5e-3,
        include=SPICE,
    )
    falls = run.time[1:][np.diff(run["S.closed"]) > 0]
    rate = (1 + 1 / 1000) / (1e-6 * 1)
    floor = 10 / 1001
    period = 1e-3 * np.log(8 / 4) + np.log((6 - floor) / (2 - floor)) / rate
    np.testing.assert_allclose(np.diff(falls), period, rtol=1e-6)
    assert len(falls) == 6


def test_a_switch_that_a_current_controls(circuit):
    """Open from a current below 0.5 A on, closed from 1.5 A on; 4 A/s up and down."""
    run = circuit(
        "submodel (VSource) V\nV.u = if time < 0.5 then 4*time else 4*(1 - time)\nsubmodel (Resistor) R(R=1), Q(R=1)\n"
        "submodel (SpiceSwitch) W(level=1, width=0.5, RON=1, ROFF=1e9, ON=true)\nW.x = -V.i\n"
        "connect V at (n1, n0), R at (n1, n0), W at (n2, n0), Q at (n2, n3), V:A at n1\n"
        "submodel (VConst) U(V=2)\nconnect U at (n3, n0)",
        include=SPICE,
    )
    middle = (run.time > 0.376) & (run.time < 0.874)
    assert not run["W.closed"][run.time < 0.374].any() and run["W.closed"][middle].all()
    assert not run["W.closed"][run.time > 0.876].any()


def test_three_coupled_inductors(circuit):
    """Under a constant voltage at the first, the others open: u_k = k*sqrt(L_k/L_1)*u_1."""
    run = circuit(
        "submodel (VConst) V(V=6)\nsubmodel (Resistor) R2(R=1e9), R3(R=1e9)\n"
        "submodel (CoupledInductor) L1(L=1), L2(L=4), L3(L=9)\n"
        "L1.coupled = 0.9*2*L2.i + 0.8*3*L3.i\nL2.coupled = 0.9*0.5*L1.i + 0.7*1.5*L3.i\n"
        "L3.coupled = 0.8/3*L1.i + 0.7/1.5*L2.i\n"
        "connect V at (n1, n0), L1 at (n1, n0), L2 at (n2, n0), R2 at (n2, n0), L3 at (n3, n0), R3 at (n3, n0)",
        include=SPICE,
    )
    np.testing.assert_allclose(run["R2.u"][5:], 0.9 * 2 * 6, rtol=1e-5)
    np.testing.assert_allclose(run["R3.u"][5:], 0.8 * 3 * 6, rtol=1e-5)
    np.testing.assert_allclose(run["L1.i"], 6 * run.time, atol=1e-5)


def rate_of(device: str, v: float) -> float:
    """The eigenvalue, in 1/s, of a device at a voltage behind 1 kOhm, at rest."""
    text = (
        f"{SPICE}\nmodel Rate\nsubmodel (VConst) V(V={v})\nsubmodel (Resistor) R(R=1000)\nsubmodel (Ground) g\n"
        f"node n0, n1, n2\nconnect V at (n1, n0), R at (n1, n2), g at n0\n{device}\nend\n"
    )
    rest = cutset.loads(text).steady(target="python")
    return float(rest.linearize([]).A[0, 0])


def test_charge_of_a_diode():
    """TT*g and the depletion capacitance: at 0.6 V and more forward, and at -3 V."""
    card = "submodel (SpiceDiode) D(IS=1e-14, TT=2e-6, CJO=5e-12, VJ=0.8, M=0.4)\nconnect D at (n2, n0)"
    assert rate_of(card, -3) == pytest.approx(-1e-3 / (5e-12 / (1 + 3 / 0.8) ** 0.4), rel=1e-6)
    vt, i = 8.617333262e-5 * 300.15, 1e-6
    for _ in range(100):
        i = (2 - vt * np.log(1 + i / 1e-14)) / 1000
    g, u = (i + 1e-14) / vt, vt * np.log(1 + i / 1e-14)
    depletion = 5e-12 * 0.5**-1.4 * (1 - 0.5 * 1.4 + 0.4 * u / 0.8)
    assert rate_of(card, 2) == pytest.approx(-(1e-3 + g) / (2e-6 * g + depletion), rel=1e-6)


@pytest.mark.parametrize(("over", "share"), [(-1, 1), (-0.15, 0.25 + 1 / 3), (1, 1)])
def test_capacitance_of_a_gate(over, share):
    """Meyer's: of the bulk below the threshold, then also of the source, then of source and drain, half each."""
    card = "submodel (SpiceNMOS) M(VTO=1, PHI=0.6, TOX=5e-8, CGSO=1e-12, W=2e-5, L=1e-5)\nconnect M at (n0, n2, n0, n0)"
    oxide = 3.453143733e-11 * 2e-5 * 1e-5 / 5e-8
    assert rate_of(card, 1 + over) == pytest.approx(-1e-3 / (oxide * (share + 3e-4) + 2e-17), rel=1e-6)
