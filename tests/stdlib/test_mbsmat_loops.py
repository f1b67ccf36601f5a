"""Loops of mbsmat.mo: motion and forces are those of mbs; coordinate partitioning and W*lambda as results."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms_with_loops import CLOSED, CRANK_CLOSED, CUT, CYLINDER_CLOSED, HANGING, LONG

import cutset

# A body that the joint holds on an arm, or on the inertial system: as its cut a or as its cut b.
ON_AN_ARM = HANGING.format(
    joint="(CutUniversal)",
    given="(na1=1, nb2=0.6, nb3=0.8)",
    rest="submodel (FreeCardan) free(q01=0.4, q03=0.3)\n  submodel (JointState) state\n"
    "  connect i to free to m, j:a at bar:b, j:b at free:b, state at arm:ext",
)
HELD = """@mbs
model Held
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (FreeCardan) free
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel {joint}
  submodel (WorldForce) push
  connect i to free to m, push at m:a, {ends}
  push.f = [3, -1, 2]
end
"""
CUT_JOINTS = {
    "CutUniversal": (ON_AN_ARM, 7, ("F(1)", "F(2)", "F(3)", "m")),
    "CutRevolute": (
        HELD.format(joint="(CutRevolute) j(n1=0.3, n2=-0.4, n3=0.8)", ends="j:a at free:b, j:b at i"),
        6,
        ("F(1)", "F(2)", "F(3)", "m1", "m2"),
    ),
    "CutPrismatic": (
        HELD.format(joint="(CutPrismatic) j(n1=0.3, n2=-0.4, n3=0.8)", ends="j:a at i, j:b at free:b"),
        6,
        ("f1", "f2", "tau(1)", "tau(2)", "tau(3)"),
    ),
    "CutCylindrical": (
        HELD.format(joint="(CutCylindrical) j(n1=0.3, n2=-0.4, n3=0.8)", ends="j:a at i, j:b at free:b"),
        6,
        ("f1", "f2", "m1", "m2"),
    ),
    "CutPlanar": (
        HELD.format(joint="(CutPlanar) j(n1=0.3, n2=-0.4, n3=0.8)", ends="j:a at i, j:b at free:b"),
        6,
        ("f", "m1", "m2"),
    ),
    "CutSpherical": (
        HELD.format(joint="(CutSpherical) j", ends="j:a at free:b, j:b at i"),
        6,
        ("F(1)", "F(2)", "F(3)"),
    ),
}
WHEEL = (
    "@mbs\nmodel W\nsubmodel (Inertial) i(ng3=-1)\n"
    "submodel (FreeCardan) free(q03=0.28665, q04=0.3, qd04=0.2, qd05=9, qd06=1)\nsubmodel (JointState) s4, s5, s6\n"
    "submodel (RollingWheel) wheel(radius=0.3)\nsubmodel (Body) body(m=2, I11=0.12, I22=0.06, I33=0.12)\n"
    "connect i to free, wheel at free:b, body at free:b\n"
    "connect s4 at free:ext4, s5 at free:ext5, s6 at free:ext6\nend\n"
)
ON_A_ROD = (
    "@mbs\nmodel Swing\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (FreeCardan) free(q01=0.6, q03=-0.8)\n"
    "submodel (Body) m(m=2, I11=1, I22=1, I33=1)\nsubmodel (RodSphericalSpherical) rod(length=1)\n"
    "connect i to free to m, rod at (i:a, free:b)\nend\n"
)


def _runs(text: str, write_model, **initial) -> list:
    """The start of a run with mbs and with mbsmat."""
    models = [cutset.load(write_model(text.replace("@mbs\n", f"@{library}\n"))) for library in ("mbs", "mbsmat")]
    return [model.simulate(0.0, initial=initial) for model in models]


def _agree(theirs, ours) -> None:
    """All that both libraries have a name for: accelerations and cut forces among it."""
    common = sorted({*theirs.names()} & {*ours.names()})
    values = [np.array([run[name][0] for name in common]) for run in (theirs, ours)]
    assert sum(".fa(" in name for name in common) > 10
    bounds = 1e-9 * max(1.0, np.abs(values[0]).max())
    assert [n for n, x, y in zip(common, *values, strict=True) if abs(x - y) > bounds] == []


def _array(run, name: str, rows: int, columns: int) -> np.ndarray:
    return np.array([[run[f"{name}({i},{j})"][0] for j in range(1, columns + 1)] for i in range(1, rows + 1)])


def _vector(run, name: str, size: int) -> np.ndarray:
    return np.array([run[f"{name}({k})"][0] for k in range(1, size + 1)])


@pytest.mark.parametrize("text", [CLOSED, CRANK_CLOSED, CYLINDER_CLOSED], ids=["RRR", "RRP", "RPR"])
def test_an_assembly_in_closed_form_needs_no_system(text, write_model):
    """Bvu*qd and Bvu*qdd + b_vu are the motion of the dependent coordinates."""
    joint = "j1" if text is CLOSED else "crank" if text is CRANK_CLOSED else "boom"
    theirs, ours = _runs(text, write_model, **{f"{joint}.q": 0.2})
    _agree(theirs, ours)
    model = cutset.load(write_model(text.replace("@mbs\n", "@mbsmat\n")))
    assert model.inspect()["linear_systems"] == model.inspect()["nonlinear_systems"] == []
    second = "j.w2" if text is CLOSED else "j.sd"
    rates = _array(ours, "j.Bvu", 2, 1)[:, 0] * ours[f"{joint}.qd"][0]
    np.testing.assert_allclose(rates, [ours["j.w1"][0], ours[second][0]], rtol=1e-12)
    if text is not CLOSED:
        sdd = ours["j.Bvu(2,1)"][0] * ours[f"{joint}.qdd"][0] + ours["j.b_vu(2)"][0]
        assert sdd == pytest.approx(theirs["j.sdd"][0], rel=1e-9)


def test_assemblies_one_after_the_other(write_model):
    """A crank and a slider at the end of an arm, and an arm on the rod of the crank: Bvu has columns of all joints."""
    arm = (
        "submodel (Revolute) r0(n1=1, n3=1, qd0=1), r9(n3=1, qd0=2)\n  submodel (Bar) b0(r1=0.2)\n"
        "  submodel (Body) m9(m=1, r1=0.2, I11=0.1, I22=0.1, I33=0.1)\n  submodel (JointSpring)"
    )
    text = CRANK_CLOSED.replace("i to crank to b1, i to place,", "b0 to crank to b1, b0 to place, i to r0 to b0,")
    text = text.replace("submodel (JointSpring)", arm).replace("m2 at j:ia", "j:ia to r9 to m9, m2 at j:ia")
    _agree(*_runs(text, write_model))


def test_a_four_bar_that_is_cut(write_model):
    theirs, ours = _runs(CUT, write_model)
    _agree(theirs, ours)
    work = _array(ours, "c.W", 3, 2)
    np.testing.assert_allclose(work.T @ np.array([ours[f"j{k}.qd"][0] for k in (1, 2, 3)]), 0.0, atol=1e-12)
    # The augmented system: Mred*qdd + hred = fred, and W*lambda is a part of fred.
    forces = np.array([ours["c.f1"][0], ours["c.f2"][0]])
    np.testing.assert_allclose(_vector(ours, "c.ga", 3) + _vector(ours, "c.gb", 3), work @ forces, atol=1e-12)
    rest = _vector(ours, "i.fred", 3) - _vector(ours, "i.hred", 3)
    qdd = np.array([ours[f"j{k}.qdd"][0] for k in (1, 2, 3)])
    np.testing.assert_allclose(_array(ours, "i.Mred", 3, 3) @ qdd, rest, atol=1e-10)


@pytest.mark.parametrize("cut", CUT_JOINTS)
def test_each_joint_by_its_conditions(cut, write_model):
    text, freedom, forces = CUT_JOINTS[cut]
    theirs, ours = _runs(text, write_model, **({"arm.qd": 2.0} if freedom == 7 else {}))
    _agree(theirs, ours)
    work = _array(ours, "j.W", freedom, len(forces))
    applied = work @ np.array([ours[f"j.{name}"][0] for name in forces])
    np.testing.assert_allclose(_vector(ours, "j.ga", freedom) + _vector(ours, "j.gb", freedom), applied, atol=1e-9)
    assert np.abs(applied).max() > 0.1


@pytest.mark.parametrize(("text", "element", "columns"), [(WHEEL, "wheel", 3), (ON_A_ROD, "rod", 0)])
def test_a_wheel_and_a_rod(text, element, columns, write_model):
    theirs, ours = _runs(text, write_model)
    _agree(theirs, ours)
    applied = _vector(ours, f"{element}.ga", 6)
    if columns:
        force = _vector(ours, f"{element}.f", 3)
        work = _array(ours, f"{element}.W", 6, columns)
    else:
        applied = applied + _vector(ours, f"{element}.gb", 6)
        work, force = _vector(ours, f"{element}.W", 6)[:, None], np.array([ours[f"{element}.f"][0]])
    np.testing.assert_allclose(applied, work @ force, atol=1e-9)


def test_a_joint_without_mass(write_model):
    text = LONG.replace(", m3(m=1, r3=-1, I22=0.5)", "\n  submodel (LoopJoint) no_mass\n  submodel (Rotor) g(J=3)")
    _agree(*_runs(text.replace(", j3 to m3", ", no_mass at j3:ext, g at j3:ext"), write_model))
