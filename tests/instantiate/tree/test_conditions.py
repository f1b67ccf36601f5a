"""Submodels that are there only where a condition on parameters holds."""

import pytest
from models_from_text import translate

TEXT = """
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
model class Source
  main cut A (V / i)
  parameter E = 0
  V = E + 0*time
end
model class Branch
  parameter on = 1, count = 2
  local both
  both = 2*count + on
  cut A (V / j)
  main cut C [A, B]
  cut B (W / l)
  submodel (Resistor) r(R = 4), extra(R = 4) if on == 1 and count > 1, series(3)(R = 1) if count == 7
  node n
  connect r par extra at (A, B), series(1) to n to series(2), reversed series(3) at (n, series(1):A)
end
model M
  parameter k = 3
  submodel (Source) s(E = 12), g
  submodel (Branch) b(on = ON, count = COUNT)
  connect b at (s, g)
end
"""


def branch(on, count):
    return translate(TEXT.replace("ON", on).replace("COUNT", count))


@pytest.mark.parametrize(("on", "count", "current"), [("1", "2", 6), ("0", "2", 3), ("1", "k - 2", 3), ("1", "k", 6)])
def test_a_part_is_there_where_its_condition_holds(on, count, current):
    model = branch(on, count)
    assert model.values()["b.j"] == pytest.approx(current)
    assert ("b.extra.u" in model.values()) == (current == 6)


def test_parameters_of_conditions_are_structural():
    info = branch("1", "k").program.info
    assert info.folded["k"] == info.folded["b.count"] == 3
    assert "k" not in info.parameters and "b.r.R" in info.parameters
    assert "k" in branch("0", "2").program.info.parameters


def test_conditions_behind_conditions():
    classes = "".join(
        f"model class C{k}\n parameter p\n submodel (C{k + 1}) s(p = p) if p > {k}\nend\n" for k in range(6)
    )
    text = (
        f"{classes}model class C6\n parameter p\n local x\n x = p*time\nend\nmodel M\n parameter p = 4.5\n local x\n"
        " x = 1\n submodel (C0) s(p = p)\nend\n"
    )
    assert translate(text).program.info.folded["s.s.s.s.s.p"] == 4.5


def test_the_length_of_an_absent_array_is_not_asked_for():
    text = """
model class Part
  terminal x
  x = 1
end
model class Row
  parameter n = 3
  submodel (Part) p(n - 1) if n > 1
  local s
  s = n
end
model M
  submodel (Row) a, b(n=1)
end
"""
    v = translate(text).values()
    assert v["a.p(2).x"] == 1 and not [name for name in v if name.startswith("b.p")]
