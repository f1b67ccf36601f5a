"""The classes that a message names for the connection of two kinds of cuts have a cut of each."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError

JOINED = """@mbssim
@electrical
@rotational as rot
@translational as tra
model M
  submodel (Inertial) world
  submodel (Revolute) joint(n3=1)
  submodel (Body) arm(m=1, I33=1)
  submodel (Resistor) R(R=1)
  submodel (rot.Inertia) shaft(J=1)
  submodel (tra.Mass) mass(m=1)
  connect world to joint to arm, {ends}
end
"""


@pytest.mark.parametrize(
    ("ends", "named"),
    [
        ("shaft:B at joint:ext", "such as RotationalFlange of the standard library"),
        ("mass:A at joint:ext", "such as TranslationalFlange of the standard library"),
        ("R:A at shaft:A", "such as RotationalEmf or DCMachine of the standard library"),
        ("shaft:A at mass:A", "such as IdealGearR2T of the standard library"),
        ("R:A at joint:b", "use a component that has a cut of each\n"),
    ],
)
def test_a_message_names_what_converts(ends: str, named: str) -> None:
    with pytest.raises(ModelError) as raised:
        cutset.loads(JOINED.replace("{ends}", ends))
    assert "E273" in str(raised.value) and named in f"{raised.value}\n"
