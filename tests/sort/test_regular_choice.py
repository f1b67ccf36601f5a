"""Choices of states that are regular in numbers where they start, not only by their structure."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.sort import regular_choice
from cutset.compiler.sort.regular_choice import independent, is_regular, regular_dummies

# One axis is left: the plan's choice by structure is any of three angular velocities.
FREE = """@{library}
model M
  submodel (Inertial) i(ng3=-1)
  submodel ({joint}) f
  submodel (Body) b(m=1, r=[0.1, 0.2, 0.3], I=diagonal([0.2, 0.3, 0.4]))
  submodel ({closing}) c({given})
  connect i to f to b, c at (i, f:b)
end
"""
# A preference that nothing overrides, for a joint that the loop locks.
LOCKED = """@mbs
model class Firm
  main cut (DriveCut) a (q(state=always), qd(state=always), qdd / f)
  f = 0
end
model Locked
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n=[0, 0, 1]), j3(n=[1, 0.3, 0.2])
  submodel (Prismatic) j2(n=[1, 0, 0]), j4(n=[-1, 0, 0])
  submodel (Body) m1(m=1, I=identity(3)), m2(m=1, I=identity(3)), m3(m=1, I=identity(3)), m4(m=1, I=identity(3))
  submodel (Bar) tip(r=[0.3, 0.4, 0.5]), ground(r=[0.3, 0.4, 0.5])
  submodel (Firm) firm
  submodel (CutSpherical) c
  connect i to j2 to j1 to j3 to j4 to tip, i to ground, c at (ground:b, tip:b), firm at j1:ext,
          m1 at j1:b, m2 at j2:b, m3 at j3:b, m4 at j4:b
end
"""


@pytest.mark.parametrize("many", [1, 1000])
def test_dependent_columns_are_not_taken(many, monkeypatch):
    """By numpy and without it."""
    monkeypatch.setattr(regular_choice, "_MANY", many)
    rows = [{0: 1.0, 1: 2.0, 2: 0.0}, {0: 2.0, 1: 4.0, 2: 1e-4, 3: 1.0}]
    assert independent(rows, [0, 1, 2, 3], 1e-6) == [0, 2]
    assert not is_regular(rows, [0, 1]) and is_regular(rows, [1, 3])
    assert regular_dummies(rows, [1, 0, 3, 2]) == (1, 3)
    assert regular_dummies([{0: 1.0}, {0: 1.0}], [0]) is None


@pytest.mark.parametrize("many", [1, 1000])
def test_nearly_dependent_columns_are_taken_last(many, monkeypatch):
    monkeypatch.setattr(regular_choice, "_MANY", many)
    rows = [{0: 1.0, 1: 1.0, 2: 1.0}, {1: 1e-4, 2: 1.0}]
    assert regular_dummies(rows, [0, 1, 2]) == (0, 2)


@pytest.mark.parametrize(
    ("joint", "closing", "given", "states"),
    [
        ("Free", "CutRevolute", "n=[0, 0, 1]", {"f.p(3)", "f.p(4)", "f.w(3)"}),
        ("Free", "CutUniversal", "na=[1, 0, 0], nb=[0, 1, 0]", {"f.p(1)", "f.p(2)", "f.p(4)", "f.w(1)", "f.w(2)"}),
        ("Free", "CutRevolute", "n=[0, 1, 0]", {"f.p(2)", "f.p(4)", "f.w(2)"}),
        (
            "FreeCardan",
            "CutPlanar",
            "n=[0, 1, 0]",
            {f"f.{x}{d}" for x in ("x.q", "z.q", "turn.y.q") for d in ("", "d")},
        ),
    ],
)
def test_bodies_with_constraints_start_at_home_in_absolute_coordinates(joint, closing, given, states, write_model):
    path = write_model(FREE.format(library="mbsabs", joint=joint, closing=closing, given=given))
    model = cutset.load(path)
    assert set(model.states) == states
    run = model.simulate(0.0)
    axis = "w(3)" if given == "n=[0, 0, 1]" else "w(2)"
    if joint == "Free":  # gravity turns the body about an axis that is not vertical
        assert (abs(run[f"der(f.{axis})"][0]) > 0.1) == (axis == "w(2)")


def test_a_locked_state_and_other_start_values_are_an_error_of_the_run(write_model):
    model = cutset.load(write_model(LOCKED))
    start = {"j2.q": 0.1, "j2.qd": 1.0, "j4.q": 0.1, "j4.qd": 1.0}
    with pytest.raises(cutset.RunError, match=r"E(618|633|644)"):
        model.simulate(0.0, initial=start)
