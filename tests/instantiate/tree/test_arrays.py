"""Arrays of submodels: their names, what is given to them, indices in equations and connections."""

import numpy as np
import pytest
from models_from_text import translate
from scipy.linalg import expm

import cutset
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


PLATE = """
model class Cell
  parameter C = 1, T0
  main cut c (T(start=T0) / Q)
  C*der(T) = Q
end
model class Rod
  parameter G = 1
  cut a (Ta / Q), b (Tb / -Q)
  main path P <a - b>
  Q = G*(Ta - Tb)
end
model Plate
  constant n = 3, m = 4
  submodel (Cell) c(n,m)(T0=[10*i + j^2 for i = 1..n for j = 1..m])
  submodel (Rod) h(n,m - 1)(G=[i + j for i = 1..n for j = 1..m - 1]), v(n - 1,m)(G=2)
  local T(n,m), edge(m), mean
  connect c(1..end - 1,:) to v(:,:) to c(2..end,:)
  for i = 1..n do
    connect c(i,j) to h(i,j) to c(i,j + 1) for j = 1..m - 1
  endfor
  T = c.T
  edge = c(end,:).T
  mean = sum(c(2..3,2).T)/2
end
"""


def test_a_plate_in_two_dimensions_conducts_as_its_matrix_says(write_model):
    n, m = 3, 4
    number = np.arange(n * m).reshape(n, m)
    laplacian = np.zeros((n * m, n * m))
    rods = [(number[i, j], number[i, j + 1], i + j + 2) for i in range(n) for j in range(m - 1)]
    for a, b, g in [*rods, *((number[i, j], number[i + 1, j], 2) for i in range(n - 1) for j in range(m))]:
        laplacian[[a, b], [a, b]] -= g
        laplacian[[a, b], [b, a]] += g
    start = np.array([10 * i + j**2 for i in (1, 2, 3) for j in (1, 2, 3, 4)])
    expected = (expm(0.3 * laplacian) @ start).reshape(n, m)
    run = cutset.load(write_model(PLATE)).simulate(0.3, rtol=1e-10, atol=1e-10)
    found = np.array([[run[f"c({i},{j}).T"][-1] for j in range(1, m + 1)] for i in range(1, n + 1)])
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    np.testing.assert_allclose([[run[f"T({i},{j})"][-1] for j in range(1, m + 1)] for i in (1, 2, 3)], found)
    np.testing.assert_allclose([run[f"edge({j})"][-1] for j in range(1, m + 1)], found[-1])
    np.testing.assert_allclose(run["mean"][-1], found[1:3, 1].mean())


@pytest.mark.parametrize(
    "line, words",
    [
        ("submodel (Cell) r(2,3)(T0=[1, 2, 3])", "2 by 3 submodels, but the value of 'T0' is a vector (3)"),
        ("submodel (Cell) r(2,2,1 + 1)(T0=1)", "an array of submodels has one or two dimensions"),
        ("submodel (Cell) r(2,0)(T0=1)", "the length of 'r' must be a whole number from 1 to 10000, not 0"),
        ("submodel (Cell) r(2,3)(T0=1); connect r(1) to r(2,2)", "an array of 2 by 3 submodels, but has one index"),
        ("submodel (Cell) r(2,3)(T0=1); connect r(1,:) to r(:,1)", "'r(1,:)' selects 3 elements, but 'r(:,1)' 2"),
        ("submodel (Cell) r(2,3)(T0=1); local x; x = r(1,4).T", "'r' has elements 1 to 3, not 4"),
        ("submodel (Cell) r(2,3)(T0=1); local x(3); x = r(:,1).T", "the left side is a vector (3), the right side"),
    ],
)  # fmt: skip
def test_a_wrong_index_in_two_dimensions_is_told(line, words):
    with pytest.raises(ModelError) as caught:
        translate(f"{PLATE.partition('model Plate')[0]}\nmodel M\n  {line}\nend\n")
    assert words in str(caught.value)


def test_one_row_is_a_matrix_and_a_chain_may_join_cuts_of_one_name():
    v = translate(
        f"""{PLATE.partition("model Plate")[0]}
model M
  submodel (Cell) r(1,3)(T0=[6 + j for i = 1..1 for j = 1..3])
  submodel (Rod) k(3)
  local T(1,3), x(3)
  connect r(1,1):c to k(1):a to k(2):a, k(3):a to k(1):a
  T = r.T
  x = r(1,:).T
end
"""
    ).values()
    assert [v[f"T(1,{j})"] for j in (1, 2, 3)] == [v[f"x({j})"] for j in (1, 2, 3)] == [7, 8, 9]
