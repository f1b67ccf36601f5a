"""Arrays of submodels: their names, what is given to them, indices in equations and connections."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

PARTS = """
model class TwoPin
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  terminal u
  u = Va - Vb
end
model class (TwoPin) Resistor
  parameter R = 2
  R*i = u
end
model class (TwoPin) Source
  u = 12 + 0*time
end
model class Ground
  main cut A (V / i)
  V = 0
end
"""


def test_a_value_of_one_dimension_more_is_spread_and_any_other_repeated():
    model = translate(
        """
model class Part
  parameter a, b(2) = [5, 6], c = 7
  terminal y
  y = a*time + b(1) + b(2) + c
end
model M
  constant n = 3
  submodel (Part) p(n)(a = [2, 3, 4], b = [1, 2; 3, 4; 5, 6]), q(2)(a = 9, b = [20, 30])
end
"""
    )
    v = model.values(time=1.0)
    assert [v[f"p({k}).y"] for k in (1, 2, 3)] == [12, 17, 22]
    assert [v[f"q({k}).y"] for k in (1, 2)] == [66, 66]
    assert model.values(time=1.0, parameters={"p(2).a": 0.0, "q(1).c": 1.0})["p(2).y"] == 14


def test_elements_are_used_in_equations_and_connections():
    v = translate(
        f"""{PARTS}
model M
  submodel (Resistor) r(3)(R = [1, 2, 3])
  submodel (Source) s
  submodel (Ground) g
  local total
  node n
  connect s:A to r(1) to n to r(2) to r(1 + 2) to s:B, g at r(3):B
  total = r(1).u + r(2).u + r(3).u
end
"""
    ).values()
    assert [v[f"r({k}).i"] for k in (1, 2, 3)] == pytest.approx([2, 2, 2]) and v["total"] == pytest.approx(12)


def test_arrays_inside_arrays_and_in_hierarchical_cuts():
    v = translate(
        f"""{PARTS}
model class Ladder
  parameter R(2)
  submodel (Resistor) r(2)(R = R)
  main path P <r(1):A - r(2):B>
  main cut C [r(1):A, r(2):B]
  connect r(1) to r(2)
end
model M
  submodel (Ladder) l(2)(R = [1, 2; 3, 6])
  submodel (Source) s
  submodel (Ground) g
  connect s at (l(1):r(1):A, g), s:A to l(1) to l(2) to g
end
"""
    ).values()
    assert [v[f"l({k}).r({j}).i"] for k in (1, 2) for j in (1, 2)] == pytest.approx([1] * 4)


@pytest.mark.parametrize("length", ["10001", "1e12", "0", "1.5", "n", "time", "[1, 2]"])
def test_a_wrong_length_is_refused(length):
    text = f"{PARTS}\nmodel M\n  parameter n = 0.5\n  submodel (Ground) g({length})\nend\n"
    with pytest.raises(ModelError, match=r"error\[E2(19|20)\]"):
        translate(text)


def test_arrays_of_arrays_are_bounded():
    classes = [f"model class C{k}\n  submodel (C{k + 1}) c(1000)\nend\n" for k in range(6)]
    text = "".join(classes) + "model class C6\nend\nmodel M\n  submodel (C0) c\nend\n"
    with pytest.raises(ModelError, match=r"error\[E238\]"):
        translate(text)
