"""mbsmat.mo: M*qdd + h = f with velocities of all joints as one vector, against the oracle and the other libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate
from oracles.random_trees import ALL, one_joint, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

SWING = """
@mbsmat
model Swing
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r(n2=1, q0=0.4, qd0=2)
  submodel (Spherical) s(angle1=0.3, angle2=0.5, w1=1, w2=-2, w3=0.5)
  submodel (Prismatic) p(n1=1, n3=2, q0=0.2, qd0=-1)
  submodel (Bar) b(r1=0.3, r2=0.1)
  submodel (Body) m(m=2, r1=0.1, I11=0.2, I22=0.3, I33=0.3), e(m=1, r2=0.2, I11=0.1, I22=0.1, I33=0.1)
  connect i to r to b to s to p, m at r:b, e at p:b
end
"""


def _loaded(tree, write_model):
    return cutset.load(write_model(tree.text.replace("@mbssim", "@mbsmat")))


# The others are assemblies of these, or move nothing; the random trees have all.
@pytest.mark.parametrize("kind", ["Revolute", "Prismatic", "Screw", "Spherical", "Free"])
def test_each_joint_between_two_others(kind, write_model):
    tree = one_joint(kind, 7)
    model = _loaded(tree, write_model)
    q, qd = random_state(tree, np.random.default_rng(1))
    expected = tree.tree.accelerations(q, qd)
    assert relative_error(tree_accelerations(model, tree, q, qd), expected) < 1e-9


@pytest.mark.parametrize(("seed", "kinds"), [(2, ALL), (6, ("Revolute", "Prismatic"))])
def test_random_trees(seed, kinds, write_model):
    tree = random_tree(seed, 4, kinds=kinds, rotors=True)
    model = _loaded(tree, write_model)
    assert sum(system["torn"] for system in model.inspect()["linear_systems"]) <= len(tree.velocities)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        q, qd = random_state(tree, rng)
        expected = tree.tree.accelerations(q, qd)
        assert relative_error(tree_accelerations(model, tree, q, qd), expected) < 1e-9


def _array(values: dict[str, float], name: str, rows: int, columns: int) -> np.ndarray:
    return np.array([[values[f"{name}({i},{j})"] for j in range(1, columns + 1)] for i in range(1, rows + 1)])


def test_mass_matrix_and_forces_are_those_of_the_oracle():
    """Mred, hred and fred of a tree whose joints are numbered as in the oracle."""
    tree = random_tree(11, 5, kinds=("Revolute", "Prismatic", "Screw", "Universal"), forces=True)
    q, qd = random_state(tree, np.random.default_rng(4))
    states = dict(zip((*tree.positions, *tree.velocities), (*q, *qd), strict=True))
    values = translate(tree.text.replace("@mbssim", "@mbsmat")).values(states)
    n = len(qd)
    mass, force = tree.tree.equations(q, qd)
    rest = np.array([values[f"i.fred({k})"] - values[f"i.hred({k})"] for k in range(1, n + 1)])
    np.testing.assert_allclose(_array(values, "i.Mred", n, n), mass, atol=1e-12 * np.abs(mass).max())
    np.testing.assert_allclose(rest, force, atol=1e-11 * np.abs(force).max())


def test_motion_of_a_frame_by_the_velocity_transformation():
    """v = B*qd and a = B*qdd + c, also behind a spherical joint."""
    values = translate(SWING).values()
    qd = np.array([values[n] for n in ("r.qd", "s.w(1)", "s.w(2)", "s.w(3)", "p.qd")])
    qdd = np.array([values[n] for n in ("r.qdd", "s.alpha(1)", "s.alpha(2)", "s.alpha(3)", "p.qdd")])
    transformation = _array(values, "e.Ba", 6, 5)
    v, a, c = (np.array([values[f"e.{name}({k})"] for k in range(1, 7)]) for name in ("va", "aa", "ca"))
    np.testing.assert_allclose(transformation @ qd, v, atol=1e-12)
    np.testing.assert_allclose(transformation @ qdd + c, a, atol=1e-11)
    assert [values[f"i.qdds({k})"] for k in range(1, 6)] == list(qdd)


def test_torques_from_motion_need_no_system(write_model):
    """One joint moves as prescribed, the other by a torque: the inverse and the mixed problem."""
    text = SWING.replace(
        "submodel (Spherical) s(angle1=0.3, angle2=0.5, w1=1, w2=-2, w3=0.5)", "submodel (Motion) drive{}"
    )
    text = (
        text.replace("to s to p", "to p")
        .replace("m at r:b,", "m at r:b, drive at r:ext{},")
        .replace("\nend\n", "\n  drive.q_ref = 0.4 + sin(2*time)\nend\n")
    )
    mixed = text.format("", "")
    inverse = text.format("\n  submodel (Motion) push", ", push at p:ext").replace(
        "drive.q_ref", "push.q_ref = 0.2 - sin(time)\n  drive.q_ref"
    )
    for source, names in ((mixed, ("drive.f", "p.qdd")), (inverse, ("drive.f", "push.f"))):
        theirs, ours = (
            cutset.load(write_model(source.replace("@mbsmat", f"@{library}"))) for library in ("mbs", "mbsmat")
        )
        assert source is mixed or ours.inspect()["linear_systems"] == []
        runs = [model.simulate(stop=0.5, points=3, rtol=1e-9, atol=1e-9) for model in (theirs, ours)]
        for name in names:
            np.testing.assert_allclose(runs[0][name], runs[1][name], rtol=1e-6)


def test_a_tree_for_each_of_two_inertial_systems():
    """The numbers of the joints are common to both; the trees share nothing else."""
    one = SWING.replace("@mbsmat\nmodel Swing", "").rsplit("end", 1)[0]
    second = "submodel (Inertial) j(ng1=1)\nsubmodel (Revolute) t(n2=1)\nsubmodel (PointMass) k(m=1)\n"
    second += "submodel (Bar) u(r3=-1)\nconnect j to t to u to k\nend\n"
    both = translate(f"@mbsmat\nmodel Both\n{one}{second}").values()
    alone = translate(SWING).values()
    assert [both[f"{x}.qdd"] for x in "rp"] == pytest.approx([alone[f"{x}.qdd"] for x in "rp"], abs=1e-12)
    assert both["t.qdd"] == pytest.approx(-9.81, abs=1e-12)


def test_a_model_without_joints():
    text = (
        "@mbsmat\nmodel Still\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (CutForce) f\nsubmodel (Bar) b(r1=2)\n"
        "submodel (PointMass) m(m=3)\nconnect i to f to b to m\nend\n"
    )
    values = translate(text).values()
    assert values["f.f(3)"] == pytest.approx(3 * 9.81) and values["f.tau(2)"] == pytest.approx(-2 * 3 * 9.81)


def test_one_joint_alone_with_a_force():
    """All vectors have one element."""
    text = (
        "@mbsmat\nmodel Pendulum\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (Revolute) r(n2=1, q0=0.5)\n"
        "submodel (Bar) b(r3=-2)\nsubmodel (PointMass) m(m=3)\nsubmodel (WorldForce) w\nsubmodel (Spring) s(c=4)\n"
        "connect i to r to b to m, w at b:b, s at (i:a, b:b)\nw.f = [5, 0, 0]\nend\n"
    )
    values = translate(text).values()
    force = -3 * 9.81 * 2 * np.sin(0.5) - 5 * 2 * np.cos(0.5)
    assert values["r.qdd"] == pytest.approx(force / 12) and values["i.Mred(1,1)"] == pytest.approx(12)


def test_operations_are_those_of_the_page(write_model):
    """The arm r3 with three libraries, and a loop in closed form with this one."""
    root = Path(__file__).parents[2]
    page = (root / "docs/libraries/velocity_transformation.md").read_text(encoding="utf-8")
    rows = {row.split("|")[1].strip(): row.split("|")[3:6] for row in page.splitlines() if row.startswith("| ")}
    arm = (root / "models/r3mbs.mo").read_text(encoding="utf-8")
    for library, cell in zip(("mbssim", "mbs", "mbsmat"), rows["Manutec r3 (`models/r3mbs.mo`)"], strict=True):
        found = cutset.load(write_model(arm.replace("@mbssim", f"@{library}"))).inspect()["operations"]
        assert cell.strip() == f"{found['mul_div']}, {found['add_sub']}", library
    found = cutset.load(root / "models/pymbs/crank_slider.mo").inspect()["operations"]
    assert rows["`models/pymbs/crank_slider.mo`"][2].strip() == f"{found['mul_div']}, {found['add_sub']}"
