"""The command sweep --steady: a table of equilibria, beside .dc of ngspice."""

from __future__ import annotations

import json

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

INVERTER = """@electrical
@"electrical/spice"
model Inverter
  submodel (VConst) V1(V=0), V2(V=12)
  submodel (Resistor) R1(R=10e3), R2(R=1e3)
  submodel (Capacitor) C1(C=1e-9)
  submodel (SpiceNPN) Q1(IS=1e-14, BF=100)
  submodel (Ground) g
  node n, i, b, c, v
  connect g at n, V1 at (i, n), V2 at (v, n), R1 at (i, b), R2 at (v, c), C1 at (c, n), Q1 at (c, b, n)
end
"""
# ngspice 39, .dc V1 0 2 0.5: V1 in 0; V2 vcc 0 12; R1 in b 10k; R2 vcc c 1k; Q1 c b 0 QM; QM NPN(IS=1e-14 BF=100)
EXPECTED = [11.99999997598, 11.99753789041, 8.848108174222, 4.086221731423, 0.1837118511164]


def test_equilibria_follow_a_source(write_model, capsys):
    path = str(write_model(INVERTER))
    words = ["--vary", "V1.V=0:2:5", "--outputs", "C1.u", "--target", "python", "--json"]
    assert main(["sweep", path, "--steady", *words]) == 0
    found = [row["values"]["C1.u"] for row in json.loads(capsys.readouterr().out)["runs"]]
    np.testing.assert_allclose(found, EXPECTED, rtol=1e-6)


def test_wrong_names_and_units_are_said(write_model, capsys):
    path = str(write_model(INVERTER))
    words = ["sweep", path, "--steady", "--target", "python"]
    assert main([*words, "--vary", "V1.V=500mV", "--outputs", "C1.u"]) == 0
    assert "11.9975379" in capsys.readouterr().out
    assert main([*words, "--vary", "V9.V=1", "--outputs", "C1.u"]) == 2
    assert main([*words, "--vary", "V1.V=1", "--outputs", "C9.u"]) == 2
    assert main([*words, "--vary", "V1.V=1", "--outputs", "C1.u", "--workers", "2"]) == 2


def test_a_point_without_an_equilibrium_is_a_row(write_model, capsys):
    path = str(
        write_model("model M\n  parameter a = 1\n  local x (start=0)\n  der(x) = if a > 2 then 1 else a - x\nend\n")
    )
    assert main(["sweep", path, "--steady", "--vary", "a=1,3,2", "--outputs", "x", "--target", "python"]) == 1
    printed = capsys.readouterr()
    assert "E636" in printed.out + printed.err and printed.out.splitlines()[3].split()[:2] == ["2", "2"]


SPRING = """model Spring
  parameter m (unit="kg") = 1
  local q (unit="m", start=0), v (unit="m/s", start=0)
  input f (unit="N")
  der(q) = v
  m*der(v) = f - q*(100 N/m) - m*(9.81 N/kg)
end
"""


def test_what_is_known_rests(write_model, capsys):
    path = str(write_model(SPRING))
    words = ["--vary", "m=1,2", "--known", "q=0.1", "--find", "f", "--outputs", "f", "--target", "python", "--json"]
    assert main(["sweep", path, "--steady", *words]) == 0
    found = [row["values"]["f"] for row in json.loads(capsys.readouterr().out)["runs"]]
    np.testing.assert_allclose(found, [10.0 + 9.81, 10.0 + 2 * 9.81], rtol=1e-9)
    model = cutset.load(path)
    swept = model.sweep({"m": [1.0, 2.0]}, {"f": "f", "twice": lambda run: 2.0 * run["f"][-1]}, steady=True,
                        known={"q": 0.1}, find=["f"], target="python")  # fmt: skip
    np.testing.assert_allclose(swept["twice"], 2.0 * np.array(found))
    assert model.sweep({"f": [9.81, 19.62]}, ["q"], steady=True, target="python")["q"] == pytest.approx([0.0, 0.0981])
    with pytest.raises(RunError, match="one after the other"):
        model.sweep({"m": [1.0]}, ["q"], steady=True, workers=2)


def test_settings_of_runs_are_refused(tmp_path, capsys) -> None:
    """They would have no effect."""
    (tmp_path / "m.mo").write_text("model M\n  parameter a = 1\n  local x (start=0)\n  der(x) = a - x\nend\n")
    for option, value in (("--stop", "3"), ("--points", "3"), ("--interval", "0.1"), ("--times", "1,2")):
        words = ["sweep", str(tmp_path / "m.mo"), "--steady", "--vary", "a=1,2", "--outputs", "x", option, value]
        assert main(words) == 2
        assert f"nothing runs: leave out {option}" in capsys.readouterr().err
