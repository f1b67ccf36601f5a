"""Equations with rotations are solved for what they determine: (4a)-(4h) as printed cost what they cost when solved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

PRINTED = (Path(__file__).parent / "printed_mbs.mo").read_text()
# (4a), (4b), (4e) to (4h) as a person solves them for cut b, and the force for cut a.
SOLVED = {
    "bTa  = Tb'*Ta": "Tb = Ta*bTa'",
    "arab = Ta'*(rb - ra)": "arab = bTa'*brab",
    "brab = Tb'*(rb - ra)": "rb = ra + Tb*brab",
    "bvab = vb - C*va": "vb = C*va + bvab",
    "baab = ab - C*aa - xi": "ab = C*aa + xi + baab",
    "zeros(6) = fa + C'*fb": "fa = -C'*fb",
}
ARM = """
model Arm
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) j1(n3=1), j2(n1=1), j3(n2=1)
  submodel (Bar) b1(r1=0.2, r3=0.5), b2(r2=0.3, r3=-0.4)
  submodel (Body) m1(m=2, r1=0.1, I11=0.1, I22=0.2, I33=0.15), m2(m=1, r3=0.2, I11=0.05, I22=0.04, I33=0.03),
                  m3(m=1.5, r2=0.1, I11=0.02, I22=0.01, I33=0.02)
  connect world to j1 to b1 to j2 to b2 to j3, m1 at j1:b, m2 at j2:b, m3 at j3:b
end
"""
FOUR_BAR = """
model class (MbsTwoCut) CutPlanarRevolute "two conditions in the plane y = 0, (13b)"
  local l1, l2, gap
  Ta'*(rb - ra) = [0; gap; 0]
  fa = [zeros(3); l1; 0; l2]
  fb = -[zeros(3); Tb'*Ta*[l1; 0; l2]]
end
model Loop
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) crank(n2=1), pin(n2=1), rocker(n2=1)
  submodel (Bar) b1(r3=0.2), coupler(r1=0.65, r3=0.3), b3(r1=0.05, r3=-0.5), base(r1=0.7)
  submodel (Body) m1(m=1, r3=0.1, I22=0.01), m2(m=2, r1=0.3, r3=0.1, I22=0.1), m3(m=1, r3=-0.25, I22=0.03)
  submodel (CutPlanarRevolute) close
  connect world to crank to b1 to pin to coupler to rocker to b3, world to base, close at (base:b, b3:b),
          m1 at crank:b, m2 at pin:b, m3 at rocker:b
end
"""


def solved(text: str) -> str:
    for printed, by_hand in SOLVED.items():
        text = text.replace(printed, by_hand)
    return text


def operations(text: str, **options: object) -> int:
    statistics = cutset.loads(text, **options).translated.statistics
    return statistics.mul_div + statistics.add_sub


def slopes(text: str, **options: object) -> list[float]:
    """Those of a random state."""
    model = cutset.loads(text, **options)
    states = [random.Random(name.removesuffix("(1)")).uniform(-1.0, 1.0) for name in model.states]
    return list(model.evaluate(0.0, states, target="python"))


@pytest.mark.parametrize("model", [ARM, FOUR_BAR])
def test_printed_equations_cost_what_solved_ones_cost(model: str) -> None:
    by_hand = operations(solved(PRINTED + model))
    assert operations(PRINTED + model) <= 1.05 * by_hand
    if model is FOUR_BAR:
        assert by_hand < 500


def test_printed_equations_have_the_solution_of_solved_ones() -> None:
    found = slopes(PRINTED + ARM)
    assert found == pytest.approx(slopes(solved(PRINTED + ARM)), rel=1e-12)
    assert found == pytest.approx(slopes("@mbs\n" + ARM), rel=1e-12)
    assert found == pytest.approx(slopes(PRINTED + ARM, without=["factors"]), rel=1e-12)


def test_reversed_elements_cost_little_more() -> None:
    reversed_text = "@mbs\n" + ARM.replace("to b1 to j2 to", "to reversed b1 to reversed j2 to").replace("j2:b", "j2:a")
    text = "@mbs\n" + ARM.replace("r1=0.2, r3=0.5", "r1=-0.2, r3=-0.5").replace("j2(n1=1)", "j2(n1=-1)")
    assert operations(reversed_text) <= 1.1 * operations(text)
    assert slopes(reversed_text) == pytest.approx(slopes(text), rel=1e-12)


TWO = """
model Two
  local A(3,3){a}, B(3,3), C(3,3), q
  q = time
  A = {formula}
  C = A*B
  C = [cos(2*q), 0, -sin(2*q); 0, 1, 0; sin(2*q), 0, cos(2*q)]
end
"""
TURN = "[cos(q), sin(q), 0; -sin(q), cos(q), 0; 0, 0, 1]"


def systems(text: str) -> int:
    return len(translate(text).program.statistics.linear_systems)


def test_a_matrix_is_inverted_by_transposing_it_where_it_is_a_rotation() -> None:
    assert systems(TWO.format(a="", formula=TURN)) == 0
    # Perhaps none, for the compiler; but it may be, with this direction.
    tilted = "[0.36, 0.48, -0.8; -0.8, 0.6, 0; 0.48, 0.64, 0.6]*[u, 0, 0; 0, 1, 0; 0, 0, 1]"
    text = TWO.replace("local A", "parameter u=1\n  local A")
    assert systems(text.format(a="", formula=tilted)) == 3
    assert systems(text.format(a="(rotation)", formula=tilted)) == 0
    for wrong in (TURN.replace("-", ""), tilted.replace("0.36", "0.3")):
        with pytest.raises(ModelError) as caught:
            translate(text.format(a="(rotation)", formula=wrong))
        assert caught.value.diagnostics[0].code == "E307"
        assert systems(text.format(a="", formula=wrong)) == 3


def test_a_rotation_by_euler_parameters_may_need_their_length_to_be_one() -> None:
    by_parameters = (
        "[1 - 2*(p(2)^2 + p(3)^2), 2*(p(1)*p(2) + p(4)*p(3)), 2*(p(1)*p(3) - p(4)*p(2));"
        " 2*(p(1)*p(2) - p(4)*p(3)), 1 - 2*(p(1)^2 + p(3)^2), 2*(p(2)*p(3) + p(4)*p(1));"
        " 2*(p(1)*p(3) + p(4)*p(2)), 2*(p(2)*p(3) - p(4)*p(1)), 1 - 2*(p(1)^2 + p(2)^2)]"
    )
    text = TWO.replace("C(3,3)", "C(3,3), p(4)").replace("  q = time", "  q = time\n  p = [0, sin(q/2), 0, cos(q/2)]")
    assert systems(text.format(a="(rotation)", formula=by_parameters)) == 0


def test_positions_outward_from_a_body_that_floats_are_explicit() -> None:
    """The coordinates of its joint are known, though no formula gives them. A spring needs the positions; the
    system left is that of its acceleration."""
    text = ARM.replace("world to j1", "s at (world, j3:b), m0 at free:b, world to free to j1").replace(
        "  submodel (Body)",
        "  submodel (Free) free\n  submodel (Spring) s(c=1)\n  submodel (Body) m0(m=1, I=identity(3)),",
    )
    statistics = cutset.loads("@mbs\n" + text, without=["factors"]).translated.statistics
    assert [tuple(system) for system in statistics.linear_systems].count((3, 3)) == 1
