"""Classes of cuts: what the variables of a cut have from them, and which cuts connect."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

PINS = """
cut class Pin (V (unit="V", nominal=10, min=-5, start=2) / i (unit="A"))
model class Source
  main cut (Pin) A (V / i)
  V = 6
end
model class Load
  main cut {class} A (W / -j)
  terminal W, j
  parameter R (unit="Ohm") = 2
  W + R*j = 0
end
model M
  submodel (Source) s
  submodel (Load) l
  connect s to l
end
"""


@pytest.mark.parametrize("name", ["(Pin)", ""])
def test_cuts_with_and_without_class(name):
    values = translate(PINS.replace("{class}", name)).values()
    assert values["l.W"] == 6 and values["l.j"] == -3 and values["s.i"] == -3


def test_what_a_variable_has_from_the_class():
    root = translate(PINS.replace("{class}", "(Pin)")).instance
    found = {v.name: v for instance in root.walk() for v in instance.variables}
    assert [found[name].unit for name in ("s.V", "s.i", "l.W", "l.j")] == ["V", "A", "V", "A"]
    assert found["l.W"].start.elements[0].data == 2 and found["l.j"].start is None


def test_an_include_has_cut_classes():
    text = """
    @electrical
    model class Load
      main cut (Pin) A (V / i)
      parameter R (unit="Ohm") = 5
      V = R*i
    end
    model M
      submodel (Ground) g
      submodel (VConst) v(V = 10)
      submodel (Load) l
      connect g at v:B, v:A at l
    end
    """
    assert translate(text).values()["l.i"] == 2


def test_a_hierarchical_cut_is_compared_part_by_part():
    text = """
    cut class Pin (V / i)
    cut class Other (V / i)
    model class Plug
      cut ({FIRST}) a (Va / ia)
      cut (Other) b (Vb / ib)
      main cut c [a, b]
      Va = {VALUE}
      ib = 0
    end
    model class Socket
      cut (Pin) a (Va / ia)
      cut (Other) b (Vb / ib)
      main cut c [a, b]
      Vb = 4
      ia = 0
    end
    model M
      submodel (Plug) p
      submodel (Socket) s
      connect p to s
    end
    """
    assert translate(text.replace("{FIRST}", "Pin").replace("{VALUE}", "3")).values()["p.Vb"] == 4
    with pytest.raises(ModelError) as caught:
        translate(text.replace("{FIRST}", "Other").replace("{VALUE}", "3"))
    assert [d.code for d in caught.value.diagnostics] == ["E273"]


SHAFTS = """
cut class Drive (q (unit="rad") / tau (unit="N.m"), J (unit="kg.m2", optional))
model class Shaft "its inertia is that of all that hangs on it"
  main cut (Drive) a (q / tau, -J)
  q = 2
end
model class Rotor
  main cut {rotor}
  tau = 0
  J = 3
end
model class Motor "has a cut without class"
  main cut a (q / tau)
  tau = -5
end
model class Group "hands its cuts on to the inside"
  submodel (Rotor) r
  cut j
  connect r at j
end
model M
  submodel (Shaft) s
  submodel (Motor) m
  submodel (Group) g
  {connect}
end
"""


@pytest.mark.parametrize(
    "connect", ["connect m at s:a, g:j at s:a", "connect m at g:j, g:j at s:a", "connect g:j at m:a, m at s"]
)
def test_optional_variables_take_no_part_where_a_cut_leaves_them_out(connect):
    text = SHAFTS.replace("{rotor}", "(Drive) a (q / tau, J)").replace("{connect}", connect)
    values = translate(text).values()
    assert values["s.J"] == 3 and values["s.tau"] == 5


def test_a_cut_of_the_class_may_leave_them_out_too():
    text = (
        SHAFTS.replace("{rotor}", "(Drive) a (q / tau)")
        .replace("J = 3", "")
        .replace("{connect}", "connect m at s:a, g:j at s:a")
    )
    values = translate(text).values()
    assert values["s.J"] == 0 and values["s.tau"] == 5


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("main cut a (q / tau)\n  tau = -5", "main cut a (q)\n  terminal tau\n  tau = -5", "E301"),
        ("{rotor}", "(Drive) a (q)", "E271"),
        ("tau (unit=\"N.m\"), J", "tau (unit=\"N.m\", optional), J0, J", "E272"),
    ],
)  # fmt: skip
def test_what_is_not_optional_has_to_be_there(old, new, code):
    text = (
        SHAFTS.replace(old, new)
        .replace("{rotor}", "(Drive) a (q / tau, J)")
        .replace("{connect}", "connect m at s:a, g:j at s:a")
    )
    with pytest.raises(ModelError) as caught:
        translate(text)
    assert caught.value.diagnostics[0].code == code
