"""Circuits of tests/oracles/spice_netlists.py at points that ngspice 39 has computed, and a ladder of junctions."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracles.spice_netlists import random_circuit

import cutset

# ngspice 39, .op: a circuit of random_circuit by its seed, and voltages of its nodes.
OPERATING_POINTS = {
    "two stages": {"bc1": 2.477303, "bc2": 2.17132, "c1": 6.373335, "c2": 12.00469, "ec1": 1.788967},
    "ring": {"o0": 1.976285, "o1": 1.976285, "o2": 1.976285},
    "schmitt": {"b2": 3.555955, "c1": 9.456828, "c2": 2.907062, "e": 2.848533},
}
SEEDS = {"two stages": 7, "ring": 46, "schmitt": 5}

STAGE = """
@electrical
@"electrical/spice"
model Stage "a capacitor couples its input: time constants from 1e-11 s to 1 s"
  submodel (VConst) vcc(V=15), vin(V=0)
  submodel (Resistor) r1(R=68e3), r2(R=15e3), rc(R=2200), re(R=1e3)
  submodel (SpiceNPN) q(IS=1e-14, BF=180, IVAF=0.01, CJE=8e-12, CJC=3e-12, TF=0.3e-9, TR=40e-9, RB=20, Vt=0.025864917)
  submodel (Capacitor) cin(C=10e-6)
  submodel (Ground) g
  node v, b, c, e, i, n
  connect vcc at (v, n), g at n, r1 at (v, b), r2 at (b, n), rc at (v, c), re at (e, n), q at (c, b, e), vin at (i, n),
          cin at (i, b)
end
"""

LADDER = """
@electrical
@"electrical/spice"
model class (TwoPin) Junction
  parameter IS (unit="A") = 1e-12, NVt (unit="V") = 0.0387973755, RS (unit="Ohm") = 0.5, CJO (unit="F") = 5e-12
  parameter VJ (unit="V") = 1, gmin (unit="S") = 1e-12
  local v (unit="V", start=0), id (unit="A")
  u = v + RS*i
  id = smooth(if v >= -3*NVt then IS*(limited_exp(v/NVt, 80) - 1)
       else -IS*(1 + (3*NVt/(v*2.718281828459045))^3)) + gmin*v
  i = id + smooth(depletion_capacitance(v, CJO, VJ, 0.5, 0.5))*der(v)
end
model Multiplier "Cockcroft-Walton, 100 V at 5 kHz"
  parameter n = 5
  submodel (VSine) v1(V=100, f=5e3)
  submodel (Resistor) rs(R=20), rl(R=1e6)
  submodel (Capacitor) c1(n)(C=1e-7), c2(n)(C=1e-7)
  submodel (Junction) d1(n), d2(n)
  submodel (Ground) g
  connect v1:B to g, v1:A to rs:A, rs:B to c1(1):A, d1(1):A to g, c2(1):A to g,
          c1(k):B to d1(k):B for k = 1..n,
          d1(k):B to d2(k):A for k = 1..n,
          d2(k):B to c2(k):B for k = 1..n,
          c1(k):B to c1(k + 1):A for k = 1..n - 1,
          c2(k):B to d1(k + 1):A for k = 1..n - 1,
          c2(k):B to c2(k + 1):A for k = 1..n - 1,
          c2(n):B to rl:A, rl:B to g
end
"""


@pytest.mark.parametrize("name", OPERATING_POINTS)
def test_operating_points(tmp_path: Path, name: str) -> None:
    circuit = random_circuit(SEEDS[name])
    path = tmp_path / "circuit.mo"
    path.write_text(circuit.text())
    found = cutset.load(path).steady(target="python")
    for node, expected in OPERATING_POINTS[name].items():
        assert found[circuit.seen[node]][0] == pytest.approx(expected, abs=1e-3), node


def test_a_stage_behind_a_coupling_capacitor_has_an_operating_point() -> None:
    found = cutset.loads(STAGE).steady(target="python")
    assert [found[name][0] for name in ("r2.u", "re.u", "rc.u")] == pytest.approx(
        [2.590302, 1.920284, 4.20305], rel=1e-5
    )


def test_diodes_of_a_ladder_turn_on(tmp_path: Path) -> None:
    """Where a diode turns on, cvode-bdf rejects many steps in a row; ngspice: 432.06 V."""
    path = tmp_path / "ladder.mo"
    path.write_text(LADDER)
    run = cutset.load(path).simulate(0.004, points=3, method="cvode-bdf")
    assert run["rl.u"][-1] == pytest.approx(432.06, rel=1e-3)
