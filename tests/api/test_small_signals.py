"""Small signals and noise of linear models, beside ngspice 39, and closed solutions."""

from __future__ import annotations

import json

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.api.netlists import imported_netlist
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError

BOLTZMANN, HOT = 1.380649e-23, 300.15
# ngspice 39 with k/q of the SI (its temperature is 27.0001 degrees): the node, .ac at 10, 1e3 and 1e6 Hz, and roots of
# the densities of .noise at the node and referred to the source.
CIRCUITS = {
    "emitter": (
        """VCC vcc 0 12
V1 in 0 AC 1
CIN in b 10u
R1 vcc b 47k
R2 b 0 10k
RC vcc c 2.2k
RE e 0 470
CE e 0 100u
COUT c out 10u
RL out 0 10k
Q1 c b e QM
.model QM NPN(IS=1e-14 BF=200 VAF=80 RB=100 RC=2 RE=0.5 CJE=10p CJC=4p TF=0.4n IKF=0.1 ISE=1e-13 NE=1.6)
""",
        "out",
        [-0.6785038185003791 - 10.66297029854441j, -156.0952712551621 - 23.84744190007172j,
         -148.5867169660642 + 40.94303913292506j],
        [(5.122337740111546e-08, 4.794160351274826e-09), (2.123544471009978e-07, 1.344812079738943e-09),
         (2.071527507012592e-07, 1.344061606236273e-09)],
    ),
    "mos": (
        """VDD vdd 0 10
V1 g 0 DC 2.5 AC 1
RD vdd d 5k
M1 d g s 0 MM W=20u L=2u
RS s 0 200
CL d 0 10p
.model MM NMOS(VTO=1 KP=50u LAMBDA=0.02 GAMMA=0.5 PHI=0.6 RD=20 RS=10)
""",
        "d",
        [-3.080905366289814 + 9.325945687320272e-06j, -3.080905084020356 + 0.0009325944832886586j,
         -2.822302896733553 + 0.8543152222751031j],
        [(1.639173112593378e-08, 5.320426685354005e-09), (1.639173037503687e-08, 5.320426685354006e-09),
         (1.568871786906449e-08, 5.320426685354003e-09)],
    ),
    # The amplitude of its source is 1e-6; noise is referred to the source itself, in A.
    "jfet": (
        """VDD vdd 0 15
I1 0 g AC 1u
RG g 0 1Meg
RD vdd d 3k
J1 d g s JM
RS s 0 500
CS s 0 10u
CL d 0 10p
.model JM NJF(VTO=-2 BETA=1m LAMBDA=0.01 RD=10 RS=10)
""",
        "d",
        [-3.373985598443535 - 0.560528670564372j, -7.338010189024477 - 0.286045617179692j,
         -7.125259162045748 + 1.288686725176387j],
        [(4.405618748451471e-07, 1.288106102024302e-13), (9.456217183501111e-07, 1.287684336378025e-13),
         (9.323936652674879e-07, 1.287683866740045e-13)],
    ),
}  # fmt: skip
F = np.array([10.0, 1e3, 1e6])


@pytest.mark.parametrize("name", CIRCUITS)
def test_circuits_beside_ngspice(name, tmp_path):
    lines, node, response, noise = CIRCUITS[name]
    path = tmp_path / "circuit.cir"
    path.write_text(f"title\n{lines}.end\n")
    found = imported_netlist(path)
    output = found.scope.voltage([node], found.scope.circuit.span)
    plain = cutset.loads(found.text)
    assert plain.inputs == ()
    linear = plain.small_signal(noise=True).steady(target="python").linearize([output])
    assert linear.inputs == ("ac",)
    np.testing.assert_allclose(linear.response(2 * np.pi * F)[0, 0], response, rtol=1e-6)
    at = linear.noise(F)
    np.testing.assert_allclose(np.sqrt([at.density[0], at.referred[0]]).T, noise, rtol=1e-6)
    np.testing.assert_allclose(sum(at.by_source.values()), at.density)


RC = """@electrical
model Rc
  parameter ac (unit="V") = 2
  submodel (VConst) V(V=1, ac=ac)
  submodel (Resistor) R(R=1 kOhm)
  submodel (Capacitor) C(C=1 nF)
  submodel (Conductor) G(G=1 mS)
  submodel (Ground) g
  node n, a, b
  connect g at n, V at (a, n), R at (a, b), C at (b, n), G at (b, n)
end
"""


