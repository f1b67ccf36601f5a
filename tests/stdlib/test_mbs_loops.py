"""Loops of mbs.mo: joints that close them, assemblies in closed form, long runs."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms_with_loops import (
    CLOSED,
    CRANK_CLOSED,
    CRANK_CUT,
    CUT,
    CYLINDER_CLOSED,
    CYLINDER_CUT,
    HANGING,
    LONG,
    SPATIAL,
)

import cutset

ACCURATE = {"rtol": 1e-10, "atol": 1e-10, "method": "dopri5"}
# Between rare outputs an iteration could find another of its solutions.
OFTEN = 0.02


@pytest.fixture
def load(write_model):
    return lambda text: cutset.load(write_model(text))


def _same(one, other, names, stop=3.0, bound=1e-7):
    runs = [model.simulate(stop=stop, interval=OFTEN, **ACCURATE) for model in (one, other)]
    # Where other states are chosen there are rows of events, too.
    times = np.arange(round(stop / OFTEN) + 1) * OFTEN
    rows = [np.array([np.argmin(np.abs(run.time - t)) for t in times]) for run in runs]
    for a, b in names:
        curves = runs[0][a][rows[0]], runs[1][b][rows[1]]
        np.testing.assert_allclose(*curves, atol=bound * max(1.0, np.ptp(curves[1])), err_msg=a)


FORCES = tuple((f"i.fa({k})", f"i.fa({k})") for k in range(1, 7))


def test_assembly_of_three_revolute_joints_equals_the_loop_that_is_cut(load):
    cut, closed = load(CUT), load(CLOSED)
    assert cut.states == closed.states == ("j1.q", "j1.qd")
    assert closed.inspect()["nonlinear_systems"] == []
    assert [system["torn"] for system in closed.inspect()["linear_systems"]] == [1]
    _same(cut, closed, (("j1.q", "j1.q"), ("j1.qdd", "j1.qdd"), *FORCES))


def test_assembly_of_two_revolute_joints_and_a_slider_equals_the_loop_that_is_cut(load):
    cut, closed = load(CRANK_CUT), load(CRANK_CLOSED)
    assert closed.inspect()["nonlinear_systems"] == []
    _same(cut, closed, (("crank.q", "crank.q"), ("slide.q", "j.s"), ("slide.qdd", "j.sdd"), *FORCES))


def test_assembly_of_a_cylinder_equals_the_loop_that_is_cut(load):
    cut, closed = load(CYLINDER_CUT), load(CYLINDER_CLOSED)
    assert closed.inspect()["nonlinear_systems"] == []
    _same(
        cut,
        closed,
        (("boom.q", "boom.q"), ("slide.q", "j.s"), ("slide.qdd", "j.sdd"), ("m3.aa(6)", "m3.aa(6)"), *FORCES),
        stop=1.0,
    )
    other = load(CYLINDER_CLOSED.replace("@mbs\n", "@mbssim\n"))
    _same(other, closed, (("boom.q", "boom.q"), ("j.s", "j.s"), ("boom.qdd", "boom.qdd")), stop=1.0)


def test_loop_in_space_moves_as_the_planar_one(load):
    _same(
        load(SPATIAL),
        load(CUT),
        (("j1.q", "j1.q"), ("j1.qdd", "j1.qdd"), ("i.fa(4)", "i.fa(4)"), ("i.fa(6)", "i.fa(6)")),
        stop=0.6,  # it passes a position in which the coupler may turn about itself
    )


@pytest.mark.parametrize(
    ("joint", "cut", "given"),
    [
        ("(Revolute)", "(CutRevolute)", "(n1=0.3, n2=-0.4, n3=0.8)"),
        ("(Prismatic)", "(CutPrismatic)", "(n1=0.3, n2=-0.4, n3=0.8)"),
        ("(Spherical)", "(CutSpherical)", ""),
        ("(Universal)", "(CutUniversal)", "(na1=1, nb2=0.6, nb3=0.8)"),
    ],
)
def test_joint_by_its_conditions_moves_a_free_body_as_the_joint_does(joint, cut, given, load):
    tree = load(HANGING.format(joint=joint, given=given, rest="connect bar to j to m"))
    free = "submodel (FreeCardan) free(q01=0.4, q03=0.3)\n  submodel (JointState) state\n"
    rest = f"{free}  connect i to free to m, j:a at bar:b, j:b at free:b, state at arm:ext"
    held = load(HANGING.format(joint=cut, given=given, rest=rest))
    assert len(held.states) <= len(tree.states)
    names = [("arm.q", "arm.q"), ("arm.qdd", "arm.qdd"), *((f"m.fa({k})", f"m.fa({k})") for k in range(1, 7))]
    _same(held, tree, names, stop=1.5)


@pytest.mark.parametrize(
    ("joint", "cut", "given"),
    [
        ("(Revolute)", "(CutRevolute)", "(n1=0.3, n2=-0.4, n3=0.8)"),
        ("(Universal)", "(CutUniversal)", "(na1=1, nb2=0.6, nb3=0.8)"),
    ],
)
def test_euler_parameters_that_a_loop_binds_are_chosen_in_the_run(joint, cut, given, load):
    """p(1) and p(4) of a body on an axis do not say where it is everywhere."""
    tree = load(HANGING.format(joint=joint, given=given, rest="connect bar to j to m"))
    rest = (
        "submodel (Free) free(x1=0.4, x3=0.3)\n  submodel (JointState) state\n"
        "  connect i to free to m, j:a at bar:b, j:b at free:b, state at arm:ext"
    )
    held = load(HANGING.format(joint=cut, given=given, rest=rest))
    assert any(state.startswith("$states") for state in held.states)
    _same(held, tree, [("arm.q", "arm.q"), ("m.fa(4)", "m.fa(4)")], stop=1.5)


def test_euler_parameters_that_a_loop_leaves_free_are_states(load):
    tree = load(HANGING.format(joint="(Spherical)", given="", rest="connect bar to j to m"))
    rest = "submodel (Free) free(x1=0.4, x3=0.3)\n  connect i to free to m, j:a at bar:b, j:b at free:b"
    _same(
        load(HANGING.format(joint="(CutSpherical)", given="", rest=rest)),
        tree,
        [("arm.q", "arm.q"), ("m.fa(4)", "m.fa(4)")],
        stop=1.5,
    )


def test_rod_has_one_condition_and_a_force_along_it(load):
    text = (
        "@mbs\nmodel Swing\nsubmodel (Inertial) i(ng3=-1, g=9.81)\nsubmodel (FreeCardan) free(q01=0.6, q03=-0.8)\n"
        "submodel (PointMass) m(m=2)\nsubmodel (Body) ball(I11=1, I22=1, I33=1)\n"
        "submodel (RodSphericalSpherical) rod(length=1)\nconnect i to free to m, ball at free:b, rod at (i:a, "
        "free:b)\nend\n"
    )
    run = load(text).simulate(stop=5.0, interval=OFTEN, **ACCURATE)
    x, z, v = run["free.x.q"], run["free.z.q"], np.hypot(run["free.x.qd"], run["free.z.qd"])
    np.testing.assert_allclose(np.hypot(x, z), 1.0, atol=1e-9)
    np.testing.assert_allclose(v**2, 2 * 9.81 * (-0.8 - z), atol=1e-7)
    np.testing.assert_allclose(run["rod.f"], 2 * (v**2 - 9.81 * z), atol=1e-6)


LONG_CRANK = CRANK_CUT.replace("(JointSpring) g(c=30)", "(JointForce) g").replace(
    "m1 at crank:b", "m1 at crank:b\n  g.f = 0"
)


def _energy(run, bodies) -> np.ndarray:
    """Of bodies (mass, center, inertia about axis 2) in the plane of axes 1 and 3, with gravity along -3."""
    total = 0.0
    for name, (mass, center, inertia) in bodies.items():
        turn = np.array([[run[f"{name}.Ta({i},{j})"] for j in (1, 2, 3)] for i in (1, 2, 3)])
        w, v = (np.array([run[f"{name}.va({k})"] for k in part]) for part in ((1, 2, 3), (4, 5, 6)))
        speed = v + np.cross(w.T, center).T
        height = run[f"{name}.ra(3)"] + np.tensordot(turn[2], center, ((0,), (0,)))
        total = total + 0.5 * mass * (speed**2).sum(0) + 0.5 * inertia * w[1] ** 2 + 9.81 * mass * height
    return total


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        (LONG, {"m1": (1.0, (0, 0, 0.5), 0.1), "m2": (2.0, (1.5, 0, 0), 1.0), "m3": (1.0, (0, 0, -1), 0.5)}),
        (LONG_CRANK, {"m1": (1.0, (0, 0, 0.1), 0.1), "m2": (1.0, (0.5, 0, 0.1), 0.1), "piston": (2.0, (0, 0, 0), 0.0)}),
    ],
    ids=["four-bar", "slider-crank"],
)
def test_nothing_drifts_in_a_thousand_seconds(text, bodies, load, monkeypatch):
    monkeypatch.delenv("CC", raising=False)  # the run takes longer than to optimize it
    run = load(text).simulate(stop=1000.0, interval=OFTEN, rtol=1e-9, atol=1e-9)
    gap = [run[f"c.rb({k})"] - run[f"c.ra({k})"] for k in (1, 3)]
    np.testing.assert_allclose(gap, 0.0, atol=1e-9)
    turns = [np.array([[run[f"c.T{side}({i},{j})"] for j in (1, 3)] for i in (1, 3)]) for side in "ab"]
    speeds = [
        np.einsum("ijt,jt->it", t, np.array([run[f"c.v{s}({k})"] for k in (4, 6)]))
        for t, s in zip(turns, "ab", strict=False)
    ]
    np.testing.assert_allclose(speeds[0], speeds[1], atol=1e-8)
    energy = _energy(run, bodies)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-4)


def test_planar_loop_that_leads_out_of_the_plane_is_an_error_that_names_the_joint(load):
    with pytest.raises(cutset.ModelError, match=r"E423.*'c' over-constrains its loop, and its conditions contradict"):
        load(LONG.replace("PlanarCutRevolute", "CutRevolute").replace("b2(r1=3)", "b2(r1=3, r2=0.2)"))


@pytest.mark.parametrize("drive", ["Rotor) g(J=3", "Brake) g(fc=1e4, engaged=1"])
def test_what_acts_on_a_slider_that_closes_a_loop(drive, load):
    """A rotor, and a brake that holds it, at the cut of JointRRP, with either library."""
    text = CRANK_CLOSED.replace("(JointSpring) g(c=30", f"({drive}").replace(
        "qd0=8", "qd0=0, q0=0.3" if "Brake" in drive else "qd0=8"
    )
    found = []
    for library in ("mbs", "mbssim"):
        run = load(text.replace("@mbs\n", f"@{library}\n")).simulate(0.0)
        found.append(
            [run[name][0] for name in ("crank.qdd", "j.sdd", "m2.aa(4)", "g.f")[: 4 if "Brake" in drive else 3]]
        )
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)
    assert abs(found[0][-1]) > 1


def test_wheel_rolls_without_sliding_and_keeps_its_energy(load):
    text = (
        "@mbs\nmodel W\nsubmodel (Inertial) i(ng3=-1)\n"
        "submodel (FreeCardan) free(q03=0.28665, q04=0.3, qd04=0.2, qd05=9, qd06=1)\nsubmodel (JointState) s4, s5, s6\n"
        "submodel (RollingWheel) wheel(radius=0.3)\nsubmodel (Body) body(m=2, I11=0.12, I22=0.06, I33=0.12)\n"
        "submodel (AbsoluteSensor) center\nconnect i to free, wheel at free:b, body at free:b, center at free:b\n"
        "connect s4 at free:ext4, s5 at free:ext5, s6 at free:ext6\nend\n"
    )
    run = load(text).simulate(stop=0.1, interval=0.002, **ACCURATE)
    w, v = (np.array([run[f"body.va({k})"] for k in part]) for part in ((1, 2, 3), (4, 5, 6)))
    energy = (
        0.5 * 2 * (v**2).sum(0)
        + 0.5 * (np.array([0.12, 0.06, 0.12])[:, None] * w**2).sum(0)
        + 2 * 9.81 * run["center.r(3)"]
    )
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)
    # The lowest point of the tilted wheel is on the ground, and stands still.
    axis = np.array([run[f"center.T({k},2)"] for k in (1, 2, 3)])
    np.testing.assert_allclose(run["center.r(3)"], 0.3 * np.sqrt(1 - axis[2] ** 2), atol=1e-9)
    down = 0.3 / np.sqrt(1 - axis[2] ** 2) * np.array([axis[0] * axis[2], axis[1] * axis[2], axis[2] ** 2 - 1])
    slip = np.array([run[f"center.v({k})"] for k in (1, 2, 3)]) + np.cross(
        [run[f"center.w({k})"] for k in (1, 2, 3)], down, axis=0
    )
    np.testing.assert_allclose(slip, 0.0, atol=1e-9)


@pytest.mark.parametrize("drive", ["JointForce) g(f=2", "Rotor) g(J=3", "Brake) g(fc=1e4, engaged=1"])
def test_a_joint_without_mass_whose_motion_follows_from_a_loop(drive, load):
    """In mbssim its equation is a condition on the forces of the loop; what hangs on its drive line counts, too."""
    text = LONG.replace(", m3(m=1, r3=-1, I22=0.5)", f"\n  submodel (LoopJoint) no_mass\n  submodel ({drive})").replace(
        ", j3 to m3", ", no_mass at j3:ext, g at j3:ext"
    )
    text = text.replace(", qd0=3", "") if "Brake" in drive else text
    found = []
    for library in ("mbs", "mbssim"):
        run = load(text.replace("@mbs\n", f"@{library}\n")).simulate(0.0)
        found.append(
            [run[name][0] for name in ("j1.qdd", "j3.qdd", "m2.aa(6)", "g.f") if name != "g.f" or "Rotor" not in drive]
        )
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)
    assert abs(found[0][-1]) > 0.5
