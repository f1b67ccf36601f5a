"""Drive lines and variable structure of mbssim.mo: gears, rotors, elastic shafts, friction, brakes, prescribed
motion."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from oracles import manutec_r3
from oracles.multibody import Tree, Weld

import cutset

ACCURATE = {"rtol": 1e-9, "atol": 1e-10}
MODELS = Path(__file__).parents[2] / "models"
DAMPERS = "submodel (JointDamper) d1(d=10), d2(d=10), d3(d=10), d4(d=2), d5(d=2), d6(d=2)"
WHEEL = "submodel (Inertial) i\nsubmodel (Revolute) r(n3=1{start})\nsubmodel (Body) m(I33=2)\nconnect i to r to m\n"


@pytest.fixture
def load(write_model):
    """load(body, start) -> a wheel of inertia 2 on a joint r, and the body."""

    def translate(body: str, start: str = ""):
        return cutset.load(write_model("@mbssim\nmodel System\n" + WHEEL.replace("{start}", start) + body + "\nend\n"))

    return translate


def is_explicit(model) -> bool:
    sizes = model.inspect()
    return sizes["linear_systems"] == [] and sizes["nonlinear_systems"] == []


# --- rotors, gears, shafts ---


def test_a_rotor_behind_a_gear_counts_with_the_square_of_the_ratio(load):
    model = load(
        "submodel (IdealGear) g(ratio=-10)\nsubmodel (Rotor) rotor(J=0.03)\nsubmodel (JointForce) motor(f=2)\n"
        "connect g to r:ext, rotor at g:A, motor at g:A"
    )
    assert is_explicit(model)
    run = model.simulate(stop=1.0, **ACCURATE)
    np.testing.assert_allclose(run["r.qdd"], -20 / (2 + 100 * 0.03), rtol=1e-12)
    np.testing.assert_allclose(run["rotor.q"], -10 * run["r.q"], atol=1e-12)


def test_an_elastic_shaft_swings_between_its_inertias(load):
    model = load(
        "submodel (ShaftSpring) s(c=300)\nsubmodel (Rotor) rotor(J=1)\nconnect s to r:ext, rotor at "
        "s:A\ninitial\ns.twist = 0.1\nendinitial"
    )
    assert is_explicit(model) and len(model.states) == 4
    run = model.simulate(stop=1.0, **ACCURATE)
    omega = np.sqrt(300 * (1 / 2 + 1 / 1))
    np.testing.assert_allclose(run["s.twist"], 0.1 * np.cos(omega * run.time), atol=1e-7)
    np.testing.assert_allclose(2 * run["r.q"] + 1 * run["rotor.q"], 0.1, atol=1e-7)


def test_springs_and_dampers_of_a_joint(load):
    model = load("submodel (JointSpringDamper) s(c=18, d=2, q_rest=0.5)\nconnect s at r:ext", ", q0=1.5")
    run = model.simulate(stop=2.0, **ACCURATE)
    omega = np.sqrt(9 - 0.25)
    swing = np.exp(-0.5 * run.time) * (np.cos(omega * run.time) + 0.5 / omega * np.sin(omega * run.time))
    np.testing.assert_allclose(run["r.q"], 0.5 + swing, atol=1e-7)


def test_drives_of_a_prismatic_joint(write_model):
    model = cutset.load(
        write_model(
            "@mbssim\nmodel M\nsubmodel (Inertial) i\nsubmodel (Prismatic) p(n1=1)\nsubmodel (PointMass) "
            "m(m=2)\nsubmodel (JointSpring) s(c=8)\n"
            "submodel (Rotor) gear(J=0.5)\nsubmodel (JointForce) f(f=5)\nconnect i to p to m, s at p:ext, gear at "
            "p:ext, f at p:ext\nend\n"
        )
    )
    run = model.simulate(stop=3.0, **ACCURATE)
    np.testing.assert_allclose(run["p.q"], 5 / 8 * (1 - np.cos(np.sqrt(8 / 2.5) * run.time)), atol=1e-7)


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_a_motor_lifts_a_cage_by_a_rack(library, write_model):
    text = (
        f"@{library}\nmodel M\nsubmodel (Inertial) i(ng3=-1, g=10)\nsubmodel (Prismatic) p(n3=1)\nsubmodel "
        "(PointMass) m(m=2)\n"
        "submodel (Rack) k(ratio=20)\nsubmodel (Rotor) J(J=0.005)\nsubmodel (JointForce) f(f=1.4)\nsubmodel "
        "(CoulombFriction) c(fc=0.1)\n"
        "connect i to p to m, J to k to p:ext, f at J, c at J\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(stop=1.0, **ACCURATE)
    qdd = (20 * (1.4 - 0.1) - 2 * 10) / (2 + 20**2 * 0.005)
    np.testing.assert_allclose(run["p.q"], qdd * run.time**2 / 2, atol=1e-7)
    np.testing.assert_allclose(run["J.q"], 20 * run["p.q"], atol=1e-7)


def test_a_flange_of_the_library_of_shafts(write_model):
    """The same rotor and gear, once of this library, once of rotational.mo: one motion."""
    own = (
        "submodel (mbs.IdealGear) g(ratio=5)\nsubmodel (mbs.Rotor) J(J=0.1)\nsubmodel (mbs.JointForce) f(f=3)\n"
        "connect g to r:ext, J at g:A, f at g:A"
    )
    other = (
        "submodel (Torque) f\nsubmodel (Inertia) J(J=0.1)\nsubmodel (IdealGear) g(ratio=5)\nsubmodel "
        "(mbs.RotationalFlange) t\n"
        "connect f to J to g to t to r:ext\nf.tau = 3"
    )
    arm = (
        "submodel (mbs.Inertial) i(ng2=-1)\nsubmodel (mbs.Revolute) r(n3=1)\n"
        "submodel (mbs.Body) m(m=1, r1=0.5, I33=0.2)\nconnect i to r to m\n"
    )
    runs = [
        cutset.load(write_model(f"@mbssim as mbs\n@rotational\nmodel M\n{arm}{drive}\nend\n")).simulate(
            stop=2.0, **ACCURATE
        )
        for drive in (own, other)
    ]
    np.testing.assert_allclose(runs[0]["r.q"], runs[1]["r.q"], atol=1e-7)
    assert np.ptp(runs[0]["r.q"]) > 1


def test_a_flange_of_the_library_of_sliders(write_model):
    text = (
        "@mbssim\n@translational as tra\nmodel M\nsubmodel (Inertial) i(ng1=1, g=10)\nsubmodel (Prismatic) "
        "p(n1=1)\nsubmodel (PointMass) m(m=2)\n"
        "submodel (TranslationalFlange) t\nsubmodel (tra.Spring) s(c=8)\nsubmodel (tra.Fixed) wall\nconnect i to p to "
        "m, wall to s to t to p:ext\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(stop=3.0, **ACCURATE)
    np.testing.assert_allclose(run["p.q"], 20 / 8 * (1 - np.cos(2 * run.time)), atol=1e-7)


# --- variable structure ---


def test_friction_stops_a_wheel_and_holds_it(load):
    model = load(
        'parameter k (unit="N.m/s") = 1\nsubmodel (CoulombFriction) c(fc=4, d=1)\nsubmodel (JointForce) f\nconnect c '
        "at r:ext, f at r:ext\nf.f = 3*k*time",
        ", qd0=1",
    )
    assert is_explicit(model)
    run = model.simulate(stop=2.0, **ACCURATE)
    # 2*qdd = 3*t - 4 - qd until it stands.
    stuck = run["c.mode"] == 2
    stops = run.time[stuck][0]
    slides, stands = run.time < stops - 1e-6, (run.time > stops + 1e-6) & (run.time < 4 / 3 - 1e-6)
    np.testing.assert_allclose(run["r.qd"][slides], (11 * np.exp(-run.time / 2) + 3 * run.time - 10)[slides], atol=1e-6)
    np.testing.assert_allclose(run["r.qd"][stands], 0.0, atol=1e-9)
    np.testing.assert_allclose(run["c.f"][stands], 3 * run.time[stands], atol=1e-9)
    assert 0.5 < stops < 0.7 and np.all(run["r.qd"][run.time > 1.4] > 0)


def test_a_brake_holds_by_its_peak(load):
    """Pressed from 1 s on, it stops the wheel; the torque breaks it loose at peak*fc = 6, and it slides with fc = 4."""
    model = load(
        "parameter k (unit=\"N.m/s\") = 1, late (unit=\"N.m\") = 3\nsubmodel (Brake) b(fc=4, peak=1.5)\nsubmodel "
        "(JointForce) f\nconnect b at r:ext, f at r:ext\n"
        "b.engaged = if time < 1 then 0 else 1\nf.f = if time < 3 then 0 else k*time - late", ", qd0=1"
    )  # fmt: skip
    run = model.simulate(stop=10.0, **ACCURATE)
    before, still = run.time < 0.999, (run.time > 1.51) & (run.time < 8.99)
    np.testing.assert_allclose(run["r.qd"][before], 1.0, atol=1e-9)
    np.testing.assert_allclose(run["r.qd"][still], 0.0, atol=1e-8)
    np.testing.assert_allclose(run["r.qd"][-1], (2 * 1 + 0.5) / 2, atol=1e-6)


def test_friction_behind_a_gear_holds_the_joint(load):
    """2 N.m on the side of the motor are 20 N.m at the joint."""
    model = load(
        'parameter k (unit="N.m/s") = 1\nsubmodel (IdealGear) g(ratio=10)\nsubmodel (CoulombFriction) '
        "c(fc=2)\nsubmodel (Rotor) J(J=0.02)\nsubmodel (JointForce) f\n"
        "connect g to r:ext, c at g:A, J at g:A, f at r:ext\nf.f = 10*k*time"
    )
    assert is_explicit(model)
    run = model.simulate(stop=3.0, **ACCURATE)
    still = run.time < 1.99
    np.testing.assert_allclose(run["r.qd"][still], 0.0, atol=1e-12)
    np.testing.assert_allclose(run["c.f"][still], run.time[still], atol=1e-9)
    np.testing.assert_allclose(run["r.qd"][-1], 5 * 1.0**2 / (2 + 2), atol=1e-5)


def test_an_elastic_shaft_may_be_held_at_its_end(load):
    """Its far end stands by friction: a torsional pendulum without the rotor."""
    model = load(
        "submodel (ShaftSpring) s(c=50)\nsubmodel (Rotor) J(J=3)\nsubmodel (CoulombFriction) c(fc=100)\nconnect s to "
        "r:ext, J at s:A, c at s:A\ninitial\ns.twist = 0.1\nendinitial"
    )
    run = model.simulate(stop=2.0, **ACCURATE)
    np.testing.assert_allclose(run["J.q"], 0.1, atol=1e-9)
    np.testing.assert_allclose(run["r.q"], 0.1 * (1 - np.cos(5 * run.time)), atol=1e-7)


def test_each_force_at_a_joint_that_another_element_holds(load):
    """A released brake and a sliding friction have no part in what a lock or a motion takes."""
    held = (
        "submodel (Lock) k\nsubmodel (Brake) b(fc=10)\nsubmodel (JointForce) f(f=3)\n"
        "connect k at r:ext, b at r:ext, f at r:ext\nb.engaged = 0"
    )
    run = load(held).simulate(stop=0.1)
    assert [run[name][-1] for name in ("b.f", "k.f", "r.lambda")] == [0.0, -3.0, 0.0]
    moved = (
        "submodel (Motion) k\nsubmodel (CoulombFriction) c(fc=0.5)\nsubmodel (Rotor) J(J=0.3)\n"
        "connect k at r:ext, c at r:ext, J at r:ext\nk.q_ref = 0.2*time + time^2"
    )
    run = load(moved).simulate(stop=0.1)
    found = [run[name][-1] for name in ("c.f", "k.f", "r.lambda")]
    np.testing.assert_allclose(found, [0.5, 0.5 + 2.3 * 2, 2 * 2], rtol=1e-12)


@pytest.mark.parametrize(("way", "behind"), [("0.2*(time - 1)^3", False), ("-0.3*(time - 1)^2", True)])
def test_friction_of_a_prescribed_motion_that_rests(load, way, behind):
    """While it rests, no equation gives the force of friction: it is zero, with a note."""
    body = (
        "submodel (CoulombFriction) c(fc=0.5, peak=1.2)\nsubmodel (Motion) k\nconnect k at r:ext\n"
        f"k.q_ref = if time < 1 then 0 else {way}\n"
    )
    body += "submodel (IdealGear) g(ratio=-2)\nconnect g to r:ext, c at g:A" if behind else "connect c at r:ext"
    run = load(body).simulate(stop=1.9, points=20, target="python")
    sign = np.sign(run["c.qd"][-1])
    expected = np.where(run.time < 1, 0.0, 0.5 * sign)
    away = np.abs(run.time - 1) > 1e-6
    np.testing.assert_allclose(run["c.f"][away], expected[away], atol=1e-12)
    assert any("undetermined" in note for note in run.notes)


@pytest.mark.parametrize(("fc", "ratio"), [((4, 4), 1), ((4, 7), 1), ((1, 3), -2), ((4, 0.5), 3)])
def test_frictions_that_stick_at_one_joint_begin_to_slide_together(load, fc, ratio):
    """They are one friction, of which each takes its part."""
    first, second = fc
    body = (
        f"submodel (CoulombFriction) c(fc={first})\nsubmodel (Brake) b(fc={second}, engaged=1)\n"
        f"submodel (IdealGear) g(ratio={ratio})\nsubmodel (JointForce) f(f=14*sin(3*time))\n"
        "connect c at r:ext, f at r:ext, g to r:ext, b at g:A"
    )
    run = load(body).simulate(stop=2.0, points=41)
    whole = first + abs(ratio) * second
    alone = load(
        f"submodel (CoulombFriction) c(fc={whole})\nsubmodel (JointForce) f(f=14*sin(3*time))\n"
        "connect c at r:ext, f at r:ext"
    ).simulate(stop=2.0, points=41)
    np.testing.assert_allclose(np.interp(alone.time, run.time, run["r.q"]), alone["r.q"], atol=1e-5)
    assert np.ptp(run["r.q"]) > 0.01


def test_frictions_that_stick_share_the_force_in_the_ratio_of_their_greatest(load):
    body = "submodel (CoulombFriction) c(fc=4, peak=2)\nsubmodel (Brake) b(fc=6, engaged=1)\n"
    run = load(body + "submodel (JointForce) f(f=7)\nconnect c at r:ext, f at r:ext, b at r:ext").simulate(stop=0.1)
    assert (run["c.f"][-1], run["b.f"][-1]) == pytest.approx((4.0, 3.0), rel=1e-12) and not run.notes


def test_two_locks_at_one_joint_are_an_error(load):
    with pytest.raises(cutset.ModelError, match="remove one of them"):
        load("submodel (Lock) c, b\nconnect c at r:ext, b at r:ext")


def test_prescribed_motion_needs_no_system_of_equations(write_model):
    """The first joint of a double pendulum moves as it is told; the torque that it takes is that of the inverse
    problem."""
    text = (
        "@mbssim\nmodel M\nsubmodel (Inertial) i(ng2=-1, g=10)\nsubmodel (Revolute) r1(n3=1), r2(n3=1, "
        "q0=0.4)\nsubmodel (Bar) b(r1=1)\n"
        "submodel (Body) m1(m=2, r1=0.5, I33=0.3), m2(m=1, r1=0.6, I33=0.1)\n{drive}\nconnect i to r1 to b to r2 to "
        "m2, m1 at r1:b\nend\n"
    )
    told = cutset.load(
        write_model(text.replace("{drive}", "submodel (Motion) d(q_ref=sin(2*time))\nconnect d at r1:ext"))
    )
    assert is_explicit(told) and set(told.states) == {"r2.q", "r2.qd"}
    run = told.simulate(stop=2.0, **ACCURATE)
    np.testing.assert_allclose(run["r1.qdd"], -4 * np.sin(2 * run.time), atol=1e-9)
    # The same torque drives the free pendulum so.
    free = cutset.load(
        write_model(text.replace("{drive}", "input tau\nsubmodel (JointForce) d\nconnect d at r1:ext\nd.f = tau"))
    )
    for k in (0, 100, 333):
        q = {
            "r1.q": np.sin(2 * run.time[k]),
            "r1.qd": 2 * np.cos(2 * run.time[k]),
            "r2.q": run["r2.q"][k],
            "r2.qd": run["r2.qd"][k],
        }
        slopes = dict(zip(free.states, free.evaluate(0.0, [q[s] for s in free.states], [run["d.f"][k]]), strict=True))
        assert slopes["r1.qd"] == pytest.approx(run["r1.qdd"][k], rel=1e-8, abs=1e-8)


# --- six joints, 64 modes, one code ---


@pytest.fixture(scope="module")
def friction_arm(tmp_path_factory):
    """The arm r3 with friction in the place of its dampers."""
    text = (MODELS / "r3_arm.mo").read_text(encoding="utf-8")
    file = tmp_path_factory.mktemp("arm") / "arm.mo"
    friction = "submodel (CoulombFriction) d1(fc=1), d2(fc=1), d3(fc=1), d4(fc=1), d5(fc=1), d6(fc=1)"
    file.write_text(text.replace(DAMPERS, friction), encoding="utf-8")
    return cutset.load(file)


def _with_locked(tree: Tree, locked: tuple[bool, ...], q: np.ndarray) -> Tree:
    joints = [
        Weld(joint.parent, joint.axis, float(angle), joint.offset) if held else joint
        for joint, held, angle in zip(tree.joints, locked, q, strict=True)
    ]
    return replace(tree, joints=tuple(joints))


def test_all_64_modes_of_an_arm_are_in_one_code(friction_arm):
    """Joints with a strong friction stand, those without are free: each combination is the arm with those joints
    welded."""
    assert is_explicit(friction_arm)
    tree, rng = manutec_r3.r3_arm(damping=()), np.random.default_rng(8)
    names = [f"r{k}" for k in range(1, 7)]
    for locked in product((False, True), repeat=6):
        free = ~np.array(locked)
        q, qd = rng.uniform(-2, 2, 6), rng.uniform(-2, 2, 6) * free
        values = {f"{n}.q": x for n, x in zip(names, q, strict=False)} | {
            f"{n}.qd": x for n, x in zip(names, qd, strict=False)
        }
        fc = {f"d{k + 1}.fc": 1e6 if held else 0.0 for k, held in enumerate(locked)}
        slopes = friction_arm.evaluate(0.0, [values[s] for s in friction_arm.states], parameters=fc)
        found = dict(zip(friction_arm.states, slopes, strict=True))
        qdd = np.array([found[f"{n}.qd"] for n in names])
        np.testing.assert_array_equal(qdd[~free], 0.0)
        if np.any(free):
            expected = _with_locked(tree, locked, q).accelerations(q[free], qd[free])
            np.testing.assert_allclose(qdd[free], expected, rtol=1e-9, atol=1e-9)


def test_a_locked_joint_with_a_rotor_hands_on_what_is_behind_it(tmp_path):
    """Along an axis that is none of the frame: the joint that stands is a rigid connection, its rotor does not
    count."""
    text = (
        "@mbssim\nmodel M\nsubmodel (Inertial) i(ng1=1, ng2=2, ng3=-3)\nsubmodel (Revolute) a(n1=1, n2=1), c(n1=-0.2, "
        "n2=0.7, n3=0.3)\n"
        "submodel (Bar) x(r1=0.4, r3=0.3), y(r1=-0.1, r2=0.5, r3=0.2)\nsubmodel (Body) k(m=1, r1=0.2, I11=0.3, "
        "I22=0.2, I33=0.3)\n"
        "submodel (Body) l(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, "
        "I32=0.02)\n{joint}\n"
        "connect i to a to x to b to y to c to l, k at b:b\nend\n"
    )
    held = (
        "submodel (Revolute) b(n1=0.3, n2=-0.4, n3=0.8, q0=0.7)\nsubmodel (Rotor) J(J=0.5)\n"
        "submodel (Brake) s(fc=1e6, engaged=1)\nconnect J at b:ext, s at b:ext"
    )
    fixed = "submodel (Fixed) b(n1=0.3, n2=-0.4, n3=0.8, angle=0.7)"
    found = []
    for name, joint in (("held", held), ("fixed", fixed)):
        file = tmp_path / f"{name}.mo"
        file.write_text(text.replace("{joint}", joint), encoding="utf-8")
        model = cutset.load(file)
        state = {"a.q": 0.3, "a.qd": -1.2, "c.q": 0.9, "c.qd": 0.8, "b.q": 0.7, "b.qd": 0.0}
        rates = dict(zip(model.states, model.evaluate(0.0, [state[s] for s in model.states]), strict=True))
        found.append([rates["a.qd"], rates["c.qd"]])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-11)


def test_joints_stick_break_away_and_reverse(friction_arm):
    """The arm falls and comes to rest; its energy never grows."""
    fc = {"d1.fc": 200.0, "d2.fc": 600.0, "d3.fc": 150.0, "d4.fc": 20.0, "d5.fc": 20.0, "d6.fc": 5.0}
    run = friction_arm.simulate(stop=4.0, parameters=fc, rtol=1e-8, atol=1e-8)
    q = np.array([run[f"r{k}.q"] for k in range(1, 7)]).T
    qd = np.array([run[f"r{k}.qd"] for k in range(1, 7)]).T
    tree = manutec_r3.r3_arm(damping=())
    energy = np.array([tree.energy(a, b) for a, b in zip(q[::5], qd[::5], strict=False)])
    assert np.all(np.diff(energy) < 1e-4)
    modes = np.array([run[f"d{k}.mode"] for k in range(1, 7)])
    assert {1.0, 2.0, 3.0} <= set(modes.ravel()) and np.all(modes[:, -1] == 2)
    assert any(np.any(np.diff((mode == 2).astype(int)) < 0) for mode in modes)  # one of them breaks away again


@pytest.mark.parametrize(("rotors", "share"), [(True, 0.035), (False, 0.205)], ids=["rotors", "no rotors"])
def test_locking_costs_little_where_joints_have_rotors(rotors, share, tmp_path):
    """Beside the same friction law without its locking, which stands here; equations (19): a subtraction and two
    products. Without rotors the row of N along the axis, which vanishes in a free joint, is part of all that
    follows."""
    text = (MODELS / "r3_arm.mo").read_text(encoding="utf-8")
    if rotors:
        more = "".join(f"  submodel (Rotor) g{k}(J={20 + k})\n  connect g{k} at r{k}:ext\n" for k in range(1, 7))
        text = text[: text.rindex("end")] + more + "end\n"
    sliding = """
