"""An element that prefers a state in a mechanism that cannot move is named."""

from __future__ import annotations

import pytest

from cutset.compiler.pipeline import Observer, compile_model

TRUSS = """@mbs
model Truss
  submodel (Inertial) world(ng3=-1)
  submodel (JointState) drive
  submodel (Revolute) a(n2=1), b(n2=1){joint}
  submodel (Bar) b1(r1=1), b2(r1=1), b3(r1=1), g(r1=1.2)
  submodel (Body) m1(m=1, r1=0.5, I22=0.1), m2(m=1, r1=0.5, I22=0.1), m3(m=1, r1=0.5, I22=0.1)
  submodel (PlanarCutRevolute) c(n2=1)
  connect world to a to b1 to b to b2{chain} to c, world to g, g:b at c:b, drive at a:ext, m1 at a:b, m2 at b:b,
    m3 at {last}:b
end
"""


@pytest.mark.parametrize(
    ("joint", "chain", "last", "said"),
    [
        (
            "",
            " to b3",
            "b",
            ["'drive' prefers 'a.q' as a state, but the constraints leave it no freedom: it cannot move on its own"],
        ),
        (", d(n2=1, q0=0.5)", " to d to b3", "d", []),
    ],
    ids=["triangle", "four-bar"],
)
def test_a_preference_where_nothing_is_free_is_named(joint, chain, last, said, write_model):
    notes = []

    def observe(stage, result):
        if stage == "select":
            notes.extend(label.text for label in result.notes)
        return result

    compile_model(write_model(TRUSS.format(joint=joint, chain=chain, last=last)), None, observer=Observer([observe]))
    assert notes == said
