"""Private variables and indices of superclasses beside a subclass that declares their names anew."""

from __future__ import annotations

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

BASE = """
model class Base
  local x, h(2)(private), s (private, unit="m")
  cut C (v(private) / w(private))
  for k = 1..2 do
    h(k) = x + k
  endfor
  s = 2*h(1)
  v = s + h(2)
end
model class (Base) Middle
  terminal of_middle
  of_middle = 10*h(2)
end
"""


def test_each_class_means_its_own_variable():
    """Base has h = x + [1, 2]; Own has another h, s and k, and loops over names of Base; Late sees those of Own."""
    values = translate(
        BASE
        + """
        model class (Middle) Own
          parameter h = 7, k = 100
          local s(2)
          terminal u, v, w
          x = 3
          for i = 1..2 do
            s(i) = h*i + k
          endfor
          u = s(2) + x
          v = 2*h
          w = h
        end
        model class (Own) Late
          terminal z
          z = h + s(1)
        end
        model M
          submodel (Middle) m
          submodel (Late) l(h=8)
          m.x = 3
        end
        """.replace("m.x = 3", "").replace("submodel (Middle) m", "submodel (Plain) m")
        + "model class (Middle) Plain\n  x = 3\nend\n"
    ).values()
    assert (values["m.h(1)"], values["m.h(2)"], values["m.s"], values["m.of_middle"]) == (4, 5, 8, 50)
    assert (values["l.h"], values["l.of_middle"], values["l.u"], values["l.z"]) == (8, 50, 119, 116)
    assert (values["l.v"], values["l.w"], values["m.v"]) == (16, 8, 13)
    assert (values["l.$Base_h(2)"], values["l.$Base_s"], values["l.$Base_v"]) == (5, 8, 13)


def test_a_class_beside_it_keeps_its_names():
    text = (
        BASE
        + "model class Side\n  parameter h = 5\n  local y\n  y = h\nend\nmodel class (Base, Side) Both\n  x = y\nend\n"
    )
    values = translate(text + "model M\n  submodel (Both) b\nend\n").values()
    assert (values["b.y"], values["b.$Base_h(1)"], values["b.v"]) == (5, 6, 19)


def test_a_class_may_use_private_names_of_one_beside_it():
    text = (
        BASE + "model class Reader\n  terminal z\n  z = 10*h(2)\nend\nmodel class (Reader, Base) Both\n  x = 1\nend\n"
    )
    text += "model class (Both) Own\n  parameter h = 7\n  terminal y\n  y = h\nend\nmodel M\n  submodel (Own) o\nend\n"
    values = translate(text).values()
    assert (values["o.y"], values["o.z"], values["o.v"]) == (7, 30, 7)


@pytest.mark.parametrize(
    ("declaration", "code"),
    [("local x", "E210"), ("local h, h", "E210"), ("for x = 1..2 do\n  endfor", "E254")],
)
def test_other_names_are_declared_once(declaration, code):
    text = BASE + f"model class (Base) Own\n  {declaration}\n  x = 1\nend\nmodel M\n  submodel (Own) o\nend\n"
    with pytest.raises(ModelError) as error:
        translate(text)
    assert error.value.diagnostics[0].code == code
