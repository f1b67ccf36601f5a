"""A literal number that multiplies a quantity takes the unit that its equation needs, and a note tells it."""

import re

import pytest

from cutset.api.command_line.command import main

JOINT = """model class Joint
  parameter J (unit="kg.m2") = 0.5
  terminal q (unit="rad"), qd (unit="rad/s"), u (unit="N.m")
  der(q) = qd
  J*der(qd) = u
end
model Leg
  submodel (Joint) hip, knee
  parameter m (unit="kg") = 1, v (unit="m/s") = 1, d (unit="mm") = 3, k = 60
"""
OTHER = "  knee.u = 0\n"


def checked(tmp_path, capsys, text: str) -> tuple[int, str]:
    path = tmp_path / "leg.mo"
    path.write_text(f"{JOINT}{text}end\n")
    code = main(["check", str(path)])
    out = capsys.readouterr()
    return code, out.out + out.err


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("  hip.u = -60*(hip.q - 0.6) - 2*hip.qd\n", {"60": "N.m/rad", "2": "N.m.s/rad"}),
        ("  hip.u = hip.q*(-60)\n", {"60": "N.m/rad"}),
        ("  hip.u + 60*hip.q + 2*hip.qd = 0\n", {"60": "N.m/rad", "2": "N.m.s/rad"}),
        ("  local u\n  u = -60*hip.q - 2*hip.qd\n  hip.u = u\n", {"60": "N.m/rad", "2": "N.m.s/rad"}),
        ("  local e, u\n  e = 0.6 - hip.q\n  u = 60*e\n  hip.u = u\n", {"60": "N.m/rad"}),
        ('  local x (unit="m"), w (unit="m/s")\n  w = 2*v\n  x = 3*w\n  hip.u = 0\n', {"3": "s"}),
        ("  hip.u = k*(0.6 - hip.q)\n", {}),
        ("  local a, b\n  a = 2*hip.q + 3*hip.q\n  b = 4*a\n  hip.u = 0\n", {}),
    ],
)
def test_gains_take_units(tmp_path, capsys, text, units):
    code, told = checked(tmp_path, capsys, text + OTHER)
    assert code == 0
    assert dict(re.findall(r"the number (\S+) is in (\S+), as", told)) == units


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("  hip.u = -60*(hip.q + hip.qd)\n", "E243"),  # one number would need two units
        ("  hip.u = k*hip.q\n  knee.u = k*hip.qd\n", "E242"),
        ('  local E (unit="J")\n  E = 0.5*m*v\n  hip.u = 0\n', "E242"),  # a formula of two quantities
        ('  local x (unit="m")\n  x = v/2\n  hip.u = 0\n', "E242"),
        ('  local x (unit="m")\n  x = 2*d\n  hip.u = 0\n', "E242"),  # 2 m/mm would convert
        ('  local x (unit="m")\n  x = 2*d + 1 m\n  hip.u = 0\n', "E243"),
        ("  hip.u = hip.q + hip.qd\n", "E243"),
        ('  local x (unit="m")\n  x = 2*v\n  hip.u = 0\n', "E242"),  # a formula with a parameter
        ("  hip.u = 60 N*hip.q\n", "E242"),  # the number has its unit
        ("  hip.u = 60*hip.q - 2 V\n", "E242"),
    ],
)
def test_what_is_still_wrong(tmp_path, capsys, text, code):
    found, told = checked(tmp_path, capsys, text + ("" if "knee" in text else OTHER))
    assert found == 1 and f"error[{code}]" in told