model class (JointFriction) Sliding
  parameter fc
  free = fc <= 0
  f0 = fc
  fmax = fc
  slope = 0
end
"""
    library = (Path(cutset.stdlib.__file__).parent / "mbssim" / "drives.mo").read_text(encoding="utf-8")
    held = "if locked and driven > 0.5 then 0 elseif locked then -fmax/reference*hold\n      else"
    never = library.replace("L = if locked and driven < 0.5 then fmax/reference else 0", "L = 0").replace(held, "")
    assert "fmax/reference" not in never
    counts = []
    for name in ("CoulombFriction", "Sliding"):
        friction = f"submodel ({name}) d1(fc=1), d2(fc=1), d3(fc=1), d4(fc=1), d5(fc=1), d6(fc=1)"
        model = text.replace(DAMPERS, friction)
        if name == "Sliding":
            start = never.index("model class (fric.FrictionModes) JointFriction")
            law = never[start : never.index("end\n", start) + 4].replace("JointFriction", "NeverLocked")
            model = model.replace(
                "@mbssim", "@mbssim\n@friction as fric\n" + law + sliding.replace("JointFriction", "NeverLocked")
            )
        file = tmp_path / f"{name}.mo"
        file.write_text(model, encoding="utf-8")
        operations = cutset.load(file).inspect()["operations"]
        counts.append(operations["mul_div"] + operations["add_sub"])
    assert counts[0] <= (1 + share) * counts[1], counts
