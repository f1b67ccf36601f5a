"""The components of rotational.mo in small drives with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import simulate, work  # noqa: F401 - a fixture
from numpy.testing import assert_allclose as close

import cutset

PI = np.pi


# --- inertias and compliances ---


def test_inertia_on_a_spring_swings(simulate):
    run = simulate(
        "submodel (Fixed) f(phi0=0.2)\nsubmodel (Spring) s(c=8, phi_rel0=0.1)\nsubmodel (Inertia) J(J=2, phi0=0.8, "
        "w0=-1)\n"
        "connect f to s to J",
        stop=5.0,
    )
    # About phi = 0.3 with omega = 2.
    close(run["J.phi"], 0.3 + 0.5 * np.cos(2 * run.time) - 0.5 * np.sin(2 * run.time), atol=1e-7)
    close(run["f.tau"], 8 * (run["J.phi"] - 0.3), atol=1e-12)


def test_damper_turns_energy_into_heat(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (Damper) d(d=3)\nsubmodel (Inertia) J(J=2, w0=4)\nconnect f to d to J", stop=2.0
    )
    close(run["J.w"], 4 * np.exp(-1.5 * run.time), atol=1e-8)
    close(work(run, run["d.loss"]), 16 - run["J.w"][-1] ** 2, rtol=1e-5)


def test_spring_damper_and_disc(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (Disc) disc(delta=0.5)\nsubmodel (SpringDamper) s(c=10, d=2, phi_rel0=0.5)\n"
        "submodel (Inertia) J(J=2, phi0=2)\nconnect f to disc to s to J",
        stop=4.0,
    )
    # x'' + x' + 5 x = 0 about phi = 0.5 + 0.5, with x(0) = 1 and x'(0) = 0.
    w = np.sqrt(5 - 0.25)
    x = np.exp(-0.5 * run.time) * (np.cos(w * run.time) + 0.5 / w * np.sin(w * run.time))
    close(run["J.phi"], 1 + x, atol=1e-7)
    close(run["s.loss"], 2 * run["J.w"] ** 2, atol=1e-9)


def test_backlash_is_free_inside_and_gives_back_its_energy(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (ElastoBacklash) b(c=100, b=0.4)\nsubmodel (Inertia) J(J=4, w0=1)\nconnect f to "
        "b to J",
        stop=3.0,
    )
    free = np.abs(run["J.phi"]) < 0.2
    close(np.abs(run["J.w"][free]), 1.0, atol=1e-7)
    gone = np.maximum(np.abs(run["J.phi"]) - 0.2, 0.0)
    close(2 * run["J.w"] ** 2 + 50 * gone**2, 2.0, rtol=1e-6)
    # 0.2 s to the stop, half a swing with omega = 5 there and back.
    close(np.interp(0.2 + PI / 5, run.time, run["J.phi"]), 0.2, atol=1e-5)


def test_backlash_with_a_damper_never_pulls(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (ElastoBacklash) b(c=100, d=30, b=0.2)\nsubmodel (Inertia) J(J=1, "
        "w0=3)\nconnect f to b to J",
        stop=2.0,
    )
    assert np.all(run["b.tau"] * run["b.phi_rel"] >= -1e-12)
    assert np.max(np.abs(run["b.tau"])) > 1.0 and run["J.w"][-1] ** 2 < 9.0


def test_free_inertia_takes_its_start_from_the_model(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (Spring) s(c=4)\nsubmodel (FreeInertia) J(J=1)\nsubmodel (ConstTorque) "
        "T(tau0=2)\n"
        "connect f to s to J to T\ninitial\nder(J.w) = 0\nJ.w = 0\nendinitial"
    )
    close(run["J.phi"], 0.5, atol=1e-12)


def test_relative_states_and_torque_between_two_flanges(simulate):
    run = simulate(
        "submodel (Inertia) a(J=1, phi0=1), b(J=3)\nsubmodel (RelativeStates) r\nsubmodel (Torque2) T\n"
        "connect a to r to b, a to T to b\nT.tau = 6*time",
        stop=2.0,
    )
    close(run["a.w"] + 3 * run["b.w"], 0.0, atol=1e-9)
    close(run["r.w_rel"], -4 * run.time**2, atol=1e-8)


# --- gears ---


def test_ideal_gear_and_its_housing(simulate):
    run = simulate(
        "submodel (ConstTorque) T(tau0=2)\nsubmodel (Inertia) a(J=1), b(J=9)\nsubmodel (IdealGear) g(ratio=3, "
        "supported=true)\n"
        "submodel (Fixed) f\nsubmodel (Inertia) h(J=5)\nsubmodel (Spring) s(c=100)\n"
        "connect T to a to g to b, g:S at h:A, h to s to f",
        stop=2.0,
    )
    close(run["a.phi"] - run["h.phi"], 3 * (run["b.phi"] - run["h.phi"]), atol=1e-9)
    # Power is conserved, and all angular momentum comes from the torque and the wall.
    close(run["g.taua"] + run["g.taub"] + run["g.taus"], 0.0, atol=1e-12)
    energy = 0.5 * (run["a.w"] ** 2 + 9 * run["b.w"] ** 2 + 5 * run["h.w"] ** 2) + 50 * run["h.phi"] ** 2
    close(energy, 2 * run["a.phi"], atol=1e-6)


@pytest.mark.parametrize("torque, expected", [(10.0, 9 * 10 / (8 + 9 * 2)), (-10.0, None)])
def test_lossy_gear_driven_at_a(simulate, torque, expected):
    """taub + r*eta*taua = 0: J_B*a_B = r*eta*(T - J_A*r*a_B), forward as backward."""
    run = simulate(
        f"submodel (ConstTorque) T(tau0={torque})\nsubmodel (Inertia) a(J=0.5), b(J=8)\n"
        "submodel (LossyGear) g(ratio=4, eta1=[0.8, 0.8], eta2=[0.7, 0.7])\nconnect T to a to g to b"
    )
    acceleration = 4 * 0.8 * torque / (8 + 16 * 0.8 * 0.5)
    close(run["b.w"], acceleration * run.time, atol=1e-8)
    close(run["g.loss"][1:], 0.2 * run["g.taua"][1:] * run["a.w"][1:], atol=1e-8)


def test_lossy_gear_driven_at_b_with_friction_in_the_bearings(simulate):
    """-taub = r*(taua/eta2 - bf2)."""
    run = simulate(
        "submodel (ConstTorque) T(tau0=30)\nsubmodel (Inertia) a(J=0.5), b(J=8)\n"
        "submodel (LossyGear) g(ratio=4, eta1=[0.8, 0.8], eta2=[0.7, 0.7], bf1=[0.4, 0.4], bf2=[0.5, 0.5])\nconnect a "
        "to g to b to T:A"
    )
    # 30 - 8 x = 4*(0.5*4 x/0.7 + 0.5)
    acceleration = (30 - 4 * 0.5) / (8 + 16 * 0.5 / 0.7)
    close(run["b.w"], acceleration * run.time, atol=1e-8)


def test_lossy_gear_sticks_within_its_losses(simulate):
    run = simulate(
        "submodel (Torque) T\nsubmodel (Inertia) a(J=0.5), b(J=8)\n"
        "submodel (LossyGear) g(ratio=4, bf1=[2, 2], bf2=[2, 2])\nconnect T to a to g to b\nT.tau = 4*time"
    )
    # It starts when the torque passes 2, at 0.5 s, and goes with what is beyond.
    expected = np.where(run.time < 0.5, 0.0, 4 * 2 * (run.time - 0.5) ** 2 / (8 + 16 * 0.5))
    close(run["b.w"], expected, atol=1e-6)


def test_a_lossy_gear_that_turns_no_longer_starts(simulate):
    """It starts backward at once, rests for a while, and starts forward at 0.178 s."""
    run = simulate(
        "submodel (Inertia) a(J=1), b(J=1.5)\nsubmodel (Torque) T, load\nsubmodel (Sine) s(amplitude=10, f=1)\n"
        "submodel (LossyGear) g(ratio=2, eta1=[0.5, 0.5], eta2=[0.5, 0.5])\n"
        "connect s to T to a to g to b to load:A\nload.tau = -9",
        include="@rotational\n@sources", stop=0.25, method="bdf", rtol=1e-5, atol=1e-5,
    )  # fmt: skip
    assert (run["g.mode"][run.time > 0.185] == 3).all() and not run["g.start_forward"][run.time > 0.185].any()


def test_a_lossy_gear_needs_a_ratio(simulate):
    with pytest.raises(cutset.ModelError, match="must not be zero"):
        simulate("submodel (Inertia) a(J=1), b(J=1)\nsubmodel (LossyGear) g(ratio=0)\nconnect a to g to b")


@pytest.mark.parametrize("load", ["0", "3*sin(5*time)"])
@pytest.mark.parametrize("b", [0.0, 0.4])
def test_lossy_gear_whose_motion_is_prescribed_and_rests(simulate, load, b):
    """It rests from 1 s to 2 s. J_B*a_B = 4*(taua - lost) + load; forward while A drives, lost = 0.2*taua + b."""
    run = simulate(
        f"submodel (Position) p\nsubmodel (Inertia) J(J=2)\nsubmodel (Torque) T\nsubmodel (LossyGear) g(ratio=4, "
        f"eta1=[0.8, 0.8], eta2=[0.8, 0.8], bf1=[{b}, {b}], bf2=[{b}, {b}])\nconnect p to g to J, T at J:B\n"
        f"p.phi = if time < 1 then -0.1*(1 - time)^3 elseif time < 2 then 0 else 0.2*(time - 2)^3\nT.tau = {load}",
        3.0,
    )
    moves = (run.time < 0.99) | (run.time > 2.01)
    a, taua = run["g.a"][moves], run["g.taua"][moves]
    lost = np.where(run["g.drives"][moves] > 0.5, 0.2 * taua, -0.25 * taua) + b
    close(run["g.lost"][moves], lost, atol=1e-9)
    close(0.5 * a, 4 * (taua - lost) + run["T.tau"][moves], atol=1e-8)
    close(run["g.w"][(run.time > 1.01) & (run.time < 1.99)], 0.0, atol=1e-12)


def test_gearbox_turns_its_shaft_after_a_twist(simulate):
    run = simulate(
        "submodel (ConstTorque) T(tau0=3)\nsubmodel (Inertia) J(J=2)\nsubmodel (Fixed) f\n"
        "submodel (Gearbox) g(ratio=5, eta1=[0.9, 0.9], eta2=[0.9, 0.9], c=100, d=40, b=0.02)\nconnect T to J to g to "
        "f",
        stop=40.0,
        rtol=1e-6,
    )
    # At rest at last, anywhere within the losses of the mesh: 13.5 to 16.7 N.m reach the spring behind half the
    # backlash.
    close(run["J.w"][-1], 0.0, atol=1e-3)
    assert 0.9 * 15 / 100 <= run["J.phi"][-1] / 5 - 0.01 <= 15 / 0.9 / 100


def test_planetary_gear_with_a_held_ring(simulate):
    run = simulate(
        "submodel (ConstTorque) T(tau0=3)\nsubmodel (Inertia) s(J=1), c(J=18)\nsubmodel (Fixed) f\n"
        "submodel (IdealPlanetary) g(ratio=2)\nconnect T to s to g:sun, g:carrier to c, f at g:ring"
    )
    close(run["s.w"], 3 / (1 + 18 / 9) * run.time, atol=1e-9)
    close(run["c.phi"], run["s.phi"] / 3, atol=1e-12)


def test_gear_to_translation(simulate):
    run = simulate(
        "submodel (ConstTorque) T(tau0=3)\nsubmodel (Inertia) J(J=0.5)\nsubmodel (IdealGearR2T) g(ratio=10)\nsubmodel "
        "(tra.Mass) m(m=50)\n"
        "connect T to J to g to m"
    )
    # One meter is ten radians: the mass counts as 50/100 of an inertia.
    close(run["J.w"], 3 * run.time, atol=1e-9)
    close(run["m.v"], 0.3 * run.time, atol=1e-9)


# --- sources ---


def test_loads_that_depend_on_the_speed(simulate):
    run = simulate(
        "submodel (Inertia) J(4)(J=2, w0=3)\nsubmodel (LinearTorque) l(tau_n=-4, w_n=2)\nsubmodel (QuadraticTorque) "
        "q(tau_n=-4, w_n=2)\n"
        "submodel (SignTorque) s(tau_n=-4, w0=0.5)\nsubmodel (TorqueStep) p(tau0=1, tau1=-2, t0=0.5)\n"
        "connect J(1) to l, J(2) to q, J(3) to s, J(4) to p",
        stop=3.0,
    )
    t = run.time
    close(run["J(1).w"], 3 * np.exp(-t), atol=1e-8)
    close(run["J(2).w"], 3 / (1 + 1.5 * t), atol=1e-8)
    # -2 rad/s2 down to 0.5 at 1.25 s, then a decay with the rate 4.
    close(run["J(3).w"], np.where(t < 1.25, 3 - 2 * t, 0.5 * np.exp(-4 * (t - 1.25))), atol=1e-7)
    close(run["J(4).w"], np.where(t < 0.5, 3 + 0.5 * t, 3.25 - (t - 0.5)), atol=1e-9)


def test_prescribed_motion_and_the_torque_it_takes(simulate):
    run = simulate(
        "submodel (FreeInertia) J(4)(J=2)\nsubmodel (Position) p(supported=true)\nsubmodel (Speed) s(phi0=1)\n"
        "submodel (Accelerate) a(phi0=1, w0=-1)\nsubmodel (ConstSpeed) c(w0=3, phi0=2)\nsubmodel (Fixed) f\n"
        "connect p to J(1), s to J(2), a to J(3), c to J(4), p:S at f\n"
        "p.phi = sin(2*time)\ns.w = cos(2*time)\na.a = 6*time",
        stop=2.0,
    )
    t = run.time
    close(run["J(1).w"], 2 * np.cos(2 * t), atol=1e-12)
    close(run["p.tau"], -8 * np.sin(2 * t), atol=1e-12)
    close(run["f.tau"], 8 * np.sin(2 * t), atol=1e-12)
    close(run["J(2).phi"], 1 + 0.5 * np.sin(2 * t), atol=1e-8)
    close(run["s.tau"], -4 * np.sin(2 * t), atol=1e-12)
    close(run["J(3).phi"], 1 - t + t**3, atol=1e-8)
    close(run["a.tau"], 12 * t, atol=1e-12)
    close(run["J(4).phi"], 2 + 3 * t, atol=1e-9)


def test_soft_prescribed_motion_is_a_filter(simulate):
    run = simulate(
        "submodel (Inertia) a(J=2), b(J=2)\nsubmodel (SoftPosition) p(f_crit=1)\nsubmodel (SoftSpeed) s(f_crit=0.5)\n"
        "connect p to a, s to b\np.phi_ref = 1\ns.w_ref = 2",
        stop=3.0,
    )
    t, w = run.time, 2 * PI
    close(run["b.w"], 2 * (1 - np.exp(-PI * t)), atol=1e-8)
    # 0.618 q'' + 1.3617 w q' + w^2 q = w^2
    damping = 1.3617 * w / (2 * 0.618)
    swing = np.sqrt(w**2 / 0.618 - damping**2)
    close(run["a.phi"], 1 - np.exp(-damping * t) * (np.cos(swing * t) + damping / swing * np.sin(swing * t)), atol=1e-7)


# --- sensors ---


def test_sensors(simulate):
    run = simulate(
        "submodel (ConstTorque) T(tau0=6)\nsubmodel (Inertia) a(J=1), b(J=2, phi0=1)\n"
        "submodel (AngleSensor) phi\nsubmodel (SpeedSensor) w\nsubmodel (AccSensor) acc\nsubmodel (RelSensor) r\n"
        "submodel (TorqueSensor) tau\nsubmodel (PowerMeter) P\nsubmodel (Inertia) d(J=2)\n"
        "connect T to a to tau to P to d, a:B to phi, a:B to w, a:B to acc, r at (a:B, b:A)",
        stop=2.0,
    )
    t = run.time
    close(run["phi.phi"], t**2, atol=1e-8)
    close(run["w.w"], 2 * t, atol=1e-9)
    close(run["acc.a"], 2.0, atol=1e-12)
    close(run["tau.tau"], 4.0, atol=1e-12)
    close(run["P.power"], 8 * t, atol=1e-8)
    close(run["r.phi_rel"], 1 - t**2, atol=1e-8)
    close(run["r.w_rel"], -2 * t, atol=1e-9)
    close(run["r.a_rel"], -2.0, atol=1e-12)
