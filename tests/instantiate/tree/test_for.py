"""Repeated equations and connections."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError


def test_equations_are_repeated_with_each_value_of_the_index():
    v = translate(
        """
model M
  constant n = 4
  local x(n), T(3,3)
  x(1) = 1
  for k = 2..n do
    x(k) = 2*x(k - 1) + k
  endfor
  for i = 1..3 do
    T(i, i) = i
    for j = 1..i - 1 do
      T(i, j) = 10*i + j
      T(j, i) = -T(i, j)
    endfor
  endfor
end
"""
    ).values()
    assert [v[f"x({k})"] for k in (1, 2, 3, 4)] == [1, 4, 11, 26]
    assert [v[f"T({i})"] for i in ("1,1", "2,1", "3,2", "2,3")] == [1, 21, 32, -32]


CELLS = """
model class Cell
  cut a (va / i), b (vb / -i)
  main cut c [a, b]
  main path p <a - b>
  parameter R
  R*i = va - vb
end
"""


def test_connections_are_repeated():
    text = (
        CELLS
        + """
model class Supply
  main cut c (v / i)
  parameter V = 0
  v = V + 0*time
end
model M
  submodel (Cell) c(5)(R = [1, 2, 3, 4, 5]), d(2)(R = 4), e(4)(R = 1)
  submodel (Supply) s(V = 30), g
  node top
  connect s to c(1), c(5) to g, s at top, c(k) to c(k + 1) for k = 1..4
  for k = 1..2 do
    connect d(k):a at top, e(2*k - 2 + j) at (d(k):b, g) for j = 1..2
  endfor
end
"""
    )
    v = translate(text).values()
    assert [v[f"c({k}).i"] for k in (1, 5)] == pytest.approx([2, 2])
    assert [v[f"d({k}).i"] for k in (1, 2)] == pytest.approx([30 / 4.5] * 2)
    assert [v[f"e({k}).i"] for k in (1, 4)] == pytest.approx([15 / 4.5] * 2)


def test_nested_repetition_of_a_connection():
    v = translate(
        CELLS
        + """
model class Row
  submodel (Cell) x(3)(R = 2)
end
model class Supply
  main cut c (v / i)
  parameter V = 0
  v = V + 0*time
end
model M
  submodel (Row) r(3)
  submodel (Supply) s(V = 10), g
  connect r(i):x(j):a at s for i = 1..3 for j = 1..3, r(i):x(j):b at g for i = 1..3 for j = 1..i
end
"""
    ).values()
    assert [v[f"r({i}).x({j}).i"] for i, j in ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3))] == [5, 0, 5, 0, 5]


def test_an_empty_range_has_no_round():
    v = translate("model M\n constant n = 0\n local x\n x = 1\n for k = 1..n do\n x = 2\n endfor\nend\n").values()
    assert v["x"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "for k = 1..1e9 do\n x = k\n endfor",
        "for a = 1..1000 do\n for b = 1..1000 do\n x = a\n endfor\n endfor",
        "for k = -1e300..1e300 do\n x = k\n endfor",
        "node n, m\n connect n to m for a = 1..1000 for b = 1..1000",
    ],
)
def test_rounds_are_bounded(text, monkeypatch):
    monkeypatch.setattr("cutset.compiler.instantiate.tree.control_flow._MOST", 10_000)
    with pytest.raises(ModelError, match=r"error\[E253\]"):
        translate(f"model M\n local x\n {text}\nend\n")
