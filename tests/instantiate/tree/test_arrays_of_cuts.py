"""Arrays of cuts: their variables, what connections of them, of some and of one of them mean, and their names."""

import cmath
from math import pi

import numpy as np
import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

PHASES = """
cut class Pin (V(unit="V") / i(unit="A"))

model class Source "three voltages against a point at 0 V"
  parameter U (unit="V") = 325, f (unit="Hz") = 50
  main cut (Pin) p(3) (V / i)
  V = [U*cos(2*pi*f*time - 2*(k - 1)*pi/3) for k = 1..3]
end

model class Line
  parameter n = 3, R (unit="Ohm") = 1, L (unit="H") = 10 mH
  cut (Pin) a(n) (Va / i), b(n) (Vb / -i)
  main path P <a - b>
  Va - Vb = R*i + L*der(i)
end

model class Star "without a wire from its star point"
  parameter n = 3
  main cut (Pin) p(n) ()
  submodel (Line) load(n)(n=1, R=9)
  node star
  connect p(:) to load(:):a(:), load(:):b to star
end
"""


def phasor_currents(voltages: list[complex], z: complex) -> list[complex]:
    """Of equal impedances in star: the star point has the mean of the voltages."""
    mean = sum(voltages) / len(voltages)
    return [(v - mean) / z for v in voltages]


@pytest.mark.parametrize(
    "connected, phases", [("s to line to star", 3), ("s:p(1..2) to two:a(:), two to pair", 2)], ids=["balanced", "open"]
)
def test_three_phases_have_the_currents_of_their_phasors(write_model, connected, phases):
    line, name = ("line", "star") if phases == 3 else ("two", "pair")
    parts = f"submodel (Line) {line}(n={phases})\n  submodel (Star) {name}(n={phases})"
    text = f"{PHASES}\nmodel M\n  submodel (Source) s\n  {parts}\n  connect {connected}\nend\n"
    run = cutset.load(write_model(text)).simulate(0.2, rtol=1e-9)
    turns = [cmath.exp(-2j * pi * k / 3) for k in range(3)]
    currents = phasor_currents([325 * turn for turn in turns[:phases]], 10 + 2j * 50 * 2 * pi * 0.01)
    expected = [(i * cmath.exp(2j * pi * 50 * 0.2)).real for i in currents]
    np.testing.assert_allclose([run[f"{line}.i({k})"][-1] for k in range(1, phases + 1)], expected, atol=1e-6)
    np.testing.assert_allclose([run[f"s.i({k})"][-1] for k in range(1, 4)], [-i for i in (*expected, 0)][:3], atol=1e-6)


def test_cuts_of_arrays_in_arrays_and_in_hierarchical_cuts_meet_as_written():
    v = translate(
        """
model class Part
  parameter n = 2, R = 1
  cut a(n) (Va / i), b(n) (Vb / -i)
  cut W [a, b(n), b(1..n - 1)]
  Va - Vb = R*i
end
model class Level
  parameter n = 2
  main cut p(n) (V / i)
  V = [10*k for k = 1..n]
end
model M
  submodel (Part) r(2)(n=[2, 1]), s(R=2)
  submodel (Level) q(2)(n=[2, 1])
  submodel (Level) zero(n=4)
  node m(2), z
  connect r(1):W at (m, z, z), m to q(1), z to q(2):p(1)
  connect r(2):a to s:a(2), r(2):b(1) to zero:p(4), s:b(1..2) to zero:p(3..-1..2), s:a(1) at zero:p(1)
end
"""
    ).values()
    assert [v[f"r(1).i({k})"] for k in (1, 2)] == pytest.approx([0, 10])
    assert (v["s.i(1)"], v["s.i(2)"]) == pytest.approx(((10 - 30) / 2, -(40 - 20) / 3 * -1))
    assert v["r(2).i(1)"] == pytest.approx(-20 / 3)


def test_a_variable_with_elements_has_a_row_for_each_cut_and_one_without_a_list_that_of_its_cut():
    v = translate(
        """
model class Ends
  cut p(2) (x(3) / f(3))
  x = [1, 2, 3; 4, 5, 6]
end
model class Between
  cut a, b(2) ()
  connect a to b(1), a to b(2)
end
model class Sink
  main cut c (x(3) / f(3))
  f = 10*x
end
model M
  submodel (Ends) e
  submodel (Between) k
  submodel (Sink) s(3)
  connect e:p(2) to k:a, k:b(1) to s(1), e:p(1) to s(2), k:b(2) to s(3)
end
"""
    ).values()
    assert [v[f"e.f({i},{j})"] for i in (1, 2) for j in (1, 2, 3)] == [-10, -20, -30, -80, -100, -120]
    assert v["k.a.x(3)"] == v["k.b(1).x(3)"] == 6 and v["k.b(2).x(1)"] == 4


def test_each_flow_carries_its_own_quantity():
    v = translate(
        """
model class Manifold
  parameter n = 3
  cut p(n) (P / m, carried h)
  P = zeros(n)
  h = [5, 6, 7]
  terminal sums(n), second
  sums = carried(h)
  second = inflow(h(2))
end
model class Pipe
  parameter flow, k = 1
  main cut p (P / m, carried h)
  m = flow
  h = k
end
model M
  submodel (Manifold) a
  submodel (Pipe) b(3)(flow=[-1, -2, 3], k=[10, 20, 30])
  connect a:p(:) to b(:)
end
"""
    ).values()
    assert [v[f"a.sums({k})"] for k in (1, 2, 3)] == [10, 40, -21] and v["a.second"] == 20


@pytest.mark.parametrize(
    "connected, code, words",
    [
        ("a:p(4) to b:p(1)", "E219", "'p' has elements 1 to 3, not 4"),
        ("a:p to b:p", "E233", "'a:p' has 3 cuts, but 'b:p' has 2 cuts"),
        ("a:p to b:p(1)", "E233", "name one of them, a:p(1), or connect each of them: a:p(:)"),
        ("a:p(:) to b:p(:)", "E233", "'a:p(:)' selects 3 elements, but 'b:p(:)' 2"),
        ("a:p(1,1) to b:p(1)", "E219", "'p' is an array of 3 cuts, but has 2 indices"),
        ("a(1):p to b:p", "E219", "'a' is not an array"),
        ("c:p(0) to b:p(1)", "E219", "the length of 'p' must be a whole number from 1 to 10000, not 0"),
        ("a:p(1) to a:p(1)", "E251", "'a:p(1)' is connected to itself"),
    ],
)
def test_a_wrong_index_or_length_is_told(connected, code, words):
    used = f"submodel (Level) {connected[0]}, b(n=2)" if connected[0] != "c" else "submodel (Level) c(n=0), b(n=2)"
    level = "model class Level\n  parameter n = 3\n  main cut p(n) (V / i)\n  V = ones(n)\nend"
    with pytest.raises(ModelError) as caught:
        translate(f"{level}\nmodel M\n  {used}\n  connect {connected}\nend\n")
    (first, *others) = caught.value.diagnostics
    assert first.code == code and words in str(first) and not others
