"""The components of rotational.mo in small drives with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_with
from numpy.testing import assert_allclose as close
from oracles.drive_trains import compared

import cutset

PI = np.pi


@pytest.fixture
def simulate(write_model):
    def run(body: str, stop: float = 1.0, include: str = "@rotational", **options):
        return run_with(write_model, include, body, stop, **options)

    return run


def work(run, power):
    """The integral of a power over the run, by the rule of trapezoids."""
    return float(np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time)))


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


# --- friction ---


def test_clutch_slips_and_locks_and_slips_again(simulate):
    run = simulate(
        "submodel (Inertia) a(J=2, w0=6), b(J=1)\nsubmodel (Clutch) c(fn_max=10, mue=[0.4, 0.4], peak=1.5)\nsubmodel "
        "(Torque) T\n"
        "connect a to c to b to T:A\nc.engaged = 1\nT.tau = if time < 2 then 0 else 10*(time - 2)",
        stop=4.0,
    )
    # 4 N.m act: speeds 6 - 2 t and 4 t meet at t = 1 with w = 4.
    t, w = run.time, run["a.w"]
    slip, stuck = t < 1, (t > 1) & (t < 2.9)
    close(w[slip], 6 - 2 * t[slip], atol=1e-7)
    close(run["b.w"][slip], 4 * t[slip], atol=1e-7)
    pulled = np.maximum(t - 2, 0.0)
    close(w[stuck], 4 + 10 * pulled[stuck] ** 2 / 6, atol=1e-6)
    close(run["c.w_rel"][stuck], 0.0, atol=1e-9)
    # Locked, it gives a two thirds of the torque: 6 N.m are reached at 10*(t - 2) = 9; then 4 N.m act again.
    free = t > 2.91
    start = 4 + 10 * 0.9**2 / 6
    close(w[free], start + 2 * (t[free] - 2.9), atol=1e-6)
    close(
        work(run, run["c.loss"]),
        work(run, run["T.tau"] * run["b.w"]) + 36 - w[-1] ** 2 - 0.5 * run["b.w"][-1] ** 2,
        rtol=1e-4,
    )


@pytest.mark.parametrize("tau", ["0.8*sin(3*time)", "if time < 1 then 0.5 else 0.7"])
def test_frictions_of_one_shaft_hold_together(simulate, tau):
    """A bearing and a brake: the weaker one holds with all that it can, the other one with the rest."""
    shaft = f"submodel (Inertia) J(J=0.3)\nsubmodel (Torque) t\nt.tau = {tau}\n"
    both = (
        "submodel (BearingFriction) a(tau_tab=[0.1, 0.1])\nsubmodel (Brake) b(fn_max=0.45, mue=[1, 1])\nb.engaged = 1\n"
    )
    two = simulate(shaft + both + "connect t to J:A, J:B to a to b", stop=2.0, points=21)
    alone = "submodel (BearingFriction) a(tau_tab=[0.55, 0.55])\nconnect t to J:A, J:B to a"
    one = simulate(shaft + alone, stop=2.0, points=21)
    times = np.arange(0.05, 2.0, 0.1)
    np.testing.assert_allclose(*(np.interp(times, run.time, run["J.w"]) for run in (two, one)), atol=1e-6)
    assert np.abs(two["a.tau"]).max() <= 0.1 + 1e-9 and np.abs(two["b.tau"]).max() <= 0.45 + 1e-9


def test_open_clutch_gives_nothing(simulate):
    run = simulate(
        "submodel (Inertia) a(J=2, w0=6), b(J=1)\nsubmodel (Clutch) c(fn_max=10)\nconnect a to c to b\nc.engaged = 0"
    )
    close(run["b.w"], 0.0, atol=0)
    assert set(run["c.mode"][1:]) == {4.0}


def test_brake_stops_and_holds(simulate):
    run = simulate(
        "submodel (Inertia) J(J=2, w0=3)\nsubmodel (Brake) b(fn_max=12)\nsubmodel (ConstTorque) T(tau0=2)\n"
        "connect T to J to b\nb.engaged = 1",
        stop=3.0,
    )
    # 6 N.m of friction against 2 N.m: 3 - 2 t, at rest from 1.5 s on.
    close(run["J.w"], np.maximum(3 - 2 * run.time, 0.0), atol=1e-7)
    close(run["b.tau"][run.time > 1.51], 2.0, atol=1e-12)


def test_bearing_friction_from_a_table(simulate):
    run = simulate(
        "submodel (Inertia) J(J=1, w0=-2)\nsubmodel (BearingFriction) b(w_tab=[0, 10], tau_tab=[1, 11], "
        "supported=true)\n"
        "submodel (Fixed) f\nconnect J to b, b:S at f",
        stop=2.0,
    )
    # w' = 1 - w, from -2: at rest at t = log(3).
    close(run["J.w"], np.where(run.time < np.log(3), 1 - 3 * np.exp(-run.time), 0.0), atol=1e-6)
    close(run["f.tau"], run["b.tau"], atol=1e-12)


@pytest.mark.parametrize(
    ("element", "end"),
    [("BearingFriction) e(tau_tab={}, w_tab=[0, 1]", 0.3), ("BearingFriction) e(tau_tab={}, w_tab=[0, 1]", 0.5),
     ("Clutch) e(mue={}, fn_max=1", 0.3), ("OneWayClutch) e(mue={}, fn_max=1", 0.3)],
)  # fmt: skip
def test_a_friction_that_falls_with_the_speed_holds_its_last_value(simulate, element, end):
    """Beyond the table, a falling line ends and a rising one continues: friction never pushes."""
    connected = "connect J to e" if "Clutch" not in element else "submodel (ConstSpeed) v(w0=0)\nconnect v to e to J"
    engaged = "" if "Bearing" in element else "\ne.engaged = 1"
    run = simulate(
        f"submodel (Inertia) J(J=1, w0=10)\nsubmodel ({element.format(f'[0.4, {end}]')})\n{connected}{engaged}",
        stop=2.0,
    )
    expected = 10 - 0.3 * run.time if end < 0.4 else 14 * np.exp(-0.1 * run.time) - 4
    close(run["J.w"], expected, rtol=1e-6)


def test_the_efficiency_of_a_gear_stays_that_of_the_last_speed(simulate):
    run = simulate(
        "submodel (ConstSpeed) v(w0=5)\nsubmodel (LossyGear) g(ratio=2, eta1=[0.9, 0.6], eta2=[0.8, 0.5], "
        "bf1=[0.2, 0.1], bf2=[0.2, 0.1])\nsubmodel (ConstTorque) T(tau0=-6)\nconnect v to g to T",
        stop=0.1,
    )
    close(run["g.taub"], -6.0)
    close(run["g.taua"], (6.0 / 2 + 0.1) / 0.6)


def test_freewheel_runs_ahead_and_takes_along(simulate):
    run = simulate(
        "submodel (Inertia) a(J=1), b(J=1, w0=2)\nsubmodel (OneWayClutch) c(fn_max=2, mue=[0.5, 0.5])\nsubmodel "
        "(ConstTorque) T(tau0=1)\n"
        "connect T to a to c to b\nc.engaged = 1",
        stop=2.0,
    )
    # a is pulled by 1 + 1 N.m, b braked by 1 N.m: they meet at 2/3 s, then both go with 0.5 rad/s2.
    t = run.time
    met = t > 2 / 3
    close(run["a.w"], np.where(met, 4 / 3 + 0.5 * (t - 2 / 3), 2 * t), atol=1e-6)
    close(run["b.w"], np.where(met, 4 / 3 + 0.5 * (t - 2 / 3), 2 - t), atol=1e-6)


@pytest.mark.parametrize(
    "start, jump, wait", [(3.0, -2.0, 1.0), (0.0, -2.0, 1.0), (0.0, 2.0, 1.0), (-3.0, 2.0, 1.0), (3.0, 1.0, 1.0)]
)
def test_friction_after_a_jump_of_the_speed(simulate, start, jump, wait):
    run = simulate(
        f"submodel (Inertia) J(J=1, w0={start})\nsubmodel (BearingFriction) b\nconnect J to b\n"
        f"when time > {wait} then\ninit(J.w) = {jump}\nendwhen",
        stop=4.0,
    )
    t = run.time

    def braked(w, since):
        return np.sign(w) * np.maximum(np.abs(w) - (t - since), 0.0)

    away = np.abs(t - wait) > 1e-6
    close(run["J.w"][away], np.where(t < wait, braked(start, 0.0), braked(jump, wait))[away], atol=1e-6)


@pytest.mark.parametrize("speed", [5e-4, -2e-7])
def test_sticking_begins_only_where_the_speed_was_zero(simulate, speed):
    """A jump to a small speed, from rest and through zero: the friction brakes it at once."""
    run = simulate(
        "submodel (Inertia) J(J=1)\nsubmodel (BearingFriction) b\nconnect J to b\n"
        f"when time > 0.5 then\ninit(J.w) = {speed}\nendwhen\n"
        f"when time > 1 then\ninit(J.w) = 2\nendwhen\nwhen time > 1.5 then\ninit(J.w) = {-speed}\nendwhen",
        stop=2.0,
    )
    rests = ((run.time > 0.5 + 2 * abs(speed)) & (run.time < 1)) | (run.time > 1.5 + 2 * abs(speed))
    close(run["J.w"][rests], 0.0, atol=1e-12)


def test_a_freewheel_that_starts_or_jumps_backward_takes_the_other_side_along(simulate):
    run = simulate(
        "submodel (Inertia) A(J=1, w0=0), B(J=2, w0=-3)\nsubmodel (OneWayClutch) c(fn_max=1)\nconnect A to c to B\n"
        "c.engaged = 1\nwhen time > 1 then\ninit(c.w_rel) = 1\nendwhen\n"
        "when time > 1.5 then\ninit(c.w_rel) = -3\nendwhen",
        stop=2.0,
    )
    at = np.searchsorted(run.time, [0.5, 1.9])
    close(run["A.w"][at], [-2.0, run["B.w"][at[1]]], atol=1e-9)
    ahead = (run.time > 1.001) & (run.time < 1.499)  # it runs ahead, and 0.5 N.m brake both
    close(run["c.w_rel"][ahead], 1 - 0.5 * 1.5 * (run.time[ahead] - 1), atol=1e-6)
    before, after = np.searchsorted(run.time, 1.5, side="right") - 1, at[1]
    momentum = run["A.w"] + 2 * run["B.w"]
    assert run["c.w_rel"][before] == -3.0 and momentum[after] == pytest.approx(momentum[before])
    assert run["c.w_rel"][after] == pytest.approx(0.0, abs=1e-8)


def test_nothing_pulls_at_a_freewheel_that_catches_nothing(simulate):
    """Its greatest torque is zero, which all equations at once give up to rounding."""
    run = simulate(
        "submodel (Inertia) A(J=1, w0=-0.5), B(J=1)\nsubmodel (OneWayClutch) c(fn_max=3, peak=10)\n"
        "submodel (Torque) T\nconnect T to A to c to B\nT.tau = 10*sin(6*pi*time)\n"
        "c.engaged = if time < 0.3 then 0 else 1\nconstant pi = 3.141592653589793",
        stop=0.25, method="bdf", rtol=1e-5, atol=1e-5,
    )  # fmt: skip
    assert not run["c.catching"].any() and not run["c.pulls"].any()


def test_friction_between_motions_that_are_prescribed(simulate):
    run = simulate(
        "submodel (Position) p, q\nsubmodel (BearingFriction) b(tau_tab=[0.5, 0.5])\nsubmodel (Inertia) J(J=2)\n"
        "submodel (Clutch) c(fn_max=1, mue=[0.3, 0.3])\nconnect p to J to b, J to c to q:A\nc.engaged = 1\n"
        "p.phi = if time < 1 then 0 else 0.2*(time - 1)^3\nq.phi = if time < 0.5 then 0 else (time - 0.5)^3",
        stop=1.4,
    )
    t = run.time
    away = (np.abs(t - 0.5) > 1e-6) & (np.abs(t - 1) > 1e-6)
    close(run["b.tau"][away], np.where(t < 1, 0.0, 0.5)[away], atol=1e-12)
    close(run["c.tau"][away], np.where(t < 0.5, 0.0, 0.3)[away], atol=1e-12)


def test_drive_trains_that_start_and_are_jolted_anywhere(tmp_path):
    """`python -m tests.oracles.drive_trains` runs hundreds."""
    assert [compared(number, tmp_path, target="python") for number in (43,)] == [[]]


def test_stick_and_slip_on_a_belt(simulate):
    """A shaft that the friction of a belt takes along until its spring pulls as much as the friction holds."""
    run = simulate(
        "submodel (ConstSpeed) belt(w0=1)\nsubmodel (Clutch) c(n=3, w_tab=[0, 1, 2], mue=[0.5, 0.3, 0.3], fn_max=20, "
        "peak=1.2)\n"
        "submodel (FreeInertia) J(J=1)\nsubmodel (Spring) s(c=50)\nsubmodel (Fixed) f\nconnect belt to c to J to s to "
        "f\nc.engaged = 1\n"
        "initial\nJ.phi = 0\nJ.w = 0\nendinitial",
        stop=4.0,
    )
    stuck = run["c.mode"] == 2
    close(run["J.w"][stuck], 1.0, atol=1e-7)
    assert 3 <= np.sum(np.diff(stuck.astype(int)) == 1) <= 5
    # It tears off at 0.5*20*1.2 = 12 N.m.
    close(np.max(run["J.phi"][stuck]), 12 / 50, atol=1e-5)


@pytest.mark.parametrize("count", [3, 8])
def test_clutches_in_a_row_keep_the_angular_momentum(simulate, count):
    run = simulate(
        f"submodel (Inertia) J({count + 1})(J=1, w0=[12; zeros({count})])\nsubmodel (Clutch) c({count})(fn_max=20, "
        "peak=1.1)\n"
        f"connect J(k) to c(k) to J(k + 1) for k = 1..{count}\n"
        f"for k = 1..{count} do\nc(k).engaged = if time < 0.1*k then 0.2 else 1\nendfor",
        stop=3.0,
        rtol=1e-7,
    )
    total = sum(run[f"J({k}).w"] for k in range(1, count + 2))
    close(total, 12.0, atol=1e-7)
    for k in range(1, count + 2):
        close(run[f"J({k}).w"][-1], 12 / (count + 1), atol=1e-6)


def test_code_of_a_chain_is_in_proportion_to_its_length(write_model):
    """The core of the linear system has one row for each clutch, and entries beside the diagonal alone."""

    def length(count):
        text = (
            f"@rotational\nmodel Chain\nsubmodel (Inertia) J({count + 1})(J=2)\nsubmodel (Clutch) "
            f"c({count})(fn_max=20)\n"
            f"connect J(k) to c(k) to J(k + 1) for k = 1..{count}\nfor k = 1..{count} do\nc(k).engaged = "
            "time\nendfor\nend\n"
        )
        model = cutset.load(write_model(text))
        assert [(s["size"], s["torn"]) for s in model.inspect()["linear_systems"]] == [(4 * count + 1, count)]
        return len(model.translated.files("c")["model.c"].splitlines())

    assert length(40) < 4.2 * length(10)


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
