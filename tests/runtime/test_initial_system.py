"""Of the positions in which a loop closes a run begins with the one that is nearest to the start values, or says that
there is none."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from oracles.four_bars import FourBar

import cutset
from cutset.runtime.errors import RunError

LENGTHS = (0.562, 0.648, 0.939, 0.573)
ORDERS = [("c", "abc"), ("python", "cba"), ("python", "bac")]
# Each bar begins along the base: what lies above it is as near as what lies below.
MIRROR = """@mbs
model Mirror
  submodel (Inertial) world
  submodel (Revolute) {joints}
  submodel (Bar) l1(r1=0.5), l2(r1=0.6), l3(r1=0.65), base(r1=0.4)
  submodel (Body) m1(m=1, I33=0.01), m2(m=1, I33=0.02), m3(m=1, I33=0.01)
  submodel (PlanarCutRevolute) k(n3=1)
  submodel (JointState) drive
  connect world to a to l1 to b to l2, world to base to c to l3, k:a at l2:b, k:b at l3:b,
          m1 at a:b, m2 at b:b, m3 at c:b, drive at a:ext
end
"""


def position(model: cutset.Model, target: str) -> tuple[float, ...]:
    run = model.simulate(0.0, target=target)
    return tuple(float(run[f"{name}.q"][0]) for name in "abc")


@pytest.mark.parametrize(("target", "order"), ORDERS)
def test_of_two_positions_the_nearer_one_is_taken(target, order, write_model) -> None:
    bar = FourBar(LENGTHS, {"a": 1.82}, {}, True)
    expected = min(bar.assemblies("a", 1.82), key=lambda q: math.hypot(*q[1:]))
    assert position(cutset.load(write_model(bar.text(tuple(order)))), target) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("k", [0, 1])
def test_a_start_value_beside_the_one_that_is_held_says_which_position_is_meant(k, write_model) -> None:
    """The farther one, too, if that is what is written."""
    expected = FourBar(LENGTHS, {}, {}, True).assemblies("a", 1.82)[k]
    text = FourBar(LENGTHS, {"a": 1.82, "c": round(expected[2], 3)}, {}, True).text(("a", "b", "c"))
    found = position(cutset.load(write_model(text.replace("q0=1.82", "q0=1.82, qd0=1"))), "python")
    turned = [math.remainder(p - q, 2 * math.pi) for p, q in zip(found, expected, strict=False)]
    assert max(map(abs, turned)) < 0.01
    assert abs(found[1]) <= math.pi + 0.01


def test_of_two_that_are_as_near_it_is_the_same_one_in_each_order(write_model) -> None:
    texts = [MIRROR.format(joints=", ".join(f"{name}(n3=1)" for name in order)) for order in permutations("abc")]
    first, *others = [position(cutset.load(write_model(text)), "python") for text in texts]
    assert abs(first[1]) > 0.1
    for other in others:
        assert other == pytest.approx(first, abs=1e-9)


def test_a_joint_that_turns_until_rounding_closes_the_loop_is_no_solution(target, write_model) -> None:
    """Newton's method goes to 1e16 rad, where a step of 1 rad is nothing."""
    bar = FourBar((0.631, 0.431, 0.224, 0.723), {"b": -2.71}, {"a": 4.89}, True)
    assert bar.assemblies("b", -2.71) == []
    with pytest.raises(RunError, match="E633") as raised:
        position(cutset.load(write_model(bar.text(("a", "b", "c")))), target)
    assert "the loop that 'k' closes remains open by 0.199 m where 'b.q' starts at -2.71" in str(raised.value)


def test_nor_is_it_where_an_equation_of_the_start_holds_a_joint(write_model) -> None:
    text = FourBar((0.2, 0.5, 0.3, 0.7), {"b": 0.3, "c": 2.0}, {}, True).text(("a", "b", "c"))
    text = text.replace("\nend\n", "\n  initial\n    a.q = 3.141592653589793\n  endinitial\nend\n")
    with pytest.raises(RunError, match="E633"):
        position(cutset.load(write_model(text)), "python")