def test_a_low_pass_has_the_noise_of_its_resistance(write_model):
    """Both resistances in parallel have k*T/C; a name of the model is not that of the input."""
    model = cutset.load(write_model(RC)).small_signal(noise=True)
    linear = model.steady(target="python").linearize(["C.u"])
    assert linear.inputs == ("ac_",) and linear.outputs == ("C.u",) and linear.D.shape == (1, 1)
    np.testing.assert_allclose(linear.response(2 * np.pi * np.array([1e-3]))[0, 0], [1.0], rtol=1e-6)
    at = linear.noise([1e-3])
    np.testing.assert_allclose(at.density[0], 4 * BOLTZMANN * HOT * 500.0, rtol=1e-7)
    np.testing.assert_allclose(at.referred[0], 4 * BOLTZMANN * HOT * 2e3, rtol=1e-7)
    power = linear.noise_power(1e-3, 1e12)
    np.testing.assert_allclose(power.rms, np.sqrt(BOLTZMANN * HOT / 1e-9), rtol=1e-6)
    assert power.shares["R"] == pytest.approx([0.5]) and set(power.shares) == {"R", "G"}
    run = cutset.load(write_model(RC)).simulate(1e-6, target="python")
    assert not any("$" in name for name in run) and run["C.u"][-1] == pytest.approx(0.5 * (1 - np.exp(-2.0)), rel=1e-5)


def test_several_small_signals_and_noises_of_one_class(write_model):
    text = """model class N
  terminal y
  y = small_signal(3) + small_signal(2*1) + white_noise(4 1/Hz) + 2*white_noise(1 1/Hz)
end
model M
  submodel (N) a, b(2)
  local s
  s = a.y - b(1).y
  for k = 1..2 do
    assert b(k).y < 1, "never"
  endfor
end
"""
    linear = cutset.load(write_model(text)).small_signal(noise=True).simulate(0.0).linearize(["s", "b(2).y"])
    np.testing.assert_allclose(linear.D, [[0.0], [5.0]], atol=1e-12)
    at = linear.noise([1.0])
    np.testing.assert_allclose(at.density, [[16.0], [8.0]])
    np.testing.assert_allclose(at.referred[1], [8.0 / 25.0])  # to the input that all share
    assert set(at.by_source) == {"a", "b(1)", "b(2)"}


def test_the_command(write_model, capsys):
    path = str(write_model(RC))
    words = ["linearize", path, "--steady", "--outputs", "C.u"]
    assert main([*words, "--noise", "1Hz:1MHz"]) == 0
    shown = capsys.readouterr().out
    assert "noise from 1 Hz to 1e+06 Hz" in shown and "R 50 %, G 50 %" in shown and "$" not in shown
    assert main([*words, "--noise", "1:1000", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["inputs"] == ["ac_"] and report["noise"]["frequency"][-1] == pytest.approx(1000.0)
    own = report["noise"]["outputs"]["C.u"]
    assert own["rms"] == pytest.approx(np.sqrt(999 * 4 * BOLTZMANN * HOT * 500.0), rel=1e-4)
    assert own["referred_rms"] == pytest.approx(2 * own["rms"], rel=1e-4)
    assert main([*words, "--noise", "5"]) == 2 and main([*words, "--noise", "1V:2V"]) == 2
    assert main([*words, "--noise", "5:1"]) != 0 and main([*words[:3], "--noise", "1:5"]) != 0
    with pytest.raises(RunError, match="no sources of noise"):
        cutset.load(path).simulate(0.0, target="python").linearize(["C.u"]).noise([1.0])


def test_they_stand_in_equations(write_model):
    for wrong in ('assert small_signal(1) < 2, "no"', "when x > 2 then\n    new(n) = white_noise(1)\n  endwhen"):
        with pytest.raises(ModelError, match="E331"):
            cutset.load(write_model(f"model M\n  local x (start=0), n (start=0)\n  der(x) = 1\n  {wrong}\nend\n"))
    with pytest.raises(ModelError, match="V"):
        cutset.load(write_model('model M\n  local x (unit="V")\n  x = white_noise(1 V)\nend\n'))
